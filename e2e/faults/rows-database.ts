import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { execute, serverAccount, serverFolder } from '../../tools/infrastructure/processes.ts';
import { serversFolder } from '../../tools/system/up.ts';
import { clientMessages } from '../../tools/testing/client-messages.ts';
import type { FaultSystem } from './system.ts';
import type { Row } from './table.ts';

const SCHEMAS = ['gateway', 'payments', 'bindings', 'withdrawals', 'notifier'];
/** The sessions of the system's programs. */
const SESSIONS = `datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;

/** Repeats `work` every `pauseMs`, for `seconds`. */
async function again(seconds: number, pauseMs: number, work: () => Promise<unknown>): Promise<void> {
  for (const end = performance.now() + seconds * 1_000; performance.now() < end;) {
    await work();
    await wait(pauseMs);
  }
}

/** Changes a server setting, and resets it after `seconds`. */
async function withSetting({ query }: FaultSystem, setting: string, value: string, seconds: number): Promise<void> {
  await query(`alter system set ${setting} = ${value}`);
  await query('select pg_reload_conf()');
  await wait(seconds * 1_000);
  // A session that became read-only may still be.
  await query(`alter system reset ${setting}`);
  await query('select pg_reload_conf()');
}

/**
 * A COMMIT, or a transaction that is sent whole: several statements before one Sync (decisions/sql-statements). One of
 * a single statement looks like a read.
 */
function isCommit(chunk: Buffer): boolean {
  let executed = 0;
  for (const { type } of clientMessages(chunk)) {
    if (type === 'E') executed += 1;
    if (type !== 'S') continue;
    if (executed > 1) return true;
    executed = 0;
  }
  return chunk.includes('commit\0');
}

/** Resets the connection at one in so many commits; the server may have carried it out. */
function everyCommit(share: number): (chunk: Buffer) => boolean {
  let commits = 0;
  return (chunk) => {
    if (!isCommit(chunk)) return false;
    commits += 1;
    return commits % share === 0;
  };
}

/** Holds the locks, or other resources, that `statements` take in one transaction. */
async function holding({ infrastructure }: FaultSystem, statements: readonly string[], seconds: number): Promise<void> {
  const url = new URL(infrastructure.databaseUrl);
  url.pathname = '/pay';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query('begin');
    for (const statement of statements) await client.query(statement);
    await wait(seconds * 1_000);
    await client.query('rollback');
  } finally {
    await client.end();
  }
}

/** Opens and holds as many connections as the server allows. */
async function withEveryConnection({ infrastructure }: FaultSystem, seconds: number): Promise<void> {
  const clients: pg.Client[] = [];
  try {
    for (;;) {
      const client = new pg.Client({ connectionString: infrastructure.databaseUrl });
      client.on('error', () => undefined);
      await client.connect();
      clients.push(client);
    }
  } catch {
    // The server has no connection left.
  }
  await wait(seconds * 1_000);
  await Promise.all(clients.map((client) => client.end()));
}

const SMALL_DISK = 'small_disk';
const MOUNT = 'small-disk';

/** Tables of payments, without partitioned parents, which have no file. */
const TABLES = `select format('%I.%I', n.nspname, c.relname) as name, c.relkind = 'i' as "isIndex"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'payments' and c.relkind in ('r', 'i') and not c.relname = 'migrations' order by c.relkind desc, 1`;

async function moveTables({ query }: FaultSystem, tablespace: string): Promise<void> {
  for (const { name, isIndex } of await query<{ name: string; isIndex: boolean }>(TABLES))
    await untilDone(() => query(`set lock_timeout = '500ms'; alter ${isIndex ? 'index' : 'table'} ${name} set tablespace ${tablespace}`));
}

/** Moves the tables of payments to a file system of their own, of 64 MiB. */
async function moveToSmallDisk(system: FaultSystem): Promise<{ readonly path: string }> {
  const account = serverAccount(['postgres']);
  const { path } = serverFolder(system.world.system.folder, MOUNT, account);
  const owner = account === undefined ? '' : `,uid=${String(account.uid)},gid=${String(account.gid)}`;
  await execute('mount', ['-t', 'tmpfs', '-o', `size=64m,mode=700${owner}`, 'tmpfs', path]);
  system.leftovers.push(() => execute('umount', [path]));
  await system.query(`create tablespace ${SMALL_DISK} location '${path}'`);
  await moveTables(system, SMALL_DISK);
  return { path };
}

async function leaveSmallDisk(system: FaultSystem): Promise<void> {
  await moveTables(system, 'pg_default');
  await system.query(`drop tablespace ${SMALL_DISK}`);
  await execute('umount', [serverFolder(system.world.system.folder, MOUNT, serverAccount(['postgres'])).path]);
}

export const DATABASE_ROWS: readonly Row[] = [
  {
    name: 'sessions-ended',
    fault: 'five of PostgreSQL’s sessions terminated a second, for 5 s',
    inject: ({ query }) =>
      again(5, 200, () =>
        query(
          `select pg_terminate_backend(pid) from (select pid from pg_stat_activity where ${SESSIONS} order by random() limit 1) as one`,
        ),
      ),
  },
  {
    name: 'commits-reset',
    fault: 'one in 20 connections reset at its COMMIT, for 6 s',
    quick: true,
    inject: async ({ links }) => {
      await links.database.set({ resetsOn: everyCommit(20) });
      await wait(6_000);
      await links.database.set({});
    },
  },
  {
    name: 'statements-cancelled',
    fault: 'running statements cancelled every 20 ms, for 6 s',
    inject: ({ query }) =>
      again(6, 20, () => query(`select pg_cancel_backend(pid) from pg_stat_activity where ${SESSIONS} and state = 'active'`)),
  },
  {
    name: 'database-slow',
    fault: 'PostgreSQL at 1 byte/s for 8 s',
    inject: async ({ links }) => {
      await links.database.set({ bytesPerSecond: 1 });
      await wait(8_000);
      await links.database.set({});
    },
  },
  {
    name: 'database-frozen',
    fault: 'nothing passes to or from PostgreSQL for 8 s',
    quick: true,
    inject: async ({ links }) => {
      await links.database.set({ frozen: true });
      await wait(8_000);
      await links.database.set({});
    },
  },
  {
    name: 'database-half-open',
    fault: 'every connection to PostgreSQL leads nowhere for ever; new ones too, for 8 s',
    inject: async ({ links }) => {
      await links.database.set({ frozen: true });
      links.database.abandon();
      await wait(8_000);
      links.database.abandon();
      await links.database.set({});
    },
  },
  {
    name: 'database-read-only',
    fault: 'PostgreSQL takes no writes for 8 s',
    inject: (system) => withSetting(system, 'default_transaction_read_only', 'on', 8),
  },
  {
    name: 'connections-held',
    fault: 'somebody holds every connection that PostgreSQL has left, for 8 s, and every session of ours is ended once',
    inject: async (system) => {
      const held = withEveryConnection(system, 8);
      await wait(1_000);
      system.links.database.reset();
      await held;
    },
  },
  {
    name: 'database-killed',
    fault: 'PostgreSQL stopped at once (immediate) and started, three times',
    inject: async ({ infrastructure }) => {
      for (let time = 0; time < 3; time += 1) {
        await infrastructure.restart('database');
        await wait(1_000);
      }
    },
  },
  {
    name: 'database-full',
    fault: 'the file system of payments’ tables full: first until PostgreSQL says so, then for 6 s',
    problem: ({ infrastructure }) =>
      process.getuid?.() !== 0 || infrastructure.rung === 1 || infrastructure.rung === 3
        ? 'only root may mount a file system, and only for a PostgreSQL of this machine'
        : undefined,
    inject: async (system) => {
      const { path } = await moveToSmallDisk(system);
      const ballast = join(path, 'ballast');
      const log = join(serversFolder(system.world.system.folder), 'postgres.log');
      const complaints = () => readFileSync(log, 'utf8').split('No space left on device').length;
      const before = complaints();
      // Fills the remaining space; the last write is the one that fails.
      await execute('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k']).catch(() => undefined);
      for (const end = performance.now() + 60_000; complaints() === before;) {
        if (performance.now() > end) throw new Error('the file system was full, and PostgreSQL did not notice');
        await wait(100);
      }
      await wait(6_000);
      rmSync(ballast);
    },
    tidy: leaveSmallDisk,
  },
  {
    name: 'tables-locked',
    fault: 'the notifier’s tables locked for 8 s',
    inject: (system) => holding(system, ['lock table notifier.events, notifier.aggregates in access exclusive mode'], 8),
  },
  {
    name: 'columns-added',
    fault: 'a column added to and dropped from every table of five services',
    inject: async ({ query }) => {
      const tables = await query<{ name: string }>(
        `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
        [SCHEMAS],
      );
      for (const { name } of tables) {
        const alter = (what: string) => query(`set lock_timeout = '500ms'; alter table ${name} ${what}`);
        await untilDone(() => alter('add column of_a_migration text'));
        await untilDone(() => alter('drop column of_a_migration'));
      }
    },
  },
];

/** The way a migration runs under traffic: a statement that waits too long for its lock is retried. */
async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt === 20) throw error;
      await wait(100);
    }
  }
}
