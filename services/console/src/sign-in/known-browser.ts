import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * A cookie that a browser gets when somebody has signed in there, with all factors. Wrong passwords from it are counted apart from
 * those of strangers: who knows a login can lock out strangers, and nobody at their own desk (N7). It proves nothing else.
 * See decisions/staff-sign-in.
 */
const NAME = 'known_browser';
const MAX_AGE_SECONDS = 180 * 86_400;
const SHAPE = new RegExp(`(?:^|; ?)${NAME}=([0-9a-f]{32})\\.([0-9a-f]{64})(?:;|$)`);

const macOf = (secret: string, login: string, id: string): string =>
  createHmac('sha256', secret).update(`browser:${id}:${login.toLowerCase()}`).digest('hex');

/** The id of the browser that the cookies name, if this login has signed in there. */
export function knownBrowserOf(secret: string, login: string, cookies: string | null): string | undefined {
  const [, id = '', mac = ''] = SHAPE.exec(cookies ?? '') ?? [];
  const expected = macOf(secret, login, id);
  return mac.length === expected.length && timingSafeEqual(Buffer.from(mac), Buffer.from(expected)) ? id : undefined;
}

/** The Set-Cookie of a browser where this login has signed in. */
export function knownBrowserCookie(secret: string, login: string, isSecure: boolean): string {
  const id = randomBytes(16).toString('hex');
  const flags = `Max-Age=${String(MAX_AGE_SECONDS)}; Path=/api/auth; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  return `${NAME}=${id}.${macOf(secret, login, id)}; ${flags}`;
}
