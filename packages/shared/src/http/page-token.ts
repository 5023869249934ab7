import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * Makes and checks the `nextPageToken` of one list. A token contains where the next page begins, and its signature
 * covers the list's owner and filters: altered, truncated, or used with another partner or filter it is invalid.
 */
export type PageTokens = {
  /**
   * `scope`: everything that selected the list, in a fixed order: the partner first, then each filter, including absent
   * ones.
   */
  write(position: string, scope: readonly (string | undefined)[]): string;
  /** The position; undefined if the token was not issued for this list with this scope. */
  read(token: string, scope: readonly (string | undefined)[]): string | undefined;
};

/**
 * The key is derived by HKDF, with the list's name, from one that every replica of the service has anyway (its
 * INTERNAL_TOKEN_KEY): there is no further secret to distribute, a token of one list is invalid in another, and the
 * service's own tokens cannot be made from it. During a rotation, tokens of the `previous` key are valid too;
 * afterwards a partner begins at the first page again.
 */
export function pageTokens(serviceKey: Buffer, list: string, previous?: Buffer): PageTokens {
  const key = keyOf(serviceKey, list);
  const older = previous === undefined ? [] : [keyOf(previous, list)];
  const read = (token: string, scope: readonly (string | undefined)[], by: Buffer): string | undefined => {
    const [encoded = ''] = token.split('.');
    const position = Buffer.from(encoded, 'base64url').toString();
    // Compared as a whole, so that one position has exactly one token.
    const [given, expected] = [Buffer.from(token), Buffer.from(writeToken(position, scope, by))];
    return given.length === expected.length && timingSafeEqual(given, expected) ? position : undefined;
  };
  return {
    write: (position, scope) => writeToken(position, scope, key),
    read(token, scope) {
      for (const by of [key, ...older]) {
        const position = read(token, scope, by);
        if (position !== undefined) return position;
      }
      return undefined;
    },
  };
}

const keyOf = (serviceKey: Buffer, list: string): Buffer =>
  Buffer.from(hkdfSync('sha256', serviceKey, Buffer.alloc(0), `page-token ${list}`, 32));

function writeToken(position: string, scope: readonly (string | undefined)[], key: Buffer): string {
  // JSON keeps the parts apart: ("ab", "c") and ("a", "bc") are two scopes.
  const signed = JSON.stringify([position, ...scope.map((part) => part ?? null)]);
  const signature = createHmac('sha256', key).update(signed).digest('base64url');
  return `${Buffer.from(position).toString('base64url')}.${signature}`;
}
