import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { findPaymentByCheckout, lockPaymentAt, type Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import { awaitsConsent } from '../../domain/payment/consent.ts';
import type { Outcome } from '../../domain/payment/payment-outcome.ts';
import { paysBySbp } from '../../domain/payment/sbp-order.ts';
import { recordLocked, recordOutcome } from '../payment/record-outcome.ts';
import { withdrawOrder } from '../payment/withdraw-order.ts';

/**
 * The buyer pressed "cancel" at the checkout. If no card was sent, the payment ends at once. While the buyer is
 * on the bank's 3-D Secure page, or a QR code can be paid, the bank decides, because it may already have the money. Otherwise
 * nothing happens.
 */
export async function cancelByBuyer(deps: Deps, checkoutToken: string): Promise<void> {
  const payment = await findPaymentByCheckout(deps.db, checkoutToken);
  if (payment === undefined) return;
  if (!isAtBank(payment) && !(await endUnpaid(deps, payment))) return;
  const outcome = await withdrawOrder(deps, payment);
  await recordOutcome(deps, payment, payment.method === 'SBP_DYNAMIC_QR' ? outcome : byBuyer(outcome));
}

function isAtBank(payment: Payment): boolean {
  const { status, acsUrl, nspkUrl } = payment;
  // Before its code is there, nobody can have paid it.
  if (paysBySbp(payment)) return status === 'SUBMITTED' && nspkUrl !== null;
  return status === 'PENDING' && acsUrl !== null;
}

const byBuyer = (outcome: Outcome): Outcome =>
  outcome.kind === 'cancelled' ? { kind: 'ended', failureCode: 'CANCELLED_BY_CUSTOMER' } : outcome;

/** Ends a payment for which no card was sent. False if there is nothing to end. */
async function endUnpaid(deps: Deps, { paymentId }: Payment): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    const locked = await lockPaymentAt(tx, paymentId);
    const { payment } = locked;
    const unregistered = payment.status === 'CREATED' && awaitsConsent(payment);
    if (!unregistered && (payment.status !== 'SUBMITTED' || payment.cardSentAt !== null)) return false;
    const outcome = { kind: 'ended', failureCode: 'CANCELLED_BY_CUSTOMER' } as const;
    await recordLocked(deps, tx, locked, { outcome });
    return true;
  });
}
