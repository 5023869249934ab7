import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keepDeadLetter } from '@pay/shared/broker/dead-letters.ts';
import { signFact } from '@pay/shared/broker/fact-signature.ts';
import { FACT_KEY, startTestApp, type Json, type TestApp } from '../../../test/app.ts';

/** The routes of dead letters, which every service with a queue has, over this service's own handlers and table. */
let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
beforeEach(() => t.rows('delete from dead_letters'));
afterAll(() => t.close());

async function givenLetter(
  body: unknown,
  change: { messageId?: string; type?: string; signature?: string; refusal?: string } = {},
): Promise<string> {
  const messageId = change.messageId ?? randomUUID();
  await keepDeadLetter(t.deps.db, {
    messageId,
    type: change.type ?? 'store.created',
    aggregateId: 'a',
    occurredAt: '2026-11-20T10:00:00.000Z',
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    requestId: randomUUID(),
    signature: change.signature,
    refusal: change.refusal,
  });
  const [row] = await t.rows('select dead_letter_id from dead_letters where message_id = $1', [messageId]);
  return String(row?.['dead_letter_id']);
}
const store = () => ({ storeId: `store-${randomUUID()}`, partnerId: 'p', name: 'Tea' });
const operate = (method: string, path: string, body?: unknown) => t.operate('oleg', method, path, body);
const isKnown = async ({ storeId }: { storeId: string }) =>
  (await t.rows('select from stores where store_id = $1', [storeId])).length === 1;

describe('a dead letter', () => {
  it('is listed and shown with its bytes, and handled again: its effect is there, once, with who asked', async () => {
    const lost = store();
    const id = await givenLetter(lost);
    const { body: list } = await operate('GET', '/dead-letters?status=WAITING');
    expect(list['items']).toMatchObject([{ deadLetterId: id, type: 'store.created', status: 'WAITING' }]);
    expect((await operate('GET', `/dead-letters/${id}`)).body).toMatchObject({ body: JSON.stringify(lost) });

    const { status, body } = await operate('POST', `/dead-letters/${id}/redrive`, {});
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'REDRIVEN', redrivenBy: 'oleg', attemptCount: 1, lastError: null });
    expect(await isKnown(lost)).toBe(true);
    const again = await operate('POST', `/dead-letters/${id}/redrive`, {});
    expect([again.status, again.body['code']]).toEqual([409, 'STALE_REVISION']);
  });

  it('is listed with the others: newest first, or oldest first for a queue, page by page', async () => {
    const ids = [await givenLetter(store()), await givenLetter(store())];
    await t.rows(`update dead_letters set died_at = died_at - interval '1 second' where dead_letter_id = $1`, [ids[0]]);
    const listed = async (order: string) => {
      const first = await operate('GET', `/dead-letters?limit=1${order}`);
      const token = String(first.body['nextPageToken']);
      const second = await operate('GET', `/dead-letters?limit=1${order}&pageToken=${token}`);
      expect((await operate('GET', `/dead-letters?limit=1&type=x&pageToken=${token}`)).status).toBe(400);
      return [first, second].flatMap(({ body }) => (body['items'] as Json[]).map((item) => item['deadLetterId']));
    };
    expect(await listed('')).toEqual(ids.toReversed());
    expect(await listed('&order=oldest')).toEqual(ids);
  });

  it.each([
    ['what its handler refuses', { storeId: 7 }, {}, 'storeId'],
    ['what is no JSON', 'not json', {}, 'JSON'],
    ['what nobody handles', {}, { type: 'planet.discovered' }, 'does not handle'],
  ])('stays, and says why, for %s', async (_title, sent, change, why) => {
    const id = await givenLetter(sent, change);
    const { status, body } = await operate('POST', `/dead-letters/${id}/redrive`, {});
    expect([status, body['status'], body['attemptCount']]).toEqual([200, 'WAITING', 1]);
    expect(body['lastError']).toContain(why);
  });

  it('that was refused is not believed by being handled again; with the right key it is (S5)', async () => {
    const forged = store();
    const id = await givenLetter(forged, { refusal: 'it is not signed' });
    expect((await operate('GET', `/dead-letters/${id}`)).body).toMatchObject({ lastError: 'it is not signed' });
    const { body } = await operate('POST', `/dead-letters/${id}/redrive`, {});
    expect(body).toMatchObject({ status: 'WAITING', lastError: 'it is not signed' });
    expect(await isKnown(forged)).toBe(false);

    const genuine = store();
    const messageId = randomUUID();
    const fact = {
      messageId,
      type: 'store.created',
      aggregateId: 'a',
      occurredAt: '2026-11-20T10:00:00.000Z',
      body: Buffer.from(JSON.stringify(genuine)),
    };
    const signature = signFact(fact, 'payments', 'withdrawals', { id: 'k1', key: FACT_KEY });
    const other = await givenLetter(genuine, { messageId, signature, refusal: 'it is signed with an unknown key' });
    expect((await operate('POST', `/dead-letters/${other}/redrive`, {})).body).toMatchObject({ status: 'REDRIVEN' });
    expect(await isKnown(genuine)).toBe(true);
  });

  it('that was refused does not stand in for a genuine message with its id (S5)', async () => {
    const messageId = randomUUID();
    await givenLetter('forged', { messageId, refusal: 'it is not signed' });
    await givenLetter(store(), { messageId });
    const kept = await t.rows('select refused from dead_letters where message_id = $1 order by refused', [messageId]);
    expect(kept).toEqual([{ refused: false }, { refused: true }]);
  });

  it('waits again when the same message dies again', async () => {
    const messageId = randomUUID();
    const id = await givenLetter(store(), { messageId });
    await operate('POST', `/dead-letters/${id}/redrive`, {});
    expect(await givenLetter(store(), { messageId })).toBe(id);
    expect((await operate('GET', `/dead-letters/${id}`)).body['status']).toBe('WAITING');
  });

  it('all: a count first, then what was counted and no other', async () => {
    const lost = [store(), store()];
    for (const one of lost) await givenLetter(one);
    await givenLetter({ storeId: 7 });
    await givenLetter({}, { type: 'other' });
    const type = 'store.created';
    const counted = (await operate('POST', '/dead-letters/redrive', { dryRun: true, type })).body;
    expect(counted['total']).toBe(3);
    await t.moveClock('1 second');
    await givenLetter(store());
    const { body } = await operate('POST', '/dead-letters/redrive', { type, upTo: counted['upTo'] });
    expect(body).toEqual({ redriven: 2, failed: 1, left: 1 });
    expect(await Promise.all(lost.map(isKnown))).toEqual([true, true]);
    const { body: list } = await operate('GET', '/dead-letters?status=WAITING');
    expect((list['items'] as Json[]).length).toBe(3);
  });

  it('all: a thousand that fail each time hide none behind them (V6)', async () => {
    await t.rows(`insert into dead_letters (dead_letter_id, message_id, type, aggregate_id, occurred_at, body, died_at)
      select gen_random_uuid(), gen_random_uuid(), 'store.created', 'a', clock_now(), '{"storeId":7}', clock_now() - interval '1 hour'
      from generate_series(1, 1000)`);
    const healthy = store();
    await givenLetter(healthy);
    const type = 'store.created';
    const { upTo } = (await operate('POST', '/dead-letters/redrive', { dryRun: true, type })).body;
    for (let call = 0; call < 20 && !(await isKnown(healthy)); call += 1) await operate('POST', '/dead-letters/redrive', { type, upTo });
    expect(await isKnown(healthy)).toBe(true);
  });

  it('goes on page by page', async () => {
    for (let n = 0; n < 3; n += 1) await givenLetter(store());
    const first = (await operate('GET', '/dead-letters?limit=2')).body;
    const second = (await operate('GET', `/dead-letters?limit=2&pageToken=${String(first['nextPageToken'])}`)).body;
    const ids = [...(first['items'] as Json[]), ...(second['items'] as Json[])].map((one) => one['deadLetterId']);
    expect(new Set(ids).size).toBe(3);
    expect(second['nextPageToken']).toBeNull();
  });

  it.each([randomUUID(), 'x'])('404 for %s, which names none', async (id) => {
    expect((await operate('GET', `/dead-letters/${id}`)).status).toBe(404);
    expect((await operate('POST', `/dead-letters/${id}/redrive`)).status).toBe(404);
  });

  it('400 for a redrive of all without a count', async () => {
    expect((await operate('POST', '/dead-letters/redrive', {})).status).toBe(400);
  });

  it.each(['limit=0', 'limit=101', 'limit=1e1', 'limit=0x10', 'status=LOST', 'colour=red'])('400 for a list with %s', async (query) => {
    expect((await operate('GET', `/dead-letters?${query}`)).status).toBe(400);
  });

  it('is counted where queues are looked at', async () => {
    await givenLetter(store());
    const { body } = await operate('GET', '/queues');
    expect(body['items']).toEqual([
      { queue: 'outbox', waiting: 0, oldestAt: null },
      { queue: 'dead-letters', waiting: 1, oldestAt: expect.any(String) },
    ]);
  });
});

describe('GET /operator/overview', () => {
  it('shows balances as they are, with shares of the greatest to draw them by, and what waits', async () => {
    const rich = await t.givenPartner('1000');
    const poor = await t.givenPartner('10');
    await t.givenRequest(poor, '2.5');
    const { body } = await operate('GET', '/overview');
    const mine = (storeId: string) => (body['balances'] as Json[]).find((one) => one['storeId'] === storeId);
    expect(mine(rich.storeId)).toMatchObject({ availableUsdt: '1000.000000', availableShare: 1000, reservedShare: 0 });
    expect(mine(poor.storeId)).toMatchObject({ availableUsdt: '7.500000', availableShare: 8, reservedShare: 3 });
    expect(body['waiting']).toMatchObject([{ status: 'REQUESTED', waiting: 1 }]);
  });
});
