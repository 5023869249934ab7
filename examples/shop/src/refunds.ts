import { randomUUID } from 'node:crypto';
import type { Refund as ServiceRefund } from '@pay/sdk';
import { isDoneBefore, messageOf, refusalOf } from './answers.ts';
import type { Reader, Tx } from './database.ts';
import { kopecksOf, rubles } from './money.ts';
import { findOrder, type Order } from './orders.ts';
import type { Shop } from './shop.ts';

/** A row of `refunds`. NEW: no answer yet. PENDING: the bank has not decided. */
export type Refund = {
  readonly id: string;
  readonly order_id: string;
  readonly kopecks: number;
  readonly idempotency_key: string;
  readonly status: 'NEW' | 'PENDING' | 'COMPLETED' | 'FAILED';
  readonly refund_id: string | null;
  readonly failure: string | null;
};

/** What has been given back of an order, or is on its way. */
export function refundedKopecks(db: Reader, orderId: string): number {
  const sum = "select coalesce(sum(kopecks), 0) as kopecks from refunds where order_id = ? and status <> 'FAILED'";
  return db.one<{ readonly kopecks: number }>(sum, orderId)?.kopecks ?? 0;
}

/**
 * Gives a part of an order back, or without `kopecks` all that remains. The check and the row are one transaction, so two
 * clicks never give back more than was paid. Returns what is wrong, or undefined.
 */
export async function refundOrder(shop: Shop, orderId: string, kopecks?: number): Promise<string | undefined> {
  const id = randomUUID();
  const wrong = await shop.db.transaction((tx) => {
    const order = findOrder(tx, orderId);
    if (order?.status !== 'PAID') return 'only a paid order can be refunded';
    const left = order.kopecks - refundedKopecks(tx, orderId);
    const wanted = kopecks ?? left;
    if (wanted < 1 || wanted > left) return `at most ${rubles(left)} is left`;
    tx.run(
      "insert into refunds (id, order_id, kopecks, idempotency_key, status, created_at) values (?, ?, ?, ?, 'NEW', ?)",
      ...[id, orderId, wanted, randomUUID(), new Date().toISOString()],
    );
    return undefined;
  });
  if (wrong !== undefined) return wrong;
  const refund = shop.db.one<Refund>('select * from refunds where id = ?', id);
  if (refund !== undefined) await askForRefund(shop, refund);
  return undefined;
}

/** Asks for the refund. Safe to repeat, never throws: without an answer the refund stays NEW. */
export async function askForRefund(shop: Shop, refund: Refund): Promise<void> {
  const order = findOrder(shop.db, refund.order_id);
  if (order === undefined) return;
  const { payment_id: paymentId } = order;
  if (paymentId === null) return;
  // The amount is always named: "all that remains" would be another amount at the repeat.
  const body = { amount: rubles(refund.kopecks), merchantRefundId: refund.id };
  const options = { idempotencyKey: refund.idempotency_key };
  try {
    const { client } = shop;
    const answer = await (order.method === 'sbp'
      ? client.refundQrPayment(paymentId, body, options)
      : client.refundCardPayment(paymentId, body, options));
    await shop.db.transaction((tx) => recordRefund(tx, order, answer));
  } catch (error) {
    if (isDoneBefore(error) && error.refundId !== undefined) return readRefund(shop, order, error.refundId);
    const code = refusalOf(error);
    if (code === undefined) return shop.log(`refund ${refund.id} has no answer yet: ${messageOf(error)}`);
    await shop.db.transaction((tx) =>
      tx.run("update refunds set status = 'FAILED', failure = ? where id = ? and status = 'NEW'", code, refund.id),
    );
  }
}

/** The refund exists: what became of it is its own to say. Never throws. */
export async function readRefund(shop: Shop, order: Order, refundId: string): Promise<void> {
  try {
    const answer = await shop.client.readRefund(refundId);
    await shop.db.transaction((tx) => recordRefund(tx, order, answer));
  } catch (error) {
    shop.log(`refund ${refundId} was not read: ${messageOf(error)}`);
  }
}

/** What a refund's answer and its events have in common. */
type RefundNews = Pick<ServiceRefund, 'refundId' | 'amount'> & {
  readonly status: string;
  readonly merchantRefundId?: string;
  readonly failureCode?: string;
};

/** Records what became of a refund, whichever way we heard it; also of one that was made elsewhere. */
export function recordRefund(tx: Tx, order: Order, news: RefundNews): string {
  const status = news.status === 'COMPLETED' || news.status === 'FAILED' ? news.status : 'PENDING';
  const values = [status, news.refundId, news.failureCode ?? null];
  const known = tx.one<Refund>('select * from refunds where refund_id = ? or id = ?', ...[news.refundId, news.merchantRefundId ?? '']);
  if (known === undefined) {
    tx.run(
      `insert into refunds (status, refund_id, failure, id, order_id, kopecks, idempotency_key, created_at)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[...values, news.refundId, order.id, kopecksOf(news.amount) ?? 0, randomUUID(), new Date().toISOString()],
    );
  } else {
    tx.run(
      "update refunds set status = ?, refund_id = ?, failure = ? where id = ? and status in ('NEW', 'PENDING')",
      ...[...values, known.id],
    );
  }
  return `refund of ${news.amount} is ${status}`;
}
