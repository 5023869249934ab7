import type { RequestHandler } from 'express';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { clientAddress, networkOf, type TrustedProxies } from '@pay/shared/net/client-address.ts';

/** Challenges and attempts to sign in, together, from one address or its network. */
export const SIGN_INS_A_MINUTE = 30;
/** How many addresses are remembered; beyond that, the one that came first is forgotten. */
const REMEMBERED_MAX = 20_000;
const MINUTE_MS = 60_000;

/**
 * Limits how often an address may begin or try a sign-in. In this process: it protects the gateway's database from a flood.
 * Guessing is no use anyway: a challenge is used up by one attempt, and what would have to be guessed is a signature.
 * @throws ApiError 429
 */
export function signInLimit(proxies: TrustedProxies, now: () => number = () => performance.now()): RequestHandler {
  const windows = new Map<string, { readonly until: number; count: number }>();
  return (req, _res, next) => {
    const source = networkOf(clientAddress(req, proxies));
    const at = now();
    let window = windows.get(source);
    if (window === undefined || window.until <= at) {
      windows.delete(source);
      window = { until: at + MINUTE_MS, count: 0 };
      windows.set(source, window);
      const [oldest] = windows.keys();
      if (windows.size > REMEMBERED_MAX && oldest !== undefined) windows.delete(oldest);
    }
    window.count += 1;
    if (window.count > SIGN_INS_A_MINUTE) throw new ApiError('RATE_LIMITED', { retryAfterSeconds: Math.ceil((window.until - at) / 1_000) });
    next();
  };
}
