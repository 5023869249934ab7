import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { emptyDatabase, migrateMechanisms, MIGRATIONS } from '../../test/mechanisms.ts';
import type { Grants } from './grants.ts';
import { migrateDatabase } from './migrate.ts';

let database: Awaited<ReturnType<typeof emptyDatabase>>;
beforeAll(async () => {
  database = await emptyDatabase();
});
afterAll(() => database.drop());

describe('migrateDatabase', () => {
  it('applies each migration once, run four times at once and then again', async () => {
    const run = () => migrateMechanisms(database.url);
    await Promise.all([run(), run(), run(), run()]);
    await run();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const applied = await client.query('select from migrations');
    const tables = await client.query(`select from information_schema.tables where table_schema = $1`, [database.schema]);
    await client.end();
    expect(applied.rowCount).toBe(1);
    expect(tables.rowCount).toBe(12);
  });

  describe('with migrations of a test', () => {
    let own: Awaited<ReturnType<typeof emptyDatabase>>;
    let folder: string;
    const clients: pg.Client[] = [];
    beforeAll(async () => {
      own = await emptyDatabase();
      folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    });
    afterAll(async () => {
      await Promise.all(clients.map((client) => client.end()));
      await own.drop();
      rmSync(folder, { recursive: true });
    });
    const connect = async () => {
      const client = new pg.Client({ connectionString: own.url, statement_timeout: 20_000 });
      await client.connect();
      await client.query(`set search_path = ${own.schema}`);
      clients.push(client);
      return client;
    };
    const files: string[] = [];
    const add = (text: string) => {
      files.push(text);
      const entries = files.map((_file, index) => ({ tag: `000${String(index)}_x`, when: index + 1 }));
      mkdirSync(join(folder, 'meta'), { recursive: true });
      writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ entries }));
      files.forEach((file, index) => {
        writeFileSync(join(folder, `000${String(index)}_x.sql`), file);
      });
    };
    const run = (grants: Grants = { things: ['select'] }) =>
      migrateDatabase({ url: own.url, schema: own.schema, folder, environment: 'LIVE', role: 'gateway', grants });

    it('builds an index concurrently, outside of a transaction, run three times at once', async () => {
      add('create table things (a int)');
      add('drop index concurrently if exists things_a;--> statement-breakpoint\ncreate index concurrently things_a on things (a);');
      add('-- not an index concurrently: a comment\nalter table things add column b int');
      await Promise.all([run(), run(), run()]);
      const client = await connect();
      const { rows } = await client.query(
        `select indisvalid, (select count(*)::int from migrations) as applied from pg_index where indexrelid = 'things_a'::regclass`,
      );
      expect(rows).toEqual([{ indisvalid: true, applied: 3 }]);
    });

    it('lets readers pass while it waits for a lock', async () => {
      const [holder, watcher, reader] = [await connect(), await connect(), await connect()];
      await holder.query('begin');
      await holder.query('select from things');
      add('alter table things add column c int');
      const migrated = run();
      for (let blocked = 0; blocked === 0;) {
        const { rows } = await watcher.query<{ blocked: number }>(`select count(*)::int as blocked from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`);
        blocked = rows[0]?.blocked ?? 0;
      }
      // Behind a migration that keeps its place in the queue this would time out.
      expect((await reader.query('select from things')).rowCount).toBe(0);
      await holder.query('commit');
      await migrated;
      expect((await reader.query('select c from things')).rowCount).toBe(0);
    });

    it('lets the service use what is committed before an index that fails, and what comes later', async () => {
      add("create sequence numbers;--> statement-breakpoint\ncreate table numbered (a int default nextval('numbers'))");
      add('create index concurrently numbered_b on numbered (b)');
      const grants: Grants = { things: ['select'], numbered: ['insert'], later: ['insert'] };
      await expect(run(grants)).rejects.toThrow('column "b" does not exist');
      const service = await connect();
      await service.query(`grant usage on schema ${own.schema} to gateway; set role gateway`);
      expect((await service.query('insert into numbered default values')).rowCount).toBe(1);
      files.pop();
      add('create table later (a int)');
      await run(grants);
      expect((await service.query('insert into later values (1)')).rowCount).toBe(1);
    });

    it('validates a constraint when the one that added it is committed and its locks are gone', async () => {
      const grants: Grants = { things: ['select'], numbered: ['insert'], later: ['insert'] };
      const client = await connect();
      await client.query('insert into things (a) values (-1)');
      add('alter table things add constraint positive check (a > 0) not valid');
      add('alter table things validate constraint positive');
      const isValidated = async () =>
        (await client.query<{ is: boolean }>(`select convalidated as is from pg_constraint where conname = 'positive'`)).rows;
      await expect(run(grants)).rejects.toThrow('violated by some row');
      expect(await isValidated()).toEqual([{ is: false }]);
      await client.query('delete from things');
      await run(grants);
      expect(await isValidated()).toEqual([{ is: true }]);
    });

    it('leaves nothing of a migration that fails, and of those together with it', async () => {
      add('create table more (a int)');
      add('alter table nowhere add column a int');
      await expect(run()).rejects.toThrow('relation "nowhere" does not exist');
      const client = await connect();
      expect((await client.query(`select to_regclass('more') as more`)).rows).toEqual([{ more: null }]);
    });
  });

  it('fails, and says so, when the database is not there', async () => {
    const nowhere = migrateDatabase({
      url: 'postgres://nobody@127.0.0.1:1/nothing',
      schema: 'x',
      folder: MIGRATIONS,
      environment: 'LIVE',
      role: 'nobody',
      grants: {},
    });
    await expect(nowhere).rejects.toThrow('ECONNREFUSED');
  });
});
