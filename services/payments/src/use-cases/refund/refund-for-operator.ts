import { PAYMENT_METHODS } from '@pay/contract/states.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { findPayment } from '../../db/payment/payments.ts';
import type { Proposal } from '../../db/proposal/proposals.ts';
import type { ApiDeps } from '../../deps.ts';
import { propose } from '../proposal/propose.ts';
import { requestRefund, SecondPersonNeeded, type RequestedRefund } from './request-refund.ts';

export type OperatorRefund = {
  readonly operator: Operator;
  readonly paymentId: string;
  /** Of the payment as the operator saw it: a refund that somebody made meanwhile makes it stale. */
  readonly seenVersion: number;
  /** One a refund: a second click with it gives nothing back again. */
  readonly key: string;
  readonly bodySha256: string;
  readonly amountKopecks: bigint | undefined;
  readonly reason: string;
};

export type RefundOutcome =
  | ({ readonly kind: 'done' } & RequestedRefund)
  /** Above what one person of this role gives back: not before a second one confirms. */
  | { readonly kind: 'proposed'; readonly proposal: Proposal };

/**
 * POST /operator/payments/{paymentId}/refunds: the partner's own refund, with the same books and callbacks, but asked for
 * by one of our people. @throws ApiError as `requestRefund`
 */
export async function refundForOperator(deps: ApiDeps, asked: OperatorRefund): Promise<RefundOutcome> {
  try {
    return { kind: 'done', ...(await give(deps, asked)) };
  } catch (error) {
    if (!(error instanceof SecondPersonNeeded)) throw error;
    const { paymentId: subjectId, seenVersion, reason, operator } = asked;
    const wanted = { seenVersion, amount: renderRub(error.amountKopecks), reason };
    const proposal = await inTransaction(deps.db, (tx) =>
      propose(tx, operator, { kind: 'REFUND', subjectId, asked: wanted }),
    );
    return { kind: 'proposed', proposal };
  }
}

/** Gives back what a proposal asks for; the confirmation is part of the refund's own first transaction. @throws ApiError as `confirmProposal`, `requestRefund` */
export async function confirmRefund(
  deps: ApiDeps,
  proposalId: string,
  asked: OperatorRefund,
): Promise<RequestedRefund> {
  return give(deps, asked, proposalId);
}

async function give(deps: ApiDeps, asked: OperatorRefund, proposalId?: string): Promise<RequestedRefund> {
  const { operator: person, paymentId, seenVersion, key, bodySha256, amountKopecks, reason } = asked;
  const payment = await findPayment(deps.db, paymentId);
  if (payment === undefined) throw new ApiError('NOT_FOUND');
  // A partner's key has no blank: none of his is ever one of ours.
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
