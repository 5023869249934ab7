import { randomUUID } from 'node:crypto';
import type { FailureCode, PaymentStatus, RetryAdvice } from '@pay/sdk';
import type { Reader, Tx } from './database.ts';
import { afterDecline, afterRenewal } from './subscriptions.ts';

/**
 * NEW: the service was asked, or is about to be, and has not answered. WAITING: the buyer or the bank has to act.
 * PAID and FAILED are final.
 */
export type OrderStatus = 'NEW' | 'WAITING' | 'PAID' | 'FAILED';

/** A row of `orders`. `id` is the order number at the service, too. */
export type Order = {
  readonly id: string;
  readonly customer: string;
  readonly title: string;
  readonly kopecks: number;
  readonly method: 'card' | 'sbp' | 'renewal';
  readonly saves_card: 0 | 1;
  readonly binding_id: string | null;
  readonly idempotency_key: string;
  readonly status: OrderStatus;
  readonly payment_id: string | null;
  readonly payment_url: string | null;
  readonly qr_link: string | null;
  readonly qr_image: string | null;
  readonly failure: string | null;
  readonly created_at: string;
};

export type NewOrder = Pick<Order, 'customer' | 'title' | 'kopecks' | 'method'> & {
  readonly savesCard?: boolean;
  readonly bindingId?: string;
};

/** Saves an order with its idempotency key. Undefined if the saved card already has an open charge. */
export function insertOrder(tx: Tx, order: NewOrder): string | undefined {
  const id = randomUUID();
  const changed = tx.run(
    `insert into orders (id, customer, title, kopecks, method, saves_card, binding_id, idempotency_key, status, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, 'NEW', ?) on conflict do nothing`,
    ...[id, order.customer, order.title, order.kopecks, order.method],
    ...[order.savesCard === true ? 1 : 0, order.bindingId ?? null, randomUUID(), new Date().toISOString()],
  );
  return changed === 1 ? id : undefined;
}

export const findOrder = (db: Reader, id: string): Order | undefined =>
  db.one<Order>('select * from orders where id = ?', id);

/** By the payment's id, or by our number: an event may be faster than the answer that tells us the id. */
export const findOrderOf = (db: Reader, paymentId: string, number: string): Order | undefined =>
  db.one<Order>('select * from orders where payment_id = ? or id = ?', paymentId, number);

/** What the service says of a payment, whichever way we heard it. */
export type Outcome = {
  readonly paymentId: string;
  readonly status: PaymentStatus;
  readonly failureCode?: FailureCode | undefined;
  readonly retryAdvice?: RetryAdvice | undefined;
};

/**
 * Moves the order to where its payment is. The answer to our call and the callback both end here, in any order: each
 * update is guarded, so the second one changes nothing, and nothing ever leaves PAID.
 */
export function recordOutcome(tx: Tx, order: Order, outcome: Outcome): string {
  const { paymentId, status } = outcome;
  if (status === 'COMPLETED' || status === 'REFUNDED') return markPaid(tx, order, paymentId);
  if (status === 'CREATED' || status === 'SUBMITTED' || status === 'PENDING') {
    tx.run("update orders set status = 'WAITING', payment_id = ? where id = ? and status = 'NEW'", paymentId, order.id);
    return 'waiting';
  }
  return markFailed(tx, order, outcome);
}

function markPaid(tx: Tx, order: Order, paymentId: string): string {
  const changed = tx.run(
    "update orders set status = 'PAID', payment_id = ? where id = ? and status in ('NEW', 'WAITING')",
    paymentId,
    order.id,
  );
  if (changed === 0) return `order was ${order.status} before`;
  if (order.binding_id !== null) afterRenewal(tx, order.binding_id);
  return 'order is PAID: ship it';
}

function markFailed(tx: Tx, order: Order, { paymentId, status, failureCode, retryAdvice }: Outcome): string {
  const failure = failureCode ?? status;
  const changed = tx.run(
    "update orders set status = 'FAILED', payment_id = ?, failure = ? where id = ? and status in ('NEW', 'WAITING')",
    ...[paymentId, failure, order.id],
  );
  if (changed === 0) return `order was ${order.status} before`;
  if (order.binding_id !== null) afterDecline(tx, order.binding_id, failure, retryAdvice);
  return `order FAILED: ${failure}`;
}

/** The service refused the request: there is no payment. */
export function markRefused(tx: Tx, order: Order, code: string): void {
  tx.run("update orders set status = 'FAILED', failure = ? where id = ? and status = 'NEW'", code, order.id);
}
