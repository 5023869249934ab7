import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { effects } from '../../../test/mechanisms-tables.ts';
import { openMechanisms, type Mechanisms } from '../../../test/mechanisms.ts';
import { startPooler } from '../../../test/pooler.ts';
import { openDatabase, type Database } from '../connect/pool.ts';
import { sqlState } from '../errors.ts';
import { compiledInsert, compiledRead, compiledWrite } from './compiled.ts';
import { inOneRoundTrip, inOneWrite } from './one-round-trip.ts';
import { inOneStatement } from './one-statement.ts';
import { inPipeline } from './pipeline.ts';
import { inSharedPipeline, sharedRead } from './shared-pipeline.ts';

let t: Mechanisms;
let ends: (() => Promise<void>)[] = [];
beforeEach(async () => {
  t = await openMechanisms();
});
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
  await t.close();
});

/** A pool of one connection through a pooler with these habits. */
async function through(habits: Parameters<typeof startPooler>[1]): Promise<Database> {
  const pooler = await startPooler(t.url, habits);
  const database = openDatabase({
    url: pooler.url,
    poolSize: 1,
    applicationName: 'through',
    onIdleError: () => undefined,
  });
  ends.push(
    () => pooler.stop(),
    () => database.close(),
  );
  return database;
}

const insert = compiledInsert(effects, () => ({ name: effects.name }));
const all = compiledRead({}, (_given, builder) => builder.select({ name: effects.name }).from(effects));
const refused = compiledWrite({}, (_given, builder) =>
  builder
    .insert(effects)
    .values({ name: sql`null` })
    .returning({ name: effects.name }),
);
const raw = (name: string | null) => sql`insert into effects (name) values (${name})`;
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );

describe('where something between runs each statement by itself', () => {
  it.each([
    ['inPipeline', ({ db }: Database) => inPipeline(db, (tx) => [insert(tx, { name: 'half' }), refused(tx, {})])],
    ['inOneRoundTrip', ({ db }: Database) => inOneRoundTrip(db, [raw('half'), raw(null), raw('other half')])],
    [
      'inSharedPipeline',
      ({ db }: Database) => inSharedPipeline(db, 'shop', (writer) => [insert(writer, { name: 'half' }), refused(writer, {})]),
    ],
    ['inOneWrite', async ({ db }: Database) => (await inOneWrite(db, sql`select 1`, [raw('half'), raw(null)])).behind],
  ])('%s stores nothing of a transaction that fails, and its connection goes on (point 5)', async (_name, send) => {
    const database = await through({ splitsTransactions: true });
    expect(sqlState(await errorOf(send(database)))).toBe('23502');
    expect(await t.effectNames()).toEqual([]);
    await inPipeline(database.db, (tx) => [insert(tx, { name: 'one' }), insert(tx, { name: 'two' })]);
    expect(await t.effectNames()).toEqual(['one', 'two']);
    expect(await t.query(`select from pg_stat_activity where application_name = 'through'`)).toHaveLength(1);
  });

  it('calls of a partner that leave together are stored or not each by itself (point 5)', async () => {
    const { db } = await through({ splitsTransactions: true });
    const calls = Array.from({ length: 12 }, (_none, at) =>
      errorOf(
        inSharedPipeline(db, 'shop', (writer) => [insert(writer, { name: String(at) }), ...(at % 3 === 0 ? [refused(writer, {})] : [])]),
      ),
    );
    const states = (await Promise.all(calls)).map((error) => (error === undefined ? undefined : sqlState(error)));
    expect(states).toEqual(states.map((_state, at) => (at % 3 === 0 ? '23502' : undefined)));
    expect((await t.effectNames()).map(Number).toSorted((a, b) => a - b)).toEqual([1, 2, 4, 5, 7, 8, 10, 11]);
  });
});

it('a statement by itself is sent without begin: it is a transaction already', async () => {
  const { db } = await through({ refusesBegin: true });
  await inOneRoundTrip(db, [raw('raw')]);
  await inPipeline(db, (tx) => [insert(tx, { name: 'compiled' })]);
  await inSharedPipeline(db, 'shop', (writer) => [insert(writer, { name: 'shared' })]);
  await inOneStatement(db, (writer) => writer.insert(effects).values({ name: 'alone' }));
  expect(await sharedRead(db, 'shop', all(db, {}))).toHaveLength(4);
  const error = await errorOf(inPipeline(db, (tx) => [insert(tx, { name: 'a' }), insert(tx, { name: 'b' })]));
  expect(String(error)).toContain('before the rollback');
});

it('a transaction that dropped the error of a statement fails: PostgreSQL answers COMMIT with ROLLBACK (point 5)', async () => {
  const work = t.database.db.transaction(async (tx) => {
    await t.recordEffect(tx, 'lost');
    await tx.execute(raw(null)).catch(() => undefined);
  });
  expect(String(await errorOf(work))).toContain('PostgreSQL answered ROLLBACK');
  expect(await t.effectNames()).toEqual([]);
  await t.database.db.transaction((tx) => t.recordEffect(tx, 'later'));
  expect(await t.effectNames()).toEqual(['later']);
});
