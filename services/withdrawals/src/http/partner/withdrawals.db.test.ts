import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listen } from '@pay/shared/http/server.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { LOOKED_AT_MAX } from '@pay/shared/postgres/look-through.ts';
import { rowsLookedAt } from '../../../../../tools/testing/rows-looked-at.ts';
import { listWithdrawals } from '../../db/withdrawals.ts';
import { startTestApp, type Funded, type Json, type TestApp } from '../../../test/app.ts';
import { createWithdrawalsApp } from '../app.ts';

let t: TestApp;
let own: Funded;
let foreign: Funded;
beforeAll(async () => {
  t = await startTestApp();
  foreign = await t.givenPartner();
});
beforeEach(async () => {
  own = await t.givenPartner();
});
afterAll(() => t.close());

const USDT = 1_000_000n;
const UUID = /^[0-9a-f-]{36}$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const get = (path: string, partner = own.partner) => t.call('GET', path, { partner });
const untouched = { available: 100n * USDT, reserved: 0n, paid: 0n, credited: 100n * USDT };

it('GET /api/withdrawal-requests: one call looks at a few thousand, and an empty page goes on (N3)', async () => {
  await t.rows(
    `insert into withdrawals (withdrawal_request_id, partner_id, store_id, beneficiary_ref, amount_micro_usdt, status)
     select gen_random_uuid(), $1, $2, $3, 1, 'REQUESTED' from generate_series(1, 5000)`,
    [own.partner, own.storeId, own.beneficiaryRef],
  );
  await t.rows('analyze withdrawals');
  const filter = { partnerId: own.partner, storeId: own.storeId, status: 'FAILED' } as const;
  const looked = await rowsLookedAt(t.databaseUrl, (reader) => listWithdrawals(reader, { filter, order: 'newest', after: undefined }, 100));
  expect(Math.max(...looked)).toBeLessThan(2 * LOOKED_AT_MAX);
  const counts: number[] = [];
  for (let token = ''; token !== 'null';) {
    const { status, body } = await get(`/api/withdrawal-requests?status=FAILED${token === '' ? '' : `&pageToken=${token}`}`);
    counts.push(status, (body['items'] as Json[]).length);
    token = String(body['nextPageToken']);
  }
  expect(counts).toEqual([200, 0, 200, 0, 200, 0]);
});

describe('POST /api/withdrawal-requests', () => {
  it('201: the record, REQUESTED, and the amount is reserved', async () => {
    const answer = await t.request(own, '12.5');
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      withdrawalRequestId: expect.stringMatching(UUID),
      storeId: own.storeId,
      amountUsdt: '12.500000',
      beneficiaryRef: own.beneficiaryRef,
      status: 'REQUESTED',
      createdAt: expect.stringMatching(ISO),
      updatedAt: expect.stringMatching(ISO),
    });
    expect(await t.balance(own.storeId)).toEqual({
      ...untouched,
      available: 87_500_000n,
      reserved: 12_500_000n,
    });
  });

  it('60 parallel requests of 5 from 100 over two replicas: exactly 20 accepted (G01)', async () => {
    const decided = async (replica: number) => {
      const key = randomUUID();
      for (;;) {
        const answer = await t.request(own, '5.000000', { replica, key });
        // 503: the machine is busy and nothing was decided. A partner repeats the call with the same key.
        if (answer.status !== 503) return answer.status;
      }
    };
    const statuses = await Promise.all(Array.from({ length: 60 }, (_, replica) => decided(replica)));
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.filter((status) => status === 409)).toHaveLength(40);
    expect(await t.balance(own.storeId)).toEqual({ ...untouched, available: 0n, reserved: 100n * USDT });
  });

  it('409 INSUFFICIENT_BALANCE above what is available, nothing reserved, the key stays free (G02)', async () => {
    const key = randomUUID();
    const refused = await t.request(own, '100.000001', { key });
    expect([refused.status, refused.body['code']]).toEqual([409, 'INSUFFICIENT_BALANCE']);
    expect(await t.balance(own.storeId)).toEqual(untouched);
    const all = await t.request(own, '100.000000', { key });
    expect([all.status, all.headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  it('409 INSUFFICIENT_BALANCE for a store that was never funded', async () => {
    const storeId = `store-${randomUUID()}`;
    await t.rows('insert into stores values ($1, $2, $3)', [storeId, own.partner, 'Tea']);
    expect((await t.request({ ...own, storeId }, '1')).body['code']).toBe('INSUFFICIENT_BALANCE');
  });

  it.each([
    ['the store of another partner (G03)', (): Funded => ({ ...own, storeId: foreign.storeId })],
    ['an unknown store', (): Funded => ({ ...own, storeId: 'store-0' })],
    ['the recipient of another partner (G04)', (): Funded => ({ ...own, beneficiaryRef: foreign.beneficiaryRef })],
    ['an unknown recipient (G04)', (): Funded => ({ ...own, beneficiaryRef: 'bnf-unknown' })],
  ])('404 for %s, nothing reserved', async (_title, given) => {
    expect((await t.request(given(), '1')).status).toBe(404);
    expect(await t.balance(own.storeId)).toEqual(untouched);
  });

  it.each([
    ['a JSON number (C06)', 5],
    ['zero (C09)', '0'],
    ['zero with six digits (C09)', '0.000000'],
    ['less than a millionth (C08)', '0.0000001'],
    ['seven digits (C08)', '1.0000001'],
    ['seven digits, the last of them a zero (C08)', '1.0000000'],
    ['a negative amount (C09)', '-1'],
    ['no digit before the point (C09)', '.5'],
    ['no digit after the point (C09)', '1.'],
    ['an exponent (C09)', '1e1'],
    ['a negative exponent (C09)', '1e-6'],
    ['a hexadecimal number (C09)', '0x1F'],
    ['NaN (C09)', 'NaN'],
    ['Infinity (C09)', 'Infinity'],
    ['5,000 digits (C09)', '9'.repeat(5_000)],
    ['digits that are not ASCII (C09)', '１'],
    ['a comma', '1,5'],
    ['blanks', ' 5'],
    ['nothing', undefined],
    ['null', null],
  ])('400 for amountUsdt as %s', async (_title, amountUsdt) => {
    const answer = await t.request(own, amountUsdt);
    expect([answer.status, answer.body['details']]).toEqual([400, [expect.objectContaining({ field: 'amountUsdt' })]]);
  });

  it.each([
    ['1', '1.000000'],
    ['1.5', '1.500000'],
    ['1.000000', '1.000000'],
  ])('%s is taken, and answered as %s (C10)', async (sent, answered) => {
    const { status, body } = await t.request(own, sent);
    expect([status, body['amountUsdt']]).toEqual([201, answered]);
  });

  it('takes the smallest amount, and carries six digits end to end', async () => {
    const answer = await t.request(own, '0.000001');
    expect(answer.body['amountUsdt']).toBe('0.000001');
    const balance = await get(`/api/withdrawal-balances/${own.storeId}`);
    expect(balance.body).toEqual({
      storeId: own.storeId,
      currency: 'USDT',
      availableUsdt: '99.999999',
      reservedUsdt: '0.000001',
    });
  });

  it('carries an amount that no double holds', async () => {
    const rich = await t.givenPartner('900000000000.000000');
    const answer = await t.request(rich, '899999999999.999999');
    expect(answer.body['amountUsdt']).toBe('899999999999.999999');
    expect((await get(`/api/withdrawal-balances/${rich.storeId}`, rich.partner)).body['availableUsdt']).toBe('0.000001');
  });

  it.each([
    ['an unknown field', { comment: 'x' }, 'comment'],
    ['no store', { storeId: undefined }, 'storeId'],
    ['a recipient that is no string', { beneficiaryRef: ['x'] }, 'beneficiaryRef'],
  ])('400 for %s, named in details', async (_title, change, field) => {
    const { partner, storeId, beneficiaryRef } = own;
    const body = { storeId, beneficiaryRef, amountUsdt: '1', ...change };
    const answer = await t.call('POST', '/api/withdrawal-requests', { partner, body });
    expect([answer.status, answer.body['details']]).toEqual([400, [expect.objectContaining({ field })]]);
  });

  it.each([
    ['a wallet address', 'beneficiaryRef', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['twelve words', 'beneficiaryRef', Array.from({ length: 12 }, () => 'abandon').join(' ')],
    ['a key', 'storeId', 'e9873d79c6d87dc0fb6a5778633389f4453213303da61f20bd67fc233aa33262'],
    ['a card number', 'comment', '4111111111111111'],
  ])('400 for %s in %s, never repeated, stored or logged (G05)', async (_title, field, secret) => {
    const written: unknown[] = [];
    const keep = (message: string, fields?: object) => {
      written.push(message, fields);
    };
    const log: Log = { debug: keep, info: keep, warn: keep, error: keep };
    const verify = (token: string) => token;
    const listener = await listen(createWithdrawalsApp({ ...t.deps, log }, verify, new Map()), '127.0.0.1', 0);
    const { partner, storeId, beneficiaryRef } = own;
    const response = await fetch(`http://127.0.0.1:${String(listener.port)}/api/withdrawal-requests`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-internal-token': partner,
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ storeId, beneficiaryRef, amountUsdt: '1', [field]: secret }),
    });
    const text = await response.text();
    await listener.drain(0);
    expect([response.status, text.includes(secret)]).toEqual([400, false]);
    expect(text).toContain(`"field":"${field}"`);
    expect(JSON.stringify(written)).toContain('"status":400');
    expect(JSON.stringify(written)).not.toContain(secret);
    expect(await t.balance(own.storeId)).toEqual(untouched);
  });

  it('a field that is unknown is refused as such, and nothing searches through it (M11)', async () => {
    const { partner, storeId, beneficiaryRef } = own;
    const secrets = Array.from({ length: 1_000 }, () => 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t');
    const body = { storeId, beneficiaryRef, amountUsdt: '1', notes: secrets };
    const answer = await t.call('POST', '/api/withdrawal-requests', { partner, body });
    expect([answer.status, answer.body['details']]).toEqual([400, [{ field: 'notes', message: 'is not a field of this request' }]]);
  });

  it('ten thousand unknown fields are named twenty at a time, and none that is a secret itself (M11)', async () => {
    const { partner, storeId, beneficiaryRef } = own;
    const wrong = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${String(at)}`, 'x']));
    const body = { TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t: 1, storeId, beneficiaryRef, amountUsdt: '1', ...wrong };
    const answer = await t.call('POST', '/api/withdrawal-requests', { partner, body });
    expect([answer.status, (answer.body['details'] as unknown[]).length]).toEqual([400, 20]);
    expect(answer.text).not.toContain('TR7N');
  });

  it('where the booking fails, there is no request either (G09)', async () => {
    await t.rows(`alter table ledger_entries add constraint broken check (amount_micro_usdt <> 7000000)`);
    const refused = await t.request(own, '7');
    await t.rows('alter table ledger_entries drop constraint broken');
    expect(refused.status).toBe(500);
    expect(await t.rows('select from withdrawals where partner_id = $1', [own.partner])).toHaveLength(0);
    expect(await t.balance(own.storeId)).toEqual(untouched);
  });

  it.each([[null], ['short'], ['k'.repeat(129)]])('400 for the Idempotency-Key %s', async (key) => {
    expect((await t.request(own, '1', { key })).status).toBe(400);
  });

  it('a repeat gets the same request, in its current state, and reserves nothing more', async () => {
    const key = randomUUID();
    const first = await t.request(own, '5', { key });
    const id = String(first.body['withdrawalRequestId']);
    await t.act('olga', id, 'take');
    const again = await t.request(own, '5', { key, replica: 1 });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.body).toMatchObject({ withdrawalRequestId: id, status: 'IN_REVIEW' });
    expect((await t.balance(own.storeId)).reserved).toBe(5n * USDT);
  });

  it('twenty repeats at once over two replicas make one request', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, replica) => t.request(own, '5', { key, replica })));
    const accepted = answers.filter(({ status }) => status === 201);
    expect(new Set(accepted.map(({ body }) => body['withdrawalRequestId'])).size).toBe(1);
    expect((await t.balance(own.storeId)).reserved).toBe(5n * USDT);
  });

  it('409 IDEMPOTENCY_KEY_REUSED for the same key with another body', async () => {
    const key = randomUUID();
    await t.request(own, '5', { key });
    expect((await t.request(own, '5.000000', { key })).body['code']).toBe('IDEMPOTENCY_KEY_REUSED');
  });
});

describe('GET /api/withdrawal-balances/{storeID}', () => {
  it('shows zeros for a store that was never funded', async () => {
    const storeId = `store-${randomUUID()}`;
    await t.rows('insert into stores values ($1, $2, $3)', [storeId, own.partner, 'Tea']);
    const { body } = await get(`/api/withdrawal-balances/${storeId}`);
    expect(body).toMatchObject({ availableUsdt: '0.000000', reservedUsdt: '0.000000' });
  });

  it('404 for another partner’s store and for an unknown one, with one body', async () => {
    const answers = [await get(`/api/withdrawal-balances/${foreign.storeId}`), await get('/api/withdrawal-balances/nowhere')];
    expect(answers.map(({ status, body }) => [status, body['code']])).toEqual([
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
    ]);
  });
});

describe('GET /api/withdrawal-requests/{requestID}', () => {
  it('shows the record; another partner, an unknown id and what is no id: 404', async () => {
    const created = await t.request(own, '5');
    const id = String(created.body['withdrawalRequestId']);
    expect((await get(`/api/withdrawal-requests/${id}`)).body).toEqual(created.body);
    const others = [
      await get(`/api/withdrawal-requests/${id}`, foreign.partner),
      await get(`/api/withdrawal-requests/${randomUUID()}`),
      await get('/api/withdrawal-requests/x'),
    ];
    expect(others.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});

describe('GET /api/withdrawal-requests', () => {
  const items = (body: Json) => body['items'] as Json[];
  const list = (query: string, partner = own.partner) => get(`/api/withdrawal-requests${query}`, partner);

  it('lists the partner’s own, the newest first, page by page, none twice and none left out', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift(await t.givenRequest(own, '1'));
    const found: unknown[] = [];
    let query = '?limit=2';
    for (let page = 0; page < 3; page += 1) {
      const { body } = await list(query);
      found.push(...items(body).map((item) => item['withdrawalRequestId']));
      query = `?limit=2&pageToken=${String(body['nextPageToken'])}`;
    }
    expect(found.slice().sort()).toEqual(ids.slice().sort());
    const moments = (await list('')).body;
    const createdAt = items(moments).map((item) => String(item['createdAt']));
    expect(createdAt).toEqual(createdAt.slice().sort().reverse());
    expect(query).toBe('?limit=2&pageToken=null');
  });

  it('filters by store and status', async () => {
    const id = await t.givenRequest(own, '1');
    await t.givenRequest(own, '1');
    await t.act('olga', id, 'take');
    expect(items((await list('?status=IN_REVIEW')).body).map((item) => item['withdrawalRequestId'])).toEqual([id]);
    expect(items((await list(`?storeId=${own.storeId}&status=REQUESTED`)).body)).toHaveLength(1);
    expect((await list(`?storeId=${foreign.storeId}`)).status).toBe(404);
  });

  it('limit is 20 when absent (G10)', async () => {
    await t.rows(
      `insert into withdrawals (withdrawal_request_id, partner_id, store_id, beneficiary_ref, amount_micro_usdt, status)
       select gen_random_uuid(), $1, $2, $3, 1, 'REQUESTED' from generate_series(1, 25)`,
      [own.partner, own.storeId, own.beneficiaryRef],
    );
    expect(items((await list('')).body)).toHaveLength(20);
    expect(items((await list('?limit=100')).body)).toHaveLength(25);
  });

  it.each([
    ['?limit=0'],
    ['?limit=-1'],
    ['?limit=101'],
    ['?limit=1000000000'],
    ['?limit=abc'],
    ['?limit=1e1'],
    ['?limit='],
    ['?limit=5&limit=6'],
    ['?status=LOST'],
    ['?colour=red'],
    ['?pageToken='],
    ['?pageToken=x'],
  ])('400 for %s (G10)', async (query) => {
    expect((await list(query)).status).toBe(400);
  });

  it('400 for a page token that is altered, cut, another partner’s or another filter’s', async () => {
    for (let n = 0; n < 2; n += 1) await t.givenRequest(own, '1');
    await t.givenRequest(foreign, '0.000001');
    const token = String((await list('?limit=1&status=REQUESTED')).body['nextPageToken']);
    const altered = `${token.startsWith('M') ? 'N' : 'M'}${token.slice(1)}`;
    const answers = [
      await list(`?status=REQUESTED&pageToken=${token}`),
      await list(`?status=REQUESTED&pageToken=${altered}`),
      await list(`?status=REQUESTED&pageToken=${token.slice(0, -1)}`),
      await list(`?status=REQUESTED&pageToken=${token}`, foreign.partner),
      await list(`?pageToken=${token}`),
      await list(`?status=APPROVED&pageToken=${token}`),
      await list(`?status=REQUESTED&storeId=${own.storeId}&pageToken=${token}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 400, 400, 400, 400]);
  });
});
