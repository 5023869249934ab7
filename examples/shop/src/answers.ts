import { ApiError } from '@pay/sdk';

/** An earlier call of ours did what this one asked for. With IDEMPOTENCY_KEY_REUSED, that call had another body. */
const DONE_BEFORE: readonly string[] = ['DUPLICATE_ORDER', 'IDEMPOTENCY_KEY_REUSED'];
const REFUSES_NOTHING: readonly string[] = [...DONE_BEFORE, 'IDEMPOTENCY_KEY_IN_PROGRESS', 'UNREADABLE'];

/** Whether the service refused because an earlier call of ours has succeeded: adopt what that call made. */
export const isDoneBefore = (error: unknown): error is ApiError => error instanceof ApiError && DONE_BEFORE.includes(error.code);

/**
 * The code, if the service refused the request for good: it did nothing, and repeating the same request would not help.
 * Undefined if the outcome is unknown or a repeat may succeed: no answer, 5xx, 429, a key still in progress, a page of a
 * proxy. Also if an earlier call did it, and for 401 and 403: our keys are wrong, not the order.
 */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || REFUSES_NOTHING.includes(error.code)) return undefined;
  return [400, 404, 409, 422].includes(error.status) ? error.code : undefined;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
