import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { API_KEY, API_KEY_PREVIOUS, CONTROL_KEY, CONTROL_KEY_PREVIOUS, orderOf, startTestBank, type TestBank } from '../../test/bank.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await startTestBank();
});
afterEach(async () => {
  await bank.call('DELETE', '/control/faults');
});
afterAll(() => bank.close());

const CARD = '4111111111111111';
const fault = (body: object) => bank.call('POST', '/control/faults', body);
const read = (operationId: string) => bank.call('GET', `/v1/operations/${operationId}`);

describe('POST /control/faults', () => {
  it('error: answered with the status, nothing done, the next call works', async () => {
    const operationId = await bank.givenOrder();
    await fault({ route: 'authorize', kind: 'error', status: 502 });
    expect((await bank.authorize(operationId, CARD)).status).toBe(502);
    expect((await read(operationId)).body['status']).toBe('REGISTERED');
    expect((await bank.authorize(operationId, CARD)).body['status']).toBe('APPROVED');
  });

  it('drop: no answer and nothing done', async () => {
    const operationId = await bank.givenOrder();
    await fault({ route: 'authorize', kind: 'drop' });
    await expect(bank.authorize(operationId, CARD)).rejects.toThrow();
    expect((await read(operationId)).body['status']).toBe('REGISTERED');
  });

  it('drop_after: no answer, and it is done', async () => {
    const operationId = await bank.givenOrder();
    await fault({ route: 'authorize', kind: 'drop_after' });
    await expect(bank.authorize(operationId, CARD)).rejects.toThrow();
    expect((await read(operationId)).body['status']).toBe('APPROVED');
  });

  it('outage: every call of every route fails until it is cleared', async () => {
    await fault({ route: 'all', kind: 'outage', status: 503 });
    for (let call = 0; call < 3; call += 1) {
      expect((await bank.call('POST', '/v1/orders', orderOf())).status).toBe(503);
    }
    await bank.call('DELETE', '/control/faults');
    await fault({ route: 'register', kind: 'outage' });
    await expect(bank.call('POST', '/v1/orders', orderOf())).rejects.toThrow();
    await bank.call('DELETE', '/control/faults');
    expect((await bank.call('POST', '/v1/orders', orderOf())).status).toBe(200);
  });

  it('duplicate: carried out twice, the money moves once', async () => {
    const operationId = await bank.givenOrder();
    await fault({ route: 'authorize', kind: 'duplicate' });
    expect((await bank.authorize(operationId, CARD)).body['status']).toBe('APPROVED');
    const { body } = await bank.call('GET', `/control/operations/${operationId}`);
    expect(body['counters']).toEqual({ requests: { register: 1, authorize: 2 }, moneyMoved: 1, answersWithheld: 0 });
  });

  it('delay_after: a later answer overtakes an earlier one', async () => {
    const operationId = await bank.givenOrder();
    await fault({ route: 'read', kind: 'delay_after', delayMs: 400 });
    const order: string[] = [];
    const early = read(operationId).then(({ body }) => order.push(`early ${String(body['status'])}`));
    await untilTaken();
    await bank.authorize(operationId, CARD);
    order.push(`late ${String((await read(operationId)).body['status'])}`);
    await early;
    expect(order).toEqual(['late APPROVED', 'early REGISTERED']);
  });

  it('delay: the call is carried out after the pause', async () => {
    const operationId = await bank.givenOrder();
    await fault({ route: 'authorize', kind: 'delay', delayMs: 400 });
    const slow = bank.authorize(operationId, CARD);
    await untilTaken();
    expect((await read(operationId)).body['status']).toBe('REGISTERED');
    expect((await slow).body['status']).toBe('APPROVED');
  });

  it('a fault for one operation leaves the others alone', async () => {
    const [struck, other] = [await bank.givenOrder(), await bank.givenOrder()];
    await fault({ route: 'authorize', kind: 'error', operationId: struck });
    expect((await bank.authorize(other, CARD)).status).toBe(200);
    expect((await bank.authorize(struck, CARD)).status).toBe(500);
  });

  it('a fault for one operation strikes the call whose body names it', async () => {
    const [struck, spared] = [orderOf(), orderOf()];
    await fault({ route: 'register', kind: 'error', operationId: struck.operationId });
    expect((await bank.call('POST', '/v1/orders', spared)).status).toBe(200);
    expect((await bank.call('POST', '/v1/orders', struck)).status).toBe(500);
    expect((await bank.call('POST', '/v1/orders', struck)).status).toBe(200);
  });

  it('the control API itself is never struck, and a call without the key uses up no fault', async () => {
    await fault({ route: 'all', kind: 'error' });
    expect((await bank.call('GET', '/control/totals')).status).toBe(200);
    await bank.open('/v1/orders', { method: 'POST' });
    expect((await bank.call('POST', '/v1/orders', orderOf())).status).toBe(500);
  });

  it.each([
    { route: 'authorise', kind: 'drop' },
    { route: 'all', kind: 'explode' },
    { route: 'all', kind: 'delay', delayMs: 60_001 },
    { route: 'all', kind: 'error', status: 200 },
    { route: 'all', kind: 'drop', times: 0 },
  ])('400: %j', async (body) => {
    expect((await fault(body)).status).toBe(400);
  });

  it('at most a hundred wait', async () => {
    for (let count = 0; count < 100; count += 1) expect((await fault({ route: 'all', kind: 'drop' })).status).toBe(200);
    expect((await fault({ route: 'all', kind: 'drop' })).status).toBe(409);
  });
});

/** Waits until the fault is used up: the call that it affects has arrived. */
async function untilTaken(): Promise<void> {
  for (;;) {
    const { body } = await bank.call('GET', '/control/faults');
    if (Array.isArray(body['faults']) && body['faults'].length === 0) return;
  }
}

const CONTROL_PATHS = ['/control/totals', '/control/clock', '/control/faults', '/control/notifications', '/control/nothing'];
const PAGES = ['/', '/operations/00000000-0000-4000-8000-000000000000'];
const key = CONTROL_KEY.toString('base64');
const statusOf = async (url: string, init: RequestInit = {}) => (await fetch(url, { redirect: 'manual', ...init })).status;

describe('who reaches the control API and the operations page', () => {
  it('nobody on the port that buyers are sent to: 404, whatever key he has (M5)', async () => {
    for (const headers of [{}, { Authorization: `Bearer ${key}` }]) {
      for (const path of [...CONTROL_PATHS, ...PAGES]) {
        expect([path, await statusOf(`${bank.url}${path}`, { headers })]).toEqual([path, 404]);
      }
      const moved = {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: '{"advance":"P50Y"}',
      };
      expect(await statusOf(`${bank.url}/control/clock`, moved)).toBe(404);
      const decided = { method: 'POST', headers, body: new URLSearchParams({ decision: 'approve' }) };
      expect(await statusOf(`${bank.url}/operations/${await bank.givenOrder()}/decide`, decided)).toBe(404);
    }
    expect((await bank.call('GET', '/control/clock')).body['offsetMilliseconds']).toBe(0);
  });

  it.each([
    ['no key', {}],
    ['another key', { Authorization: `Bearer ${Buffer.alloc(32).toString('base64')}` }],
    ['the merchant’s key', { Authorization: 'Bearer test-key-of-the-bank' }],
    ['the key as a cookie', { Cookie: `bank_operations=${key}` }],
  ])('on its own port %s is 401, and changes nothing (M5)', async (_what, headers) => {
    for (const path of [...CONTROL_PATHS, ...PAGES]) {
      expect([path, await statusOf(`${bank.controlUrl}${path}`, { headers })]).toEqual([path, 401]);
    }
    const moved = {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: '{"advance":"P50Y"}',
    };
    expect(await statusOf(`${bank.controlUrl}/control/clock`, moved)).toBe(401);
    expect((await bank.call('GET', '/control/clock')).body['offsetMilliseconds']).toBe(0);
    const operationId = await bank.givenOrder();
    const decided = { method: 'POST', headers, body: new URLSearchParams({ decision: 'approve' }) };
    expect(await statusOf(`${bank.controlUrl}/operations/${operationId}/decide`, decided)).toBe(401);
    expect((await read(operationId)).body['status']).toBe('REGISTERED');
  });

  it('with the key it is 200 (M5)', async () => {
    const headers = { Authorization: `Bearer ${key}` };
    for (const path of ['/control/totals', '/control/clock', '/control/faults', '/']) {
      expect([path, await statusOf(`${bank.controlUrl}${path}`, { headers })]).toEqual([path, 200]);
    }
  });

  it('a link with the key opens the page once: a cookie for pages, and the key leaves the address (M5)', async () => {
    const opened = await fetch(`${bank.controlUrl}/?lang=en&key=${encodeURIComponent(key)}`, { redirect: 'manual' });
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/?lang=en']);
    const [cookie = ''] = opened.headers.getSetCookie();
    expect(cookie).toMatch(/^bank_operations=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const headers = { Cookie: `other=1; ${cookie.split(';')[0] ?? ''}` };
    expect(await statusOf(`${bank.controlUrl}/?lang=en`, { headers })).toBe(200);
    expect(await statusOf(`${bank.controlUrl}/operations/${await bank.givenOrder()}`, { headers })).toBe(200);
    expect(await statusOf(`${bank.controlUrl}/control/totals`, { headers })).toBe(401);
    expect(await statusOf(`${bank.controlUrl}/?key=wrong`, { headers })).toBe(401);
    const elsewhere = await fetch(`${bank.controlUrl}/operations/..//evil.test/?key=${encodeURIComponent(key)}`, {
      redirect: 'manual',
    });
    expect(elsewhere.headers.get('location') ?? '/').not.toMatch(/^\/\//);
  });

  it('a form of the buyers’ origin decides nothing, even with the cookie (M5)', async () => {
    const opened = await fetch(`${bank.controlUrl}/?key=${encodeURIComponent(key)}`, { redirect: 'manual' });
    const headers = { Cookie: opened.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'Sec-Fetch-Site': 'same-site' };
    const operationId = await bank.givenOrder();
    const decided = { method: 'POST', headers, body: new URLSearchParams({ decision: 'approve' }) };
    expect(await statusOf(`${bank.controlUrl}/operations/${operationId}/decide`, decided)).toBe(403);
    expect((await read(operationId)).body['status']).toBe('REGISTERED');
  });
});

describe('the rest of the control API', () => {
  it('takes JSON only: what a foreign page could send is refused', async () => {
    const sent = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: '{}' };
    for (const path of ['/control/reset', '/control/faults', '/control/clock']) {
      expect((await bank.openControl(path, sent)).status).toBe(415);
    }
  });

  it('the pause before a withheld answer can be set', async () => {
    expect((await bank.call('POST', '/control/silence', { delayMs: 20 })).body['silenceMs']).toBe(20);
    const operationId = await bank.givenOrder();
    await expect(bank.authorize(operationId, '2200700000000017')).rejects.toThrow();
    await bank.call('POST', '/control/silence', { delayMs: 0 });
  });

  it('decides an open operation once; a finished one is 409', async () => {
    const operationId = await bank.givenOrder();
    const decide = (body: object) => bank.call('POST', `/control/operations/${operationId}/decide`, body);
    expect((await decide({ status: 'DECLINED', reason: 'CARD_BLOCKED' })).body).toMatchObject({
      status: 'DECLINED',
      reason: 'CARD_BLOCKED',
    });
    const again = await decide({ status: 'APPROVED' });
    expect([again.status, again.body['errorCode']]).toEqual([409, 'OPERATION_STATE']);
    expect(await bank.moneyMoved(operationId)).toBe(0);
  });

  it('the clock moves by calendar months, adds up, and goes back', async () => {
    const start = new Date(String((await bank.call('GET', '/control/clock')).body['now']));
    const first = (await bank.call('POST', '/control/clock', { advance: 'P1M' })).body;
    const second = (await bank.call('POST', '/control/clock', { advance: 'PT1H' })).body;
    expect(Number(second['offsetMilliseconds']) - Number(first['offsetMilliseconds'])).toBe(3_600_000);
    expect(Number(first['offsetMilliseconds'])).toBeGreaterThanOrEqual(28 * 86_400_000);
    expect(new Date(String(second['now'])).getTime() - start.getTime()).toBeGreaterThanOrEqual(28 * 86_400_000);
    expect((await bank.call('GET', '/control/clock')).body['offsetMilliseconds']).toBe(second['offsetMilliseconds']);
    expect((await bank.call('POST', '/control/clock', { reset: true })).body['offsetMilliseconds']).toBe(0);
    expect((await bank.call('POST', '/control/clock', { advance: '-P1M' })).status).toBe(400);
    expect((await bank.call('POST', '/control/clock', { reset: false })).status).toBe(400);
  });

  it('totals: what was taken, what was given back, late approvals too', async () => {
    await bank.call('POST', '/control/reset', {});
    const paid = await bank.givenOrder();
    await bank.authorize(paid, CARD);
    const now = new Date(String((await bank.call('GET', '/control/clock')).body['now']));
    const expiresAt = new Date(now.getTime() + 3_600_000).toISOString();
    const late = await bank.givenOrder({ amountKopecks: '200', expiresAt });
    await bank.authorize(late, '2200700000000033');
    await bank.call('POST', '/control/clock', { advance: 'P1D' });
    await bank.authorize(await bank.givenOrder(), '4000000000000002');
    const refund = { operationId: crypto.randomUUID(), originalOperationId: paid, amountKopecks: '50' };
    await bank.call('POST', '/v1/refunds', refund);
    expect((await bank.call('GET', '/control/totals')).body).toEqual({
      operations: 4,
      approvedCount: 2,
      approvedKopecks: '1250',
      refundedCount: 1,
      refundedKopecks: '50',
    });
    expect(await bank.moneyMoved(late)).toBe(1);
  });

  it('reset: operations, cards, faults and clock are as on the first day', async () => {
    const cardToken = await bank.givenSavedCard();
    await fault({ route: 'all', kind: 'outage' });
    await bank.call('POST', '/control/clock', { advance: 'P1D' });
    expect((await bank.call('POST', '/control/reset', {})).body).toMatchObject({ faults: [], offsetMilliseconds: 0 });
    expect((await bank.call('GET', '/control/totals')).body['operations']).toBe(0);
    const charge = {
      operationId: crypto.randomUUID(),
      amountKopecks: '100',
      currency: 'RUB',
      description: '',
      cardToken,
    };
    const { body } = await bank.call('POST', '/v1/charges', { ...charge, initiator: 'MERCHANT', recurring: true });
    expect(body['reason']).toBe('INVALID_CARD_DETAILS');
  });
});

describe('keys that are being changed (L6)', () => {
  const statusOf = async (url: string, shown: string) =>
    (await fetch(url, { headers: { authorization: `Bearer ${shown}` }, redirect: 'manual' })).status;

  it('both keys of the acquirer API are good, and no third (L6)', async () => {
    const read = (shown: string) => statusOf(`${bank.url}/v1/operations/none`, shown);
    expect([await read(API_KEY), await read(API_KEY_PREVIOUS), await read('another-key-of-the-bank')]).toEqual([400, 400, 401]);
  });

  it('both keys of the control API are good, as is what each opened a page by; a third is not (L6)', async () => {
    const keys = [CONTROL_KEY, CONTROL_KEY_PREVIOUS, Buffer.alloc(32, 0xf9)].map((one) => one.toString('base64'));
    const byHeader = keys.map((one) => statusOf(`${bank.controlUrl}/control/faults`, one));
    expect(await Promise.all(byHeader)).toEqual([200, 200, 401]);
    const byLink = keys.map(async (one) => {
      const entry = await fetch(`${bank.controlUrl}/?key=${encodeURIComponent(one)}`, { redirect: 'manual' });
      const cookie = entry.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      return [entry.status, (await fetch(`${bank.controlUrl}/`, { headers: { cookie } })).status];
    });
    expect(await Promise.all(byLink)).toEqual([
      [303, 200],
      [303, 200],
      [401, 401],
    ]);
  });
});
