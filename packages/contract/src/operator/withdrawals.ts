import { z } from 'zod';
import { forbiddenContent } from '@pay/shared/content/forbidden-content.ts';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { moment, pageLimit, pageToken, text } from '@pay/shared/http/fields.ts';
import { LIST_ORDERS } from '@pay/shared/http/list-page.ts';
import { WithdrawalRequest } from '../api/withdrawals.ts';
import { body, issuedId, usdtString, withdrawalStatus } from '../fields.ts';
import { AuditLogEntry } from './audit-log.ts';
import { fromMoment, login, revision, toMoment, uuidBeginning } from './fields.ts';
import { listOf, pageOf, type RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';
import { TRANSFER_NETWORKS, transferReferenceFault } from './transfer-networks.ts';

/** For any partner. */
export const WithdrawalFilter = z.strictObject({
  id: uuidBeginning.describe('Only requests whose id begins like this: at least six digits').optional(),
  partnerID: issuedId.describe('Only of this partner').optional(),
  storeId: issuedId.describe('Only of this store').optional(),
  status: withdrawalStatus.describe('Only requests with this status').optional(),
  from: fromMoment.optional(),
  to: toMoment.optional(),
});
export const WithdrawalQuery = WithdrawalFilter.extend({
  limit: pageLimit(20),
  pageToken,
  order: z.enum(LIST_ORDERS).default('newest').describe('Which requests come first: `oldest` for a queue'),
});

export const Withdrawal = namedForOperators(
  'Withdrawal',
  'A payout request with its partner, the people who acted on it and the revision that actions must name.',
  WithdrawalRequest.extend({
    partnerID: z.string(),
    revision: z.int().positive(),
    takenBy: login.nullable(),
    takenUntil: moment.nullable().describe('Until then nobody else can decide'),
    reviewedBy: login.nullable(),
    completedBy: login.nullable(),
    failedBy: login.nullable(),
    cancelledBy: z.enum(['PARTNER', 'OPERATOR']).nullable(),
  }),
);
export type Withdrawal = RecordOf<typeof Withdrawal>;

export const WithdrawalPage = namedForOperators('WithdrawalPage', 'Payout requests, newest or oldest first.', pageOf(Withdrawal));

export const WithdrawalWithHistory = namedForOperators(
  'WithdrawalWithHistory',
  'A payout request with the actions of operators on it, newest first.',
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
  'The number of requests in each state, and how long the oldest has been waiting.',
  listOf(count),
);

/** A transfer hash looks like a private key, so it is allowed here; other forbidden content is not. */
const TRANSFER_HASH = /^(?:0x)?[0-9a-f]{64}$/i;
const transferReference = text
  .regex(/^[A-Za-z0-9._:-]{6,128}$/, 'must be 6 to 128 Latin letters, digits, dots, underscores, colons or hyphens')
  .refine((value) => TRANSFER_HASH.test(value) || forbiddenContent(value) === undefined, 'must be the reference of a transfer');

export const ActOnWithdrawal = namedForOperators(
  'ActOnWithdrawal',
  'Takes or approves the request at the revision that the operator saw.',
  body({ revision }),
);
export const EndWithdrawal = namedForOperators(
  'EndWithdrawal',
  'Rejects, cancels or fails the request at the revision that the operator saw. The partner sees the reason.',
  body({ revision, reason: typedText('operator', 140) }),
);
export const CompleteWithdrawal = namedForOperators(
  'CompleteWithdrawal',
  'Confirms the manual transfer. Each transfer pays one request.',
  body({
    revision,
    transferReference,
    network: z
      .enum(TRANSFER_NETWORKS)
      .describe('Where the transfer was made: TRON and ETHEREUM require the shape of their transaction hashes')
      .optional(),
  }).superRefine(({ transferReference: reference, network }, ctx) => {
    const message = transferReferenceFault(reference, network);
    if (message !== undefined) ctx.addIssue({ code: 'custom', path: ['transferReference'], message });
  }),
);

/** Thousandths: the scale of the chart. */
const share = z.int().min(0);

export const WithdrawalOverview = namedForOperators(
  'WithdrawalOverview',
  'The largest balances, and how long requests wait.',
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
