import type { Request } from 'express';
import { z } from 'zod';
import { JsonNumber } from '@pay/shared/json/json-body.ts';
import { validate } from '@pay/shared/http/validate.ts';

/** The merchant's id of an operation. */
export const operationId = z.uuid().transform((text) => text.toLowerCase());

/** Kopecks as a decimal string: `"1050"`. */
export const amountKopecks = z
  .string()
  .regex(/^[1-9]\d{0,17}$/, 'must be kopecks, a decimal string such as "1050"')
  .transform((text) => BigInt(text));

export const currency = z.literal('RUB');
export const description = z.string().max(140);

/** Digits as text, sent as a string (`"09"`) or a number (`9`). */
export const digits = z.union([z.string(), z.instanceof(JsonNumber).transform((number) => number.token)]);

/** A two-digit year is in this century. */
const year = digits.pipe(z.string().regex(/^(?:20)?\d{2}$/)).transform((text) => 2000 + Number(text.slice(-2)));

/** A typed card. */
export const card = z.strictObject({
  number: z.string().regex(/^\d{12,19}$/),
  expiryMonth: digits.pipe(z.string().regex(/^(?:0?[1-9]|1[0-2])$/)).transform(Number),
  expiryYear: year,
  cvv: z.string().regex(/^\d{3,4}$/),
});

/** The operation id of the path. @throws ApiError VALIDATION_FAILED */
export function operationIdOfPath(req: Request): string {
  return validate(z.object({ operationId }), req.params).operationId;
}
