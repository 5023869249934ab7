import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { startTestDatabase } from '../../test/gateway.ts';
import { claimNonces, endOfNoncePartitions, rollNoncePartitions } from './nonces.ts';

let test: Awaited<ReturnType<typeof startTestDatabase>>;
let owner: pg.Pool;

beforeAll(async () => {
  test = await startTestDatabase();
  owner = new pg.Pool({ connectionString: test.ownerUrl, max: 1 });
});

beforeEach(async () => {
  await rollNoncePartitions(test.database.pool);
});

afterAll(async () => {
  await owner.end();
  await test.drop();
});

const onIdleError = () => undefined;
const digest = () => randomUUID().replaceAll('-', '');
const currentSlot = async () => {
  const { rows } = await test.database.pool.query<{ slot: string }>('select (extract(epoch from now())::bigint / 900)::text as slot');
  return Number(rows[0]?.slot);
};
const partitions = async () => {
  const { rows } = await test.database.pool.query<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'nonces'::regclass order by 1",
  );
  return rows.map((row) => row.name);
};

it('tells the fresh ones of a batch', async () => {
  const [first, second] = [digest(), digest()];
  expect(await claimNonces(test.database.db, [first])).toEqual(new Set([first]));
  expect(await claimNonces(test.database.db, [second, first])).toEqual(new Set([second]));
});

it('is planned once per connection', async () => {
  const single = openDatabase({ url: test.url, applicationName: 'one connection', poolSize: 1, onIdleError });
  for (let claim = 0; claim < 7; claim += 1) await claimNonces(single.db, [digest()]);
  const { rows } = await single.pool.query(
    `select custom_plans::int as custom from pg_prepared_statements where statement like '%insert into nonces%'`,
  );
  expect(rows).toEqual([{ custom: 0 }]);
  await single.close();
});

it('refuses a nonce of the slot before', async () => {
  const used = digest();
  await test.database.pool.query('insert into nonces (slot, digest) values ($1, $2)', [(await currentSlot()) - 1, used]);
  expect(await claimNonces(test.database.db, [used])).toEqual(new Set());
});

it('two statements at once: exactly one gets it', async () => {
  const wanted = Array.from({ length: 50 }, digest);
  const results = await Promise.all(Array.from({ length: 8 }, () => claimNonces(test.database.db, wanted)));
  expect(results.reduce((sum, fresh) => sum + fresh.size, 0)).toBe(50);
});

it('drops what is older than the slot before, makes what comes, also from two replicas at once', async () => {
  const slot = await currentSlot();
  await owner.query(`create table nonces_${String(slot - 2)} partition of nonces for values in (${String(slot - 2)})`);
  await owner.query(`drop table nonces_${String(slot + 2)}`);
  await Promise.all([rollNoncePartitions(test.database.pool), rollNoncePartitions(test.database.pool)]);
  expect(await partitions()).toEqual([slot - 1, slot, slot + 1, slot + 2].map((kept) => `nonces_${String(kept)}`));
  expect(await rollNoncePartitions(test.database.pool)).toEqual({ made: 0, dropped: 0 });
  expect(await endOfNoncePartitions(test.database.db)).toBe((slot + 3) * 900);
});

it('makes what comes beside somebody who reads for long, drops nothing then, and keeps nobody waiting', async () => {
  const slot = await currentSlot();
  await owner.query(`create table nonces_${String(slot - 2)} partition of nonces for values in (${String(slot - 2)})`);
  await owner.query(`drop table nonces_${String(slot + 2)}`);
  const reader = new pg.Client({ connectionString: test.url });
  await reader.connect();
  await reader.query('begin; select from nonces');
  const rolled = rollNoncePartitions(test.database.pool);
  expect((await claimNonces(test.database.db, [digest()])).size).toBe(1);
  expect(await rolled).toEqual({ made: 1, dropped: 0 });
  await reader.query('commit');
  expect(await rollNoncePartitions(test.database.pool)).toEqual({ made: 0, dropped: 1 });
  await reader.end();
});

/** An advisory lock. */
const HELD = 77;

describe('at the turn of a slot', () => {
  // A clock that the test sets: a function of the same name that precedes pg_catalog in the search path.
  beforeAll(async () => {
    await owner.query(`create or replace function clock_timestamp() returns timestamptz language sql stable
      as $$ select to_timestamp(current_setting('nonces.now')::float8) $$`);
    // And a statement that has written waits, where its replica asks for that.
    await owner.query(`create function hold() returns trigger language plpgsql as $$ begin
        if current_setting('nonces.ends', true) in ('commits', 'fails') then perform pg_advisory_xact_lock(${String(HELD)}); end if;
        if current_setting('nonces.ends', true) = 'fails' then raise exception 'it fails'; end if;
        return null;
      end $$`);
    await owner.query('create trigger hold after insert on nonces for each statement execute function hold()');
  });

  /**
   * A replica whose clock stands that many whole seconds past the start of the current slot (claims use whole seconds).
   */
  async function replicaAt(secondsAfterTurn: number, ends: 'commits' | 'fails' | 'at-once' = 'at-once') {
    const moment = (await currentSlot()) * 900 + secondsAfterTurn;
    const url = new URL(test.url);
    url.searchParams.set('options', `-c search_path=gateway,pg_catalog -c nonces.now=${String(moment)} -c nonces.ends=${ends}`);
    const database = openDatabase({ url: url.href, applicationName: 'replica', poolSize: 1, onIdleError });
    const { rows } = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    return { ...database, pid: rows[0]?.pid ?? 0 };
  }

  const untilBlocked = async (pid: number) => {
    const sql = `select wait_event_type = 'Lock' as blocked from pg_stat_activity where pid = $1`;
    while ((await test.database.pool.query<{ blocked: boolean | null }>(sql, [pid])).rows[0]?.blocked !== true) await wait(5);
  };

  /** Two replicas claim one nonce: the second while the first one's statement is still running, and then commits or fails. */
  async function claimTwice(firstAt: number, secondAt: number, firstEnds: 'commits' | 'fails') {
    const wanted = digest();
    const [first, second] = [await replicaAt(firstAt, firstEnds), await replicaAt(secondAt)];
    await owner.query(`select pg_advisory_lock(${String(HELD)})`);
    const claims = [];
    for (const { db, pid } of [first, second]) {
      claims.push(claimNonces(db, [wanted]).then((value) => [...value], String));
      await untilBlocked(pid);
    }
    await owner.query(`select pg_advisory_unlock(${String(HELD)})`);
    const answers = await Promise.all(claims);
    await Promise.all([first.close(), second.close()]);
    return { wanted, answers };
  }

  it.each([
    ['a statement of the old slot that is still running', -1, 0],
    ['a statement of the new slot that is still running', 0, -1],
    ['a statement of the young slot that is still running', 9, -1],
  ])('a nonce waits for %s, and is refused when that one took it', async (_name, firstAt, secondAt) => {
    const { wanted, answers } = await claimTwice(firstAt, secondAt, 'commits');
    expect(answers).toEqual([[wanted], []]);
  });

  it('a nonce of which the other statement lets go is taken', async () => {
    const { wanted, answers } = await claimTwice(-1, 0, 'fails');
    expect(answers).toEqual([expect.stringContaining('it fails'), [wanted]]);
  });

  it.each([-600, -1, 0, 5, 9, 10, 600])('used a second before the turn, it is refused %d s after it', async (later) => {
    const used = digest();
    const [before, after] = [await replicaAt(Math.min(-1, later)), await replicaAt(later)];
    expect(await claimNonces(before.db, [used])).toEqual(new Set([used]));
    expect(await claimNonces(after.db, [used])).toEqual(new Set());
    await Promise.all([before.close(), after.close()]);
  });
});
