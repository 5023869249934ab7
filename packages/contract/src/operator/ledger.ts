import { z } from 'zod';
import { day, moment } from '@pay/shared/http/fields.ts';
import { issuedId, signedRublesString, uuid } from '../fields.ts';
import { fromMoment, toMoment } from './fields.ts';
import type { RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';

export const TrialBalanceQuery = z.strictObject({ at: toMoment.optional() });
export const StatementQuery = z
  .strictObject({ from: fromMoment, to: toMoment })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be after from' });

/** Debits are positive. */
export const TrialBalance = namedForOperators(
  'TrialBalance',
  'All accounts; debits are positive. If total is not 0.00, the books are inconsistent.',
  z.object({
    items: z.array(z.object({ account: z.string(), owner: z.string(), balance: signedRublesString })),
    total: signedRublesString,
    differences: z
      .array(
        z.object({
          account: z.string(),
          owner: z.string(),
          balance: signedRublesString,
          entries: z.int(),
          runningTotal: signedRublesString,
          runningEntries: z.int(),
        }),
      )
      .describe(
        'Without at: accounts whose entries do not add up to the running total. If not empty, someone changed the data bypassing the service',
      )
      .optional(),
  }),
);
export type TrialBalance = RecordOf<typeof TrialBalance>;

export const Statement = namedForOperators(
  'Statement',
  'What we owe a partner, entry by entry.',
  z.object({
    partnerId: z.string(),
    from: moment,
    to: moment,
    opening: signedRublesString,
    closing: signedRublesString,
    items: z.array(
      z.object({
        ledgerTransactionId: uuid,
        bookedAt: moment,
        kind: z.string(),
        referenceId: z.string(),
        amount: signedRublesString,
        fee: signedRublesString,
        balance: signedRublesString,
      }),
    ),
  }),
);
export type Statement = RecordOf<typeof Statement>;

/** The partner whose ledger or day is requested. */
export const PartnerPath = z.object({ partnerId: issuedId });

export const PartnerDayQuery = z.strictObject({ date: day });
