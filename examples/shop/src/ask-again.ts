import { findOrder, type Order } from './orders.ts';
import { askForPayment, readOutcome } from './pay.ts';
import { askForRefund, readRefund, type Refund } from './refunds.ts';
import { askForCharge } from './renewals.ts';
import type { Shop } from './shop.ts';

/**
 * Repeats every call that has no answer, each with its saved key: the service returns what it did, or does it now. Runs
 * when the shop starts, because the last one may have died between a call and its answer, and every now and then.
 */
export async function askAgain(shop: Shop): Promise<void> {
  for (const order of shop.db.all<Order>("select * from orders where status = 'NEW' order by created_at")) {
    await (order.method === 'renewal' ? askForCharge(shop, order) : askForPayment(shop, order));
  }
  for (const refund of shop.db.all<Refund>("select * from refunds where status = 'NEW' order by created_at")) {
    await askForRefund(shop, refund);
  }
}

/**
 * Reads every payment and refund whose outcome we are missing. Callbacks do not replace this: one that we answered 200
 * does not come again to a shop that was restored from a backup, and none comes after days of being down.
 */
export async function readWaiting(shop: Shop): Promise<void> {
  for (const order of shop.db.all<Order>("select * from orders where status = 'WAITING' order by created_at")) {
    if (order.payment_id !== null) await readOutcome(shop, order, order.payment_id);
  }
  for (const refund of shop.db.all<Refund>("select * from refunds where status = 'PENDING' order by created_at")) {
    const order = findOrder(shop.db, refund.order_id);
    if (order !== undefined && refund.refund_id !== null) await readRefund(shop, order, refund.refund_id);
  }
}
