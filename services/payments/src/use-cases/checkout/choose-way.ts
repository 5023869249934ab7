import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { findCheckout, type Checkout } from '../../db/checkout/checkouts.ts';
import { changePayment, lockPaymentAt, type Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import { mayChooseSbp, type WayToPay } from '../../domain/payment/sbp-order.ts';
import { findAcquirer } from '../acquiring/acquirer-of.ts';
import { recordLocked, recordOutcome } from '../payment/record-outcome.ts';
import { registerNextOrder } from '../payment/register-next-order.ts';
import { withdrawOrder } from '../payment/withdraw-order.ts';

export type ChooseWay = {
  readonly checkoutToken: string;
  readonly way: WayToPay;
  /** How many orders of the payment were left behind when the buyer saw the page: a page from before that chooses nothing. */
  readonly ordersLeft: number;
};

/** `not-open`: there is nothing to choose, or no longer. `unanswered`: the bank does not answer, and everything stays as it is. */
export type ChooseWayOutcome = 'chosen' | 'not-open' | 'unanswered';

/**
 * The buyer of a card payment chose to pay it by SBP, or by card after all. The payment gets another order at the bank; the present one
 * can take no money any more: no card was sent for it, which the same lock guards that a card needs, or the bank has withdrawn its QR
 * code. See decisions/orders-of-a-payment.
 */
export async function chooseWay(deps: Deps, { checkoutToken, way, ordersLeft }: ChooseWay): Promise<ChooseWayOutcome> {
  const found = await findCheckout(deps.db, checkoutToken);
  if (found === undefined || found.held !== undefined) return 'not-open';
  if (found.payment.declinedCount !== ordersLeft) return 'not-open';
  return way === 'SBP' ? chooseSbp(deps, found) : chooseCard(deps, found.payment);
}

async function chooseSbp(deps: Deps, { payment: seen, offersSbp, cardAttempts }: Checkout): Promise<ChooseWayOutcome> {
  if (!offersSbp) return 'not-open';
  const acquirer = await findAcquirer(deps, seen.routeId);
  if (acquirer?.takesOrders !== true) return 'unanswered';
  const { paymentId } = seen;
  const chosen = await inTransaction(deps.db, async (tx) => {
    const locked = await lockPaymentAt(tx, paymentId);
    const isAsSeen = locked.payment.declinedCount === seen.declinedCount;
    if (!isAsSeen || !mayChooseSbp(locked.payment, locked.now)) return undefined;
    await recordLocked(deps, tx, locked, { outcome: { kind: 'switched', to: 'SBP' } });
    // A decline by the bank counts as one of the cards that the point lets a buyer try.
    return changePayment(tx, paymentId, { cardAttemptsMax: cardAttempts });
  });
  if (chosen === undefined) return 'not-open';
  await registerNextOrder(deps, chosen);
  return 'chosen';
}

async function chooseCard(deps: Deps, payment: Payment): Promise<ChooseWayOutcome> {
  const { isSbpOrder, status, nspkUrl } = payment;
  if (!isSbpOrder || status !== 'SUBMITTED' || nspkUrl === null) return 'not-open';
  // The buyer may have paid the code a moment ago: only the bank knows.
  const withdrawn = await withdrawOrder(deps, payment);
  const { kind } = withdrawn;
  if (kind === 'unknown' || kind === 'not-sent' || kind === 'fenced' || kind === 'absent') return 'unanswered';
  await registerNextOrder(deps, await recordOutcome(deps, payment, withdrawn));
  return 'chosen';
}
