import { inTraceOf } from '@pay/shared/telemetry/tracing.ts';
import { findPayment, type Payment } from '../../db/payment/payments.ts';
import { findRefund, refundFence, type Refund } from '../../db/refund/refunds.ts';
import type { Deps } from '../../deps.ts';
import type { RefundResult } from '../../domain/acquiring/acquirer-result.ts';
import type { AcquirerRefund } from '../../acquirers/acquirer.ts';
import { operationOf } from '../../domain/payment/next-card.ts';
import { paysBySbp } from '../../domain/payment/sbp-order.ts';
import { findAcquirer } from '../acquiring/acquirer-of.ts';
import type { NewlyOpened } from './open-refund.ts';
import { recordRefundOutcome } from './record-refund-outcome.ts';

/**
 * Sends a refund that was just stored to the bank with its own id, so a repeat cannot refund twice.
 */
export async function sendOpened(deps: Deps, { payment, refund, route, fence }: NewlyOpened): Promise<RefundResult> {
  const acquirer = deps.acquirerOf(route);
  if (acquirer === undefined) return { kind: 'not-sent' };
  return acquirer.refund(wantedOf(payment, refund), fence);
}

/** Reads a refund at the bank, sends it again if the bank does not know it, and books the answer. Safe to repeat, by any process. */
export async function readBackRefund(deps: Deps, refundId: string): Promise<void> {
  const refund = await findRefund(deps.db, refundId);
  const payment = refund === undefined ? undefined : await findPayment(deps.db, refund.paymentId);
  if (refund === undefined || payment === undefined) throw new Error('the refund to send is missing');
  await inTraceOf('read refund back', payment.traceparent, async () => {
    await recordRefundOutcome(deps, refundId, await ask(deps, payment, refund));
  });
}

async function ask(deps: Deps, payment: Payment, refund: Refund): Promise<RefundResult> {
  const acquirer = await findAcquirer(deps, payment.routeId);
  if (acquirer === undefined) return { kind: 'not-sent' };
  const wanted = wantedOf(payment, refund);
  const known = await acquirer.readRefund(wanted);
  // What was returned of a payment says something of this refund only if no other one has begun or ended meanwhile.
  if (known.kind === 'confirmed' && !(await isAsSeen(deps, payment))) return { kind: 'unknown', isAnswered: true };
  // To the bank, a call that is still in flight and this one are the same refund (decisions/refunds).
  return known.kind === 'absent' ? acquirer.refund(wanted, refundFence(deps.db, refund)) : known;
}

async function isAsSeen({ db }: Deps, { paymentId, aggregateVersion }: Payment): Promise<boolean> {
  return (await findPayment(db, paymentId))?.aggregateVersion === aggregateVersion;
}

type Refunded = Parameters<typeof operationOf>[0] &
  Parameters<typeof paysBySbp>[0] &
  Pick<Payment, 'bankOperationId' | 'amountKopecks' | 'receipt' | 'refundedKopecks' | 'refundReservedKopecks'>;
type Sent = Pick<Refund, 'refundId' | 'amountKopecks' | 'receipt' | 'readCount' | 'bankOperationId'>;

/** What the bank is asked for, and what its connector must know to read the answer. */
export function wantedOf(payment: Refunded, refund: Sent): AcquirerRefund {
  const { refundId, amountKopecks, receipt: own, readCount, bankOperationId: acceptedAs } = refund;
  // For a full refund the bank uses the receipt of the sale (decisions/refunds).
  const isWhole = payment.receipt !== null && amountKopecks === payment.amountKopecks;
  const { bankOperationId, refundedKopecks, refundReservedKopecks } = payment;
  return {
    operationId: refundId,
    originalOperationId: operationOf(payment),
    bankOperationId,
    amountKopecks,
    receipt: isWhole ? null : own,
    paidBy: paysBySbp(payment) ? 'SBP' : 'CARD',
    isRepeat: readCount > 0,
    money: {
      paid: payment.amountKopecks,
      returned: refundedKopecks,
      underWay: refundReservedKopecks - refundedKopecks - amountKopecks,
      isAccepted: acceptedAs !== null,
    },
  };
}
