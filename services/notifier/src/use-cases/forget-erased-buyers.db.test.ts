import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { partitionsLoop } from '@pay/shared/postgres/partitions.ts';
import { columnsWith } from '../../../../tools/testing/columns-with.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { onBuyerErased } from '../consumers/on-buyer-erased.ts';
import { insertEvents } from '../db/events.ts';
import { renderEvent } from '../events/render-event.ts';
import { forgetErasedBuyersLoop } from './forget-erased-buyers.ts';
import { eventLogSweepLoop } from './sweep-event-log.ts';

const PARTNER = 'partner-a';
const AT = '2026-11-20T10:00:00.000Z';

let t: TestApp;
let customerId: string;
let bindingId: string;
beforeEach(async () => {
  t = await startTestApp();
  customerId = `buyer-${randomUUID()}`;
  bindingId = randomUUID();
});
afterEach(() => t.stop());

/** An event of a binding as bindings publishes it, with an attempt whose response repeats the buyer. */
async function given(aggregateVersion: number, status: 'WAITING' | 'DELIVERED', binding = bindingId): Promise<string> {
  const eventId = randomUUID();
  const type = aggregateVersion === 1 ? 'binding.created' : 'binding.revoked';
  const body = {
    partnerId: PARTNER,
    bindingId: binding,
    aggregateVersion,
    customerId,
    status: 'REVOKED',
    consentId: randomUUID(),
    period: 'P1M',
    nextChargeAt: AT,
    occurredAt: AT,
  };
  await insertEvents(t.deps.db, [{ ...renderEvent(type, eventId, body), eventId, type, requestId: null, traceparent: null }]);
  await t.query(
    `insert into attempts (event_id, partner_id, number, url, key_ids, started_at, duration_ms, outcome, excerpt)
     values ($1, $2, 1, 'https://shop.example', 'k', clock_now(), 1, 'RETRY', convert_to($3, 'UTF8'))`,
    [eventId, PARTNER, `no such customer: ${customerId}`],
  );
  await end(eventId, status);
  return eventId;
}

async function end(eventId: string, status: string): Promise<void> {
  await t.query(`update events set status = $2, ended_at = case when $2 <> 'WAITING' then clock_now() end where event_id = $1`, [
    eventId,
    status,
  ]);
}

async function died(status: string): Promise<void> {
  await t.query(
    `insert into dead_letters (message_id, type, aggregate_id, occurred_at, body, status)
     values (gen_random_uuid()::text, 'binding.created', $1, '', convert_to($2, 'UTF8'), $3)`,
    [bindingId, JSON.stringify({ customerId }), status],
  );
}

const erased = () =>
  onBuyerErased(t.deps, {
    messageId: randomUUID(),
    type: 'buyer.erased',
    aggregateId: bindingId,
    occurredAt: AT,
    body: { partnerId: PARTNER, bindingId, occurredAt: AT },
  });
const forget = () => forgetErasedBuyersLoop(t.deps.db).round(new AbortController().signal);
const places = async () => (await columnsWith((text, values) => t.query(text, values), [customerId]))[customerId];

describe('an erased buyer', () => {
  it('is in no event, attempt or dead letter any more, as soon as the partner has what was on its way', async () => {
    await given(1, 'DELIVERED');
    const onItsWay = await given(2, 'WAITING');
    await died('REDRIVEN');
    await forget();
    expect(await places()).toEqual(['notifier.attempts.excerpt', 'notifier.dead_letters.body', 'notifier.events.body']);

    await erased();
    await forget();
    expect(await t.query('select event_id from events')).toEqual([{ event_id: onItsWay }]);
    await end(onItsWay, 'DELIVERED');
    await forget();
    expect(await places()).toEqual([]);
  });

  it('is forgotten also where an event comes after the word of it', async () => {
    await erased();
    await given(1, 'DELIVERED');
    await forget();
    expect(await places()).toEqual([]);
  });

  it('is forgotten after 30 days where the partner could not be told, or nobody handled a dead letter', async () => {
    await given(1, 'WAITING');
    await given(2, 'WAITING');
    await died('WAITING');
    await erased();
    await t.moveClock('29 days');
    await forget();
    expect(await places()).toEqual(['notifier.attempts.excerpt', 'notifier.dead_letters.body', 'notifier.events.body']);
    await t.moveClock('2 days');
    await forget();
    expect(await places()).toEqual([]);
    // None of it comes up again, and nothing counts as missing.
    expect(await t.query('select due_at, next_version, last_version, buyer_erased_at from aggregates')).toEqual([
      { due_at: null, next_version: 3, last_version: 2, buyer_erased_at: null },
    ]);
  });

  it('takes nothing with them that is about another binding, nor what is being sent', async () => {
    await given(1, 'DELIVERED', randomUUID());
    const leased = await given(1, 'DELIVERED');
    await erased();
    await t.query('update aggregates set lease_id = gen_random_uuid() where aggregate_id = $1', [bindingId]);
    await forget();
    expect(await t.query('select from events')).toHaveLength(2);
    await t.query('update aggregates set lease_id = null');
    await forget();
    expect(await t.query('select from events where event_id = $1', [leased])).toHaveLength(0);
    expect(await t.query('select from attempts')).toHaveLength(1);
  });
});

it('the event log keeps an event and its attempts for 30 days after it ended', async () => {
  await given(1, 'DELIVERED');
  await t.moveClock('29 days');
  const sweep = async () => {
    for (const loop of [eventLogSweepLoop(t.deps.db), partitionsLoop(t.deps.db, 'attempts')])
      await loop.round(new AbortController().signal);
  };
  await sweep();
  expect(await places()).toEqual(['notifier.attempts.excerpt', 'notifier.events.body']);
  await t.moveClock('2 days');
  await sweep();
  expect(await places()).toEqual([]);
});
