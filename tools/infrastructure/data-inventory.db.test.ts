import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, EVERY_SCHEMA, type TestDatabase } from '../testing/database.ts';
import { readDataInventory } from '../testing/data-inventory.ts';
import { SCHEMAS, withClient } from './provision.ts';

/**
 * Names of columns that may contain personal data or free text about a person, among those that store text in any form.
 */
const SOUNDS_PERSONAL =
  /customer|card_|mask|expiry|address|user_agent|mail|phone|name$|reason|note$|description|label|comment|excerpt|^body$|payload|^before$|^after$|asked|details|operator$|login|_by$|_independent_of|return_url|receipt|acs_|identifier|reference/;

type Column = { readonly name: string; readonly type: string };

const inventory = readDataInventory();
const named = new Set([
  ...inventory.rows.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`)),
  ...inventory.columnsWithout,
]);
let database: TestDatabase;
/** `schema.table` → its columns. */
let schemas: ReadonlyMap<string, readonly Column[]>;
beforeAll(async () => {
  database = await createTestDatabase('withdrawals', EVERY_SCHEMA);
  const { rows } = await withClient(database.adminUrl, (client) =>
    client.query<{ path: string; columns: Column[] }>(
      `select c.table_schema || '.' || c.table_name as path, json_agg(json_build_object('name', c.column_name, 'type', c.data_type)) as columns
       from information_schema.columns c
       where c.table_schema = any($1) and c.table_name <> 'migrations' and not exists (
         select from pg_class p where p.oid = format('%I.%I', c.table_schema, c.table_name)::regclass and p.relispartition)
       group by 1`,
      [Object.values(SCHEMAS)],
    ),
  );
  schemas = new Map(rows.map(({ path, columns }) => [path, columns]));
});
afterAll(() => database.drop());

describe('docs/security/data-inventory.md', () => {
  it('names every table of every schema, each as one with personal data or as one without', () => {
    const tables = [...new Set(inventory.rows.map(({ table }) => table)), ...inventory.tablesWithout];
    expect(tables.toSorted()).toEqual([...schemas.keys()].toSorted());
  });

  it('names no column that is not there', () => {
    const there = new Set([...schemas].flatMap(([table, columns]) => columns.map(({ name }) => `${table}.${name}`)));
    expect([...named].filter((column) => !there.has(column))).toEqual([]);
  });

  it('names every column that sounds like a person, as personal data or as none', () => {
    const forgotten = [...schemas].flatMap(([table, columns]) =>
      columns
        .filter(({ name, type }) => SOUNDS_PERSONAL.test(name) && /^(?:text|jsonb|bytea|ARRAY|character.*)$/.test(type))
        .map(({ name }) => `${table}.${name}`)
        .filter((column) => !named.has(column)),
    );
    expect(forgotten).toEqual([]);
  });
});
