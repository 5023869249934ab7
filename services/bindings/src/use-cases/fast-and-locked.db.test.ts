import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rowsAlike, type Compared } from '../../../../tools/testing/rows-alike.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';

/**
 * The same random histories of charges at two systems. In the second the optimistic write always fails, as if somebody had
 * always been faster: there every charge is accepted by `takeSlot`, in a transaction.
 */
let fast: TestApp;
let locked: TestApp;
beforeAll(async () => {
  [fast, locked] = [await startTestApp(), await startTestApp()];
  await locked.rows('create sequence missed');
  await locked.rows(`create function refuse_turn() returns trigger language plpgsql security definer as $$ begin
    perform nextval('missed');
    raise division_by_zero;
  end $$`);
  // Only the turn writes the version without taking a new one.
  await locked.rows(`create trigger refuse_turn before update of aggregate_version on bindings for each row
    when (new.aggregate_version = old.aggregate_version) execute function refuse_turn()`);
});
afterAll(async () => {
  await fast.close();
  await locked.close();
});

const COMPARED: readonly Compared[] = [
  { table: 'outbox', order: 'position', without: ['position', 'request_id', 'traceparent'] },
  { table: 'charges', order: 'merchant_order_id', without: ['leased_until'] },
  { table: 'bindings', without: ['consent_id'] },
  // The body names the binding.
  { table: 'idempotency_records', without: ['body_sha256'] },
];

type Charge = {
  readonly kind: 'charge';
  readonly order: number;
  /** Two charges with one key are one command, or two with different bodies. */
  readonly key: number | undefined;
  readonly amount: string;
  readonly payments: 'takes' | 'works on it' | 'refuses';
  /** How often it is sent at once. */
  readonly times: number;
};
type Step =
  | Charge
  | {
      readonly kind: 'end';
      readonly as: 'completed' | 'INSUFFICIENT_FUNDS' | 'CARD_BLOCKED' | 'PROCESSING_ERROR';
    }
  | { readonly kind: 'revoke' }
  | { readonly kind: 'wait'; readonly hours: number };

const charge: fc.Arbitrary<Step> = fc
  .record({
    kind: fc.constant('charge' as const),
    order: fc.integer({ min: 1, max: 6 }),
    key: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined, freq: 2 }),
    amount: fc.constantFrom('990.00', '990.00', '1.00'),
    payments: fc.constantFrom('takes', 'takes', 'works on it', 'refuses'),
    times: fc.constantFrom(1, 1, 3),
  })
  // Who of several comes after a charge that is undone is up to chance.
  .map((step) => (step.payments === 'refuses' ? { ...step, times: 1 } : step));
const end: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('end' as const),
  as: fc.constantFrom('completed', 'completed', 'INSUFFICIENT_FUNDS', 'CARD_BLOCKED', 'PROCESSING_ERROR'),
});
const wait: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('wait' as const),
  hours: fc.constantFrom(1, 24, 31 * 24, 365 * 24),
});
const history = fc.array(
  fc.oneof(
    { arbitrary: charge, weight: 6 },
    { arbitrary: end, weight: 4 },
    { arbitrary: wait, weight: 3 },
    { arbitrary: fc.constant<Step>({ kind: 'revoke' }), weight: 1 },
  ),
  { minLength: 1, maxLength: 12 },
);

const ORDINARY = { kind: 'charge', key: undefined, amount: '990.00', payments: 'takes', times: 1 } as const;
/** The clock stands still: which of two declines is the newer decides whether the card may be charged again. */
const DECLINED_TWICE_AT_ONCE: Step[] = [
  { ...ORDINARY, order: 1 },
  { kind: 'end', as: 'INSUFFICIENT_FUNDS' },
  { ...ORDINARY, order: 2 },
  { kind: 'end', as: 'CARD_BLOCKED' },
  { ...ORDINARY, order: 3 },
];

let moment = Date.parse('2026-03-31T12:00:00.000Z');

/** Plays a history on a new binding, which is due; what the partner was told. */
async function play(t: TestApp, steps: readonly Step[], run: string, startsAt: number): Promise<unknown[]> {
  let now = startsAt;
  await t.setClock(new Date(now).toISOString());
  const cardExpiry = new Date(now + 200 * 86_400_000).toISOString().slice(0, 7);
  const bindingId = await t.givenBinding({ cardExpiry, cardMask: '411111******1111' });
  const said: unknown[] = [];
  for (const step of steps) {
    switch (step.kind) {
      case 'charge': {
        const { order, key, amount, payments, times } = step;
        t.payments.behave = () =>
          payments === 'refuses'
            ? { kind: 'refuse', status: 400, code: 'VALIDATION_FAILED' }
            : { kind: 'take', status: payments === 'takes' ? 'SUBMITTED' : 'PENDING' };
        const ask = async () => {
          const call = key === undefined ? {} : { key: `k-${String(key)}-${run}` };
          const answer = await t.charge(bindingId, call, { amount, merchantOrderId: `o-${String(order)}-${run}` });
          const { status, headers, body } = answer;
          return JSON.stringify({ ...body, status, replayed: headers.get('idempotency-replayed') }, withoutIds);
        };
        said.push((await Promise.all(Array.from({ length: times }, ask))).toSorted());
        break;
      }
      case 'end': {
        const [row] = await t.rows('select open_payment_id from bindings where binding_id = $1', [bindingId]);
        const open = row?.['open_payment_id'];
        if (typeof open !== 'string') break;
        if (step.as === 'completed') await t.completed(open, new Date(now).toISOString());
        else await t.failed(open, step.as, new Date(now).toISOString());
        break;
      }
      case 'revoke':
        said.push((await t.call('POST', `/v1/bindings/${bindingId}/revoke`)).status);
        break;
      case 'wait':
        now += step.hours * 3_600_000;
        await t.setClock(new Date(now).toISOString());
    }
  }
  return said;
}

const withoutIds = (key: string, value: unknown): unknown =>
  ['paymentId', 'bindingId', 'statusUrl', 'requestId'].includes(key) ? 'an id' : value;

const rowsOf = (t: TestApp) => rowsAlike((text) => t.rows(text), COMPARED);

it('leaves the same rows optimistically and in a transaction, whatever the history', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const run = randomUUID().slice(0, 8);
      moment += 3_000 * 86_400_000;
      expect(await play(fast, steps, run, moment)).toEqual(await play(locked, steps, run, moment));
      expect(await rowsOf(fast)).toEqual(await rowsOf(locked));
    }),
    { numRuns: 40, endOnFailure: true, examples: [[DECLINED_TWICE_AT_ONCE]] },
  );
  const [row] = await locked.rows('select last_value::int as missed from missed');
  expect(row?.['missed']).toBeGreaterThan(10);
});

it('the id of each charge, which is sent to the bank, says that it is this installation’s (engine 4.1)', async () => {
  for (const app of [fast, locked]) {
    const ids = (await app.rows('select payment_id from charges')).map((row) => String(row['payment_id']));
    expect(ids.length).toBeGreaterThan(10);
    expect(ids.filter((id) => !app.deps.operationIds.isIssued(id))).toEqual([]);
  }
});
