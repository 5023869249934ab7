import { z } from 'zod';
import { moment } from '@pay/shared/http/fields.ts';
import { rublesString } from '../fields.ts';
import type { RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';

const timed = { at: moment, medianMs: z.number().nullable(), p95Ms: z.number().nullable() };
const range = { from: moment, to: moment, bucketSeconds: z.int() };
/** Thousandths of the largest value: the scale of the chart. */
const share = z.int().min(0);
/** Debits are positive. */
const balance = z.string().regex(/^-?(?:0|[1-9]\d{0,14})\.\d{2}$/);

export const PaymentOverview = namedForOperators(
  'PaymentOverview',
  'The outcomes of payments in a time range by bucket, the reasons for failures, and the current books.',
  z.object({
    ...range,
    amount: rublesString.describe('The total paid in the range'),
    buckets: z.array(
      z.object({
        ...timed,
        created: z.int(),
        completed: z.int(),
        failed: z.int().describe('Ended without being paid, for whatever reason'),
        expired: z.int().describe('Of the failed: nobody tried to pay before the session ended'),
        cancelled: z.int().describe('Of the failed: cancelled before anybody tried to pay'),
        amount: rublesString,
      }),
    ),
    failures: z.array(z.object({ failureCode: z.string(), count: z.int() })),
    balances: z.array(z.object({ account: z.string(), balance, share })),
  }),
);
export type PaymentOverview = RecordOf<typeof PaymentOverview>;

export const DeliveryOverview = namedForOperators(
  'DeliveryOverview',
  'Callback delivery times by bucket, and the current backlog.',
  z.object({
    ...range,
    buckets: z.array(z.object({ ...timed, recorded: z.int(), delivered: z.int(), stopped: z.int() })),
    waiting: z.object({ waiting: z.int(), oldestAt: moment.nullable() }),
  }),
);
export type DeliveryOverview = RecordOf<typeof DeliveryOverview>;
