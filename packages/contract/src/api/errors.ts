import { ERRORS, type ErrorCode } from '@pay/shared/errors/catalogue.ts';
import { moment } from '@pay/shared/http/fields.ts';
import { z } from 'zod';
import { named } from '../registry.ts';

/** Codes of the operator APIs only: the public API never returns them. */
const OPERATORS_ONLY: readonly ErrorCode[] = ['FORBIDDEN', 'STALE_REVISION'];

const isCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** The codes of the public API, in order of precedence. */
export const ERROR_CODES = Object.keys(ERRORS)
  .filter(isCode)
  .filter((code) => !OPERATORS_ONLY.includes(code));

/** See spec/decisions#error-body. Every response with status 400 or above. */
export const ErrorBody = named(
  'Error',
  'Every response with status 400 or above. Programs branch on code, people read error.',
  z.object({
    error: z.string().describe('A sentence; exactly "unauthorized" with 401'),
    code: z.enum(ERROR_CODES).describe('What programs branch on. A newer service may send others'),
    requestId: z.uuid().describe('Quote it when you contact support'),
    details: z
      .array(
        z.object({
          field: z.string().describe('Its path in the body, or a query name'),
          message: z.string().describe('The rule; never the value'),
        }),
      )
      .describe('The invalid fields; in TEST also the cause of a 401')
      .optional(),
    nextChargeAt: moment.describe('With PERIOD_NOT_ELAPSED').optional(),
    paymentId: z
      .uuid()
      .describe(
        'With DUPLICATE_ORDER: the payment or charge that already uses the number; with PREVIOUS_CHARGE_NOT_FINISHED: the open charge',
      )
      .optional(),
    refundId: z.uuid().describe('With DUPLICATE_ORDER for a refund: the refund that already uses the number').optional(),
    retryNotBefore: moment
      .nullable()
      .describe('With RETRY_NOT_ALLOWED: the earliest time of the next attempt; null: never with this card')
      .optional(),
  }),
);
