import { findPayment } from '../../db/payment/payments.ts';
import { findRefund, refundFence } from '../../db/refund/refunds.ts';
import type { Deps } from '../../deps.ts';
import type { RefundResult } from '../../domain/acquiring/acquirer-result.ts';
import type { Acquirer, AcquirerRefund } from '../../acquirers/acquirer.ts';
import type { Fence } from '../../domain/acquiring/fence.ts';
import { findAcquirer } from '../acquiring/acquirer-of.ts';

/** Sends a saved refund to the bank with its own id, so a repeat cannot refund twice. */
export async function sendRefund(deps: Deps, refundId: string): Promise<RefundResult> {
  return withRefund(deps, refundId, (acquirer, refund, fence) => acquirer.refund(refund, fence));
}

/** Reads a refund at the bank, and sends it again if the bank does not know it. */
export async function readBackRefund(deps: Deps, refundId: string): Promise<RefundResult> {
  return withRefund(deps, refundId, async (acquirer, refund, fence) => {
    const known = await acquirer.readRefund(refund);
    // To the bank, a call that is still in flight and this one are the same refund (ADR 0030).
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
  if (refund === undefined || payment === undefined) throw new Error('the refund to send is missing');
  const acquirer = await findAcquirer(deps, payment.routeId);
  if (acquirer === undefined) return { kind: 'not-sent' };
  const { amountKopecks } = refund;
  // For a full refund the bank uses the receipt of the sale (ADR 0138).
  const isWhole = payment.receipt !== null && amountKopecks === payment.amountKopecks;
  const receipt = isWhole ? null : refund.receipt;
  const { paymentId: originalOperationId, bankOperationId } = payment;
  const asked = { operationId: refundId, originalOperationId, bankOperationId, amountKopecks, receipt };
  return call(acquirer, asked, refundFence(deps.db, refund));
}
