import { ApiError } from '@pay/sdk';
import { isDoneBefore, messageOf, refusalOf } from './answers.ts';
import { MONTHLY } from './catalogue.ts';
import type { Tx } from './database.ts';
import { rubles } from './money.ts';
import { findOrder, insertOrder, recordOutcome, STOP, type Order } from './orders.ts';
import { readOutcome } from './pay.ts';
import type { Shop } from './shop.ts';
import { endSubscription, pauseSubscription, postpone, type Subscription } from './subscriptions.ts';

const HOUR_MS = 3_600_000;

/**
 * Charges every subscription that is due. The service is the guard: it takes one charge in a period, whatever we think
 * the time is. `evenIfNotDue` is the button of the admin page; in TEST the service's clock may be months ahead of ours.
 */
export async function renewDue(shop: Shop, { evenIfNotDue = false } = {}): Promise<void> {
  const active = shop.db.all<Subscription>("select * from subscriptions where status = 'ACTIVE'");
  for (const subscription of active) {
    try {
      // One with a note was declined or refused: it keeps its date, because schemes fine shops that try too often.
      const isForced = evenIfNotDue && subscription.note === null;
      if (isForced || (await isDue(shop, subscription))) await renew(shop, subscription);
    } catch (error) {
      shop.log(`subscription ${subscription.binding_id} waits for the next run: ${messageOf(error)}`);
    }
  }
}

async function isDue(shop: Shop, { binding_id, next_charge_at }: Subscription): Promise<boolean> {
  if (next_charge_at !== null) return Date.parse(next_charge_at) <= Date.now();
  const { nextChargeAt } = await shop.client.readBinding(binding_id);
  await shop.db.transaction((tx) => {
    postpone(tx, binding_id, new Date(nextChargeAt));
  });
  return false;
}

/** A charge is an order like any other: saved with its key before the service is asked. */
async function renew(shop: Shop, { customer, binding_id }: Subscription): Promise<void> {
  const { title, kopecks } = MONTHLY;
  const id = await shop.db.transaction((tx) => insertOrder(tx, { customer, title, kopecks, method: 'renewal', bindingId: binding_id }));
  // Undefined: a charge is open already. If it has no answer, `askAgain` repeats that one; a second one would be wrong.
  const order = id === undefined ? undefined : findOrder(shop.db, id);
  if (order !== undefined) await askForCharge(shop, order);
}

/** Asks for the charge of a renewal. Safe to repeat, never throws: without an answer the order stays NEW. */
export async function askForCharge(shop: Shop, order: Order): Promise<void> {
  if (order.binding_id === null) return;
  try {
    const {
      paymentId,
      merchantOrderId: number,
      amount,
      currency,
      status,
    } = await shop.client.createRecurringPayment(
      {
        merchantOrderId: order.id,
        amount: rubles(order.kopecks),
        currency: 'RUB',
        bindingId: order.binding_id,
        description: order.title,
      },
      { idempotencyKey: order.idempotency_key },
    );
    // CREATED: the bank has not heard of it. The order stays NEW, and the repeat with its key makes the service go on.
    if (status === 'CREATED') return;
    // PENDING: an event follows. A decline is read, because only the payment says whether the card may be tried again.
    if (!['PENDING', 'SUBMITTED', 'COMPLETED', 'REFUNDED'].includes(status)) return await readOutcome(shop, order, paymentId);
    const outcome = { paymentId, number, amount, currency, status };
    const effect = await shop.db.transaction((tx) => recordOutcome(tx, order, outcome));
    if (effect.startsWith(STOP)) shop.log(effect);
  } catch (error) {
    const { binding_id: bindingId } = order;
    if (isDoneBefore(error) && error.paymentId !== undefined) return readOutcome(shop, order, error.paymentId);
    if (!(error instanceof ApiError) || refusalOf(error) === undefined) {
      return shop.log(`charge ${order.id} has no answer yet: ${messageOf(error)}`);
    }
    await shop.db.transaction((tx) => {
      // Nothing was charged, and the key is free: the order never was.
      const isOpen = tx.run("delete from orders where id = ? and status = 'NEW'", order.id) === 1;
      if (isOpen) afterRefusal(tx, bindingId, error);
    });
  }
}

function afterRefusal(tx: Tx, bindingId: string, error: ApiError): void {
  const { code, nextChargeAt, retryNotBefore } = error;
  if (code === 'PERIOD_NOT_ELAPSED' && nextChargeAt !== undefined) return postpone(tx, bindingId, nextChargeAt);
  if (code === 'RETRY_NOT_ALLOWED') {
    if (retryNotBefore instanceof Date) return postpone(tx, bindingId, retryNotBefore, 'declined too often');
    return pauseSubscription(tx, bindingId, 'another card is needed');
  }
  if (code === 'BINDING_REVOKED' || code === 'BINDING_EXPIRED') return void endSubscription(tx, bindingId, code);
  // PREVIOUS_CHARGE_NOT_FINISHED: its outcome comes first. Anything else is for a person to read.
  postpone(tx, bindingId, new Date(Date.now() + HOUR_MS), error.message);
}
