import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

const YEAR_MS = 31_536_000_000;

/**
 * Gives every browser a random id in a cookie that no script can read. It is the buyer's account, so it is never stored
 * or sent: the database and the service know the hash of it.
 */
export function recognizeVisitor(isHttps: boolean) {
  return (req: Request, res: Response, next: NextFunction): void => {
    const [, known] = /(?:^|; )visitor=([\w-]{43})(?:;|$)/.exec(req.headers.cookie ?? '') ?? [];
    const visitor = known ?? randomBytes(32).toString('base64url');
    if (known === undefined) {
      res.cookie('visitor', visitor, { httpOnly: true, sameSite: 'lax', secure: isHttps, maxAge: YEAR_MS });
    }
    res.locals.visitor = visitor;
    next();
  };
}

const visitorOf = (res: Response): string => String(res.locals.visitor);

/** The buyer, by the name that the database and the service know. */
export const customerOf = (res: Response): string => createHash('sha256').update(visitorOf(res)).digest('hex').slice(0, 32);

/** What every form carries. Another site can make the browser send a form with its cookie, but it cannot know this. */
export const csrfToken = (res: Response): string => createHmac('sha256', visitorOf(res)).update('form').digest('base64url');

/** Refuses a form that is not from a page of ours. */
export function requireCsrfToken(req: Request, res: Response, next: NextFunction): void {
  const body = req.body as Record<string, unknown> | undefined;
  const given = Buffer.from(String(body?.token));
  const expected = Buffer.from(csrfToken(res));
  if (given.length === expected.length && timingSafeEqual(given, expected)) next();
  else res.status(403).type('text').send('This form is not from this shop, or too old: go back and reload the page.\n');
}
