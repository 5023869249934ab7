import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import pg from 'pg';
import { goodBody, startTestApp, type Answer, type TestApp } from '../../../test/app.ts';
import { silence, startTestBank, type BankCall, type TestBank } from '../../../test/bank.ts';
import { createSandboxBankAcquirer, type SandboxBankAcquirer } from '../../acquirers/sandbox-bank/sandbox-bank-acquirer.ts';
import { insertPoint, insertRoute, insertStore } from '../../db/merchant/payment-points.ts';
import { followUpLoop } from '../../use-cases/payment/follow-up-payments.ts';
import { followUpRefundsLoop } from '../../use-cases/refund/follow-up-refunds.ts';

/** Orders of one process that may be at one bank at once. */
const ORDERS = 64;
/** A place of it is each partner's: a third. */
const POOL = 3;
/** Follow-ups of one route that wait for its bank at once. */
const BATCH = 20;

let t: TestApp;
let otherBank: TestBank;
let otherAcquirer: SandboxBankAcquirer;
/** Of other partners, at another route. */
const OTHER = 'partner-2';
const POINTS = { [OTHER]: 'point-2', 'partner-3': 'point-3' };
const createAtOther = (partner: keyof typeof POINTS = OTHER) =>
  t.call('POST', '/api/card', { partner, body: { ...goodBody(), paymentPointID: POINTS[partner] } });
/** Lets the bank answer what it holds. */
let held: (() => void)[] = [];

beforeAll(async () => {
  t = await startTestApp({ poolSize: POOL, deadlineMs: 100_000 });
  otherBank = await startTestBank();
  otherAcquirer = createSandboxBankAcquirer({ ...otherBank, routeId: `other-${randomUUID()}`, log: t.deps.log });
  const { acquirerOf } = t.deps;
  Object.assign(t.deps, {
    acquirerOf: (route: Parameters<typeof acquirerOf>[0]) => (route.routeId === 'other' ? otherAcquirer : acquirerOf(route)),
  });
  await t.deps.db.transaction(async (tx) => {
    await insertRoute(tx, { routeId: 'other', connector: 'sandbox-bank' });
    for (const [partnerId, paymentPointId] of Object.entries(POINTS)) {
      const storeId = `store-of-${partnerId}`;
      await insertStore(tx, { storeId, partnerId, name: 'Books' });
      const base = { paymentPointId, storeId, partnerId, name: 'Cards', routeId: 'other', feeBasisPoints: 250 };
      await insertPoint(tx, { ...base, paymentMethods: ['CARD'] });
    }
  });
});

afterEach(() => {
  for (const call of ['register', 'read'] as const) t.bank.interrupt(call, 'before', undefined);
  answerAll();
});

afterAll(async () => {
  await otherAcquirer.close();
  await otherBank.close();
  await t.close();
});

function answerAll(): void {
  for (const answer of held) answer();
  held = [];
}

function hold(call: BankCall): void {
  t.bank.interrupt(call, 'before', ({ respond }) => {
    held.push(respond);
  });
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await selectRows(t.deps.db, sql`select 1`);
};

it('a route whose bank hangs takes its places and no more: 503 at once, and reads and the other route go on (S2)', async () => {
  hold('register');
  const hanging: Promise<Answer>[] = [];
  while (hanging.length < ORDERS) {
    hanging.push(t.create());
    await until(() => held.length > hanging.length - POOL);
  }
  await until(() => held.length === ORDERS);
  const [stored] = await t.rows('select count(*) from payments');
  const refused = await t.create();
  expect([refused.status, refused.body['code']]).toEqual([503, 'ROUTE_UNAVAILABLE']);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await t.rows('select count(*) from payments')).toEqual([stored]);
  expect((await t.call('GET', '/api/integration/payment-points')).status).toBe(200);
  expect((await createAtOther()).status).toBe(201);
  expect(held).toHaveLength(ORDERS);
  t.bank.interrupt('register', 'before', undefined);
  answerAll();
  expect(new Set((await Promise.all(hanging)).map(({ status }) => status))).toEqual(new Set([201]));
  expect((await t.create()).status).toBe(201);
});

it('reads have connections of their own: they are answered while commands hold and wait for all others (S2)', async () => {
  const { id } = await t.givenPayment();
  const side = new pg.Client({ connectionString: t.databaseUrl });
  await side.connect();
  await side.query('begin; lock table payments in exclusive mode');
  const commands = [() => t.create(), () => createAtOther(), () => createAtOther('partner-3')].flatMap((create) =>
    Array.from({ length: POOL }, create),
  );
  await t.untilBlocked(POOL);
  expect((await t.read(id)).status).toBe(200);
  expect((await t.call('GET', '/api/integration/payment-points')).status).toBe(200);
  const [{ blocked } = { blocked: 0 }] = await t.rows(`select count(*)::int as blocked from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  expect(blocked).toBe(POOL);
  await side.query('rollback');
  await side.end();
  await Promise.all(commands);
});

it('repeats of a payment that hangs at the bank wait together and look as often as one (S2)', async () => {
  hold('register');
  const [key, body] = [randomUUID(), goodBody()];
  const first = t.call('POST', '/api/card', { key, body });
  await until(() => held.length === 1);
  const looks = jest.spyOn(pg.Pool.prototype, 'query');
  const repeats = await Promise.all(Array.from({ length: 40 }, () => t.call('POST', '/api/card', { key, body })));
  const counted = looks.mock.calls.length;
  looks.mockRestore();
  expect(new Set(repeats.map(({ status, body: said }) => `${String(status)} ${String(said['code'])}`))).toEqual(
    new Set(['409 IDEMPOTENCY_KEY_IN_PROGRESS']),
  );
  // What each reads before it knows that it is a repeat, one look of each that came before the first wait began, and the
  // looks of a single wait.
  expect(counted).toBeLessThanOrEqual(40 + 40 + 15);
  answerAll();
  expect((await first).status).toBe(201);
});

/** A payment that is paid, and whose refund got no answer. */
async function givenRefund(payment: { id: string; checkoutToken: string }, partner?: string): Promise<string> {
  await t.pay(payment.checkoutToken);
  const { status } = await t.call('POST', `/api/card/${payment.id}/refunds`, { ...(partner === undefined ? {} : { partner }), body: {} });
  expect(status).toBe(201);
  return payment.id;
}

it.each([
  ['payments', followUpLoop, ({ id }: { id: string }) => Promise.resolve(id)],
  ['refunds', followUpRefundsLoop, givenRefund],
] as const)(
  'follow-ups of %s at a bank that hangs take their places and keep no other route’s waiting (S2)',
  async (table, loopOf, given) => {
    const isRefund = table === 'refunds';
    await t.rows('update payments set next_read_at = null');
    for (const bank of [t.bank, otherBank]) bank.interrupt('refund', 'after', isRefund ? silence : undefined);
    for (let count = 0; count < BATCH + 2; count += 1) await given(await t.givenPayment());
    const { body } = await createAtOther();
    const checkoutToken = String((await t.payment(body['id']))['form_token']);
    await given({ id: String(body['id']), checkoutToken }, OTHER);
    for (const bank of [t.bank, otherBank]) bank.interrupt('refund', 'after', undefined);
    hold('read');
    // Those of the bank that hangs have waited longest.
    await t.rows(`update ${table} set next_read_at = clock_now() - make_interval(secs => case partner_id when '${OTHER}' then 1 else 10 end)
    where ${isRefund ? 'next_read_at is not null' : `status = 'SUBMITTED'`}`);
    const readsOfOther = otherBank.callsOf('read');

    const loop = loopOf(t.deps);
    await loop.round(new AbortController().signal);
    await until(() => otherBank.callsOf('read') > readsOfOther && held.length === BATCH);
    await loop.round(new AbortController().signal);
    expect(held).toHaveLength(BATCH);
    t.bank.interrupt('read', 'before', undefined);
    answerAll();
    await loop.settled?.();
    expect(await t.rows(`select 1 from ${table} where next_read_at <= clock_now()`)).toEqual([]);
  },
);

it('a partner whose name servers are silent holds few calls, and nobody else’s (S2)', async () => {
  const save = (host: string, partner: string) =>
    t.call('PUT', '/api/integration/endpoints', {
      partner,
      body: { callbackUrl: `https://${host}/callbacks`, returnUrl: 'https://shop.example/return' },
    });
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, () => save('silent.example', 'partner-1')),
    save('shop.example', 'partner-2'),
  ]);
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 503)).toHaveLength(4);
  expect(statuses.filter((status) => status === 400)).toHaveLength(16);
  expect(statuses.at(-1)).toBe(200);
});
