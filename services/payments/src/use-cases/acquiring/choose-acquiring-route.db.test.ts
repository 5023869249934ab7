import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { testConsoleKey } from '../../../../../packages/shared/test/operators.ts';
import { workOff } from '../../../../../packages/shared/test/work-off.ts';
import { startTestApp, type Json, type TestApp } from '../../../test/app.ts';
import { silence, startTestBank, type TestBank } from '../../../test/bank.ts';
import { cardRequest } from '../../../test/requests.ts';
import type { Acquirer } from '../../acquirers/acquirer.ts';
import { createSandboxBankAcquirer, type SandboxBankAcquirer } from '../../acquirers/sandbox-bank/sandbox-bank-acquirer.ts';
import { insertRoute } from '../../db/merchant/payment-points.ts';
import type { ApiDeps } from '../../deps.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from '../../http/operator/app.ts';
import { createCardPayment } from '../payment/create-card-payment.ts';
import { followUpLoop } from '../payment/follow-up-payments.ts';

let t: TestApp;
let second: TestBank;
let deps: ApiDeps;
let operatorApi: Listener;
const acquirers = new Map<string, SandboxBankAcquirer>();
const people = testConsoleKey();

beforeAll(async () => {
  t = await startTestApp();
  second = await startTestBank();
  const acquirerTo = (routeId: string, url: string) => {
    const options = {
      url,
      apiKey: second.apiKey,
      routeId: `${routeId}-${randomUUID()}`,
      log: t.deps.log,
    };
    acquirers.set(routeId, createSandboxBankAcquirer(options));
  };
  acquirerTo('first', t.bank.url);
  acquirerTo('second', second.url);
  // Nobody listens there.
  acquirerTo('down', 'http://127.0.0.1:1');
  deps = { ...t.deps, acquirerOf: ({ routeId }) => acquirers.get(routeId) };
  await deps.db.transaction(async (tx) => {
    for (const routeId of ['first', 'second', 'down']) await insertRoute(tx, { routeId, connector: 'sandbox-bank' });
  });
  operatorApi = await listen(createOperatorApp(deps, people.verifierOf(OPERATOR_AUDIENCE)), '127.0.0.1', 0);
});
afterAll(async () => {
  await operatorApi.drain(0);
  for (const acquirer of acquirers.values()) await acquirer.close();
  await second.close();
  await t.close();
});
afterEach(() => {
  t.bank.interrupt('register', 'before', undefined);
});

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> {
  const url = `http://127.0.0.1:${String(operatorApi.port)}${path}`;
  const answer = await people.fetchAs(OPERATOR_AUDIENCE, 'olga', url, { method, body });
  return { status: answer.status, body: (await answer.json()) as Json };
}
const POINT = '/payment-points/point-1/routes/CARD';
const routes = (...list: (string | object)[]) =>
  ask('PUT', POINT, { routes: list.map((one) => (typeof one === 'string' ? { routeId: one } : one)) });
async function create(amountKopecks = 1_000n) {
  const request = {
    partnerId: 'partner-1',
    key: randomUUID(),
    operation: 'POST /api/card',
    bodySha256: 'a'.repeat(64),
  };
  const { payment } = await createCardPayment(deps, request, cardRequest('point-1', amountKopecks));
  return payment;
}
const knowing = (paymentId: string) => [t.bank, second].map((bank) => bank.operations.has(paymentId));

describe('the routes of a point', () => {
  it('the first in order that takes the amount', async () => {
    await routes({ routeId: 'first', maxAmount: '10.00' }, 'second');
    expect(await create(10_00n)).toMatchObject({ routeId: 'first', status: 'SUBMITTED' });
    expect(await create(10_01n)).toMatchObject({ routeId: 'second', status: 'SUBMITTED' });
  });

  it('400: an amount that none takes, with the limits of all', async () => {
    await routes(
      { routeId: 'first', minAmount: '5.00', maxAmount: '10.00' },
      { routeId: 'second', minAmount: '20.00', maxAmount: '30.00' },
    );
    for (const amount of [4_99n, 10_01n, 30_01n]) {
      await expect(create(amount)).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: [{ field: 'amount', message: 'must be between 5.00 and 30.00 RUB at this payment point' }],
      });
    }
  });

  it('one that refuses the connection gives way to the next before anything was sent', async () => {
    await routes('down', 'second');
    const payment = await create();
    expect(payment).toMatchObject({ routeId: 'second', status: 'SUBMITTED' });
    expect(knowing(payment.paymentId)).toEqual([false, true]);
  });

  it('one whose breaker is open, or that is SUSPENDED, is left out', async () => {
    await routes('down', 'first');
    for (let call = 0; call < 12; call += 1) await acquirers.get('down')?.read(randomUUID());
    expect(acquirers.get('down')?.isAvailable).toBe(false);
    expect((await create()).routeId).toBe('first');
    await routes('first', 'second');
    expect((await ask('POST', '/routes/first/suspend')).body).toMatchObject({ routeId: 'first', status: 'SUSPENDED' });
    expect((await create()).routeId).toBe('second');
    await ask('POST', '/routes/first/resume');
    expect((await create()).routeId).toBe('first');
  });

  it('never after something was sent: no answer keeps the route, and the worker goes on there', async () => {
    await routes('first', 'second');
    t.bank.interrupt('register', 'before', silence);
    const payment = await create();
    expect(payment).toMatchObject({ routeId: 'first', status: 'CREATED' });
    t.bank.interrupt('register', 'before', undefined);
    await t.rows('update payments set next_read_at = clock_now() where payment_id = $1', [payment.paymentId]);
    await workOff(followUpLoop(deps));
    expect(await t.payment(payment.paymentId)).toMatchObject({ route_id: 'first', status: 'SUBMITTED' });
    expect(knowing(payment.paymentId)).toEqual([true, false]);
  });

  it('never after something may have been sent: a later attempt that cannot connect does not move it', async () => {
    await routes('first', 'second');
    t.bank.interrupt('register', 'before', silence);
    const { paymentId } = await create();
    const gone = acquirers.get('first');
    const down = acquirers.get('down');
    if (gone === undefined || down === undefined) throw new Error('no acquirers');
    acquirers.set('first', down);
    await t.rows('update payments set next_read_at = clock_now() where payment_id = $1', [paymentId]);
    await workOff(followUpLoop(deps));
    acquirers.set('first', gone);
    expect(await t.payment(paymentId)).toMatchObject({ route_id: 'first', status: 'CREATED' });
    expect(knowing(paymentId)).toEqual([false, false]);
  });

  it('forced: a registration whose lease another took moves nothing', async () => {
    await routes('down', 'second');
    const down = acquirers.get('down');
    if (down === undefined) throw new Error('no acquirer');
    const losing: Acquirer = {
      ...down,
      isAvailable: true,
      takesOrders: true,
      async register() {
        await t.rows(`update payments set lease_number = lease_number + 1 where route_id = 'down'`);
        return { kind: 'not-sent' };
      },
    };
    const racing: ApiDeps = {
      ...deps,
      acquirerOf: (route) => (route.routeId === 'down' ? losing : deps.acquirerOf(route)),
    };
    const request = {
      partnerId: 'partner-1',
      key: randomUUID(),
      operation: 'POST /api/card',
      bodySha256: 'a'.repeat(64),
    };
    const { payment } = await createCardPayment(racing, request, cardRequest('point-1', 1_000n));
    expect(payment).toMatchObject({ routeId: 'down', status: 'CREATED' });
    expect(second.operations.has(payment.paymentId)).toBe(false);
  });

  it('503 ROUTE_UNAVAILABLE when every route is down: nothing is stored', async () => {
    await routes('down');
    const count = async () => (await t.rows('select count(*)::int as count from payments'))[0]?.['count'];
    const before = await count();
    await expect(create()).rejects.toMatchObject({ code: 'ROUTE_UNAVAILABLE' });
    expect(await count()).toBe(before);
  });

  it('none of its own: the point’s route again; 404 and 400 for what is not there', async () => {
    await routes();
    expect((await ask('GET', POINT)).body).toMatchObject({
      routes: [{ routeId: 'sandbox-bank', minAmount: '0.01', maxAmount: '1000000.00' }],
    });
    expect((await ask('GET', '/payment-points/nowhere/routes/CARD')).status).toBe(404);
    expect((await routes('first', 'first')).status).toBe(400);
    expect((await routes('nowhere')).status).toBe(400);
    expect((await ask('POST', '/routes/nowhere/suspend')).status).toBe(404);
  });
});
