import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { effects } from '../../../test/mechanisms-tables.ts';
import { gate, openMechanisms, type Mechanisms } from '../../../test/mechanisms.ts';
import { isUnavailable, sqlState } from '../errors.ts';
import { compiledInsert, compiledRead, compiledWrite } from './compiled.ts';
import { inPipeline } from './pipeline.ts';

let t: Mechanisms;
beforeEach(async () => {
  t = await openMechanisms();
});
afterEach(() => t.close());

const insert = compiledInsert(effects, () => ({ name: effects.name }));
const all = compiledRead({}, (_given, builder) => builder.select({ name: effects.name }).from(effects));
const refused = compiledWrite({}, (_given, builder) =>
  builder
    .insert(effects)
    .values({ name: sql`null` })
    .returning({ name: effects.name }),
);
const thrownBy = (work: Promise<unknown>): Promise<unknown> => work.catch((thrown: unknown) => thrown);
const connections = () => ({ total: t.database.pool.totalCount, idle: t.database.pool.idleCount });

it('returns the rows of each statement, which sees what those before it did', async () => {
  const sent = inPipeline(t.database.db, (tx) => [insert(tx, { name: 'first' }), insert(tx, { name: 'second' }), all(tx, {})]);
  expect(await sent).toEqual([[{ name: 'first' }], [{ name: 'second' }], [{ name: 'first' }, { name: 'second' }]]);
  expect(await t.effectNames()).toEqual(['first', 'second']);
});

it.each([
  ['first', [true, false]],
  ['in the middle', [false, true, false]],
  ['last', [false, true]],
])('stores nothing when the one that fails stands %s, and names it', async (_where, fails) => {
  const sent = inPipeline(t.database.db, (tx) => fails.map((fail) => (fail ? refused(tx, {}) : insert(tx, { name: 'lost' }))));
  const error = await thrownBy(sent);
  expect(sqlState(error)).toBe('23502');
  expect(error).toMatchObject({ query: expect.stringContaining('(default, null)') });
  expect(await t.effectNames()).toEqual([]);
  expect(connections()).toEqual({ total: 1, idle: 1 });
  await inPipeline(t.database.db, (tx) => [insert(tx, { name: 'later' })]);
  expect(await t.effectNames()).toEqual(['later']);
});

it('stores nothing when a value cannot be sent', async () => {
  const sent = inPipeline(t.database.db, (tx) => [insert(tx, { name: 'before' }), insert(tx, { name: {} as never })]);
  await expect(sent).rejects.toThrow('takes texts, numbers, truth values and bytes');
  expect(await t.effectNames()).toEqual([]);
  await inPipeline(t.database.db, (tx) => [insert(tx, { name: 'later' })]);
  expect(await t.effectNames()).toEqual(['later']);
});

it('stores nothing when its connection breaks, and never uses it again', async () => {
  const [held, locked] = [gate(), gate()];
  const holder = t.database.db.transaction(async (tx) => {
    await tx.execute(sql`lock table effects`);
    locked.resolve(undefined);
    await held.promise;
  });
  await locked.promise;
  const broken = thrownBy(inPipeline(t.database.db, (tx) => [insert(tx, { name: 'lost' })]));
  await t.untilBlocked();
  await t.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'mechanisms-test' and wait_event_type = 'Lock' and datname = current_database()`);
  expect(isUnavailable(await broken)).toBe(true);
  // The holder's.
  expect(connections()).toEqual({ total: 1, idle: 0 });
  held.resolve(undefined);
  await holder;
  expect(await t.effectNames()).toEqual([]);
});

describe('a statement that is sent ahead of a transaction', () => {
  const ahead = (name: string | null) => sql`insert into effects (name) values (${name})`;

  it('is committed before the other begins, in the same round trip, and stays where the other fails', async () => {
    const { db } = t.database;
    const [, seen] = await inPipeline(db, (tx) => [insert(tx, { name: 'second' }), all(tx, {})], ahead('first'));
    expect(seen).toEqual([{ name: 'first' }, { name: 'second' }]);
    await expect(inPipeline(db, (tx) => [refused(tx, {})], ahead('third'))).rejects.toThrow();
    expect(await t.effectNames()).toEqual(['first', 'second', 'third']);
  });

  it('keeps the other from nothing where it fails itself', async () => {
    const [rows] = await inPipeline(t.database.db, (tx) => [insert(tx, { name: 'here' })], ahead(null));
    expect(rows).toEqual([{ name: 'here' }]);
    expect(await t.effectNames()).toEqual(['here']);
    expect(connections()).toEqual({ total: 1, idle: 1 });
  });
});
