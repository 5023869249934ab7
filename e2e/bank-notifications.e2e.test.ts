import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { givenBinding } from './saved-card.ts';
import { openWorld, until, type World } from './world.ts';

/**
 * A bank may answer "pending" and report the result later: in a notification, or when asked. Kopecks of .94 make the
 * sandbox bank do that until somebody decides on its page.
 */
let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterEach(async () => {
  await world.bank.notifications('send');
  await world.bank.resetClock();
});
afterAll(() => world.close());

/** Submits a form of the bank's pages, as a browser would. */
async function press(url: string, button: Record<string, string>, key?: string): Promise<void> {
  const { origin } = new URL(url);
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      origin,
      'sec-fetch-site': 'same-origin',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: new URLSearchParams(button),
  });
  expect(answer.status).toBe(303);
}
const decide = (id: string, decision: 'approve' | 'decline') =>
  press(`${world.system.addresses.bankControlUrl}/operations/${id}/decide`, { decision }, world.system.state().secrets.bankControlKey);

const typesOf = (id: string) => world.receiver.arrivals.filter(({ orderId }) => orderId === id).map(({ type }) => type);
const statusOf = (id: string, status: string) =>
  until(`payment ${id} to be ${status}`, async () => {
    const payment = await world.client.readQrPayment(id).catch(() => undefined);
    return payment?.status === status ? payment : undefined;
  });

/**
 * Sets when the worker next reads a payment back: the pauses of its schedule are tested elsewhere, and nobody waits for
 * them here.
 */
const planRead = (id: string, moment: 'null' | 'payments.clock_now()') =>
  world.query(`update payments.payments set next_read_at = ${moment} where payment_id = $1`, [id]);

/** A QR payment of .94 that the buyer has paid: PENDING here and at the bank, with no notification sent. */
async function givenPending(): Promise<string> {
  const { id, nspkurl = '' } = await world.client.createQrPayment({
    paymentPointID: world.partner.paymentPoints.qr,
    amount: '10.94',
  });
  await press(nspkurl, { decision: 'pay' });
  await planRead(id, 'payments.clock_now()');
  await statusOf(id, 'PENDING');
  return id;
}

describe('a payment that the bank has not decided', () => {
  it('ends by the bank’s notification where nothing else would look', async () => {
    const id = await givenPending();
    // No read is planned any more: from here on the payment learns only from notifications.
    await planRead(id, 'null');
    await decide(id, 'approve');
    expect(await statusOf(id, 'COMPLETED')).toMatchObject({ amount: '10.94' });
    await world.told(id);
    expect(typesOf(id)).toEqual(['payment.completed']);
  });

  it('ends by reading back where the bank tells nobody; what it tells afterwards, twice, changes nothing', async () => {
    await world.bank.notifications('hold');
    const id = await givenPending();
    await decide(id, 'approve');
    await planRead(id, 'payments.clock_now()');
    await statusOf(id, 'COMPLETED');
    await world.told(id);
    const held = await world.bank.notifications('duplicate');
    expect(held.waiting).toBeGreaterThan(0);
    // Not zero: another test's notification may wait for its next attempt.
    expect((await world.bank.release('newest')).waiting).toBeLessThan(held.waiting);
    await until('both to be taken', async () => {
      const { sent } = await world.bank.notifications('duplicate');
      return sent >= held.sent + 2 ? true : undefined;
    });
    expect(typesOf(id)).toEqual(['payment.completed']);
    const booked = await world.query('select from payments.ledger_transactions where reference_id = $1', [id]);
    expect(booked).toHaveLength(1);
  });

  it('a charge of a saved card: PENDING, in the way of the next one, then what the bank decides', async () => {
    const { bindingId } = await givenBinding(world, 'PT1M');
    await world.bank.advanceClock('PT1M');
    const order = { amount: '990.94', currency: 'RUB', bindingId, description: 'Tea' } as const;
    const charge = () => world.client.createRecurringPayment({ ...order, merchantOrderId: randomUUID() });
    const { paymentId } = await charge();
    await until('the bank to have it', async () => {
      const known = await world.bank.operation(paymentId).catch(() => undefined);
      return known?.operation.status === 'PENDING' ? known : undefined;
    });
    await expect(charge()).rejects.toMatchObject({ code: 'PREVIOUS_CHARGE_NOT_FINISHED' });
    expect(typesOf(paymentId)).toEqual([]);
    await decide(paymentId, 'decline');
    expect(await world.ended(paymentId)).toMatchObject({ status: 'REJECTED', failureCode: 'DECLINED_BY_ISSUER' });
    await world.told(paymentId);
    expect(typesOf(paymentId)).toEqual(['payment.failed']);
  });
});
