import { randomUUID } from 'node:crypto';
import type { FailureCode, PaymentStatus, RetryAdvice } from '@pay/sdk';
import type { Reader, Tx } from './database.ts';
import { kopecksOf, rubles } from './money.ts';
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
  /** What makes it this order and no second one, such as the form that it came with: it becomes its idempotency key. */
  readonly key?: string;
};

/** Saves an order with its idempotency key. Undefined if the key has an order, or the saved card an open charge. */
export function insertOrder(tx: Tx, order: NewOrder): string | undefined {
  const id = randomUUID();
  const changed = tx.run(
    `insert into orders (id, customer, title, kopecks, method, saves_card, binding_id, idempotency_key, status, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, 'NEW', ?) on conflict do nothing`,
    ...[id, order.customer, order.title, order.kopecks, order.method],
    ...[order.savesCard === true ? 1 : 0, order.bindingId ?? null, order.key ?? randomUUID(), new Date().toISOString()],
  );
  return changed === 1 ? id : undefined;
}

export const findOrder = (db: Reader, id: string): Order | undefined => db.one<Order>('select * from orders where id = ?', id);

export const findOrderByKey = (db: Reader, key: string): Order | undefined =>
  db.one<Order>('select * from orders where idempotency_key = ?', key);

/** By the payment's id, or by our number: an event may be faster than the answer that tells us the id. */
export const findOrderOf = (db: Reader, paymentId: string, number: string): Order | undefined =>
  db.one<Order>('select * from orders where payment_id = ? or id = ?', paymentId, number);

/** What the service says of a payment, whichever way we heard it. */
export type Outcome = {
  readonly paymentId: string;
  /** Our number, where the service names it: not for QR payments. */
  readonly number?: string | undefined;
  readonly amount: string;
  readonly currency: string;
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
  if (status === 'COMPLETED' || status === 'REFUNDED') {
    const wrong = differenceOf(order, outcome);
    return wrong === undefined ? markPaid(tx, order, paymentId) : `${STOP} order ${order.id}: ${wrong}`;
  }
  if (status === 'CREATED' || status === 'SUBMITTED' || status === 'PENDING') {
    tx.run("update orders set status = 'WAITING', payment_id = ? where id = ? and status = 'NEW'", paymentId, order.id);
    return 'waiting';
  }
  return markFailed(tx, order, outcome);
}

/** What begins so is for a person: money was taken that does not fit the order, and nothing is shipped. */
export const STOP = 'STOP:';

/**
 * How a payment differs from what was sold. A verified callback says that money was taken; that it is the right money, for
 * the right order, is the shop's to check. A shop whose prices change, or with a second system, sees here that it is wrong.
 */
function differenceOf(order: Order, { paymentId, number = '', amount, currency }: Outcome): string | undefined {
  if (kopecksOf(amount) !== order.kopecks || currency !== 'RUB')
    return `${amount} ${currency} was paid, ${rubles(order.kopecks)} RUB was asked`;
  if (number !== '' && number !== order.id) return `the payment is of order ${number}`;
  if (order.payment_id !== null && order.payment_id !== paymentId) return `payment ${paymentId} was made beside ${order.payment_id}`;
  return undefined;
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
