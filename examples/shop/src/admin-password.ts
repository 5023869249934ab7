import { createHash, timingSafeEqual } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

const hash = (text: string) => createHash('sha256').update(text).digest();

/** HTTP Basic authentication as `admin`. Hashes have one length, so the comparison takes the same time for any input. */
export function requireAdmin(password: string) {
  const expected = hash(`Basic ${Buffer.from(`admin:${password}`).toString('base64')}`);
  return (req: Request, res: Response, next: NextFunction): void => {
    if (timingSafeEqual(hash(req.headers.authorization ?? ''), expected)) return next();
    res.set('WWW-Authenticate', 'Basic realm="shop", charset="UTF-8"').status(401).type('text').send('For staff.\n');
  };
}
