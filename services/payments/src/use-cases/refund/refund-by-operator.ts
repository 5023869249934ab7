import type { Tx } from '@pay/shared/postgres/db.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { insertAction } from '../../db/operator/audit-log.ts';
import type { Payment } from '../../db/payment/payments.ts';
import type { Refund } from '../../db/refund/refunds.ts';
import { needsSecondPerson, type RefundLimits } from '../../domain/proposal/proposal.ts';
import { confirmProposal } from '../proposal/propose.ts';

/** Who asked for an operator's refund. */
export type ByOperator = {
  readonly person: Operator;
  readonly seenVersion: number;
  readonly limits: RefundLimits;
  /** The proposal that is confirmed with the refund, if it takes two people. */
  readonly proposalId?: string;
};

/** Thrown before anything is stored: the refund is above what one person with this role may make alone. */
export class SecondPersonNeeded extends Error {
  override readonly name = 'SecondPersonNeeded';
  readonly amountKopecks: bigint;
  constructor(amountKopecks: bigint) {
    super('this refund takes a second person');
    this.amountKopecks = amountKopecks;
  }
}

/** Checks that an operator may make the refund alone, or confirms the proposal. */
export async function authorize(tx: Tx, operator: ByOperator, payment: Payment, amountKopecks: bigint): Promise<void> {
  const { person, proposalId, limits } = operator;
  if (proposalId !== undefined) await confirmProposal(tx, person, proposalId);
  else if (needsSecondPerson(limits, person.role, payment.refundReservedKopecks, amountKopecks))
    throw new SecondPersonNeeded(amountKopecks);
}

/**
 * Leaves out the reason, which may mention the buyer: it stays in the refund, and is erased with the buyer. See
 * decisions/erasure.
 */
export async function logRefund(tx: Tx, operator: OperatorLogin, payment: Payment, refund: Refund): Promise<void> {
  const { refundId, amountKopecks } = refund;
  await insertAction(tx, {
    operator,
    action: 'payment.refund',
    subjectId: payment.paymentId,
    before: { refundReserved: renderRub(payment.refundReservedKopecks) },
    after: { refundReserved: renderRub(payment.refundReservedKopecks + amountKopecks), refundId },
  });
}
