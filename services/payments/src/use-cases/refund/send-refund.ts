import { findPayment } from '../../db/payment/payments.ts';
import { findRefund, refundFence } from '../../db/refund/refunds.ts';
import type { Deps } from '../../deps.ts';
import type { RefundResult } from '../../domain/acquiring/acquirer-result.ts';
import type { Acquirer, AcquirerRefund } from '../../acquirers/acquirer.ts';
import type { Fence } from '../../domain/acquiring/fence.ts';
import { findAcquirer } from '../acquiring/acquirer-of.ts';

/** Sends a saved refund to the bank, under its own id: repeating it can't give money back twice. */
export async function sendRefund(deps: Deps, refundId: string): Promise<RefundResult> {
  return withRefund(deps, refundId, (acquirer, refund, fence) => acquirer.refund(refund, fence));
}

/** Asks the bank what became of a refund, and sends it again when the bank does not know it. */
export async function readBackRefund(deps: Deps, refundId: string): Promise<RefundResult> {
  return withRefund(deps, refundId, async (acquirer, refund, fence) => {
    const known = await acquirer.readRefund(refund);
    // A call that is still on its way and this one are the same refund to the bank (ADR 0030).
    return known.kind === 'absent' ? acquirer.refund(refund, fence) : known;
  });
}

async function withRefund(
  deps: Deps,
  refundId: string,
  call: (acquirer: Acquirer, refund: AcquirerRefund, fence: Fence) => Promise<RefundResult>,
): Promise<RefundResult> {
  const refund = await findRefund(deps.db, refundId);
  const payment = refund === undefined ? undefined : await findPayment(deps.db, refund.paymentId);
  if (refund === undefined || payment === undefined) throw new Error('a refund was sent that is not there');
  const acquirer = await findAcquirer(deps, payment.routeId);
  if (acquirer === undefined) return { kind: 'not-sent' };
  const { amountKopecks } = refund;
  // The bank has what was sold, and gives back the whole by itself (ADR 0138).
  const isWhole = payment.receipt !== null && amountKopecks === payment.amountKopecks;
  const receipt = isWhole ? null : refund.receipt;
  const { paymentId: originalOperationId, bankOperationId } = payment;
  const asked = { operationId: refundId, originalOperationId, bankOperationId, amountKopecks, receipt };
  return call(acquirer, asked, refundFence(deps.db, refund));
}
