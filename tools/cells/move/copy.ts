import pg from 'pg';
import { decrypt, encrypt } from '../../../packages/shared/src/encryption/encryption.ts';
import type { PartnerId } from '../../../packages/shared/src/identities/identities.ts';
import { ADVISORY_LOCKS } from '../../../packages/shared/src/postgres/advisory-locks.ts';
import { numberOf, rowsOf, type Connections } from './cells.ts';
import { PLATFORM } from './fence.ts';
import type { Settings } from './settings.ts';
import { MOVED_TABLES, whereOf, type MovedService, type MovedTable } from './tables.ts';

/** Rows that are in memory at a time. */
const BATCH = 500;
/** More positions than the new cell gives out between two statements. */
const POSITIONS_AHEAD = 1_000_000;

type Move = { readonly from: Connections; readonly to: Connections; readonly settings: Settings; readonly partnerId: PartnerId };

/**
 * Copies one service's rows into an open transaction of the new cell and compares both sides; whoever called commits it.
 * Returns the number of rows. @throws Error if the sides differ, or a row is in the new cell already
 */
export async function copyService(move: Move, service: MovedService): Promise<number> {
  const [source, target] = [move.from[service], move.to[service]];
  await source.query('begin isolation level repeatable read read only');
  await target.query('begin');
  if (service === 'notifier') await passPositions(source, target, move.partnerId);
  if (service === 'gateway') await target.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.changePartners]);
  let count = 0;
  for (const table of MOVED_TABLES[service]) count += await copyTable(move, service, table);
  if (service === 'payments') await compareBalances(source, target, move.partnerId);
  if (service === 'gateway') await finishGateway(move);
  // Deferred checks of the ledger: here, and not when another service is committed already.
  await target.query('set constraints all immediate');
  await source.query('commit');
  return count;
}

async function copyTable(move: Move, service: MovedService, table: MovedTable): Promise<number> {
  const [source, target, { partnerId }] = [move.from[service], move.to[service], move];
  const columns = await rowsOf<{ name: string }>(
    target,
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table.name],
  );
  const names = columns.map(({ name }) => name).filter((name) => name !== table.numbered);
  const values = names.map((name) => table.set?.[name] ?? `r.${pg.escapeIdentifier(name)}`);
  const insert = `insert into ${table.name} (${names.map((name) => pg.escapeIdentifier(name)).join(', ')}) select ${values.join(', ')}
    from unnest($1::text[]) with ordinality as given (line, number)
    cross join lateral jsonb_populate_record(null::${table.name}, given.line::jsonb) as r order by given.number`;
  const order = table.numbered === undefined ? '' : `order by t.${table.numbered}`;
  const secret = table.secret === undefined ? '' : `, t.${table.secret.beside}::text as beside, t.${table.secret.column} as value`;
  await source.query(
    `declare moved no scroll cursor for select to_jsonb(t)::text as line ${secret} from ${table.name} t where ${whereOf(table)} ${order}`,
    [partnerId],
  );
  let count = 0;
  for (;;) {
    const rows = await rowsOf<Line>(source, `fetch ${String(BATCH)} from moved`);
    const lines = table.secret === undefined ? rows.map(({ line }) => line) : rows.map((row) => underNewKey(move, service, table, row));
    if (rows.length > 0) await target.query(insert, insert.includes('$2') ? [lines, partnerId] : [lines]);
    count += rows.length;
    if (rows.length < BATCH) break;
  }
  await source.query('close moved');
  await compareTable(move, service, table);
  return count;
}

type Line = { readonly line: string; readonly beside?: string; readonly value?: string };

/** The row with its secret under the new cell's key. @throws Error if the old cell's key does not decrypt it */
function underNewKey({ settings, partnerId }: Move, service: MovedService, { name, secret }: MovedTable, row: Line): string {
  const { beside, value } = row;
  if (secret === undefined || beside === undefined || value === undefined || (service !== 'payments' && service !== 'notifier'))
    throw new Error(`${service}.${name} has no secret`);
  const context = secret.contextOf(partnerId, beside);
  const plain = decrypt(settings.from.encryption[service], value, context);
  const parsed = JSON.parse(row.line) as Record<string, unknown>;
  return JSON.stringify({ ...parsed, [secret.column]: encrypt(settings.to.encryption[service], plain, context) });
}

/** Counts and digests of all rows, less what is another in each cell. */
async function compareTable({ from, to, partnerId }: Move, service: MovedService, table: MovedTable): Promise<void> {
  const others = [...Object.keys(table.set ?? {}), table.numbered, table.secret?.column].filter((name) => name !== undefined);
  const sum = `select count(*)::text as rows,
      coalesce(sum(('x' || left(md5((to_jsonb(t) - $2::text[])::text), 16))::bit(64)::bigint::numeric), 0)::text as digest
    from ${table.name} t where ${whereOf(table)}`;
  const [here] = await rowsOf<Sum>(from[service], sum, [partnerId, others]);
  const [there] = await rowsOf<Sum>(to[service], sum, [partnerId, others]);
  if (here?.rows === there?.rows && here?.digest === there?.digest) return;
  throw new Error(
    `${service}.${table.name} differs: ${String(here?.rows)} rows in ${from.name}, ${String(there?.rows)} in ${to.name}, or others`,
  );
}

type Sum = { readonly rows: string; readonly digest: string };

/** The running totals of a partner's own accounts: the database added them up anew. */
async function compareBalances(source: pg.Client, target: pg.Client, partnerId: PartnerId): Promise<void> {
  const totals = `select coalesce(string_agg(account || ' ' || owner || ' ' || kopecks, ', ' order by account, owner), '') as all
    from (select account, owner, sum(balance_kopecks) as kopecks from ledger_balances
      where owner = $1 or owner in (select payment_point_id from payment_points where partner_id = $1)
      group by account, owner having sum(balance_kopecks) <> 0) as b`;
  const [here] = await rowsOf<{ all: string }>(source, totals, [partnerId]);
  const [there] = await rowsOf<{ all: string }>(target, totals, [partnerId]);
  if (here?.all !== there?.all) throw new Error(`the balances differ: ${String(here?.all)}; ${String(there?.all)}`);
}

/**
 * Events keep their places, so that a cursor of before goes on after the move. The next ones of the new cell come after them: its
 * sequence leaps over the partner's newest, which is no gap to anybody.
 */
async function passPositions(source: pg.Client, target: pg.Client, partnerId: PartnerId): Promise<void> {
  const newest = await numberOf(source, 'select coalesce(max(position), 0) from events where partner_id = $1', [partnerId]);
  const last = await numberOf(target, 'select last_value from event_positions');
  if (last <= newest) await target.query(`select setval('event_positions', $1)`, [newest + POSITIONS_AHEAD]);
}

/** Nobody repeats at the new cell what a signature did at the old one; and the audit log says where the partner comes from. */
async function finishGateway({ from, to, partnerId }: Move): Promise<void> {
  const recent = '(extract(epoch from clock_timestamp())::bigint / 900 - 1)';
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const digests = await rowsOf<{ digest: string }>(
      from.gateway,
      `select distinct digest from nonces where slot >= ${recent} and digest > $1 order by digest limit 10000`,
      [after],
    );
    await to.gateway.query(
      `insert into nonces (slot, digest) select extract(epoch from clock_timestamp())::bigint / 900, digest
       from unnest($1::uuid[]) as given (digest) on conflict do nothing`,
      [digests.map(({ digest }) => digest)],
    );
    const last = digests.at(-1);
    if (last === undefined) break;
    after = last.digest;
  }
  await to.gateway.query(`insert into operator_audit (operator, action, partner_id, detail) values ($1, 'partner.created', $2, $3)`, [
    PLATFORM,
    partnerId,
    `moved from ${from.name}`,
  ]);
}
