import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { freePorts } from '../../../../../tools/infrastructure/ports.ts';
import { openMechanisms, type Mechanisms } from '../../../test/mechanisms.ts';
import { startPooler } from '../../../test/pooler.ts';
import { ConfigError } from '../../config/config.ts';
import { selectRows } from '../select-rows.ts';
import { LIMITS_MS, openDatabase } from './pool.ts';
import { demandSessions, type DatabaseAddresses } from './sessions.ts';

const KEEPS_NO_SESSIONS = { takesNoSettings: true, dropsNotifications: true } as const;
const LIKE_PGBOUNCER = { ...KEEPS_NO_SESSIONS, renamesStatements: true } as const;

let t: Mechanisms;
let stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  t = await openMechanisms();
});
afterEach(async () => {
  for (const stop of stops) await stop();
  stops = [];
});
afterAll(() => t.close());

const pooler = async (...[habits]: [Parameters<typeof startPooler>[1]]): Promise<string> => {
  const started = await startPooler(t.url, habits);
  stops.push(() => started.stop());
  return started.url;
};

/** What a role of a service behind a pooler is given; here the whole database, because the user is the superuser. */
const giveLimits = async (limits: Readonly<Record<string, number>>) => {
  const database = pg.escapeIdentifier(new URL(t.url).pathname.slice(1));
  await t.query(`alter database ${database} reset all`);
  await t.query(`alter database ${database} set search_path = mechanisms`);
  for (const [name, ms] of Object.entries(limits)) await t.query(`alter database ${database} set ${name} = ${String(ms)}`);
};

const complaint = async (addresses: DatabaseAddresses): Promise<string> => {
  const error: unknown = await demandSessions(addresses, (err) => {
    throw err;
  }).catch((thrown: unknown) => thrown);
  if (!(error instanceof ConfigError)) throw new Error('it was taken', { cause: error });
  return error.message;
};
const expectAccepted = async (addresses: DatabaseAddresses): Promise<void> => {
  const asked = demandSessions(addresses, (err) => {
    throw err;
  });
  await expect(asked).resolves.toBeUndefined();
};

describe('the address of the database', () => {
  it('is taken where it is PostgreSQL itself, or a pooler that keeps sessions (F5)', async () => {
    await expectAccepted({ DATABASE_URL: t.url });
    await expectAccepted({ DATABASE_URL: await pooler({}) });
  });

  it('is refused, with what to do, where it is a pooler that takes no settings (F5)', async () => {
    expect(await complaint({ DATABASE_URL: await pooler({ takesNoSettings: true }) })).toBe(
      'DATABASE_URL leads to a pooler that takes no settings (unsupported startup parameter: statement_timeout): set DATABASE_DIRECT_URL to the address of PostgreSQL itself',
    );
  });

  it('is refused where LISTEN hears nothing, and so is such a DATABASE_DIRECT_URL (F5)', async () => {
    const url = await pooler({ dropsNotifications: true });
    const heard = 'leads to a pooler that keeps no sessions, so that LISTEN hears nothing';
    expect(await complaint({ DATABASE_URL: url })).toBe(
      `DATABASE_URL ${heard}: set DATABASE_DIRECT_URL to the address of PostgreSQL itself`,
    );
    expect(await complaint({ DATABASE_URL: url, DATABASE_DIRECT_URL: url })).toBe(
      `DATABASE_DIRECT_URL ${heard}: it has to be the address of PostgreSQL itself`,
    );
  });
});

const KEEPS_HALF =
  'leads to a server or pooler that keeps half of a transaction that failed: it has to lead to PostgreSQL itself, or to a pooler that passes on each transaction as it is';

describe('with transactions', () => {
  it('is refused where half of a failing pair is kept, whichever of the two addresses it is (point 5)', async () => {
    await giveLimits(LIMITS_MS);
    const splitting = await pooler({ splitsTransactions: true });
    expect(await complaint({ DATABASE_URL: splitting })).toBe(`DATABASE_URL ${KEEPS_HALF}`);
    expect(await complaint({ DATABASE_URL: t.url, DATABASE_DIRECT_URL: splitting })).toBe(`DATABASE_DIRECT_URL ${KEEPS_HALF}`);
    const url = await pooler({ ...LIKE_PGBOUNCER, splitsTransactions: true });
    expect(await complaint({ DATABASE_URL: url, DATABASE_DIRECT_URL: t.url })).toBe(`DATABASE_URL ${KEEPS_HALF}`);
  });

  it('is refused where there are none, as at a pooler in statement mode (point 5)', async () => {
    await giveLimits(LIMITS_MS);
    const url = await pooler({ ...LIKE_PGBOUNCER, refusesBegin: true });
    expect(await complaint({ DATABASE_URL: url, DATABASE_DIRECT_URL: t.url })).toBe(
      'DATABASE_URL leads to a pooler without transactions (transaction blocks not allowed in statement pooling mode): it has to be in session or transaction mode',
    );
  });

  it('is refused where the two addresses are of different databases, which do not hear each other', async () => {
    await giveLimits(LIMITS_MS);
    const other = await openMechanisms();
    stops.push(() => other.close());
    expect(await complaint({ DATABASE_URL: await pooler(LIKE_PGBOUNCER), DATABASE_DIRECT_URL: other.url })).toBe(
      'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases: one does not hear what the other sends',
    );
  });
});

describe('with DATABASE_DIRECT_URL', () => {
  it('a pooler in transaction mode is taken that keeps prepared statements, for a role with limits (F6)', async () => {
    await giveLimits(LIMITS_MS);
    const url = await pooler(LIKE_PGBOUNCER);
    await expectAccepted({ DATABASE_URL: url, DATABASE_DIRECT_URL: t.url });
    const database = openDatabase({ url, viaPooler: true, applicationName: 'pooled', onIdleError: () => undefined });
    const rows = await selectRows(database.db, sql`select current_setting('statement_timeout') as limit, ${7}::int as seven`);
    expect(rows).toEqual([{ limit: '5s', seven: 7 }]);
    await database.close();
  });

  it('a pooler that loses prepared statements is refused, unless it keeps sessions (F6)', async () => {
    await giveLimits(LIMITS_MS);
    const direct = { DATABASE_DIRECT_URL: t.url };
    expect(await complaint({ DATABASE_URL: await pooler(KEEPS_NO_SESSIONS), ...direct })).toBe(
      'DATABASE_URL leads to a pooler that keeps no prepared statements: PgBouncer keeps them from 1.21 on, with max_prepared_statements',
    );
    await expectAccepted({ DATABASE_URL: await pooler({}), ...direct });
  });

  it('is refused where nothing bounds a statement, a lock or a forgotten transaction', async () => {
    await giveLimits({ lock_timeout: LIMITS_MS.lock_timeout });
    expect(await complaint({ DATABASE_URL: await pooler(LIKE_PGBOUNCER), DATABASE_DIRECT_URL: t.url })).toBe(
      [
        "DATABASE_URL leads to a pooler, which takes no settings: the limits have to be the role's",
        "  alter role … set statement_timeout = '5000ms'",
        "  alter role … set idle_in_transaction_session_timeout = '10000ms'",
      ].join('\n'),
    );
  });
});

it('is waited for while nothing is there', async () => {
  const { port } = await freePorts(['port']);
  const url = new URL(t.url);
  url.host = `127.0.0.1:${String(port)}`;
  const errors: unknown[] = [];
  await demandSessions({ DATABASE_URL: url.href }, (err) => {
    errors.push(err);
    if (errors.length === 2) void startPooler(t.url, {}, port).then((started) => stops.push(() => started.stop()));
  });
  expect(errors.length).toBeGreaterThanOrEqual(2);
  expect(String(errors[0])).toContain('ECONNREFUSED');
});
