import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT } from '../infrastructure/folders.ts';
import { withClient } from '../infrastructure/provision.ts';
import { createTestDatabase, EVERY_SCHEMA, type TestDatabase } from '../testing/database.ts';

/** Schemas that hold data of partners. The console's and the sandbox bank's name none. */
const OF_PARTNERS = ['gateway', 'payments', 'bindings', 'withdrawals', 'notifier'];

const page = readFileSync(join(ROOT, 'docs/deploy/cells.md'), 'utf8');
const ways = [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` +\| (.+?) +\|$/gm)].map(([, table = '', how = '']) => ({
  table,
  how,
}));

let database: TestDatabase;
/** `schema.table` → its columns. */
let tables: ReadonlyMap<string, readonly string[]>;
beforeAll(async () => {
  database = await createTestDatabase('withdrawals', EVERY_SCHEMA);
  const { rows } = await withClient(database.adminUrl, (client) =>
    client.query<{ name: string; columns: string[] }>(
      `select format('%I.%I', n.nspname, c.relname) as name, array_agg(a.attname::text) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migrations' and n.nspname = any($1) group by 1`,
      [OF_PARTNERS],
    ),
  );
  tables = new Map(rows.map(({ name, columns }) => [name, columns]));
});
afterAll(() => database.drop());

it('each table names its partner, or docs/deploy/cells.md says how it is found', () => {
  const nameless = [...tables].filter(([, columns]) => !columns.includes('partner_id')).map(([name]) => name);
  expect(nameless.toSorted()).toEqual(ways.map(({ table }) => table).toSorted());
});

it('each way by a column leads to a table that names the partner', () => {
  const wrong = ways.filter(({ table, how }) => {
    const [, column = '', target = ''] = /^`([a-z_]+)` → `([a-z_.]+)`$/.exec(how) ?? [];
    if (how.startsWith('in words: ')) return false;
    return tables.get(table)?.includes(column) !== true || tables.get(target)?.includes('partner_id') !== true;
  });
  expect(wrong).toEqual([]);
});
