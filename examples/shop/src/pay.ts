import type { CardPayment, CreatedCardPayment, CreatedQrPayment } from '@pay/sdk';
import { isDoneBefore, messageOf, refusalOf } from './answers.ts';
import { rubles } from './money.ts';
import { findOrder, findOrderByKey, insertOrder, markRefused, recordOutcome, STOP, type NewOrder, type Order } from './orders.ts';
import type { Shop } from './shop.ts';

/**
 * Sells something: saves the order with its key, then asks the service for a payment. Returns the order's id, also if
 * the service did not answer; `askAgain` finishes it then.
 */
export async function placeOrder(shop: Shop, wanted: NewOrder): Promise<string> {
  const id = await shop.db.transaction((tx) => insertOrder(tx, wanted));
  // The second click of two: the first one asks for the payment.
  if (id === undefined && wanted.key !== undefined) {
    const first = findOrderByKey(shop.db, wanted.key);
    if (first !== undefined) return first.id;
  }
  const order = id === undefined ? undefined : findOrder(shop.db, id);
  if (order === undefined) throw new Error('the order was not saved');
  await askForPayment(shop, order);
  return order.id;
}

/**
 * Asks for the order's payment. Safe to repeat: the same key and the same body, made from the order's row, find the same
 * payment. Never throws: a call without an answer leaves the order NEW.
 */
export async function askForPayment(shop: Shop, order: Order): Promise<void> {
  try {
    const payment = order.method === 'sbp' ? await createQr(shop, order) : await createCard(shop, order);
    await adopt(shop, order, payment);
  } catch (error) {
    if (isDoneBefore(error) && order.method === 'card') return adoptByNumber(shop, order);
    const code = refusalOf(error);
    if (code === undefined) return shop.log(`order ${order.id} has no answer yet: ${messageOf(error)}`);
    await shop.db.transaction((tx) => {
      markRefused(tx, order, code);
    });
  }
}

function createCard({ client, config }: Shop, order: Order): Promise<CreatedCardPayment> {
  return client.createCardPayment(
    {
      paymentPointID: config.cardPointId,
      orderID: order.id,
      amount: rubles(order.kopecks),
      currency: 'RUB',
      description: order.title,
      customerID: order.customer,
      returnUrl: `${config.shopUrl}/orders/${order.id}`,
      // The checkout asks the buyer for the consent: a box that they tick, or not.
      ...(order.saves_card === 1 ? { savePaymentMethod: true, recurringConsent: { period: 'P1M' } } : {}),
    },
    { idempotencyKey: order.idempotency_key },
  );
}

function createQr({ client, config }: Shop, order: Order): Promise<CreatedQrPayment> {
  return client.createQrPayment(
    {
      paymentPointID: config.qrPointId,
      amount: rubles(order.kopecks),
      description: order.title,
      returnUrl: `${config.shopUrl}/orders/${order.id}`,
    },
    { idempotencyKey: order.idempotency_key },
  );
}

/**
 * Our number is taken and the service has forgotten our key (it keeps keys for 30 days), or the key is known with another
 * body, because the configuration has changed: the payment is ours.
 */
async function adoptByNumber(shop: Shop, order: Order): Promise<void> {
  try {
    const payment = await shop.client.findCardPayment(order.id);
    if (payment !== undefined) await adopt(shop, order, payment);
  } catch (error) {
    shop.log(`order ${order.id} was not found: ${messageOf(error)}`);
  }
}

/** The payment exists: what became of it is its own to say. CREATED: the bank has not heard of it. Never throws. */
export async function readOutcome({ client, db, log }: Shop, order: Order, paymentId: string): Promise<void> {
  try {
    const payment = await (order.method === 'sbp' ? client.readQrPayment(paymentId) : client.readCardPayment(paymentId));
    const { status, failureCode, amount, currency } = payment;
    const { retryAdvice } = 'retryAdvice' in payment ? payment : {};
    const { orderID: number } = 'orderID' in payment ? payment : {};
    if (status === 'CREATED') return;
    const outcome = { paymentId, number, amount, currency, status, failureCode, retryAdvice };
    const effect = await db.transaction((tx) => recordOutcome(tx, order, outcome));
    if (effect.startsWith(STOP)) log(effect);
  } catch (error) {
    log(`the payment of order ${order.id} was not read: ${messageOf(error)}`);
  }
}

async function adopt(shop: Shop, order: Order, payment: CreatedCardPayment | CreatedQrPayment | CardPayment) {
  const { id, status, paymentUrl, amount, currency } = payment;
  const { orderID: number } = 'orderID' in payment ? payment : {};
  const { nspkurl, qrImage } = 'nspkurl' in payment ? payment : {};
  const { failureCode } = 'failureCode' in payment ? payment : {};
  // Without a link nobody can pay yet: the order stays NEW and is asked again, which also makes the service go on.
  if (status === 'CREATED' && paymentUrl === undefined) return;
  await shop.db.transaction((tx) => {
    const effect = recordOutcome(tx, order, { paymentId: id, number, amount, currency, status, failureCode });
    if (effect.startsWith(STOP)) shop.log(effect);
    tx.run(
      'update orders set payment_url = ?, qr_link = ?, qr_image = ? where id = ?',
      ...[paymentUrl ?? null, nspkurl ?? null, qrImage ?? null, order.id],
    );
  });
}
