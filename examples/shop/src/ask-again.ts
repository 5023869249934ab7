import type { Order } from './orders.ts';
import { askForPayment } from './pay.ts';
import { askForRefund, type Refund } from './refunds.ts';
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
