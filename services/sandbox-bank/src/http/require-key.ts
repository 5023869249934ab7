import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { ApiError } from '@pay/shared/errors/api-error.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** Whether two texts are equal, in constant time. */
export const isSame = (given: string, expected: string) => timingSafeEqual(sha256(given), sha256(expected));

/** Refuses every call without one of these bearer keys: two during a key rotation. */
export function requireKey(keys: readonly string[]): RequestHandler {
  return (req, _res, next) => {
    const given = req.headers.authorization ?? '';
    if (!keys.some((key) => isSame(given, `Bearer ${key}`))) throw new ApiError('UNAUTHORIZED');
    next();
  };
}
