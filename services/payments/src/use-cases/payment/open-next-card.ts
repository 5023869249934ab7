import type { FailureCode } from '@pay/contract/messages.ts';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { insertDeclinedCard } from '../../db/payment/declined-cards.ts';
import { movePayment } from '../../db/payment/move-payment.ts';
import { changePayment, type Payment, type PaymentChange } from '../../db/payment/payments.ts';
import { NOT_TOLD } from '../../domain/acquiring/three-ds.ts';
import { operationOf } from '../../domain/payment/next-card.ts';
import type { WayToPay } from '../../domain/payment/sbp-order.ts';
import { laterOperationId } from '../order/later-operation-id.ts';
import type { Work } from './transition.ts';

/**
 * Keeps the declined card in the payment's history and makes the payment ready for the next one, with an order of its own at the bank. The
 * partner
 * is not notified: the payment has not ended. The lease's number moves on, so that nobody who worked on the declined order can still
 * change the payment. See decisions/orders-of-a-payment.
 */
export async function openNextCard(tx: Tx, work: Work, failureCode: FailureCode): Promise<Payment> {
  return openNextOrder(tx, work, { failureCode, to: 'CARD', change: { lastDecline: failureCode } });
}

/**
 * As `openNextCard`, for a way to pay that the buyer left, or that turned out to be none. See
 * decisions/orders-of-a-payment.
 */
export async function openNextWay(tx: Tx, work: Work, to: WayToPay): Promise<Payment> {
  const change = { switchedCount: work.payment.switchedCount + 1 };
  return openNextOrder(tx, work, { failureCode: 'CANCELLED_BY_CUSTOMER', to, change });
}

type Next = { readonly failureCode: FailureCode; readonly to: WayToPay; readonly change: PaymentChange };

async function openNextOrder(tx: Tx, { payment, learned, now }: Work, next: Next): Promise<Payment> {
  const known = { ...payment, ...learned };
  const attempt = payment.declinedCount + 1;
  const nextOperationId = laterOperationId(payment.paymentId, attempt + 1, next.to);
  await insertDeclinedCard(tx, {
    operationId: operationOf(payment),
    nextOperationId,
    paymentId: payment.paymentId,
    attempt,
    bankOperationId: known.bankOperationId,
    failureCode: next.failureCode,
    cardMask: known.cardMask,
    threeDsVersion: known.threeDsVersion,
    transStatus: known.transStatus,
    eci: known.eci,
    sentAt: payment.cardSentAt ?? now,
    declinedAt: now,
  });
  const change: PaymentChange = {
    ...OF_ONE_ORDER,
    ...next.change,
    operationId: nextOperationId,
    isSbpOrder: next.to === 'SBP',
    declinedCount: attempt,
    leaseNumber: payment.leaseNumber + 1,
    lastReadAt: now,
    // The worker registers the order if this process does not.
    nextReadAt: now,
  };
  return payment.status === 'PENDING'
    ? movePayment(tx, payment, { to: 'SUBMITTED', event: null }, change)
    : changePayment(tx, payment.paymentId, change);
}

/** Everything that belonged to the order that is left behind. */
const OF_ONE_ORDER = {
  ...NOT_TOLD,
  bankOperationId: null,
  nspkUrl: null,
  cardSentAt: null,
  cardMask: null,
  cardExpiry: null,
  payerKeySha256: null,
  whenNotAuthenticated: null,
  acsUrl: null,
  acsRequest: null,
  leaseUntil: null,
  readCount: 0,
} as const satisfies PaymentChange;
