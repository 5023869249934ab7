import { invalidField } from '../errors/api-error.ts';
import type { PageTokens } from './page-token.ts';

/** Which end of a list comes first: the newest as a rule, the oldest of what waits for somebody. */
export const LIST_ORDERS = ['newest', 'oldest'] as const;
export type ListOrder = (typeof LIST_ORDERS)[number];

/** The last row of a page of a list ordered by creation and id: the next page begins after it. */
export type ListPosition = { readonly createdAt: Date; readonly id: string };

/** Less than zero if the first is older: it comes later in a list with the newest first. Greater than zero if it is newer. */
export function comparePlaces(one: ListPosition, other: ListPosition): number {
  const between = one.createdAt.getTime() - other.createdAt.getTime();
  return between !== 0 ? between : one.id < other.id ? -1 : Number(one.id > other.id);
}

/** Where the requested page begins. @throws ApiError 400 for a token of another list or other filters */
export function readPosition(
  tokens: PageTokens,
  token: string | undefined,
  scope: readonly (string | undefined)[],
): ListPosition | undefined {
  if (token === undefined) return undefined;
  const position = tokens.read(token, scope);
  if (position === undefined) throw invalidField('pageToken', 'must be the nextPageToken of this list with these filters');
  const [milliseconds = '', id = ''] = position.split('_');
  return { createdAt: new Date(Number(milliseconds)), id };
}

/** The token of the next page; null on the last. */
export function writePosition(tokens: PageTokens, next: ListPosition | undefined, scope: readonly (string | undefined)[]): string | null {
  return next === undefined ? null : tokens.write(`${String(next.createdAt.getTime())}_${next.id}`, scope);
}
