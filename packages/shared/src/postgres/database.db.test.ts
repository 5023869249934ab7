import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { gate, openMechanisms, until, type Mechanisms } from '../../test/mechanisms.ts';
import { receiveOnce } from '../inbox/inbox.ts';
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { isAway, isUnavailable, sqlState, violatedConstraint } from './errors.ts';
import { inOneRoundTrip } from './fast/one-round-trip.ts';
import { openDatabase } from './connect/pool.ts';
import { PREPARED_MAX } from './fast/prepared.ts';
import { selectRows } from './select-rows.ts';
import { inTransaction } from './transaction.ts';
import { RETENTION_DAYS } from './schema.ts';
import { watchDeadLetters } from '../broker/dead-letters.ts';
import { sweepLoop } from '../service/sweep.ts';
import { deadLettersWaiting } from '../telemetry/metrics.ts';

let t: Mechanisms;
beforeEach(async () => {
  t = await openMechanisms();
});
afterEach(() => t.close());

const ours = (state: string) =>
  t.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'mechanisms-test' and state like $1
       and datname = current_database()`,
    [state],
  );

describe('a transaction', () => {
  it('gives its connection back after a refusal, and uses it again', async () => {
    for (let time = 0; time < 30; time += 1) {
      await expect(t.database.db.transaction(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    }
    expect(t.database.pool.totalCount).toBe(1);
    expect(t.database.pool.idleCount).toBe(1);
  });

  it('gives its connection back when begin fails, so that a pool is never used up by an outage', async () => {
    const { pool, db } = t.database;
    const errors: unknown[] = [];
    for (let time = 0; time < 25; time += 1) {
      // The pool hands out a connection that dies before `begin`.
      const client = await pool.connect();
      client.release();
      // The server is shared: only sessions of this file's database may die.
      await t.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'mechanisms-test' and datname = current_database()`);
      await db.transaction((tx) => tx.execute(sql`select 1`)).catch((error: unknown) => errors.push(error));
    }
    expect(errors.filter((error) => !isAway(error))).toEqual([]);
    expect(await db.transaction((tx) => tx.execute(sql`select 1`))).toMatchObject({ rowCount: 1 });
    expect(pool.totalCount - pool.idleCount).toBe(0);
  });

  it('fails, and ends nothing else, when its connection breaks between two statements', async () => {
    const held = gate();
    const broken = t.database.db.transaction(async (tx) => {
      await t.recordEffect(tx, 'lost');
      await held.promise;
      await t.recordEffect(tx, 'lost too');
    });
    await until(async () => (await ours('idle in transaction')).length === 1);
    const [session] = await ours('idle in transaction');
    await t.query('select pg_terminate_backend($1)', [session?.pid]);
    await until(async () => (await ours('%')).length === 0);
    held.resolve(undefined);
    const error: unknown = await broken.catch((thrown: unknown) => thrown);
    expect(isUnavailable(error)).toBe(true);
    expect(inspect(error)).toContain('effects'); // the log names the statement that met the broken connection
    expect(await t.effectNames()).toEqual([]);
    await t.database.db.transaction((tx) => t.recordEffect(tx, 'after'));
    expect(await t.effectNames()).toEqual(['after']);
  });

  it('is repeated as a whole after a deadlock', async () => {
    await t.query(`insert into effects (name) values ('one'), ('two')`);
    const both = [gate(), gate()];
    let runs = 0;
    const touch = (first: string, second: string, mine: number) =>
      inTransaction(t.database.db, async (tx) => {
        runs += 1;
        await tx.execute(sql`update effects set name = name where name = ${first}`);
        both[mine]?.resolve(undefined);
        await both[1 - mine]?.promise;
        await tx.execute(sql`update effects set name = name where name = ${second}`);
      });
    await Promise.all([touch('one', 'two', 0), touch('two', 'one', 1)]);
    // PostgreSQL ends one of the two, or both when both have looked at the same moment.
    expect(runs).toBeGreaterThanOrEqual(3);
    expect(runs).toBeLessThanOrEqual(4);
  });

  it('says which constraint was violated', async () => {
    const messageId = randomUUID();
    await t.query('insert into inbox (message_id) values ($1)', [messageId]);
    const error: unknown = await t.database.db
      .transaction((tx) => tx.execute(sql`insert into inbox (message_id) values (${messageId})`))
      .catch((thrown: unknown) => thrown);
    expect(sqlState(error)).toBe('23505');
    expect(violatedConstraint(error)).toBe('inbox_pkey');
    expect(isUnavailable(error)).toBe(false);
  });
});

describe('a transaction that is sent whole', () => {
  const insert = (name: string) => sql`insert into effects (name) values (${name}) returning name`;
  const thrownBy = (work: Promise<unknown>): Promise<unknown> => work.catch((thrown: unknown) => thrown);

  it('does all its statements and returns the rows of each', async () => {
    expect(await inOneRoundTrip(t.database.db, [insert('first'), insert('second')])).toEqual([[{ name: 'first' }], [{ name: 'second' }]]);
    expect(await t.effectNames()).toEqual(['first', 'second']);
  });

  it('lets a statement see what one before it did', async () => {
    const all = sql`select name from effects`;
    const [, seen] = await inOneRoundTrip(t.database.db, [insert('first'), all]);
    expect(seen).toEqual([{ name: 'first' }]);
  });

  it('does nothing when one fails, wherever it stands, and says what that one said', async () => {
    const refused = sql`insert into effects (name) values (null)`;
    for (const statements of [
      [refused, insert('after')],
      [insert('before'), refused, insert('after')],
      [insert('before'), refused],
    ]) {
      expect(sqlState(await thrownBy(inOneRoundTrip(t.database.db, statements)))).toBe('23502');
    }
    expect(await t.effectNames()).toEqual([]);
    expect(await inOneRoundTrip(t.database.db, [insert('later')])).toEqual([[{ name: 'later' }]]);
    expect({ total: t.database.pool.totalCount, idle: t.database.pool.idleCount }).toEqual({ total: 1, idle: 1 });
  });

  it('does nothing when its connection breaks, and never uses it again', async () => {
    await withLocks([1], async () => {
      const broken = thrownBy(inOneRoundTrip(t.database.db, [insert('lost'), lock(1), insert('lost too')]));
      await until(async () => (await ours('active')).length === 1);
      const [session] = await ours('active');
      await t.query('select pg_terminate_backend($1)', [session?.pid]);
      expect(isUnavailable(await broken)).toBe(true);
    });
    // The holder's.
    expect(t.database.pool.totalCount).toBe(1);
    expect(await inOneRoundTrip(t.database.db, [insert('after')])).toEqual([[{ name: 'after' }]]);
    expect(await t.effectNames()).toEqual(['after']);
  });

  it('is repeated as a whole after a deadlock', async () => {
    await t.query(`insert into effects (name) values ('one'), ('two')`);
    const touch = (name: string, suffix: string) => sql`update effects set name = name || ${suffix} where name like ${`${name}%`}`;
    const both = await withLocks([1, 2], async () => {
      const running = Promise.all([
        inOneRoundTrip(t.database.db, [touch('one', 'a'), lock(1), touch('two', 'a')]),
        inOneRoundTrip(t.database.db, [touch('two', 'b'), lock(2), touch('one', 'b')]),
      ]);
      await until(
        async () =>
          (
            await t.query(
              `select from pg_locks join pg_database on pg_database.oid = database
                where locktype = 'advisory' and not granted and datname = current_database()`,
            )
          ).length === 2,
      );
      return { running };
    });
    await both.running;
    expect(new Set((await t.effectNames()).map((name) => [...name].sort().join('')))).toEqual(
      new Set(['one', 'two'].map((name) => [...`${name}ab`].sort().join(''))),
    );
  });

  const lock = (key: number) => sql`select pg_advisory_xact_lock(${key})`;

  /** Holds advisory locks until `work` is done. */
  async function withLocks<T>(keys: readonly number[], work: () => Promise<T>): Promise<T> {
    const done = gate();
    const held = gate();
    const holder = t.database.db.transaction(async (tx) => {
      for (const key of keys) await tx.execute(lock(key));
      held.resolve(undefined);
      await done.promise;
    });
    await held.promise;
    try {
      return await work();
    } finally {
      done.resolve(undefined);
      await holder;
    }
  }
});

describe('a database that is away', () => {
  it('is told apart from a refusal: unavailable, whatever the driver calls it', async () => {
    const away = openDatabase({
      url: 'postgres://nobody@127.0.0.1:1/nothing',
      applicationName: 'away',
      onIdleError: () => undefined,
    });
    const error: unknown = await away.pool.query('select 1').catch((thrown: unknown) => thrown);
    expect(isAway(error)).toBe(true);
    const inside: unknown = await away.db.transaction(() => Promise.resolve()).catch((thrown: unknown) => thrown);
    expect(isAway(inside)).toBe(true);
    await away.close();
  });

  it('is busy, not away, while a lock is held', async () => {
    const held = gate();
    const locked = gate();
    const holder = t.database.db.transaction(async (tx) => {
      await tx.execute(sql`lock table effects`);
      locked.resolve(undefined);
      await held.promise;
    });
    await locked.promise;
    const error: unknown = await t.database.db.transaction((tx) => t.recordEffect(tx, 'waits')).catch((thrown: unknown) => thrown);
    held.resolve(undefined);
    await holder;
    expect({ state: sqlState(error), busy: isUnavailable(error), away: isAway(error) }).toEqual({
      state: '55P03',
      busy: true,
      away: false,
    });
  });
});

describe('receiveOnce', () => {
  it('has its effect once, also when two handle one message at the same time', async () => {
    const messageId = randomUUID();
    const held = gate();
    const first = receiveOnce(t.database.db, messageId, async (tx) => {
      await t.recordEffect(tx, 'effect');
      await held.promise;
    });
    await until(async () => (await ours('idle in transaction')).length === 1);
    const second = receiveOnce(t.database.db, messageId, (tx) => t.recordEffect(tx, 'effect'));
    await t.untilBlocked();
    held.resolve(undefined);
    expect([await first, await second]).toEqual([true, false]);
    expect(await t.effectNames()).toEqual(['effect']);
  });

  it('takes the message again when its handling failed', async () => {
    const messageId = randomUUID();
    const fails = receiveOnce(t.database.db, messageId, () => Promise.reject(new Error('not now')));
    await expect(fails).rejects.toThrow('not now');
    expect(await receiveOnce(t.database.db, messageId, (tx) => t.recordEffect(tx, 'effect'))).toBe(true);
  });
});

describe('the sweep', () => {
  it('forgets receipts and idempotency records after 30 days, and nothing younger', async () => {
    const insert = (days: number) =>
      t.query(
        `with moment as (select clock_now() - make_interval(days => $1) as at),
              one as (insert into inbox select gen_random_uuid(), at from moment)
         insert into idempotency_records select 'p', gen_random_uuid()::text, 'op', repeat('a', 64), 'o', 201, at from moment`,
        [days],
      );
    for (const days of [0, RETENTION_DAYS - 1, RETENTION_DAYS + 1, 365]) await insert(days);
    expect(await sweepLoop(t.database.db, false).round(new AbortController().signal)).toBe('done');
    const counts = await t.query(
      'select (select count(*)::int from inbox) as inbox, (select count(*)::int from idempotency_records) as records',
    );
    expect(counts).toEqual([{ inbox: 2, records: 2 }]);
  });

  it('forgets dead letters 30 days after they were handled again, or were not believed; one that waits stays', async () => {
    const insert = (name: string, days: number, row: string) =>
      t.query(
        `insert into dead_letters (message_id, type, aggregate_id, occurred_at, body, died_at, status, refused, redriven_at)
         select $1, 't', 'a', '', '', clock_now() - make_interval(days => $2), ${row}`,
        [name, days],
      );
    await insert('waits', 365, `'WAITING', false, null`);
    await insert('handled long ago', 365, `'REDRIVEN', false, clock_now() - interval '31 days'`);
    await insert('handled lately', 365, `'REDRIVEN', false, clock_now() - interval '29 days'`);
    await insert('forged long ago', 31, `'WAITING', true, null`);
    await insert('forged lately', 29, `'WAITING', true, null`);
    await watchDeadLetters(t.database.db).round(new AbortController().signal);
    expect((await deadLettersWaiting.get()).values[0]?.value).toBe(3);
    await sweepLoop(t.database.db, true).round(new AbortController().signal);
    const left = await t.query<{ message_id: string }>('select message_id from dead_letters order by message_id');
    expect(left.map((row) => row.message_id)).toEqual(['forged lately', 'handled lately', 'waits']);
  });

  it('works in batches and says that more is left', async () => {
    await t.query(`insert into inbox select gen_random_uuid(), clock_now() - interval '40 days' from generate_series(1, 5001)`);
    const loop = sweepLoop(t.database.db, false);
    expect(await loop.round(new AbortController().signal)).toBe('more');
    expect(await loop.round(new AbortController().signal)).toBe('done');
    expect(await t.query('select from inbox')).toHaveLength(0);
  });
});

describe('a statement with parameters', () => {
  const prepared = (text: string) =>
    selectRows<{ uses: number }>(
      t.database.db,
      sql`select (generic_plans + custom_plans)::int as uses from pg_prepared_statements where statement = ${text}`,
    );

  it('is parsed once a connection, in and outside transactions', async () => {
    const named = (name: string) => sql`select count(*) from effects where name = ${name}`;
    await selectRows(t.database.db, named('one'));
    await selectRows(t.database.db, named('two'));
    await inTransaction(t.database.db, (tx) => tx.execute(named('three')));
    expect(t.database.pool.totalCount).toBe(1);
    const rows = await prepared('select count(*) from effects where name = $1');
    expect(rows).toEqual([{ uses: 3 }]);
  });

  it('is prepared up to a limit on each connection, by itself and sent whole; later ones work, too', async () => {
    const texts = Array.from({ length: PREPARED_MAX + 5 }, (_, at) => `as "column ${String(at)}"`);
    const ways = [
      async (text: string) => {
        const { rows } = await t.database.pool.query<Record<string, number>>(`select $1::int ${text}`, [7]);
        return rows[0];
      },
      async (text: string) => {
        const [rows] = await inOneRoundTrip(t.database.db, [sql`select ${7}::int ${sql.raw(text)}`]);
        return rows?.[0];
      },
    ];
    for (const way of ways) for (const text of texts) expect(Object.values((await way(text)) ?? {})).toEqual([7]);
    expect(t.database.pool.totalCount).toBe(1);
    const counted = `select name like 'whole.%' as whole, count(*)::int as count from pg_prepared_statements
      where statement like 'select $1::int as "column%' group by 1 order by 1`;
    expect(await selectRows(t.database.db, sql.raw(counted))).toEqual([
      { whole: false, count: PREPARED_MAX },
      { whole: true, count: PREPARED_MAX },
    ]);

    const other = openDatabase({ url: t.url, applicationName: 'another', poolSize: 1, onIdleError: () => undefined });
    await other.pool.query(`select $1::int ${texts.at(-1) ?? ''}`, [7]);
    expect(await selectRows(other.db, sql.raw(counted))).toEqual([{ whole: false, count: 1 }]);
    await other.close();
  });

  it('gives rows and errors as before, and works again after an error', async () => {
    const half = (divisor: number) => selectRows<{ half: number }>(t.database.db, sql`select 4 / ${divisor}::int as half`);
    const failed: unknown = await half(0).catch((error: unknown) => error);
    expect(sqlState(failed)).toBe('22012');
    expect(await half(2)).toEqual([{ half: 2 }]);
    const wrong = () => t.database.pool.query('select nothing from effects where name = $1', ['x']);
    await expect(wrong()).rejects.toThrow('nothing');
    await expect(wrong()).rejects.toThrow('nothing');
    expect(await half(4)).toEqual([{ half: 1 }]);
  });
});
