import { createHmac } from 'node:crypto';
import type { RequestHandler } from 'express';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { isSame, requireKey } from './require-key.ts';

const COOKIE = 'bank_operations';

/**
 * Lets people to a page: by `?key=` once, which leaves a cookie and leads to the same page without the key, then by the
 * cookie, which ends with the browser; programs by the bearer key. The cookie opens pages only: the key is not in it.
 * @throws ApiError UNAUTHORIZED
 */
export function openByLink(key: string): RequestHandler {
  const ticket = createHmac('sha256', key).update(COOKIE).digest('base64url');
  const byHeader = requireKey(key);
  return (req, res, next) => {
    const given = req.query['key'];
    if (given !== undefined) {
      if (typeof given !== 'string' || !isSame(given, key)) throw new ApiError('UNAUTHORIZED');
      const url = new URL(req.originalUrl, 'http://bank');
      url.searchParams.delete('key');
      res.cookie(COOKIE, ticket, { httpOnly: true, sameSite: 'strict' });
      // Never `//…`, which would lead to another host.
      res.redirect(303, `${url.pathname.replace(/^\/+/, '/')}${url.search}`);
      return;
    }
    if (isSame(cookieOf(req.headers.cookie), ticket)) next();
    else void byHeader(req, res, next);
  };
}

function cookieOf(header = ''): string {
  const pair = header.split(/; */).find((one) => one.startsWith(`${COOKIE}=`));
  return pair?.slice(COOKIE.length + 1) ?? '';
}
