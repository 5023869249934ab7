import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** `AUTH_SECRET`, and the other one that is good while it is changed. Base64 texts. */
export type AuthSecrets = { readonly current: string; readonly previous: string | undefined };

/**
 * The secrets as the sign-in library takes them. It writes a number beside what it encrypts, to know the secret again: one that
 * follows from the secret itself, so that it is the same whichever place the secret has. What it encrypted without a number is
 * from a time with one secret only.
 */
export function librarySecrets({ current, previous }: AuthSecrets) {
  const all = previous === undefined ? [current] : [current, previous];
  return { secret: previous ?? current, secrets: all.map((value) => ({ version: versionOf(value), value })) };
}

/** The same, as the library's own encryption takes them. */
export function secretConfigOf(secrets: AuthSecrets) {
  const { secret: legacySecret, secrets: all } = librarySecrets(secrets);
  const keys = new Map(all.map(({ version, value }) => [version, value]));
  return { keys, currentVersion: versionOf(secrets.current), legacySecret };
}

/** 31 bits: what fits the library's integer. */
function versionOf(secret: string): number {
  return createHash('sha256').update(secret).digest().readUInt32BE(0) >>> 1;
}

/**
 * A Cookie header whose cookies are signed with the current secret where they were with the previous one: the library looks at
 * signatures with one secret only, and nobody is to be signed out because it changes.
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

/** As the library signs its cookies (better-call, `makeSignature`). */
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
