import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Binding, BindingList } from '@pay/contract/api/bindings.ts';
import { BindingFact } from '@pay/contract/messages.ts';
import { LOOKED_AT_MAX } from '@pay/shared/postgres/look-through.ts';
import { rowsLookedAt } from '../../../../../tools/testing/rows-looked-at.ts';
import { listBindings, lockBinding } from '../../db/bindings.ts';
import { startTestApp, type Answer, type Json, type TestApp } from '../../../test/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const list = (query: Readonly<Record<string, string>>, partner?: string): Promise<Answer> =>
  t.call('GET', `/v1/bindings?${new URLSearchParams(query).toString()}`, partner === undefined ? {} : { partner });
const revoke = (bindingId: string, call = {}) => t.call('POST', `/v1/bindings/${bindingId}/revoke`, call);
const idsOf = ({ body }: Answer) => BindingList.parse(body).items.map(({ bindingId }) => bindingId);

it('GET /v1/bindings: one call looks at a few thousand of a buyer, and an empty page goes on (N3)', async () => {
  const partner = randomUUID();
  await t.rows(
    `insert into bindings (binding_id, partner_id, customer_id, consent_id, period, status, revoked_at, last_charged_at, next_charge_at,
       anchor_day, aggregate_version)
     select gen_random_uuid(), $1, 'deep', gen_random_uuid(), 'P1M', 'REVOKED', now(), now(), now() + interval '1 month', 1, 1
     from generate_series(1, 5000)`,
    [partner],
  );
  await t.rows('analyze bindings');
  const filter = { partnerId: partner, customerId: 'deep', status: 'ACTIVE' } as const;
  const looked = await rowsLookedAt(t.databaseUrl, (reader) => listBindings(reader, filter, undefined, 100));
  expect(Math.max(...looked)).toBeLessThan(2 * LOOKED_AT_MAX);
  const counts: number[] = [];
  for (let token = ''; token !== 'null';) {
    const query = { customerId: 'deep', status: 'ACTIVE', ...(token === '' ? {} : { pageToken: token }) };
    const { status, body } = await list(query, partner);
    counts.push(status, (body['items'] as Json[]).length);
    token = String(body['nextPageToken']);
  }
  expect(counts).toEqual([200, 0, 200, 0, 200, 0]);
});

describe('a binding', () => {
  it('comes about with a first payment that saved the card: binding.created, version 1', async () => {
    const bindingId = await t.givenBinding({
      customerId: 'c-17',
      period: 'P1M',
      chargedAt: '2026-01-31T10:00:00.000Z',
      cardMask: '220070******1234',
      cardExpiry: '2028-09',
    });
    const binding = await t.binding(bindingId);
    expect(Binding.parse(binding)).toEqual(binding);
    expect(binding).toMatchObject({
      customerId: 'c-17',
      status: 'ACTIVE',
      period: 'P1M',
      lastChargedAt: '2026-01-31T10:00:00.000Z',
      nextChargeAt: '2026-02-28T10:00:00.000Z',
      cardMask: '220070******1234',
      cardExpiry: '2028-09',
    });
    expect((await list({ customerId: 'c-17' })).body['items']).toEqual([binding]);
    const [event, ...more] = await t.events(bindingId);
    expect(more).toEqual([]);
    expect(event?.type).toBe('binding.created');
    expect(BindingFact.parse(event?.payload)).toMatchObject({
      partnerId: 'partner-a',
      aggregateVersion: 1,
      status: 'ACTIVE',
      nextChargeAt: '2026-02-28T10:00:00.000Z',
    });
  });

  it('has neither mask nor expiry where the channel did not confirm them', async () => {
    const customerId = randomUUID();
    const binding = await t.binding(await t.givenBinding({ customerId }));
    expect((await list({ customerId })).body['items']).toEqual([binding]);
    expect(binding).not.toHaveProperty('cardMask');
    expect(binding).not.toHaveProperty('cardExpiry');
    expect(binding).not.toHaveProperty('revokedAt');
  });

  it('404: unknown, no UUID, another partner’s', async () => {
    const foreign = await t.givenBinding({ partner: 'partner-b' });
    const answers = await Promise.all([randomUUID(), 'x', foreign].map((id) => t.call('GET', `/v1/bindings/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await t.call('GET', `/v1/bindings/${foreign}`, { partner: 'partner-b' })).status).toBe(200);
  });
});

describe('POST /v1/bindings/{bindingId}/revoke', () => {
  it('202, REVOKED, binding.revoked; F11 again with a new key: 202 and no second event; with the same key: replayed', async () => {
    const bindingId = await t.givenBinding();
    const key = randomUUID();
    const first = await revoke(bindingId, { key });
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([202, null]);
    expect(first.body).toMatchObject({ bindingId, status: 'REVOKED', revokedAt: expect.any(String) });
    expect(Binding.parse(first.body)).toEqual(first.body);
    const again = await revoke(bindingId);
    expect([again.status, again.body]).toEqual([202, first.body]);
    const repeated = await revoke(bindingId, { key });
    expect([repeated.status, repeated.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
    const events = await t.events(bindingId);
    expect(events.map(({ type, payload }) => [type, payload['aggregateVersion'], payload['status']])).toEqual([
      ['binding.created', 1, 'ACTIVE'],
      ['binding.revoked', 2, 'REVOKED'],
    ]);
  });

  it('twenty at once: one event', async () => {
    const bindingId = await t.givenBinding();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, replica) => revoke(bindingId, { replica })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(await t.events(bindingId)).toHaveLength(2);
  });

  it('19.8: of an expired binding: REVOKED, with the event', async () => {
    const bindingId = await t.givenBinding({ cardExpiry: '2021-01' });
    await t.charge(bindingId);
    expect(await t.binding(bindingId)).toMatchObject({ status: 'EXPIRED' });
    expect((await revoke(bindingId)).body).toMatchObject({ status: 'REVOKED' });
    expect((await t.events(bindingId)).map(({ type }) => type)).toEqual(['binding.created', 'binding.expired', 'binding.revoked']);
  });

  it('404: unknown and another partner’s, which stays as it is; 400: without a key, or with a body that says something', async () => {
    const foreign = await t.givenBinding({ partner: 'partner-b' });
    expect((await revoke(foreign)).status).toBe(404);
    expect((await revoke(randomUUID())).status).toBe(404);
    expect(await t.binding(foreign, 'partner-b')).toMatchObject({ status: 'ACTIVE' });
    const mine = await t.givenBinding();
    expect((await revoke(mine, { key: null })).status).toBe(400);
    expect((await revoke(mine, { body: { reason: 'x' } })).status).toBe(400);
    expect((await revoke(mine, { body: {} })).status).toBe(202);
  });

  it('forced: a charge that waits for the row of a revoke is refused', async () => {
    const bindingId = await t.givenBinding();
    const [waiting] = await t.deps.db.transaction(async (tx) => {
      await lockBinding(tx, bindingId);
      const revoking = revoke(bindingId);
      await t.untilBlocked(1);
      const charging = t.charge(bindingId, { replica: 1 });
      await t.untilBlocked(2);
      return [Promise.all([revoking, charging])]; // Wrapped in an array: returning the promise itself would await it here.
    });
    const [revoked, charged] = await waiting;
    expect(revoked.status).toBe(202);
    expect(charged.body).toMatchObject({ code: 'BINDING_REVOKED' });
  });

  it('is answered after a charge that was accepted before has reached payments', async () => {
    const bindingId = await t.givenBinding();
    const [reached, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    t.payments.behave = async () => {
      reached.resolve(undefined);
      await released.promise;
      return { kind: 'take' };
    };
    const charging = t.charge(bindingId);
    await reached.promise;
    let answered = false;
    const revoking = revoke(bindingId).finally(() => (answered = true));
    while ((await t.binding(bindingId))['status'] !== 'REVOKED') expect(answered).toBe(false);
    expect(answered).toBe(false);
    released.resolve(undefined);
    expect([(await revoking).status, (await charging).status]).toEqual([202, 201]);
    t.payments.behave = () => ({ kind: 'take' });
  });

  it("the buyer's page: reads what it shows, and revokes, as often as it likes, with one event", async () => {
    const bindingId = await t.givenBinding({ cardMask: '220070******1234', cardExpiry: '2028-09' });
    const shown = await t.call('GET', `/internal/bindings/${bindingId}`);
    expect(shown.body).toEqual({
      bindingId,
      openPaymentId: null,
      status: 'ACTIVE',
      period: 'P1M',
      cardMask: '220070******1234',
      cardExpiry: '2028-09',
      nextChargeAt: '2020-02-29T10:00:00.000Z',
    });
    for (const _time of [1, 2]) {
      const revoked = await t.call('POST', `/internal/bindings/${bindingId}/revoke`, { key: null });
      expect([revoked.status, revoked.body]).toEqual([200, { ...shown.body, status: 'REVOKED' }]);
    }
    expect(await t.events(bindingId)).toHaveLength(2);
    expect((await t.call('GET', `/internal/bindings/${bindingId}`, { partner: 'partner-b' })).status).toBe(404);
  });
});

describe('GET /v1/bindings', () => {
  it('a buyer is told by the code points of the id: composed and decomposed letters are two buyers (D07)', async () => {
    const [composed, decomposed] = ['ren\u00e9', 'rene\u0301'];
    const bindingId = await t.givenBinding({ customerId: composed });
    expect(idsOf(await list({ customerId: composed }))).toEqual([bindingId]);
    expect(idsOf(await list({ customerId: decomposed }))).toEqual([]);
  });

  const buyer = `buyer-${randomUUID()}`;
  let ids: readonly string[];
  beforeAll(async () => {
    const made: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      // Two of one millisecond would have no order that a test may expect.
      await t.setClock(`2026-11-22T10:00:0${String(count)}.000Z`);
      made.push(await t.givenBinding({ customerId: buyer }));
    }
    for (const id of made.slice(0, 2)) await revoke(id);
    await t.givenBinding({ customerId: `${buyer}-other` });
    await t.givenBinding({ customerId: buyer, partner: 'partner-b' });
    ids = made.reverse();
  });

  it("200: the buyer's bindings with this partner, the newest first; by status", async () => {
    const all = await list({ customerId: buyer });
    expect(all.status).toBe(200);
    expect(idsOf(all)).toEqual(ids);
    expect(all.body['nextPageToken']).toBeNull();
    expect(idsOf(await list({ customerId: buyer, status: 'REVOKED' }))).toEqual(ids.slice(5));
    expect(idsOf(await list({ customerId: buyer, status: 'ACTIVE' }))).toEqual(ids.slice(0, 5));
    expect(idsOf(await list({ customerId: buyer, status: 'EXPIRED' }))).toEqual([]);
    expect(idsOf(await list({ customerId: 'nobody' }))).toEqual([]);
  });

  it('goes through all pages without a gap or a repeat, whatever the limit', async () => {
    for (const limit of ['1', '2', '3', '7', '100']) {
      const seen: string[] = [];
      let token: string | undefined;
      do {
        const page = await list({ customerId: buyer, limit, ...(token === undefined ? {} : { pageToken: token }) });
        seen.push(...idsOf(page));
        token = typeof page.body['nextPageToken'] === 'string' ? page.body['nextPageToken'] : undefined;
      } while (token !== undefined);
      expect(seen).toEqual(ids);
    }
  });

  it.each([
    [{}, 'customerId'],
    [{ customerId: '' }, 'customerId'],
    [{ customerId: ' ' }, 'customerId'],
    [{ customerId: '\u200b\u3164' }, 'customerId'],
    [{ customerId: 'c', limit: '0' }, 'limit'],
    [{ customerId: 'c', limit: '101' }, 'limit'],
    [{ customerId: 'c', limit: '1.5' }, 'limit'],
    [{ customerId: 'c', status: 'active' }, 'status'],
    [{ customerId: 'c', page: '2' }, 'page'],
    [{ customerId: 'c', pageToken: '' }, 'pageToken'],
  ])('400: %j names %s', async (query, field) => {
    const answer = await list(query);
    expect(answer.status).toBe(400);
    expect(answer.body['details']).toEqual([expect.objectContaining({ field })]);
  });

  it('400: a token of another partner, buyer or filter; the same token is good where it was given (F14)', async () => {
    const tokenOf = (answer: Answer) => String(answer.body['nextPageToken']);
    const token = tokenOf(await list({ customerId: buyer, limit: '2' }));
    const filtered = tokenOf(await list({ customerId: buyer, limit: '2', status: 'ACTIVE' }));
    const wrong = await Promise.all([
      list({ customerId: buyer, pageToken: token }, 'partner-b'),
      list({ customerId: `${buyer}-other`, pageToken: token }),
      list({ customerId: buyer, status: 'ACTIVE', pageToken: token }),
      list({ customerId: buyer, pageToken: filtered }),
      list({ customerId: buyer, status: 'REVOKED', pageToken: filtered }),
    ]);
    expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(idsOf(await list({ customerId: buyer, pageToken: token }))).toEqual(ids.slice(2));
  });

  it('property: a token that is altered or truncated, anywhere and however, is 400 (F14)', async () => {
    const token = String((await list({ customerId: buyer, limit: '2' })).body['nextPageToken']);
    const at = fc.nat(token.length - 1);
    const altered = fc.oneof(
      fc.tuple(at, fc.string({ minLength: 1, maxLength: 1 })).map(([index, char]) => token.slice(0, index) + char + token.slice(index + 1)),
      at.map((index) => token.slice(0, index)),
      at.map((index) => token.slice(index + 1)),
      at.map((index) => token.slice(0, index) + token.slice(index + 1)),
      fc.string({ minLength: 1 }).map((text) => token + text),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(
        altered.filter((text) => text !== token && text.isWellFormed()),
        async (pageToken) => {
          const answer: { status: number; body: Json } = await list({ customerId: buyer, pageToken });
          expect(answer.status).toBe(400);
          expect(answer.body['code']).toBe('VALIDATION_FAILED');
        },
      ),
      { numRuns: 500 },
    );
  });
});
