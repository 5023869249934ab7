import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { withClient } from '../infrastructure/provision.ts';
import { createTestDatabase, EVERY_SCHEMA, type TestDatabase } from '../testing/database.ts';
import { MOVED_SERVICES, MOVED_TABLES, STAYING_TABLES } from './move/tables.ts';

const MOVED = MOVED_SERVICES.flatMap((service) => MOVED_TABLES[service].map((table) => ({ ...table, path: `${service}.${table.name}` })));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('withdrawals', EVERY_SCHEMA);
});
afterAll(() => database.drop());

const rowsOf = <T extends object>(sql: string): Promise<T[]> =>
  withClient(database.adminUrl, async (client) => (await client.query<T & Record<string, unknown>>(sql, [[...MOVED_SERVICES]])).rows);

const COLUMNS = `select format('%I.%I', n.nspname, c.relname) as path, a.attname as column, pg_get_expr(d.adbin, d.adrelid) as value
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migrations' and n.nspname = any($1)`;
type Column = { readonly path: string; readonly column: string; readonly value: string | null };

it('each table of a service that knows partners moves, or says why it stays', async () => {
  const tables = new Set((await rowsOf<Column>(COLUMNS)).map(({ path }) => path));
  expect([...MOVED.map(({ path }) => path), ...Object.keys(STAYING_TABLES)].toSorted()).toEqual([...tables].toSorted());
});

it('a table that names its partner is found by that', async () => {
  const named = new Set((await rowsOf<Column>(COLUMNS)).filter(({ column }) => column === 'partner_id').map(({ path }) => path));
  expect(MOVED.filter(({ path, where }) => named.has(path) !== (where === undefined))).toEqual([]);
});

it('each table comes after those that it refers to; what it refers to moves too, except acquiring routes', async () => {
  const keys = await rowsOf<{ path: string; target: string }>(
    `select distinct format('%I.%I', n.nspname, c.relname) as path, format('%I.%I', n.nspname, f.relname) as target from pg_constraint k
     join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid join pg_namespace n on n.oid = c.relnamespace
     where k.contype = 'f' and n.nspname = any($1)`,
  );
  const order = MOVED.map(({ path }) => path);
  const wrong = keys.filter(({ path, target }) => {
    if (!order.includes(path) || target === 'payments.routes') return false;
    return !order.includes(target) || order.indexOf(target) > order.indexOf(path);
  });
  expect(wrong).toEqual([]);
});

it('a number of a sequence is given anew, except the place of an event in its stream', async () => {
  const numbers = (await rowsOf<Column>(COLUMNS)).filter(({ value }) => value?.startsWith('nextval') === true);
  const given = numbers.filter(({ path, column }) => !MOVED.some((table) => table.path === path && table.numbered === column));
  expect(given.filter(({ path }) => !(path in STAYING_TABLES)).map(({ path, column }) => `${path}.${column}`)).toEqual([
    'notifier.events.position',
  ]);
});

it('a column that repeats such a number has another value in the new cell', async () => {
  const repeated = (await rowsOf<Column>(COLUMNS)).filter(({ path, column }) => column.includes('position') && !(path in STAYING_TABLES));
  const kept = repeated.filter(
    ({ path, column }) => !MOVED.some((table) => table.path === path && (table.numbered === column || table.set?.[column] !== undefined)),
  );
  expect(kept.map(({ path, column }) => `${path}.${column}`)).toEqual(['notifier.events.position']);
});

it('what is encrypted under a key of the cell is encrypted anew', async () => {
  const encrypted = (await rowsOf<Column>(COLUMNS)).filter(({ path, column }) => column.includes('encrypted') && !(path in STAYING_TABLES));
  const kept = encrypted.filter(({ path, column }) => !MOVED.some((table) => table.path === path && table.secret?.column === column));
  expect(kept.map(({ path, column }) => `${path}.${column}`)).toEqual([]);
});
