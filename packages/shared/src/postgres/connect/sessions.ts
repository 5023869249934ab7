import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from '../../config/config.ts';
import { isUnavailable, sqlState } from '../errors.ts';
import { sendTogether, sendWhole } from '../fast/send-whole.ts';
import { LIMITS_MS } from './pool.ts';

/** Where a program finds its database. If the second is set, the first is a pooler's. */
export type DatabaseAddresses = { readonly DATABASE_URL: string; readonly DATABASE_DIRECT_URL?: string | undefined };

/** PostgreSQL's own URL: for everything that needs a session (LISTEN, connection settings, session locks). */
export const directUrlOf = ({ DATABASE_URL, DATABASE_DIRECT_URL }: DatabaseAddresses): string => DATABASE_DIRECT_URL ?? DATABASE_URL;

/** Pause before an unavailable database is tried again. */
const AGAIN_MS = 1_000;
const CONNECT_TIMEOUT_MS = 3_000;
const QUERY_TIMEOUT_MS = 7_000;
/** A notification that arrives at all arrives at once; a busy machine may need seconds. */
const HEARD_WITHIN_MS = 5_000;

/**
 * Resolves once the URLs have been verified to provide what the program needs: sessions at PostgreSQL's own URL, prepared
 * statements and limits at a pooler's, and transactions at both. Waits as long as the database is down. See
 * decisions/pooler.
 * @throws ConfigError that names the variable, and what to do
 */
export async function demandSessions(addresses: DatabaseAddresses, onAway: (err: unknown) => void): Promise<void> {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: direct } = addresses;
  await onceThere(onAway, () => demandSession(addresses));
  if (direct !== undefined) await onceThere(onAway, () => demandPooler(url, direct));
}

/**
 * Resolves once a connection to PostgreSQL's own URL has been verified to be one session throughout, with transactions.
 * @throws ConfigError if it is not; Error of the database
 */
export async function demandSession(addresses: DatabaseAddresses): Promise<void> {
  const [name, instead] =
    addresses.DATABASE_DIRECT_URL === undefined
      ? ['DATABASE_URL', 'set DATABASE_DIRECT_URL to the address of PostgreSQL itself']
      : ['DATABASE_DIRECT_URL', 'it has to be the address of PostgreSQL itself'];
  const url = directUrlOf(addresses);
  try {
    const heard = await listenFor({ name, url, listenAt: { connectionString: url, ...LIMITS_MS } });
    if (heard) return;
  } catch (error) {
    if (!isRefusedSetting(error)) throw error;
    throw new ConfigError(`${name} leads to a pooler that takes no settings (${error.message}): ${instead}`);
  }
  throw new ConfigError(`${name} leads to a pooler that keeps no sessions, so that LISTEN hears nothing: ${instead}`);
}

/** Sent by a transaction that fails, and after it. */
const [HALF, END] = ['half', 'end'];
const DIVISION_BY_ZERO = '22012';

/** `url`, called `name` in messages, and where to listen for what is sent there. */
type Heard = { readonly name: string; readonly url: string; readonly listenAt: pg.ClientConfig };

/**
 * Whether a notification that is sent at `url` is heard. Before it a failing transaction sends one: as this system sends transactions
 * (`sendWhole`), and the way PostgreSQL keeps whole without `begin`. It must not be heard.
 * @throws ConfigError if it is, or if there are no transactions
 */
async function listenFor({ name, url, listenAt }: Heard): Promise<boolean> {
  const channel = `sessions.${randomUUID()}`;
  const notify = (payload: string) => ({ text: 'select pg_notify($1, $2)', values: [channel, payload] });
  const failing = [notify(HALF), { text: 'select 1 / 0', values: [] }];
  let half = false;
  return withClient(listenAt, async (listener) => {
    const heard = new AbortController();
    listener.on('notification', ({ payload }) => {
      if (payload === HALF) half = true;
      else heard.abort();
    });
    await listener.query(`listen ${pg.escapeIdentifier(channel)}`);
    // From another connection: a pooler passes on what a session sends itself.
    await withClient({ connectionString: url }, async (other) => {
      await demandBegin(name, other);
      for (const send of [sendTogether, sendWhole]) {
        await send(other, failing).catch((error: unknown) => {
          if (sqlState(error) !== DIVISION_BY_ZERO) throw error;
        });
      }
      await other.query(notify(END));
    });
    await wait(HEARD_WITHIN_MS, undefined, { signal: heard.signal }).catch(() => undefined);
    if (half)
      throw new ConfigError(
        `${name} leads to a server or pooler that keeps half of a transaction that failed: it has to lead to PostgreSQL itself, or to a pooler that passes on each transaction as it is`,
      );
    return heard.signal.aborted;
  });
}

/** @throws ConfigError if it is refused, as by PgBouncer in statement mode; Error of the database */
async function demandBegin(name: string, client: pg.Client): Promise<void> {
  try {
    for (const text of ['begin', 'rollback']) await client.query(text);
  } catch (error) {
    if (isUnavailable(error) || !(error instanceof Error)) throw error;
    throw new ConfigError(`${name} leads to a pooler without transactions (${error.message}): ${MODES}`);
  }
}

const MODES = 'it has to be in session or transaction mode';

const WITHOUT_LIMIT = `select name from pg_settings where name = any($1) and setting::bigint = 0 order by name`;
const PREPARED_AS = 'select count(*)::int as own from pg_prepared_statements where name = $1';

/** @throws ConfigError if the pooler lacks what its users rely on; Error of the database */
async function demandPooler(url: string, direct: string): Promise<void> {
  const ownNames = await withClient({ connectionString: url }, async (client) => {
    const { rows: without } = await client.query<{ name: string }>(WITHOUT_LIMIT, [Object.keys(LIMITS_MS)]);
    if (without.length > 0) throw new ConfigError(limitsMissing(without.map(({ name }) => name)));
    // A pooler that moves a client between sessions supports its statements by renaming them.
    const name = `sessions.${randomUUID()}`;
    const { rows } = await client.query<{ own: number }>({ name, text: PREPARED_AS, values: [name] });
    return rows[0]?.own !== 0;
  });
  if (ownNames) {
    await demandSession({ DATABASE_URL: url }).catch((error: unknown) => {
      throw error instanceof ConfigError ? new ConfigError(STATEMENTS_LOST) : error;
    });
  }
  const isHeard = await listenFor({ name: 'DATABASE_URL', url, listenAt: { connectionString: direct } });
  if (!isHeard) throw new ConfigError(ELSEWHERE);
}

const ELSEWHERE = 'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases: one does not hear what the other sends';
const STATEMENTS_LOST =
  'DATABASE_URL leads to a pooler that keeps no prepared statements: PgBouncer keeps them from 1.21 on, with max_prepared_statements';

function limitsMissing(names: readonly string[]): string {
  const limits = Object.entries(LIMITS_MS).filter(([name]) => names.includes(name));
  const statements = limits.map(([name, ms]) => `  alter role … set ${name} = '${String(ms)}ms'`);
  return `DATABASE_URL leads to a pooler, which takes no settings: the limits have to be the role's\n${statements.join('\n')}`;
}

/** Repeats until the database is available. @throws any other error of `ask` */
async function onceThere(onAway: (err: unknown) => void, ask: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await ask();
      return;
    } catch (err) {
      if (!isUnavailable(err)) throw err;
      onAway(err);
      await wait(AGAIN_MS);
    }
  }
}

async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    application_name: 'start',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    ...config,
  });
  // The running query fails with the same error; without a listener the process would end.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** PgBouncer's error for an unknown setting. */
function isRefusedSetting(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === '08P01' && error.message.includes('startup parameter');
}
