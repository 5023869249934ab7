import { invalidField } from '@pay/shared/errors/api-error.ts';
import type { PageTokens } from '@pay/shared/http/page-token.ts';
import type { ListPosition } from '../use-cases/read-withdrawals.ts';

/** Where a list was asked to begin. @throws ApiError 400 for a token that was not made for this list and these filters */
export function readPosition(
  tokens: PageTokens,
  token: string | undefined,
  scope: readonly (string | undefined)[],
): ListPosition | undefined {
  if (token === undefined) return undefined;
  const position = tokens.read(token, scope);
  if (position === undefined)
    throw invalidField('pageToken', 'must be the nextPageToken of this list with these filters');
  const [milliseconds = '', id = ''] = position.split('_');
  return { createdAt: new Date(Number(milliseconds)), id };
}

/** The token of the next page; null on the last. */
export function writePosition(
  tokens: PageTokens,
  next: ListPosition | undefined,
  scope: readonly (string | undefined)[],
): string | null {
  return next === undefined ? null : tokens.write(`${String(next.createdAt.getTime())}_${next.id}`, scope);
}
