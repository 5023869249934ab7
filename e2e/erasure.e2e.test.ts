import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { columnsWith } from '../tools/testing/columns-with.ts';
import { readDataInventory } from '../tools/testing/data-inventory.ts';
import { payAtCheckout } from '../tools/system/buyer.ts';
import { openBrowser } from './browser.ts';
import { signIn, type Desk } from './console.ts';
import { waitingMessages } from './queues.ts';
import { CANARY_CVV, CARDS, openWorld, until, type World } from './world.ts';

/**
 * A buyer about whom the system stores everything that it can, by every route: from the partner, from their browser,
 * and from what people type about them. Then they are erased.
 */
let world: World;
let browser: Browser;
let office: Desk;
let money: Desk;
beforeAll(async () => {
  world = await openWorld();
  browser = await openBrowser();
  office = await signIn(world, browser, 'oleg');
  money = await signIn(world, browser, 'anna');
});
afterAll(async () => {
  await browser.close();
  await world.bank.resetClock();
  await world.close();
});

/** Data that identifies the buyer, each value unique in the run. */
const MARK = randomUUID().slice(0, 8);
const buyer = {
  customerID: `buyer-${MARK}`,
  description: `Present for Ada ${MARK}-purpose`,
  userAgent: `Browser-of-Ada/${MARK}-agent`,
  returnPath: `of-ada-${MARK}-return`,
  chargeDescription: `A month for Ada ${MARK}-charge`,
  partnersReason: `Ada asked for it, ${MARK}-partner`,
  operatorsReason: `Ada called, ${MARK}-operator`,
  proposedReason: `Ada insists, ${MARK}-proposal`,
  note: `spoke with Ada, ${MARK}-note`,
  /** How banks and our tables store what is typed as 07/41. */
  expiry: '2041-07',
} as const;
const traces = Object.values(buyer);

/** The console API's answer, which must be a success. */
async function ask(desk: Desk, method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const { status, text } = await desk.api(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${String(status)} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

async function givenBuyer(): Promise<{ paymentId: string; bindingId: string }> {
  const { returnUrl } = await world.client.readEndpoints();
  const created = await world.client.createCardPayment({
    ...world.order('990.00'),
    customerID: buyer.customerID,
    description: buyer.description,
    returnUrl: new URL(buyer.returnPath, returnUrl ?? '').href,
    savePaymentMethod: true,
    recurringConsent: { period: 'PT1M' },
  });
  const card = { number: CARDS.approved, expiry: '07/41', cvv: CANARY_CVV };
  await payAtCheckout(created.paymentUrl ?? '', card, { agree: true, userAgent: buyer.userAgent });
  const { bindingId } = await world.ended(created.id);
  if (bindingId === undefined) throw new Error('no card was saved');
  await until('the binding', () => world.client.readBinding(bindingId).catch(() => undefined));
  return { paymentId: created.id, bindingId };
}

async function charge(bindingId: string): Promise<void> {
  await world.bank.advanceClock('PT2M');
  const { paymentId } = await world.client.createRecurringPayment({
    merchantOrderId: `erasure-${randomUUID()}`,
    amount: '990.00',
    currency: 'RUB',
    bindingId,
    description: buyer.chargeDescription,
  });
  await world.ended(paymentId);
}

/**
 * Refunds with reasons, an exception with a note, and an export by the buyer's id: all that people type about a
 * payment.
 */
async function peopleType(paymentId: string): Promise<void> {
  await world.client.refundCardPayment(paymentId, { amount: '1.00', reason: buyer.partnersReason });
  const path = `/api/payments/payments/${paymentId}`;
  const refund = async (desk: Desk, reason: string, amount: string) => {
    const { aggregateVersion: seenVersion } = await ask(desk, 'GET', path);
    return ask(desk, 'POST', `${path}/refunds`, { seenVersion, key: randomUUID(), amount, reason });
  };
  await refund(office, buyer.operatorsReason, '1.00');
  await world.query(
    `insert into payments.proposals (proposal_id, kind, subject_id, asked, status, proposed_by, proposer_not_independent_of, expires_at)
     values (gen_random_uuid(), 'REFUND', $1, jsonb_build_object('seenVersion', 1, 'amount', '5.00', 'reason', $2::text), 'PROPOSED',
       'oleg@example.com', '{}', payments.clock_now() + interval '1 hour')`,
    [paymentId, buyer.proposedReason],
  );
  await world.query(
    `insert into payments.exceptions (kind, payment_id, operation_id, reason)
     values ('RETURN_FAILED', $1::uuid, $1::uuid::text, 'put there by a test')`,
    [paymentId],
  );
  const [found] = await world.query<{ exception: string; proposal: string }>(
    `select (select exception_id from payments.exceptions where payment_id = $1::uuid) as exception,
       (select proposal_id from payments.proposals where subject_id = $1::uuid::text) as proposal`,
    [paymentId],
  );
  await ask(money, 'POST', `/api/payments/exceptions/${found?.exception ?? ''}/settle`, { note: buyer.note });
  await ask(money, 'POST', `/api/payments/proposals/${found?.proposal ?? ''}/reject`);
  const csv = await office.api('GET', `/api/payments.csv?id=${buyer.customerID}`);
  expect(csv.text).toContain(buyer.description);
}

it('nothing of an erased buyer is left in a table, a queue or a log, but what the inventory names', async () => {
  const { paymentId, bindingId } = await givenBuyer();
  await charge(bindingId);
  await peopleType(paymentId);
  await until('the partner to know of the card', () => world.receiver.arrivals.find(({ bytes }) => bytes.includes(buyer.customerID)));
  const before = await columnsWith((text, values) => world.query(text, values), traces);
  expect(traces.filter((trace) => before[trace]?.length === 0)).toEqual([]);

  // Refused while something of the buyer is in progress.
  const erase = (path: string) =>
    until(`${path} to be finished`, async () => {
      const { status, text } = await office.api('POST', path, {});
      if (status === 200) return true;
      expect({ status, text }).toEqual({ status: 400, text: expect.stringMatching(/is not finished|is not told yet/) });
      return undefined;
    });
  await erase(`/api/bindings/bindings/${bindingId}/erase-buyer`);
  await erase(`/api/payments/payments/${paymentId}/erase-buyer`);
  await until('the partner to know that the card is revoked, and us to forget that we said so', async () => {
    const [{ left } = { left: 1 }] = await world.query<{ left: number }>(
      `select ((select count(*) from bindings.outbox) + (select count(*) from notifier.events where aggregate_id = $1)
         + (select count(*) from notifier.aggregates where aggregate_id = $1 and buyer_erased_at is null))::int as left`,
      [bindingId],
    );
    return left === 0 ? true : undefined;
  });

  const allowed = new Set(
    readDataInventory()
      // Audit logs are kept forever and are about staff: no buyer may be in them.
      .rows.filter(({ of, erased }) => of === 'Buyers' && /^(?:stays|after \d+ days?)/.test(erased))
      .flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`)),
  );
  const after = await columnsWith((text, values) => world.query(text, values), traces);
  const left = Object.entries(after).flatMap(([trace, columns]) =>
    columns.filter((column) => !allowed.has(column)).map((column) => `${trace} in ${column}`),
  );
  expect(left).toEqual([]);
  // Others have the same address and mask: checked in the buyer's own rows.
  const [own] = await world.query(
    `select (select address from bindings.consents where binding_id = $1) as address,
       (select string_agg(card_mask, ',') from payments.payments where binding_id = $1) as masks,
       (select count(*)::int from payments.saved_cards where binding_id = $1) as cards`,
    [bindingId],
  );
  expect(own).toEqual({ address: null, masks: null, cards: 0 });

  const says = (text: string) => traces.filter((trace) => text.includes(trace));
  expect((await waitingMessages(world)).flatMap(says)).toEqual([]);
  const logs = readdirSync(world.system.logs);
  expect(logs.length).toBeGreaterThanOrEqual(7);
  const inLogs = logs.flatMap((log) => says(readFileSync(join(world.system.logs, log), 'utf8')).map((trace) => `${trace} in ${log}`));
  expect(inLogs).toEqual([]);
});
