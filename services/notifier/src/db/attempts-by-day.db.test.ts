import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDatabase, type Database } from '@pay/shared/postgres/connect/pool.ts';
import { Journal, migrateDatabase } from '@pay/shared/postgres/migrate.ts';
import { partitionsLoop, SWEEP_BATCH } from '@pay/shared/postgres/partitions.ts';
import { partitionsEnd } from '@pay/shared/telemetry/metrics.ts';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/database.ts';
import { GRANTS } from './grants.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
/** The last migration of the version before. */
const BEFORE = '0019_index_event_positions';
const DAY_MS = 86_400_000;
const INSERT = `insert into attempts (event_id, partner_id, number, url, key_ids, started_at, duration_ms, outcome)
  values (gen_random_uuid(), $2, 1, '', '', $1, 1, 'DELIVERED')`;

let test: TestDatabase;
let service: Database;
let owner: pg.Client;
let folder: string;
beforeEach(async () => {
  // The notifier's schema is still empty there.
  test = await createTestDatabase('gateway');
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  cpSync(MIGRATIONS, folder, { recursive: true });
  owner = new pg.Client({ connectionString: test.ownerUrl });
  await owner.connect();
  await owner.query('set search_path = notifier');
  service = openDatabase({ url: test.urls.notifier, applicationName: 'notifier', poolSize: 3, onIdleError: () => undefined });
});
afterEach(async () => {
  await Promise.all([service.close(), owner.end()]);
  rmSync(folder, { recursive: true });
  await test.drop();
});

/** Migrates as a release that ends with this migration; without a name, to the newest. */
async function migrate(last?: string): Promise<void> {
  const file = join(folder, 'meta/_journal.json');
  const { entries } = Journal.parse(JSON.parse(readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')));
  const count = last === undefined ? entries.length : entries.findIndex(({ tag }) => tag === last) + 1;
  writeFileSync(file, JSON.stringify({ entries: entries.slice(0, count) }));
  // Without those of tables that later releases made.
  const { moved_partners: _moved, used_identities: _used, ...before } = GRANTS;
  const grants = last === undefined ? GRANTS : before;
  await migrateDatabase({ url: test.ownerUrl, schema: 'notifier', folder, environment: 'TEST', role: 'notifier', grants });
}

/** Midnight UTC, that many days after the first partition ends. */
let firstEnds: number;
const at = (days: number, ms = 0) => new Date(firstEnds + days * DAY_MS + ms);
const nameOf = (days: number) => `attempts_${at(days).toISOString().slice(0, 10).replaceAll('-', '')}`;
const setClock = (moment: Date) =>
  owner.query(`create or replace function clock_now() returns timestamptz language sql stable
    as $$ select '${moment.toISOString()}'::timestamptz $$`);
const roll = () => partitionsLoop(service.db, 'attempts').round(new AbortController().signal);
const insert = (moment: Date, name: string) => service.pool.query(INSERT, [moment, name]);
const rows = async (query: string) => (await service.pool.query<{ name: string }>(query)).rows.map(({ name }) => name);
const partitions = () => rows(`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'attempts'::regclass order by 1`);
const placeOf = async (name: string) =>
  (await rows(`select tableoid::regclass::text as name from attempts where partner_id = '${name}'`))[0];

it('becomes the first partition while the version before writes, reads and deletes', async () => {
  await migrate(BEFORE);
  const session = new pg.Client({ connectionString: test.urls.notifier });
  await session.connect();
  const prepared = { name: 'insert', text: INSERT };
  const now = Date.now();
  for (const days of [-40, 0]) await session.query({ ...prepared, values: [new Date(now + days * DAY_MS), `before ${String(days)}`] });
  await migrate();
  await session.query({ ...prepared, values: [new Date(now), 'after'] });
  const all = () => session.query<{ partner_id: string; id: string }>('select partner_id, id from attempts order by id desc');
  expect((await all()).rows).toEqual([
    { partner_id: 'after', id: '3' },
    { partner_id: 'before 0', id: '2' },
    { partner_id: 'before -40', id: '1' },
  ]);
  await session.query('delete from attempts where id in (select id from attempts order by id limit 1)');
  expect((await all()).rowCount).toBe(2);
  await session.end();
});

it('begins after the newest row, where a TEST clock had been ahead', async () => {
  await migrate(BEFORE);
  const ahead = new Date(Date.now() + 90 * DAY_MS);
  await insert(ahead, 'ahead');
  await migrate();
  expect(await placeOf('ahead')).toBe('attempts_before');
});

it('is attached without being read', async () => {
  await migrate('0021_validate_attempts_before');
  const notices: (string | undefined)[] = [];
  owner.on('notice', ({ message }) => notices.push(message));
  await owner.query('set client_min_messages = debug1');
  for (const statement of readFileSync(join(MIGRATIONS, '0022_keep_attempts_by_day.sql'), 'utf8').split('--> statement-breakpoint'))
    await owner.query(statement);
  expect(notices).toContain('partition constraint for table "attempts_before" is implied by existing constraints');
});

describe('once migrated', () => {
  beforeEach(async () => {
    await migrate();
    firstEnds = Math.floor(Date.now() / DAY_MS + 7) * DAY_MS;
    await setClock(at(0, -DAY_MS));
    await roll();
  });

  it('has the next three days, each row in that of its day, and a place for all others', async () => {
    expect(await partitions()).toEqual([nameOf(0), nameOf(1), nameOf(2), 'attempts_before', 'attempts_other']);
    const edges = [
      [at(0, -1), 'attempts_before'],
      [at(0), nameOf(0)],
      [at(1, -1), nameOf(0)],
      [at(1), nameOf(1)],
      [at(3, -1), nameOf(2)],
      [at(3), 'attempts_other'],
    ] as const;
    for (const [moment, place] of edges) {
      await insert(moment, moment.toISOString());
      expect([moment, await placeOf(moment.toISOString())]).toEqual([moment, place]);
    }
    expect((await partitionsEnd.get()).values).toContainEqual({ labels: { table: 'attempts' }, value: at(3).getTime() / 1_000 });
    // A process that has just started and can make none says how long those that are there last.
    partitionsEnd.reset();
    await owner.query('alter function roll_attempts_partitions() rename to rolls_nothing');
    await expect(roll()).rejects.toThrow();
    await owner.query('alter function rolls_nothing() rename to roll_attempts_partitions');
    expect((await partitionsEnd.get()).values).toContainEqual({ labels: { table: 'attempts' }, value: at(3).getTime() / 1_000 });
    // Nobody rolled for days: a row that came meanwhile moves to its day.
    await setClock(at(3));
    await Promise.all([roll(), roll()]);
    expect(await placeOf(at(3).toISOString())).toBe(nameOf(3));
  });

  it('drops a day when all of it is thirty days old, and numbers on when the first partition is gone', async () => {
    await insert(at(0, -1), 'first');
    await insert(at(0), 'second');
    await setClock(at(30, -1));
    await roll();
    expect(await partitions()).toContain('attempts_before');
    await setClock(at(30));
    await roll();
    expect(await partitions()).toEqual([0, 1, 2, 29, 30, 31, 32, 33].map(nameOf).concat('attempts_other'));
    expect([await placeOf('first'), await placeOf('second')]).toEqual([undefined, nameOf(0)]);
    await insert(at(30), 'third');
    await setClock(at(31));
    await roll();
    expect([await placeOf('second'), await placeOf('third')]).toEqual([undefined, nameOf(30)]);
    expect(await rows('select id::text as name from attempts')).toEqual(['3']);
  });

  it('deletes in batches what is old in the first partition while younger rows keep it', async () => {
    await service.pool.query(
      `insert into attempts (event_id, partner_id, number, url, key_ids, started_at, duration_ms, outcome)
       select gen_random_uuid(), 'old', 1, '', '', $1::timestamptz, 1, 'DELIVERED' from generate_series(1, $2)`,
      [at(-32), SWEEP_BATCH],
    );
    await insert(at(0, -1), 'young');
    expect([await roll(), await roll()]).toEqual(['more', 'done']);
    expect(await rows('select partner_id as name from attempts')).toEqual(['young']);
  });

  it('keeps nobody waiting behind somebody who reads for long', async () => {
    const connectionString = test.urls.notifier;
    const [reader, writer] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
    await Promise.all([reader.connect(), writer.connect()]);
    await reader.query('begin; select from attempts');
    await setClock(at(31));
    const progress = { isOver: false };
    const rolled = roll().finally(() => (progress.isOver = true));
    const isBlocked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while (!progress.isOver && (await owner.query(isBlocked)).rowCount === 0);
    // Ten times as long as a partition waits, and half of what services wait.
    await writer.query(`set lock_timeout = '1s'`);
    await writer.query(INSERT, [at(31), 'meanwhile']);
    expect(await rolled).toBe('done');
    expect(await partitions()).toContain('attempts_before');
    await reader.query('commit');
    await roll();
    expect(await partitions()).not.toContain('attempts_before');
    expect(await placeOf('meanwhile')).toBe(nameOf(31));
    await Promise.all([reader.end(), writer.end()]);
  });
});
