import { createHash } from 'node:crypto';
import { Router } from 'express';
import { messageOf } from './answers.ts';
import { MONTHLY, PRODUCTS } from './catalogue.ts';
import { findOrder, type Order } from './orders.ts';
import { myOrders, oneOrder, teas } from './pages/buyer.ts';
import { layout } from './pages/layout.ts';
import { placeOrder } from './pay.ts';
import { refundedKopecks } from './refunds.ts';
import type { Shop } from './shop.ts';
import { endSubscription, findSubscription } from './subscriptions.ts';
import { customerOf, csrfToken } from './visitor.ts';

/** The idempotency key of an order: the same form, product and way to pay have the same. */
const keyOf = (parts: readonly string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex');

/** The buyer's pages. */
export function buyerRoutes(shop: Shop): Router {
  const { db } = shop;
  const router = Router();

  router.get('/', (_req, res) => {
    const hasSubscription = findSubscription(db, customerOf(res))?.status === 'ACTIVE';
    res.send(layout({ title: 'Teas', content: teas(csrfToken(res), hasSubscription) }));
  });

  router.post('/orders', async (req, res) => {
    const { product: id, method, order: ordered } = req.body as Record<string, unknown>;
    const product = [...PRODUCTS, MONTHLY].find((one) => one.id === id);
    if (product === undefined) return void res.status(400).type('text').send('We do not sell that.\n');
    const savesCard = product === MONTHLY;
    const { title, kopecks } = product; // The price is ours, never the form's.
    const customer = customerOf(res);
    const way = method === 'sbp' && !savesCard ? 'sbp' : 'card';
    // A double click sends the form twice, and buys once. Without the form's token, each request is an order.
    const key = typeof ordered === 'string' && ordered.length >= 32 ? keyOf([customer, ordered, product.id, way]) : undefined;
    const wanted = { customer, title, kopecks, savesCard, method: way } as const;
    const order = await placeOrder(shop, key === undefined ? wanted : { ...wanted, key });
    res.redirect(303, `/orders/${order}`);
  });

  // /return: back from a payment that names no order, because somebody made it without this shop.
  router.get(['/orders', '/return'], (_req, res) => {
    const customer = customerOf(res);
    const orders = db.all<Order>('select * from orders where customer = ? order by created_at desc limit 50', customer);
    const content = myOrders(orders, findSubscription(db, customer), csrfToken(res));
    res.send(layout({ title: 'My orders', content }));
  });

  // Buyers come back here from the payment page. Coming back proves nothing: the order is paid once a callback said so.
  router.get('/orders/:id', (req, res) => {
    const order = findOrder(db, req.params.id);
    if (order?.customer !== customerOf(res)) return void res.status(404).type('text').send('No such order.\n');
    const isLive = order.status === 'NEW' || order.status === 'WAITING';
    res.send(layout({ title: order.title, content: oneOrder(order, refundedKopecks(db, order.id)), isLive }));
  });

  router.post('/subscription/stop', async (_req, res) => {
    const subscription = findSubscription(db, customerOf(res));
    if (subscription !== undefined && subscription.status !== 'ENDED') {
      const { binding_id: bindingId } = subscription;
      try {
        // The consent itself is withdrawn: from then on the service refuses every charge, also one of ours by mistake.
        await shop.client.revokeBinding(bindingId, { idempotencyKey: `stop-${bindingId}` });
        await db.transaction((tx) => endSubscription(tx, bindingId, 'the buyer stopped it'));
      } catch (error) {
        shop.log(`subscription ${bindingId} was not stopped: ${messageOf(error)}`);
        return void res.status(503).type('text').send('We could not stop it just now: please try again in a minute.\n');
      }
    }
    res.redirect(303, '/orders');
  });

  return router;
}
