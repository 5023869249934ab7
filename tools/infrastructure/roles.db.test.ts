import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Grants } from '../../packages/shared/src/postgres/grants.ts';
import { createTestDatabase, EVERY_SCHEMA, type TestDatabase } from '../testing/database.ts';
import { GRANTS } from './migrate.ts';
import { inDatabase, provision, SCHEMAS, SERVICES, unprovision, withClient, type ServiceName } from './provision.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('withdrawals', EVERY_SCHEMA);
});
afterAll(() => database.drop());

const DENIED = '42501';

/**
 * PostgreSQL's answers to statements of a service's own role, run one after the other and each rolled back; `done` if
 * allowed.
 */
async function tried(service: ServiceName, statements: readonly string[]): Promise<string[]> {
  return await withClient(database.urls[service], async (client) => {
    const answers: string[] = [];
    for (const statement of statements) {
      await client.query('begin');
      const answer = client.query(statement).then(
        () => 'done',
        (error: unknown) => String((error as { code?: string }).code),
      );
      answers.push(`${await answer} ${statement}`);
      await client.query('rollback');
    }
    return answers;
  });
}

const refused = (statements: readonly string[]) => statements.map((statement) => `${DENIED} ${statement}`);

/** The append-only tables. */
const SEALED_TABLES: Readonly<Record<ServiceName, readonly string[]>> = {
  gateway: ['operator_audit'],
  payments: ['ledger_transactions', 'ledger_entries', 'operator_actions'],
  bindings: ['consents'],
  withdrawals: ['ledger_transactions', 'ledger_entries', 'operator_audit'],
  notifier: ['operator_actions'],
  console: ['audit'],
  'sandbox-bank': ['history'],
};

describe.each(SERVICES)("%s's own role", (service) => {
  it('owns nothing, and can make no schema (L5), table, function or role (M1)', async () => {
    const { rows } = await withClient(database.adminUrl, (client) =>
      client.query<{ owned: number }>(
        `select (select count(*) from pg_class where relowner = r.oid)::int
           + (select count(*) from pg_proc where proowner = r.oid)::int
           + (select count(*) from pg_namespace where nspowner = r.oid)::int as owned
         from pg_roles r where rolname = $1`,
        [SCHEMAS[service]],
      ),
    );
    expect(rows).toEqual([{ owned: 0 }]);
    const statements = [
      'create schema mine',
      'create table mine (id int)',
      'create temporary table mine (id int)',
      'create function mine() returns int language sql as $$ select 1 $$',
      `create or replace function clock_now() returns timestamptz language sql as $$ select now() $$`,
      'create role mine',
      'set role pay_owner',
      'drop table migrations',
      'delete from migrations',
    ];
    expect(await tried(service, statements)).toEqual(refused(statements));
  });

  it.each(SEALED_TABLES[service])('neither changes %s nor gives itself the right to (M1)', async (table) => {
    const statements = [
      `update ${table} set ${await columnOf(service, table)} = default`,
      `delete from ${table}`,
      `truncate ${table}`,
      `alter table ${table} disable trigger all`,
      `alter table ${table} owner to current_user`,
      `lock table ${table} in access exclusive mode`,
    ];
    expect(await tried(service, statements)).toEqual(refused(statements));
    // Without grant option PostgreSQL answers 42501, or only warns that nothing was granted: what counts is the
    // privilege.
    const rights = await withClient(database.urls[service], async (client) => {
      await client.query(`grant update, delete, truncate on ${table} to current_user`).catch(() => undefined);
      const { rows } = await client.query(
        `select has_table_privilege($1, 'update, delete, truncate') or has_any_column_privilege($1, 'update') as more,
           has_table_privilege($1, 'select') as reads, has_table_privilege($1, 'insert') as writes`,
        [table],
      );
      return rows as unknown[];
    });
    expect(rights).toEqual([{ more: false, reads: true, writes: true }]);
  });

  it('has the rights that db/grants.ts declares, on every table, and no others', async () => {
    const { rows } = await withClient(database.adminUrl, (client) =>
      client.query<{ name: string; rights: string[] }>(
        `select table_name as name, array_agg(lower(privilege_type)::text order by privilege_type) as rights
         from information_schema.role_table_grants where grantee = $1 and table_schema = $1 group by 1`,
        [SCHEMAS[service]],
      ),
    );
    // It also reads which migrations were run, to check its own at startup.
    const declared: Grants = { ...GRANTS[service], migrations: ['select'] };
    const wanted = Object.entries(declared).map(([name, rights]) => [name, [...rights].sort()]);
    expect(Object.fromEntries(rows.map(({ name, rights }) => [name, rights]))).toEqual(Object.fromEntries(wanted));
  });
});

async function columnOf(service: ServiceName, table: string): Promise<string> {
  const { rows } = await withClient(database.urls[service], (client) =>
    client.query<{ name: string }>('select attname as name from pg_attribute where attrelid = $1::regclass and attnum = 1', [table]),
  );
  return rows[0]?.name ?? '';
}

it('payments reads its running totals and cannot write them (M1)', async () => {
  const statements = [
    `insert into ledger_balances values ('FEE_INCOME', 'house', 0, 1, 1)`,
    'update ledger_balances set balance_kopecks = 0',
  ];
  expect(await tried('payments', statements)).toEqual(refused(statements));
});

it('what a role owned before there was an owner is the owner’s after the next provisioning (M1)', async () => {
  const options = {
    adminUrl: inDatabase(database.adminUrl, 'postgres'),
    database: `before_${String(process.pid)}`,
    rolePrefix: `before_${String(process.pid)}_`,
    passwordOf: () => 'x',
  };
  try {
    const { bindings } = await provision(options);
    const role = `${options.rolePrefix}bindings`;
    await withClient(inDatabase(options.adminUrl, options.database), async (client) => {
      await client.query(`alter schema bindings owner to ${role}`);
      await client.query(`set role ${role}; create table bindings.old (id int); reset role`);
    });
    await provision(options);
    await withClient(bindings, async (client) => {
      await expect(client.query('select from old')).rejects.toMatchObject({ code: DENIED });
      await expect(client.query('create table new (id int)')).rejects.toMatchObject({ code: DENIED });
    });
  } finally {
    await unprovision(options);
  }
});
