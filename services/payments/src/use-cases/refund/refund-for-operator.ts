import { PAYMENT_METHODS } from '@pay/contract/states.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { findPayment } from '../../db/payment/payments.ts';
import type { Proposal } from '../../db/proposal/proposals.ts';
import type { ApiDeps } from '../../deps.ts';
import { propose } from '../proposal/propose.ts';
import { SecondPersonNeeded } from './refund-by-operator.ts';
import { requestRefund, type RequestedRefund } from './request-refund.ts';

export type OperatorRefund = {
  readonly operator: Operator;
  readonly paymentId: string;
  /** The version of the payment that the operator saw. A refund made in the meantime makes it stale. */
  readonly seenVersion: number;
  /** One key per refund: a second click with the same key refunds nothing. */
  readonly key: string;
  readonly bodySha256: string;
  readonly amountKopecks: bigint | undefined;
  readonly reason: string;
};

export type RefundOutcome =
  | ({ readonly kind: 'done' } & RequestedRefund)
  /** Above what one person with this role may refund: a second one must confirm first. */
  | { readonly kind: 'proposed'; readonly proposal: Proposal };

/**
 * POST /operator/payments/{paymentId}/refunds: the same refund that a partner can make, with the same bookings and callbacks, but
 * requested by an operator. @throws ApiError as `requestRefund`
 */
export async function refundForOperator(deps: ApiDeps, asked: OperatorRefund): Promise<RefundOutcome> {
  try {
    return { kind: 'done', ...(await give(deps, asked)) };
  } catch (error) {
    if (!(error instanceof SecondPersonNeeded)) throw error;
    const { paymentId: subjectId, seenVersion, reason, operator } = asked;
    const wanted = { seenVersion, amount: renderRub(error.amountKopecks), reason };
    const proposal = await inTransaction(deps.db, (tx) => propose(tx, operator, { kind: 'REFUND', subjectId, asked: wanted }));
    return { kind: 'proposed', proposal };
  }
}

/**
 * Makes the refund of a proposal, which is confirmed in the refund's first transaction. @throws ApiError as `confirmProposal`,
 * `requestRefund`
 */
export async function confirmRefund(deps: ApiDeps, proposalId: string, asked: OperatorRefund): Promise<RequestedRefund> {
  return give(deps, asked, proposalId);
}

async function give(deps: ApiDeps, asked: OperatorRefund, proposalId?: string): Promise<RequestedRefund> {
  const { operator: person, paymentId, seenVersion, key, bodySha256, amountKopecks, reason } = asked;
  const payment = await findPayment(deps.db, paymentId);
  if (payment === undefined) throw new ApiError('NOT_FOUND');
  // Our key contains a space, and partners' keys cannot: they never collide.
  const operation = `POST /operator/payments/${paymentId}/refunds`;
  const request = { partnerId: payment.partnerId, key: `operator ${key}`, operation, bodySha256 };
  const { refundLimits: limits } = deps;
  return requestRefund(deps, request, {
    paymentId,
    methods: PAYMENT_METHODS,
    amountKopecks,
    reason,
    merchantRefundId: undefined,
    operator: { person, seenVersion, limits, ...(proposalId === undefined ? {} : { proposalId }) },
  });
}
