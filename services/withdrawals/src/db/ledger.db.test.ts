import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { startTestApp, type Answer, type Funded, type TestApp } from '../../test/app.ts';

let t: TestApp;
let own: Funded;
beforeAll(async () => {
  t = await startTestApp();
  own = await t.givenPartner();
});
afterAll(() => t.close());

const member = (error: unknown, name: 'code' | 'constraint') => (error as Record<string, string>)[name];
const INSUFFICIENT_PRIVILEGE = '42501';

describe('the ledger', () => {
  it.each([
    'update ledger_entries set amount_micro_usdt = 1',
    'delete from ledger_entries',
    'truncate ledger_entries',
    `update ledger_transactions set kind = 'FUNDED'`,
    'delete from ledger_transactions',
    'truncate ledger_transactions',
    `update operator_audit set operator = 'x'`,
    'delete from operator_audit',
    'truncate operator_audit',
    'delete from withdrawals',
    'delete from fundings',
    'delete from balances',
  ])('the service’s own role may not %s (G11)', async (statement) => {
    const state = await t.rows(statement).then(
      () => 'done',
      (error: unknown) => member(error, 'code'),
    );
    expect(state).toBe(INSUFFICIENT_PRIVILEGE);
  });

  it.each([
    [
      'does not sum to zero',
      [
        ['AVAILABLE', 5],
        ['FUNDING', -4],
      ],
      'ledger_balanced',
    ],
    ['has one entry', [['AVAILABLE', 5]], 'ledger_balanced'],
    [
      'has an empty entry',
      [
        ['AVAILABLE', 5],
        ['FUNDING', -5],
        ['PAID', 0],
      ],
      'ledger_entries_amount',
    ],
  ] as [string, [string, number][], string][])('refuses a transaction that %s', async (_title, entries, constraint) => {
    const booked = t.rows(
      `with booked as (insert into ledger_transactions (ledger_transaction_id, kind, reference_id)
         values ($1, 'FUNDED', gen_random_uuid()))
       insert into ledger_entries (ledger_transaction_id, store_id, account, amount_micro_usdt)
         select $1, $2, account, amount from unnest($3::text[], $4::bigint[]) as entry (account, amount)`,
      [randomUUID(), own.storeId, entries.map(([account]) => account), entries.map(([, amount]) => amount)],
    );
    expect(
      await booked.then(
        () => 'booked',
        (error: unknown) => member(error, 'constraint'),
      ),
    ).toBe(constraint);
  });

  it('refuses entries added to an earlier transaction', async () => {
    const added = t.rows(
      `insert into ledger_entries (ledger_transaction_id, store_id, account, amount_micro_usdt)
       select ledger_transaction_id, store_id, account, amount_micro_usdt from ledger_entries where store_id = $1`,
      [own.storeId],
    );
    expect(
      await added.then(
        () => 'booked',
        (error: unknown) => member(error, 'constraint'),
      ),
    ).toBe('ledger_entry_belongs');
  });

  it.each([
    ['balances_not_negative', 'available_micro_usdt = -1, reserved_micro_usdt = credited_micro_usdt + 1'],
    ['balances_whole', 'available_micro_usdt = available_micro_usdt + 1'],
  ])('%s guards the balance', async (constraint, change) => {
    const changed = t.rows(`update balances set ${change} where store_id = $1`, [own.storeId]);
    expect(
      await changed.then(
        () => 'changed',
        (error: unknown) => member(error, 'constraint'),
      ),
    ).toBe(constraint);
  });
});

/** The model's state of one store; the service must agree after every step. */
type Model = { available: number; reserved: number; paid: number; readonly requests: Map<string, ModelRequest> };
type ModelRequest = { status: string; readonly amount: number };

const MOVES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  REQUESTED: { take: 'IN_REVIEW', reject: 'REJECTED', cancel: 'CANCELLED' },
  IN_REVIEW: { take: 'IN_REVIEW', approve: 'APPROVED', reject: 'REJECTED' },
  APPROVED: { complete: 'COMPLETED', fail: 'FAILED' },
};
const FREED = ['REJECTED', 'CANCELLED', 'FAILED'];

const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('request' as const), amount: fc.integer({ min: 1, max: 60 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('take' as const, 'approve', 'reject', 'cancel', 'complete', 'fail'),
      which: fc.nat({ max: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      step: fc.constantFrom('request' as const, 'reject', 'cancel', 'complete', 'fail'),
      which: fc.nat({ max: 5 }),
    }),
  },
);

/**
 * Kills the database connection of an action when everything but the balance is written, which is what a killed process
 * leaves behind. Another transaction holds the balance, so the action is known to wait exactly there.
 */
async function crashed(storeId: string, act: () => Promise<Answer>): Promise<void> {
  const holder = new pg.Client({ connectionString: t.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from balances where store_id = $1 for update', [storeId]);
    const ended: true[] = [];
    const answering = act().finally(() => ended.push(true));
    let killed = 0;
    while (killed === 0 && ended.length === 0) {
      const { rowCount } = await holder.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'withdrawals-test' and wait_event_type = 'Lock'`);
      killed = rowCount ?? 0;
    }
    expect((await answering).status).toBe(503);
  } finally {
    await holder.query('rollback');
    await holder.end();
  }
}

/** Whoever approved a request may not also complete or fail it. */
const actorOf = (kind: string): string => (kind === 'complete' || kind === 'fail' ? 'ivan' : 'olga');

describe('whatever partners and operators do, each click twice at once, and processes die in between (G09, G12)', () => {
  async function ask(model: Model, funded: Funded, amount: number): Promise<void> {
    const key = randomUUID();
    const answers = await Promise.all([0, 1].map((replica) => t.request(funded, String(amount), { key, replica })));
    const isEnough = amount <= model.available;
    expect(answers.map(({ status }) => status)).toEqual(isEnough ? [201, 201] : [409, 409]);
    if (!isEnough) return;
    model.requests.set(String(answers[0]?.body['withdrawalRequestId']), { status: 'REQUESTED', amount });
    model.available -= amount;
    model.reserved += amount;
  }

  async function click(model: Model, kind: string, which: number): Promise<void> {
    const [id, request] = [...model.requests][which % Math.max(1, model.requests.size)] ?? [];
    if (id === undefined || request === undefined) return;
    const operator = actorOf(kind);
    const answers = await Promise.all([t.act(operator, id, kind), t.act(operator, id, kind)]);
    const done = answers.filter(({ status }) => status === 200);
    const to = MOVES[request.status]?.[kind];
    // Two clicks on one revision have one effect; a slower second click may see, and renew, its own take.
    expect(done.length === 0).toBe(to === undefined);
    if (to === undefined) return;
    expect(kind === 'take' || done.length === 1).toBe(true);
    request.status = to;
    if (FREED.includes(to)) model.available += request.amount;
    if (to === 'COMPLETED') model.paid += request.amount;
    if (FREED.includes(to) || to === 'COMPLETED') model.reserved -= request.amount;
  }

  /** None of it happened: neither state nor booking. The step is not repeated; later ones may succeed. */
  async function crash(model: Model, funded: Funded, kind: string, which: number): Promise<void> {
    if (kind === 'request') {
      // Refused without touching the balance, so there is no moment at which it could die.
      if (model.available === 0) return;
      return crashed(funded.storeId, () => t.request(funded, '1'));
    }
    const possible = [...model.requests].filter(([, { status }]) => MOVES[status]?.[kind] !== undefined);
    const [id] = possible[which % Math.max(1, possible.length)] ?? [];
    if (id === undefined) return;
    const operator = actorOf(kind);
    await crashed(funded.storeId, () => t.act(operator, id, kind));
    const [row] = await t.rows('select status from withdrawals where withdrawal_request_id = $1', [id]);
    expect(row?.['status']).toBe(model.requests.get(id)?.status);
  }

  it('available + reserved + paid = credited after every step, as the model says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const funded = await t.givenPartner();
        const model: Model = { available: 100, reserved: 0, paid: 0, requests: new Map() };
        for (const taken of steps) {
          if (taken.kind === 'request') await ask(model, funded, taken.amount);
          else if (taken.kind === 'crash') await crash(model, funded, taken.step, taken.which);
          else await click(model, taken.kind, taken.which);
          const { available, reserved, paid, credited } = await t.balance(funded.storeId);
          expect([available, reserved, paid].map((micro) => Number(micro / 1_000_000n))).toEqual([
            model.available,
            model.reserved,
            model.paid,
          ]);
          expect(available + reserved + paid).toBe(credited);
        }
      }),
      { numRuns: 12 },
    );
  });
});
