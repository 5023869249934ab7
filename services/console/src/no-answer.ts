import { ApiError } from '@pay/shared/errors/api-error.ts';
import { isNothingSent } from '@pay/shared/net/nothing-sent.ts';

/**
 * What a person is told of a call that got no answer. Only of one that changes nothing, or that never left, is it certain that
 * nothing was done.
 * @param error - what `fetch` threw
 */
export function noAnswer(method: string, error: unknown, text?: string): ApiError {
  const isCertain = method === 'GET' || (error instanceof Error && isNothingSent(error.cause));
  return isCertain ? new ApiError('SERVICE_UNAVAILABLE', text === undefined ? {} : { text }) : new ApiError('OUTCOME_UNKNOWN');
}
