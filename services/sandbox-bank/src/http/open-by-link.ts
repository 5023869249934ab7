import { createHmac } from 'node:crypto';
import type { RequestHandler } from 'express';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { isSame, requireKey } from './require-key.ts';

const COOKIE = 'bank_operations';

/**
 * Lets people open a page: once with `?key=`, which sets a cookie and redirects to the same page without the key, then
 * with the cookie, a session cookie. Programs use the bearer key. The cookie only opens pages and does not contain the
 * key.
 * @throws ApiError UNAUTHORIZED
 */
export function openByLink(keys: readonly string[]): RequestHandler {
  const ticketOf = (key: string) => createHmac('sha256', key).update(COOKIE).digest('base64url');
  const byHeader = requireKey(keys);
  return (req, res, next) => {
    const given = req.query['key'];
    if (given !== undefined) {
      const key = typeof given === 'string' ? keys.find((one) => isSame(given, one)) : undefined;
      if (key === undefined) throw new ApiError('UNAUTHORIZED');
      const url = new URL(req.originalUrl, 'http://bank');
      url.searchParams.delete('key');
      res.cookie(COOKIE, ticketOf(key), { httpOnly: true, sameSite: 'strict' });
      // Never `//…`, which would lead to another host.
      res.redirect(303, `${url.pathname.replace(/^\/+/, '/')}${url.search}`);
      return;
    }
    const shown = cookieOf(req.headers.cookie);
    if (keys.some((key) => isSame(shown, ticketOf(key)))) next();
    else void byHeader(req, res, next);
  };
}

function cookieOf(header = ''): string {
  const pair = header.split(/; */).find((one) => one.startsWith(`${COOKIE}=`));
  return pair?.slice(COOKIE.length + 1) ?? '';
}
