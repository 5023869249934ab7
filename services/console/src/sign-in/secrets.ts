import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** `AUTH_SECRET` and, during a rotation, the other valid one. Base64 texts. */
export type AuthSecrets = { readonly current: string; readonly previous: string | undefined };

/**
 * The secrets in the form that the sign-in library expects. It stores a number with everything it encrypts, to
 * recognise the secret. The number is derived from the secret, so that it is the same in either place. What was
 * encrypted without a number dates from a time with a single secret.
 */
export function librarySecrets({ current, previous }: AuthSecrets) {
  const all = previous === undefined ? [current] : [current, previous];
  return { secret: previous ?? current, secrets: all.map((value) => ({ version: versionOf(value), value })) };
}

/** The same for the library's own encryption. */
export function secretConfigOf(secrets: AuthSecrets) {
  const { secret: legacySecret, secrets: all } = librarySecrets(secrets);
  const keys = new Map(all.map(({ version, value }) => [version, value]));
  return { keys, currentVersion: versionOf(secrets.current), legacySecret };
}

/** 31 bits: fits the library's integer. */
function versionOf(secret: string): number {
  return createHash('sha256').update(secret).digest().readUInt32BE(0) >>> 1;
}

/**
 * A Cookie header in which cookies signed with the previous secret are signed with the current one: the library checks
 * signatures with one secret only, and a rotation should sign nobody out.
 */
export function signAnew(cookies: string, { current, previous }: AuthSecrets): string {
  if (previous === undefined) return cookies;
  return cookies
    .split(/; */)
    .map((cookie) => {
      const [, name = '', value = '', signature = ''] = /^([^=]+)=(.+)\.([^.]+)$/.exec(cookie) ?? [];
      const [signed, given] = [decode(value), decode(signature)];
      if (signed === undefined || given === undefined || !isSame(given, signatureOf(signed, previous))) return cookie;
      return `${name}=${encodeURIComponent(`${signed}.${signatureOf(signed, current)}`)}`;
    })
    .join('; ');
}

/** Signs as the library does (better-call, `makeSignature`). */
const signatureOf = (value: string, secret: string) => createHmac('sha256', secret).update(value).digest('base64');

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
