import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import { effects } from '../../../test/mechanisms-tables.ts';
import { gate, openMechanisms, type Mechanisms } from '../../../test/mechanisms.ts';
import { isUnavailable, sqlState, violatedConstraint } from '../errors.ts';
import { compiledInsert, compiledRead, compiledWrite } from './compiled.ts';
import { inSharedPipeline, sharedRead } from './shared-pipeline.ts';

let t: Mechanisms;
beforeEach(async () => {
  t = await openMechanisms();
});
afterEach(() => t.close());

const insert = compiledInsert(effects, () => ({ name: effects.name }));
const refused = compiledWrite({}, (_given, builder) =>
  builder
    .insert(effects)
    .values({ name: sql`null` })
    .returning({ name: effects.name }),
);
/** The time at which its transaction began. */
const begunAt = compiledRead({ name: effects.name }, ({ name }, builder) =>
  builder
    .select({ name: effects.name, at: sql<string>`now()` })
    .from(effects)
    .where(eq(effects.name, name)),
);
const names = (count: number, of = 'one') => Array.from({ length: count }, (_none, at) => `${of} ${String(at)}`);
const insertAs = (party: string, name: string) => inSharedPipeline(t.database.db, party, (writer) => [insert(writer, { name })]);
const transactions = async (like = '%') => {
  const [row] = await t.query<{ count: string }>(`select count(distinct xmin::text) from effects where name like $1`, [like]);
  return Number(row?.count);
};
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );

const endBlocked = (how: 'pg_cancel_backend' | 'pg_terminate_backend') =>
  t.query(`select ${how}(pid) from pg_stat_activity
    where application_name = 'mechanisms-test' and wait_event_type = 'Lock' and datname = current_database()`);

/** An id that no sequence reaches. */
const HELD = 1_000_000n;

/** Holds the row with this id, uncommitted, while `work` runs. */
async function whileHeld(work: () => Promise<void>): Promise<void> {
  const [held, taken] = [gate(), gate()];
  const holder = t.database.db.transaction(async (tx) => {
    await tx.insert(effects).values({ id: HELD, name: 'held' });
    taken.resolve(undefined);
    await held.promise;
  });
  await taken.promise;
  try {
    await work();
  } finally {
    held.resolve(undefined);
    await holder;
  }
}

it('those of a party that come together leave as few transactions, and each gets its own rows', async () => {
  const sent = names(40);
  expect(await Promise.all(sent.map((name) => insertAs('shop', name)))).toEqual(sent.map((name) => [[{ name }]]));
  expect((await t.effectNames()).toSorted()).toEqual(sent.toSorted());
  expect(await transactions()).toBe(3);
});

it('another party has transactions of its own', async () => {
  const calls = ['one', 'other'].flatMap((party) => names(8, party).map((name) => insertAs(party, name)));
  await Promise.all(calls);
  const [one, other] = [await transactions('one%'), await transactions('other%')];
  expect(await transactions()).toBe(one + other);
});

it('one that fails stores nothing and gets its error; those that left with it are stored', async () => {
  const bad = inSharedPipeline(t.database.db, 'shop', (writer) => [insert(writer, { name: 'lost' }), refused(writer, {})]);
  const [first, error, second] = await Promise.all([insertAs('shop', 'first'), errorOf(bad), insertAs('shop', 'second')]);
  expect(sqlState(error)).toBe('23502');
  expect(error).toMatchObject({ query: expect.stringContaining('(default, null)') });
  expect([first, second]).toEqual([[[{ name: 'first' }]], [[{ name: 'second' }]]]);
  expect((await t.effectNames()).toSorted()).toEqual(['first', 'second']);
});

it('of two that want the same row one gets it, and only the other hears of it', async () => {
  const claim = (id: bigint, name: string) => errorOf(inSharedPipeline(t.database.db, 'shop', (writer) => [insert(writer, { id, name })]));
  const wanted = [claim(HELD, 'wanted'), claim(HELD, 'wanted'), claim(HELD + 1n, 'alone')];
  const errors = await Promise.all(wanted);
  expect(errors.map((error) => violatedConstraint(error)).toSorted()).toEqual(['effects_pkey', undefined, undefined]);
  expect((await t.effectNames()).toSorted()).toEqual(['alone', 'wanted']);
});

it('of two transactions that wait for each other one goes first, and each row is stored once', async () => {
  const { db } = t.database;
  const [held, taken] = [gate(), gate()];
  const holder = db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(1)`);
    taken.resolve(undefined);
    await held.promise;
  });
  await taken.promise;
  const inTurn = compiledRead({}, (_given, builder) =>
    builder.select({ locked: sql`pg_advisory_xact_lock_shared(1)` }).from(sql`(values (1)) as one`),
  );
  const claim = (id: bigint, waits: boolean) =>
    errorOf(inSharedPipeline(db, 'shop', (writer) => [insert(writer, { id, name: String(id) }), ...(waits ? [inTurn(db, {})] : [])]));
  const full = (count: number) => names(14, String(count)).map((name) => errorOf(insertAs('shop', name)));
  const [one, other] = [HELD, HELD + 1n];
  const calls = [claim(one, true), ...full(1), claim(other, false), claim(other, true), ...full(2), claim(one, false)];
  await t.untilBlocked(2);
  held.resolve(undefined);
  await holder;
  const errors = await Promise.all(calls);
  expect(errors.map((error) => violatedConstraint(error)).filter((name) => name !== undefined)).toEqual(['effects_pkey', 'effects_pkey']);
  expect(errors.filter((error) => error === undefined)).toHaveLength(30);
  expect(await t.effectNames()).toHaveLength(30);
});

it('a party that waits for a lock keeps no other from going on, and goes on itself with its next calls', async () => {
  await whileHeld(async () => {
    const waits = errorOf(inSharedPipeline(t.database.db, 'shop', (writer) => [insert(writer, { id: HELD, name: 'waits' })]));
    await t.untilBlocked();
    await insertAs('other', 'of another');
    await insertAs('shop', 'of its own');
    expect((await t.effectNames()).toSorted()).toEqual(['of another', 'of its own']);
    await endBlocked('pg_cancel_backend');
    expect(sqlState(await waits)).toBe('57014');
  });
});

it('without an answer nobody is sent again: all hear that it is not known', async () => {
  await whileHeld(async () => {
    const calls = [
      inSharedPipeline(t.database.db, 'shop', (writer) => [insert(writer, { id: HELD, name: 'lost' })]),
      ...names(20).map((name) => insertAs('shop', name)),
    ].map(errorOf);
    await t.untilBlocked();
    await endBlocked('pg_terminate_backend');
    const errors = await Promise.all(calls);
    expect(errors.filter((error) => error !== undefined && isUnavailable(error))).toHaveLength(16);
    expect((await t.effectNames()).toSorted()).toEqual(names(20).slice(15).toSorted());
  });
});

it('reads of a party that come together are one transaction, too, and wait for no write', async () => {
  await insertAs('shop', 'here');
  const { db } = t.database;
  const read = (name: string) => sharedRead(db, 'shop', begunAt(db, { name }));
  const rows = await Promise.all(Array.from({ length: 16 }, () => read('here')));
  expect(new Set(rows.flat().map(({ at }) => at)).size).toBeLessThan(3);
  expect(rows.flat()).toHaveLength(16);
  await whileHeld(async () => {
    const waits: Promise<unknown>[] = [];
    for (const count of [1, 2]) {
      waits.push(errorOf(inSharedPipeline(db, 'shop', (writer) => [insert(writer, { id: HELD, name: 'waits' })])));
      await t.untilBlocked(count);
    }
    const behind = insertAs('shop', 'behind');
    expect(await read('here')).toHaveLength(1);
    await endBlocked('pg_cancel_backend');
    expect((await Promise.all(waits)).map(sqlState)).toEqual(['57014', '57014']);
    expect(await behind).toEqual([[{ name: 'behind' }]]);
  });
});

it('a read in a transaction sees what the transaction wrote', async () => {
  const seen = await t.database.db.transaction(async (tx) => {
    await t.recordEffect(tx, 'mine');
    return sharedRead(tx, 'shop', begunAt(tx, { name: 'mine' }));
  });
  expect(seen).toHaveLength(1);
});
