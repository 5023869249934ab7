import type { Request } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { JsonNumber } from '@pay/shared/http/json-body.ts';
import { parseUsdt } from '@pay/shared/money/money.ts';

/** The fields that requests of this service share, each to its type and limit. Messages never repeat the value. */

export const text = z.string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') });

/** An identifier that we issued; one that does not exist is 404, so only its type matters. */
export const issuedId = text.min(1, 'must not be empty').max(128, 'must be at most 128 characters');

/**
 * A string, micro-USDT inside. A JSON number is refused: it may have been a double. See
 * spec/decisions#withdrawal-amount.
 */
export const amountUsdt = z.unknown().transform((value, ctx): bigint => {
  const micro = typeof value === 'string' ? parseUsdt(value) : undefined;
  if (micro !== undefined) return micro;
  const rule = 'must be a string of at least 0.000001 with at most six digits after the point, such as "12.500000"';
  ctx.addIssue({ code: 'custom', message: value === undefined ? 'is required' : rule });
  return z.NEVER;
});

/** What the operator saw: the JSON number of an earlier answer. */
export const revision = z
  .instanceof(JsonNumber, { error: 'must be the revision that was seen' })
  .refine(({ token }) => /^[1-9]\d{0,8}$/.test(token), 'must be the revision that was seen')
  .transform(({ token }) => Number(token));

/** 1 to 100, 20 when absent. See spec/decisions#withdrawal-records-and-lists. */
export const limit = text
  .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
  .default('20')
  .transform(Number);

/** A moment with its offset, ISO 8601. */
export const moment = z.iso
  .datetime({ offset: true, error: 'must be a moment such as 2026-01-31T12:00:00Z' })
  .transform((value) => new Date(value));

/** The id of a path. What is no UUID names nothing. @throws ApiError 404 */
export function uuidParam(req: Request, name: string): string {
  const id = z.uuid().safeParse(req.params[name]);
  if (!id.success) throw new ApiError('NOT_FOUND');
  return id.data;
}

/** A path parameter as it stands. */
export function param(req: Request, name: string): string {
  const value = req.params[name];
  if (typeof value !== 'string') throw new Error(`the route has no parameter ${name}`);
  return value;
}
