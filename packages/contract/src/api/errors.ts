import { ERRORS, type ErrorCode } from '@pay/shared/errors/catalogue.ts';
import { moment } from '@pay/shared/http/fields.ts';
import { z } from 'zod';
import { named } from '../registry.ts';

/** Codes of the operators' own APIs: a partner never meets them. */
const OPERATORS_ONLY: readonly ErrorCode[] = ['FORBIDDEN', 'STALE_REVISION'];

const codes = Object.keys(ERRORS).filter((code) => !OPERATORS_ONLY.some((hidden) => hidden === code));

/** See spec/decisions#error-body. Every answer of 400 and above. */
export const ErrorBody = named(
  'Error',
  'Every answer of 400 and above. Programs branch on code, people read error.',
  z.object({
    error: z.string().describe('A sentence; exactly "unauthorized" with 401'),
    code: z.enum(codes),
    requestId: z.uuid().describe('Name it when you ask for help'),
    details: z
      .array(z.object({ field: z.string(), message: z.string() }))
      .describe('The wrong fields; in TEST the cause of a 401')
      .optional(),
    nextChargeAt: moment.describe('With PERIOD_NOT_ELAPSED').optional(),
    paymentId: z
      .uuid()
      .describe(
        'With DUPLICATE_ORDER: the payment or charge that has the number; with PREVIOUS_CHARGE_NOT_FINISHED: the open charge',
      ) // prettier-ignore
      .optional(),
    refundId: z.uuid().describe('With DUPLICATE_ORDER of a refund: the one that has the number').optional(),
    retryNotBefore: moment.nullable().describe('With RETRY_NOT_ALLOWED; null: not with this card').optional(),
  }),
);
