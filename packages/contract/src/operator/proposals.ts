import { z } from 'zod';
import { moment } from '@pay/shared/http/fields.ts';
import { LIST_ORDERS } from '@pay/shared/http/list-page.ts';
import { body, LimitAndPage, oneOf, refundAmount, refundReason, uuid } from '../fields.ts';
import { login, wholeInput } from './fields.ts';
import { pageOf, type RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';
import { PROPOSAL_KINDS, PROPOSAL_STATUSES, WHEN_NOT_AUTHENTICATED } from './states.ts';

export const ProposalQuery = LimitAndPage.extend({
  status: oneOf(PROPOSAL_STATUSES).describe('Only proposals with this status').optional(),
  kind: oneOf(PROPOSAL_KINDS).describe('Only proposals of this kind').optional(),
  order: z.enum(LIST_ORDERS).default('newest').describe('Which proposals come first: `oldest` for a queue'),
});

/**
 * The request stored with a proposal: a refund, the order of an unknown payment, or a payment point with every field that its
 * request named. Amounts are strings. Only the fields that are shown to people are listed.
 */
export const Asked = z.looseObject({
  amount: z.string().optional(),
  reason: z.string().optional(),
  feeBasisPoints: z.int().optional(),
  whenNotAuthenticated: z.enum(WHEN_NOT_AUTHENTICATED).optional(),
  storeId: z.string().optional(),
  order: z.looseObject({ paymentPointID: z.string(), merchantOrderId: z.string() }).optional(),
});
export type Asked = RecordOf<typeof Asked>;

export const Proposal = namedForOperators(
  'Proposal',
  'A change that one person proposes and another confirms.',
  z.object({
    proposalId: uuid,
    kind: z.enum(PROPOSAL_KINDS),
    subjectId: z.string(),
    asked: Asked,
    status: z.enum(PROPOSAL_STATUSES),
    proposedBy: login,
    decidedBy: login.nullable(),
    decidedAt: moment.nullable(),
    expiresAt: moment,
    createdAt: moment,
  }),
);
export type Proposal = RecordOf<typeof Proposal>;
export const ProposalPage = namedForOperators('ProposalPage', 'A page of proposals.', pageOf(Proposal));

export const Proposed = namedForOperators(
  'Proposed',
  'A second person must confirm: nothing has been done yet.',
  z.object({ proposal: Proposal }),
);

/** A repeat with the same `key` returns the same refund. */
export const RefundPayment = namedForOperators(
  'RefundPayment',
  'Refunds the buyer: part of the payment, or all that remains.',
  body({
    seenVersion: wholeInput(0, 999_999_999, 'must be a whole number').describe('aggregateVersion of the payment that the operator saw'),
    key: z.uuid().describe('A new one for each intended refund'),
    amount: refundAmount.optional(),
    reason: refundReason,
  }),
);

/**
 * The refund in a proposal's `asked`. It states the amount: the confirmer approves what was proposed, not what remains
 * by then.
 */
export const ProposedRefund = RefundPayment.omit({ key: true }).required({ amount: true });
