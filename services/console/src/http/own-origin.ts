import type { RequestHandler } from 'express';
import { ApiError } from '@pay/shared/errors/api-error.ts';

/**
 * A request that changes something must come from the program's own pages. Browsers report the origin, and no other page
 * can forge it. (The cookie has SameSite as well; this also covers sibling domains.)
 */
export function requireOwnOrigin(publicUrl: string, program: 'console' | 'portal'): RequestHandler {
  const origin = new URL(publicUrl).origin;
  return (req, _res, next) => {
    if (req.method !== 'GET' && req.headers.origin !== origin)
      throw new ApiError('FORBIDDEN', { text: `requests must come from the ${program}’s own pages` });
    next();
  };
}
