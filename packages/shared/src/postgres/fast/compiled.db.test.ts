import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { effects } from '../../../test/mechanisms-tables.ts';
import { openMechanisms, type Mechanisms } from '../../../test/mechanisms.ts';
import { databaseNow } from '../clock.ts';
import { sqlState, violatedConstraint } from '../errors.ts';
import { deadLetters, idempotencyRecords, inbox, outbox, relayLease, seals } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import { compiledByColumns, compiledInsert, compiledInsertAll, compiledRaw, compiledRead, compiledWrite } from './compiled.ts';
import { inOneRoundTrip } from './one-round-trip.ts';
import { inOneStatement } from './one-statement.ts';
import { inPipeline } from './pipeline.ts';

let t: Mechanisms;
beforeAll(async () => {
  t = await openMechanisms();
  await t.query(`insert into outbox (message_id, type, aggregate_id, payload, traceparent, occurred_at)
    values (gen_random_uuid(), 'a', 'b', '{"c": [1, "два", null]}', null, '2026-01-02 03:04:05.678+03')`);
  await t.query('insert into inbox values (gen_random_uuid())');
  await t.query('update relay_lease set until = now()');
  await t.query(`insert into idempotency_records values ('p', 'k', 'op', repeat('a', 64), 'o', 201)`);
  await t.query(`insert into dead_letters (message_id, type, aggregate_id, occurred_at, body) values ('m', 't', 'a', '', '\\x00ff')`);
  await t.query(`create table seals (trail text, number bigint, columns jsonb, positions bigint[], digests bytea, previous_hash bytea,
    hash bytea, sealed_at timestamptz(3) default clock_now())`);
  await t.query(`insert into seals (trail, number, columns, positions, digests, previous_hash, hash)
    values ('t', 9007199254740993, '["a"]', '{1,9007199254740993}', '\\x01', '\\x02', '\\x03')`);
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => t.close());

const insertEffect = compiledWrite({ name: effects.name }, ({ name }, builder) =>
  builder.insert(effects).values({ name }).returning({ name: effects.name }),
);
const effectsNamed = compiledRead({ name: effects.name }, ({ name }, builder) =>
  builder.select({ name: effects.name }).from(effects).where(eq(effects.name, name)),
);
const insertFact = compiledWrite(
  { messageId: outbox.messageId, payload: outbox.payload, requestId: outbox.requestId, occurredAt: outbox.occurredAt },
  (given, builder) =>
    builder
      .insert(outbox)
      .values({ type: 't', aggregateId: 'a', ...given })
      .returning(),
);

describe('a compiled statement', () => {
  it('returns rows as drizzle does, with every kind of column', async () => {
    for (const table of [outbox, relayLease, inbox, idempotencyRecords, deadLetters, seals]) {
      const rows = await compiledRead({}, (_given, builder) => builder.select().from(table))(t.database.db, {});
      expect(rows).toHaveLength(1);
      expect(rows).toEqual(await t.database.db.select().from(table));
    }
  });

  it('returns a table of its selection as an object, and an expression as its mapper says', async () => {
    const [row] = await compiledRead({}, (_given, builder) =>
      builder.select({ record: idempotencyRecords, now: databaseNow, two: sql<number>`1 + 1` }).from(idempotencyRecords),
    )(t.database.db, {});
    expect(row).toMatchObject({ record: { key: 'k', status: 201 }, now: expect.any(Date), two: 2 });
  });

  it('sends values as the columns encode them, null included', async () => {
    const fact = {
      messageId: randomUUID(),
      payload: { text: 'чай', list: [1, null] },
      requestId: null,
      occurredAt: new Date('2026-07-01T00:00:00.123Z'),
    };
    const rows = await inOneStatement(t.database.db, (writer) => insertFact(writer, fact));
    expect(rows).toEqual([expect.objectContaining(fact)]);
  });

  it('has its text built once, and is prepared', async () => {
    const built = jest.spyOn(PgDialect.prototype, 'sqlToQuery');
    const named = compiledRead({ name: effects.name }, ({ name }, builder) =>
      builder.select({ id: effects.id }).from(effects).where(eq(effects.name, name)),
    );
    expect(await named(t.database.db, { name: 'nobody' })).toEqual([]);
    expect(await inTransaction(t.database.db, (tx) => named(tx, { name: 'nobody' }))).toEqual([]);
    expect(built).toHaveBeenCalledTimes(1);
    const { rows } = await t.database.pool.query(
      `select (generic_plans + custom_plans)::int as uses from pg_prepared_statements where statement like 'select "id" from "effects"%'`,
    );
    expect(rows).toEqual([{ uses: 2 }]);
  });

  it('is described once per connection, and again where it failed before it was', async () => {
    const described = jest.spyOn(pg.Connection.prototype, 'describe');
    const inverse = compiledRead({ id: effects.id }, ({ id }, builder) =>
      builder.select({ inverse: sql<number>`6 / ${id}::int`.as('inverse') }).from(relayLease),
    );
    const [one, two] = [() => inverse(t.database.db, { id: 1n }), () => inverse(t.database.db, { id: 2n })];
    const failed: unknown = await inverse(t.database.db, { id: 0n }).catch((error: unknown) => error);
    expect([sqlState(failed), await one(), await two()]).toEqual(['22012', [{ inverse: 6 }], [{ inverse: 3 }]]);
    expect(described).toHaveBeenCalledTimes(2);
    await Promise.all([one(), inTransaction(t.database.db, (tx) => inverse(tx, { id: 3n }))]);
    // At most one more: the second of the two may have opened a connection.
    expect(described.mock.calls.length).toBeLessThanOrEqual(3);
    const both = [await one(), await inTransaction(t.database.db, (tx) => inverse(tx, { id: 3n }))];
    expect(both).toEqual([[{ inverse: 6 }], [{ inverse: 2 }]]);
    expect(described.mock.calls.length).toBeLessThanOrEqual(3);
  });

  it('leaves its connection open when it fails on the pool', async () => {
    const { pool, db } = t.database;
    const before = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    const fact = { messageId: 'no uuid', payload: {}, requestId: null, occurredAt: new Date(0) };
    await expect(inOneStatement(db, (writer) => insertFact(writer, fact))).rejects.toThrow();
    const after = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    expect(after.rows).toEqual(before.rows);
  });

  it('belongs to the transaction that it is given, and is sent when it is awaited', async () => {
    const name = randomUUID();
    const rolledBack = inTransaction(t.database.db, async (tx) => {
      expect(await insertEffect(tx, { name })).toEqual([{ name }]);
      expect(await effectsNamed(tx, { name })).toEqual([{ name }]);
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(await effectsNamed(t.database.db, { name })).toEqual([]);
    const results = await inPipeline(t.database.db, (tx) => [insertEffect(tx, { name }), effectsNamed(tx, { name })]);
    expect(results).toEqual([[{ name }], [{ name }]]);
  });

  it('fails as a statement of drizzle does, and names itself', async () => {
    const fact = { messageId: 'no uuid', payload: {}, requestId: null, occurredAt: new Date(0) };
    const failed: unknown = await inTransaction(t.database.db, (tx) => insertFact(tx, fact)).catch((error: unknown) => error);
    expect(sqlState(failed)).toBe('22P02');
    expect(failed).toMatchObject({ message: expect.stringContaining('insert into "outbox"') });
    const twice = compiledWrite({ key: idempotencyRecords.key }, ({ key }, builder) =>
      builder
        .insert(idempotencyRecords)
        .values({ key, partnerId: sql`'p'`, operation: 'op', bodySha256: 'a', objectId: 'o', status: 201 })
        .returning({ key: idempotencyRecords.key }),
    );
    const refused: unknown = await inOneStatement(t.database.db, (writer) => twice(writer, { key: 'k' })).catch((error: unknown) => error);
    expect(violatedConstraint(refused)).toBe('idempotency_records_partner_id_key_pk');
  });

  it('refuses what it cannot decode or send', () => {
    const joined = compiledRead({}, (_given, builder) =>
      builder
        .select({ effect: effects, inbox })
        .from(effects)
        .leftJoin(inbox, sql`true`),
    );
    expect(() => joined(t.database.db, {})).toThrow('outer join');
    expect(() => effectsNamed({ select: () => t.database.db.select() } as never, { name: 'x' })).toThrow('openDatabase');
  });
});

describe('a statement with a text for each set of columns', () => {
  const fact = () => ({ messageId: randomUUID(), type: 't', aggregateId: 'a', payload: {}, occurredAt: new Date(0) });

  it('stores the columns that are given and leaves the others', async () => {
    const built = jest.spyOn(PgDialect.prototype, 'sqlToQuery');
    const change = compiledByColumns(outbox, { id: outbox.messageId }, (columns, { id }, builder) =>
      builder.update(outbox).set(columns).where(eq(outbox.messageId, id)).returning(),
    );
    const before = { ...fact(), requestId: 'r', traceparent: 'p' };
    await inOneStatement(t.database.db, (writer) => insertFact(writer, before));
    const id = before.messageId;
    const changed = (row: Parameters<typeof change>[1]) => inOneStatement(t.database.db, (writer) => change(writer, row, { id }));
    built.mockClear();
    expect(await changed({ type: 'u', requestId: null })).toMatchObject([{ type: 'u', requestId: null, aggregateId: 'a' }]);
    expect(await changed({ type: 'v', requestId: 's' })).toMatchObject([{ type: 'v', requestId: 's', aggregateId: 'a' }]);
    expect(built).toHaveBeenCalledTimes(1);
    expect(await changed({ type: 'w' })).toMatchObject([{ type: 'w', requestId: 's' }]);
    expect(built).toHaveBeenCalledTimes(2);
  });

  it('refuses a parameter with the name of a column', () => {
    const change = compiledByColumns(outbox, { type: outbox.type }, (columns, { type }, builder) =>
      builder.update(outbox).set(columns).where(eq(outbox.type, type)).returning(),
    );
    expect(() => change(t.database.db as never, { type: 'a' }, { type: 'b' })).toThrow('a parameter is named as a column');
  });

  it('inserts a row, and returns it or what is asked of it', async () => {
    const returned = compiledInsert(outbox, ({ type }) => ({
      requestId: outbox.requestId,
      typeTwice: sql<string>`${type} || ${type}`,
    }));
    const insert = compiledInsert(outbox);
    const row = { ...fact(), requestId: 'r' };
    expect(await inOneStatement(t.database.db, (writer) => insert(writer, row))).toEqual([
      { ...row, traceparent: null, position: expect.anything() },
    ]);
    const other = { ...fact(), requestId: null };
    expect(await inOneStatement(t.database.db, (writer) => returned(writer, other))).toEqual([{ requestId: null, typeTwice: 'tt' }]);
  });

  it('inserts rows together in their order, with one text for each number of them', async () => {
    const built = jest.spyOn(PgDialect.prototype, 'sqlToQuery');
    const insert = compiledInsertAll(outbox, outbox.messageId);
    for (const number of [2, 3, 2]) {
      const rows = Array.from({ length: number }, fact);
      const inserted = await inOneStatement(t.database.db, (writer) => insert(writer, rows));
      expect(inserted).toEqual(rows.map(({ messageId }) => ({ returned: messageId })));
    }
    expect(built).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['more', [{}, { requestId: 'r' }]],
    ['fewer', [{ requestId: 'r' }, {}]],
  ])('refuses rows together of which one has %s columns', (_which, rows) => {
    const insert = compiledInsertAll(outbox, outbox.messageId);
    expect(() =>
      insert(
        t.database.db as never,
        rows.map((row) => ({ ...fact(), ...row })),
      ),
    ).toThrow('the same columns');
  });
});

it('a raw statement sends its values by name, and its text is built once', async () => {
  const built = jest.spyOn(PgDialect.prototype, 'sqlToQuery');
  const sums = compiledRaw(
    ['one', 'other'],
    ({ one, other }) => sql`select ${one}::int + ${other}::int + ${one}::int + ${4} as sum, ${other}::text is null as "isAbsent"`,
  );
  expect(await inOneRoundTrip(t.database.db, [sums({ one: 1, other: 20 }), sums({ other: null, one: 2 })])).toEqual([
    [{ sum: 26, isAbsent: false }],
    [{ sum: null, isAbsent: true }],
  ]);
  expect(built).toHaveBeenCalledTimes(1);
});
