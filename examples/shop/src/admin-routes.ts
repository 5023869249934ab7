import { Router } from 'express';
import { kopecksOf } from './money.ts';
import type { Order } from './orders.ts';
import { books, eventLog, type EventRow } from './pages/admin.ts';
import { layout } from './pages/layout.ts';
import { refundedKopecks, refundOrder, type Refund } from './refunds.ts';
import { renewDue } from './renewals.ts';
import type { Shop } from './shop.ts';
import type { Subscription } from './subscriptions.ts';
import { csrfToken } from './visitor.ts';

/** The pages of the staff, mounted behind the password. */
export function adminRoutes(shop: Shop): Router {
  const { db } = shop;
  const router = Router();

  const page = (token: string, complaint = '') => {
    const orders = db.all<Order>('select * from orders order by created_at desc limit 100');
    const refunds = db.all<Refund>('select * from refunds order by created_at');
    const subscriptions = db.all<Subscription>('select * from subscriptions limit 100');
    const refundedOf = (order: Order) => refundedKopecks(db, order.id);
    const content = books({ orders, refunds, subscriptions, refundedOf }, token, complaint);
    return layout({ title: 'Orders', content, isAdmin: true });
  };

  router.get('/', (_req, res) => {
    res.send(page(csrfToken(res)));
  });

  router.post('/refunds', async (req, res) => {
    const { order, amount } = req.body as Record<string, unknown>;
    const text = String(amount).trim();
    const kopecks = text === '' ? undefined : kopecksOf(text);
    const isUnreadable = text !== '' && kopecks === undefined;
    const complaint = isUnreadable ? `${text} is no amount` : await refundOrder(shop, String(order), kopecks);
    if (complaint !== undefined) return void res.status(400).send(page(csrfToken(res), complaint));
    res.redirect(303, '/admin');
  });

  router.post('/renew', async (_req, res) => {
    await renewDue(shop, { evenIfNotDue: true });
    res.redirect(303, '/admin');
  });

  router.get('/events', (_req, res) => {
    const events = db.all<EventRow>('select * from callback_events order by received_at desc, rowid desc limit 100');
    res.send(layout({ title: 'Callbacks', content: eventLog(events), isAdmin: true, isLive: true }));
  });

  return router;
}
