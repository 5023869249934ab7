import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiError } from '../packages/sdk/src/errors.ts';
import { ROWS } from './faults/rows.ts';
import { startFaultSystem, type FaultSystem } from './faults/system.ts';
import { isOk, runRow, STUCK_SECONDS_MAX } from './faults/table.ts';
import { givenBinding } from './saved-card.ts';
import { until, type World } from './world.ts';

/** One system of its own for all that follows: to start one takes longer than most of its tests. */
let system: FaultSystem;
beforeAll(async () => {
  system = await startFaultSystem(() => undefined);
});
afterAll(() => system.remove());

/**
 * A run is one binding in one period, with a process that dies during it. The races themselves are forced in
 * `services/bindings`; more rounds search for what nobody thought of.
 */
const ROUNDS = Number(process.env['RECURRING_ROUNDS'] ?? 2);
const BINDINGS = 20;
const CHARGES_EACH = 5;
const SEED = Number(process.env['RECURRING_SEED'] ?? randomInt(2 ** 31));
/** How often it is looked whether all is done, and after how many looks the clock moves by another minute. */
const LOOK_EVERY_MS = 200;
const LOOKS_A_MINUTE = 5;
/** The processes that may be killed. The bank and the notifier have their own fault tests. */
const VICTIMS = [
  { victim: 'gateway', replicas: 1 },
  { victim: 'payments', replicas: 2 },
  { victim: 'bindings', replicas: 2 },
] as const;
/** Approved; refused; no answer, then found approved; no answer, then found refused. The last two digits tell the bank. */
const AMOUNTS = ['990.00', '990.00', '990.00', '990.91', '990.92', '990.93'] as const;

/** The response to a charge. */
type Answered = {
  readonly bindingId: string;
  readonly paymentId?: string;
  readonly code?: string;
  readonly nextChargeAt?: string | undefined;
};

/** mulberry32: small, and the same on every platform. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('recurring charges over two replicas of each service', () => {
  let world: World;
  let bindingIds: readonly string[];

  beforeAll(async () => {
    ({ world } = system);
    const made: string[] = [];
    while (made.length < BINDINGS) {
      const some = await Promise.all(Array.from({ length: 5 }, () => givenBinding(world, 'PT1H')));
      made.push(...some.map(({ bindingId }) => bindingId));
    }
    bindingIds = made;
  });
  afterAll(async () => {
    await world.bank.resetClock();
  });

  /** Repeats with the same key until there is a response, as a partner does. */
  async function charge(bindingId: string, amount: string): Promise<Answered> {
    const payment = { merchantOrderId: `race-${randomUUID()}`, amount, currency: 'RUB', bindingId, description: 'Tea' } as const;
    const idempotencyKey = randomUUID();
    return until(`an answer to a charge of ${bindingId}`, async () => {
      try {
        const { paymentId } = await world.client.createRecurringPayment(payment, { idempotencyKey });
        return { bindingId, paymentId };
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) return undefined;
        return { bindingId, code: error.code, nextChargeAt: error.nextChargeAt?.toISOString() };
      }
    });
  }

  /**
   * Waits until no charge is open. Waits for leases and read-backs are shortened with the clock, by far less than a
   * period.
   */
  async function quiet(): Promise<void> {
    let looks = 0;
    await until('every slot to be free', async () => {
      const [open] = await world.query<{ count: number }>(
        `select (select count(*) from bindings.bindings where open_payment_id is not null)::int
              + (select count(*) from bindings.charges where status in ('CREATED', 'SUBMITTED', 'PENDING'))::int as count`,
      );
      if (open?.count === 0) return true;
      // Twenty minutes at most. Between two of them the services' loops, which run every second, have their turn.
      if (looks % LOOKS_A_MINUTE === 0 && looks < 20 * LOOKS_A_MINUTE) await world.bank.advanceClock('PT1M');
      looks += 1;
      return wait(LOOK_EVERY_MS, undefined);
    });
  }

  /** What holds whenever nothing is in progress. */
  async function expectWhole(): Promise<void> {
    const differing = await world.query(
      `with p as (select payment_id, status from payments.payments where method = 'CARD_BINDING')
       select payment_id, c.status as here, p.status as there from bindings.charges c full join p using (payment_id)
       where c.status is distinct from p.status`,
    );
    expect(differing).toEqual([]);
    const atBank = await world.query(
      `select p.payment_id, p.status, o.status as bank from payments.payments p
       left join sandbox_bank.operations o on o.operation_id = p.payment_id
       where p.method = 'CARD_BINDING' and (p.status = 'COMPLETED') <> (o.status is not distinct from 'APPROVED')`,
    );
    expect(atBank).toEqual([]);
    // The schedule follows the last success, and no charge was accepted before its period had elapsed.
    const tooEarly = await world.query(
      `with done as (
         select p.binding_id, p.payment_id, t.created_at as booked_at, c.created_at as accepted_at
         from payments.payments p
         join payments.ledger_transactions t on t.reference_id = p.payment_id and t.kind = 'PAYMENT'
         left join bindings.charges c on c.payment_id = p.payment_id
         where p.binding_id is not null
       ), pairs as (
         select *, lag(booked_at) over (partition by binding_id order by booked_at) as before from done
       )
       select * from pairs where accepted_at < before + interval '1 hour' - interval '1 second'`,
    );
    expect(tooEarly).toEqual([]);
    const schedules = await world.query(
      `select from bindings.bindings where period = 'PT1H' and next_charge_at <> last_charged_at + interval '1 hour'`,
    );
    expect(schedules).toEqual([]);
  }

  it('50 charges at once of one due binding: exactly one is accepted (F03)', async () => {
    const { bindingId, nextChargeAt } = await givenBinding(world, 'PT1H');
    const early = await Promise.all(Array.from({ length: 50 }, () => charge(bindingId, '990.00')));
    expect(new Set(early.map(({ code }) => code))).toEqual(new Set(['PERIOD_NOT_ELAPSED']));
    expect(new Set(early.map((answer) => answer.nextChargeAt))).toEqual(new Set([nextChargeAt]));

    await world.bank.advanceClock('PT1H');
    const answers = await Promise.all(Array.from({ length: 50 }, () => charge(bindingId, '990.00')));
    await quiet();
    const accepted = answers.filter(({ paymentId }) => paymentId !== undefined);
    expect(accepted).toHaveLength(1);
    const after = await world.client.readBinding(bindingId);
    for (const { code, nextChargeAt: told } of answers.filter(({ paymentId }) => paymentId === undefined)) {
      expect([
        ['PREVIOUS_CHARGE_NOT_FINISHED', undefined],
        ['PERIOD_NOT_ELAPSED', after.nextChargeAt],
      ]).toContainEqual([code, told]);
    }
    expect((await world.ended(accepted[0]?.paymentId ?? '')).status).toBe('COMPLETED');
    await expectWhole();
  });

  it(`seed ${String(SEED)}: ${String(ROUNDS * BINDINGS)} runs, in each round a process dies at a random instant`, async () => {
    const next = random(SEED);
    const below = (limit: number) => Math.floor(next() * limit);
    const accepted: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await world.bank.advanceClock('PT1H');
      const { victim, replicas } = VICTIMS[below(VICTIMS.length)] ?? VICTIMS[0];
      const [replica, killAfterMs] = [1 + below(replicas), below(1_500)];
      const plan = bindingIds.flatMap((bindingId) =>
        Array.from({ length: CHARGES_EACH }, () => ({
          bindingId,
          amount: AMOUNTS[below(AMOUNTS.length)] ?? '990.00',
          afterMs: below(1_200),
        })),
      );
      const death = wait(killAfterMs).then(() => world.system.restart(victim, replica));
      const answers = await Promise.all(
        plan.map(async ({ bindingId, amount, afterMs }) => {
          await wait(afterMs);
          return charge(bindingId, amount);
        }),
      );
      await death;
      await quiet();
      await expectWhole();
      const ids = answers.flatMap(({ paymentId }) => paymentId ?? []);
      accepted.push(...ids);
      const told = `round ${String(round)}: ${victim}-${String(replica)} killed after ${String(killAfterMs)} ms`;
      const completed = await world.query<{ binding_id: string; count: number }>(
        `select binding_id, count(*)::int as count from bindings.charges
         where payment_id = any($1) and status = 'COMPLETED' group by 1 having count(*) > 1`,
        [ids],
      );
      expect({ told, completed }).toEqual({ told, completed: [] });
      // Nobody is blocked for good: if nothing succeeded, the bank refused everything.
      const known = await world.query<{ count: number }>('select count(*)::int as count from bindings.charges where payment_id = any($1)', [
        ids,
      ]);
      expect({ told, known: known[0]?.count }).toEqual({ told, known: new Set(ids).size });
    }
    expect(accepted.length).toBeGreaterThanOrEqual(ROUNDS * BINDINGS);
    for (const paymentId of accepted) {
      const [{ status }, arrival] = await Promise.all([world.ended(paymentId), world.told(paymentId)]);
      expect(arrival).toMatchObject({
        type: status === 'COMPLETED' ? 'payment.completed' : 'payment.failed',
        version: 1,
        signed: true,
      });
    }
  });

  it('a year of monthly charges from 31 January, with the clock: each on its day, each told once; then revoked', async () => {
    const { now } = (await world.bank.clock()) as { now: string };
    const start = `${String(new Date(now).getUTCFullYear() + 1)}-01-31T10:00:00.000Z`;
    const advanceTo = async (moment: string): Promise<void> => {
      const { now: from } = (await world.bank.clock()) as { now: string };
      await world.bank.advanceClock(`PT${String((Date.parse(moment) - Date.parse(from)) / 1_000)}S`);
    };
    await advanceTo(start);
    const { bindingId, nextChargeAt: firstDue } = await givenBinding(world, 'P1M');
    let due = firstDue;
    const dates: string[] = [];
    for (let month = 1; month <= 12; month += 1) {
      // A minute early, because the clock continues while the request travels; the exact millisecond is tested
      // elsewhere.
      await advanceTo(new Date(Date.parse(due) - 60_000).toISOString());
      expect(await charge(bindingId, '990.00')).toEqual({ bindingId, code: 'PERIOD_NOT_ELAPSED', nextChargeAt: due });
      await advanceTo(due);
      const { paymentId = '' } = await charge(bindingId, '990.00');
      const payment = await world.ended(paymentId);
      expect(payment).toMatchObject({ status: 'COMPLETED', paymentMethod: 'CARD_BINDING', bindingId });
      const arrival = await world.told(paymentId);
      const { data } = JSON.parse(arrival.bytes) as { data: { merchantOrderId: string; occurredAt: string } };
      expect(arrival).toMatchObject({ type: 'payment.completed', version: 1, signed: true });
      expect(data.merchantOrderId).toBe(payment.orderID);
      expect(data.occurredAt.slice(0, 10)).toBe(due.slice(0, 10));
      dates.push(due.slice(5, 10));
      due = await until('the schedule to move', async () => {
        const { nextChargeAt } = await world.client.readBinding(bindingId);
        return nextChargeAt === due ? undefined : nextChargeAt;
      });
    }
    const year = Number(start.slice(0, 4));
    const february = (of: number) => (new Date(Date.UTC(of, 1, 29)).getUTCDate() === 29 ? '02-29' : '02-28');
    expect(dates).toEqual([
      february(year),
      '03-31',
      '04-30',
      '05-31',
      '06-30',
      '07-31',
      '08-31',
      '09-30',
      '10-31',
      '11-30',
      '12-31',
      '01-31',
    ]);
    expect(due.slice(5, 10)).toBe(february(year + 1));

    await world.client.revokeBinding(bindingId);
    const told = await until('both events of the binding', () => {
      const events = world.receiver.arrivals.filter((one) => one.bytes.includes(bindingId));
      return events.some(({ type }) => type === 'binding.revoked') ? events : undefined;
    });
    expect(told.map(({ type, version, signed }) => [type, version, signed])).toEqual([
      ['binding.created', 1, true],
      ['binding.revoked', 2, true],
    ]);
    await advanceTo(due);
    expect(await charge(bindingId, '990.00')).toMatchObject({ code: 'BINDING_REVOKED' });
    await expectWhole();
  });
});

/**
 * The rows of docs/operate/faults.md that finish within seconds. For all rows, and for how long they may be stuck on a machine of
 * their own: `npm run test:faults`.
 */
describe('a shop sells while', () => {
  beforeAll(() => system.separateBank());

  it.each(ROWS.filter(({ quick }) => quick === true).map((row) => [row.fault, row] as const))('%s', async (_fault, row) => {
    const result = await runRow(system, row);
    expect(result).toMatchObject({ lost: [], twice: [], person: [] });
    expect(result.accepted).toBeGreaterThan(0);
    // Beside the running system and a browser everything takes longer.
    const patient = { ...row, stuckSecondsMax: 3 * (row.stuckSecondsMax ?? STUCK_SECONDS_MAX) };
    expect([row.name, result.stuckSeconds, isOk(patient, result)]).toEqual([row.name, expect.any(Number), true]);
  });
});
