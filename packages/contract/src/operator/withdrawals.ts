import { z } from 'zod';
import { forbiddenContent } from '@pay/shared/content/forbidden-content.ts';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { moment, pageLimit, pageToken, text } from '@pay/shared/http/fields.ts';
import { WithdrawalRequest } from '../api/withdrawals.ts';
import { body, issuedId, usdtString, withdrawalStatus } from '../fields.ts';
import { AuditLogEntry } from './audit-log.ts';
import { fromMoment, login, revision, toMoment } from './fields.ts';
import { listOf, pageOf, type RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';

/** Of any partner. */
export const WithdrawalFilter = z.strictObject({
  partnerID: issuedId.optional(),
  storeId: issuedId.optional(),
  status: withdrawalStatus.optional(),
  from: fromMoment.optional(),
  to: toMoment.optional(),
});
export const WithdrawalQuery = WithdrawalFilter.extend({ limit: pageLimit(20), pageToken });

export const Withdrawal = namedForOperators(
  'Withdrawal',
  'A payout request with its partner, its people and the revision that actions name.',
  WithdrawalRequest.extend({
    partnerID: z.string(),
    revision: z.int().positive(),
    takenBy: login.nullable(),
    takenUntil: moment.nullable().describe('Until then nobody else decides'),
    reviewedBy: login.nullable(),
    completedBy: login.nullable(),
    failedBy: login.nullable(),
    cancelledBy: z.enum(['PARTNER', 'OPERATOR']).nullable(),
  }),
);
export type Withdrawal = RecordOf<typeof Withdrawal>;

export const WithdrawalPage = namedForOperators(
  'WithdrawalPage',
  'Payout requests, the newest first.',
  pageOf(Withdrawal),
);

export const WithdrawalWithHistory = namedForOperators(
  'WithdrawalWithHistory',
  'A payout request and what operators did with it, the newest first.',
  Withdrawal.extend({ history: z.array(AuditLogEntry) }),
);
export type WithdrawalWithHistory = RecordOf<typeof WithdrawalWithHistory>;

const count = z.object({
  status: withdrawalStatus,
  count: z.int().positive(),
  amountUsdt: usdtString,
  oldestAt: moment,
});
export type WithdrawalCount = RecordOf<typeof count>;
export const WithdrawalCounts = namedForOperators(
  'WithdrawalCounts',
  'How many requests are in each state, and since when the oldest waits.',
  listOf(count),
);

/** The hash of a transfer looks like a private key; nothing else that is forbidden may stand here. */
const TRANSFER_HASH = /^(?:0x)?[0-9a-f]{64}$/i;
const transferReference = text
  .regex(/^[A-Za-z0-9._:-]{6,128}$/, 'must be 6 to 128 of A-Z a-z 0-9 . _ : -')
  .refine(
    (value) => TRANSFER_HASH.test(value) || forbiddenContent(value) === undefined,
    'must be the reference of a transfer',
  );

export const ActOnWithdrawal = namedForOperators(
  'ActOnWithdrawal',
  'Takes or approves the request as it was seen.',
  body({ revision }),
);
export const EndWithdrawal = namedForOperators(
  'EndWithdrawal',
  'Rejects, cancels or fails the request as it was seen. The partner reads the reason.',
  body({ revision, reason: typedText('operator', 140) }),
);
export const CompleteWithdrawal = namedForOperators(
  'CompleteWithdrawal',
  'Confirms the transfer that was made by hand. One transfer pays one request.',
  body({ revision, transferReference }),
);

/** Thousandths: what a chart is drawn by. */
const share = z.int().min(0);

export const WithdrawalOverview = namedForOperators(
  'WithdrawalOverview',
  'The greatest balances, and how long requests wait.',
  z.object({
    balances: z.array(
      z.object({
        storeId: z.string(),
        partnerId: z.string(),
        name: z.string(),
        availableUsdt: usdtString,
        reservedUsdt: usdtString,
        paidUsdt: usdtString,
        availableShare: share,
        reservedShare: share,
        paidShare: share,
      }),
    ),
    waiting: z.array(z.object({ status: withdrawalStatus, waiting: z.int(), oldestAt: moment })),
  }),
);
export type WithdrawalOverview = RecordOf<typeof WithdrawalOverview>;
