import { ApiError } from '@pay/sdk';

/**
 * The code, if the service refused the request for good: it did nothing, and repeating the same request would not help.
 * Undefined if the outcome is unknown or a repeat may succeed: no answer, 5xx, 429, a key still in progress. Also for
 * 401 and 403: our keys are wrong, not the order.
 */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.code === 'IDEMPOTENCY_KEY_IN_PROGRESS') return undefined;
  return [400, 404, 409, 422].includes(error.status) ? error.code : undefined;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
