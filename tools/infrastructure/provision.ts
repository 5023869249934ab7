import pg from 'pg';
import { TEST_CLOCK } from '../../packages/shared/src/time/movable-clock.ts';

/** The services that own a schema, and the schema's name. */
export const SCHEMAS = {
  gateway: 'gateway',
  payments: 'payments',
  bindings: 'bindings',
  withdrawals: 'withdrawals',
  notifier: 'notifier',
  console: 'console',
  'sandbox-bank': 'sandbox_bank',
} as const;

export type ServiceName = keyof typeof SCHEMAS;
export const SERVICES = Object.keys(SCHEMAS) as ServiceName[];

type Options = {
  /** Of a user who may create databases and roles. */
  readonly adminUrl: string;
  readonly database: string;
  /** Put before every role's name: roles belong to the whole server, and a given server may have others. */
  readonly rolePrefix: string;
  readonly passwordOf: (service: ServiceName) => string;
};

/** Any number; roles are shared by all databases of a server, so that two provisionings must not meet. */
const PROVISION_LOCK = 7_305_002;

/**
 * Creates the database, and for each service its login role and its schema. Safe to run again: passwords are set anew,
 * data stays. A role can use its own schema and nothing else. Returns each service's URL.
 */
export async function provision(options: Options): Promise<Record<ServiceName, string>> {
  await withClient(options.adminUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [PROVISION_LOCK]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [options.database]);
    if (rowCount === 0) await client.query(`create database ${quote(options.database)}`);
    for (const service of SERVICES) await client.query(roleSql(options, service));
    await client.query(databaseSql(options));
  });
  await withClient(inDatabase(options.adminUrl, options.database), async (client) => {
    await client.query('select pg_advisory_lock($1)', [PROVISION_LOCK]);
    await client.query('revoke all on schema public from public');
    for (const service of SERVICES) await client.query(schemaSql(options, service));
    await client.query(testClockSql(options));
  });
  return serviceUrls(options);
}

/** Removes the database and the roles that `provision` made with the same options. */
export async function unprovision(options: Options): Promise<void> {
  await withClient(options.adminUrl, async (client) => {
    await client.query(`drop database if exists ${quote(options.database)} with (force)`);
    for (const service of SERVICES) await client.query(`drop role if exists ${quote(roleOf(options, service))}`);
  });
}

/** The URLs of the services' roles in a database that was provisioned with the same options. */
export function serviceUrls(options: Options): Record<ServiceName, string> {
  const entries = SERVICES.map((service): [ServiceName, string] => {
    const url = new URL(inDatabase(options.adminUrl, options.database));
    url.username = roleOf(options, service);
    url.password = options.passwordOf(service);
    return [service, url.href];
  });
  return Object.fromEntries(entries) as Record<ServiceName, string>;
}

const roleOf = ({ rolePrefix }: Pick<Options, 'rolePrefix'>, service: ServiceName) => rolePrefix + SCHEMAS[service];

function roleSql(options: Options, service: ServiceName): string {
  const role = quote(roleOf(options, service));
  const literal = pg.escapeLiteral(roleOf(options, service));
  // The administrator joins the role: PostgreSQL asks for that before a schema is handed over.
  return `
    do $$ begin
      if not exists (select from pg_roles where rolname = ${literal}) then create role ${role}; end if;
    end $$;
    alter role ${role} with login nosuperuser nocreatedb nocreaterole noinherit
      password ${pg.escapeLiteral(options.passwordOf(service))};
    alter role ${role} set search_path = ${quote(SCHEMAS[service])};
    grant ${role} to current_user;`;
}

/** What is said of a database as a whole. Not copied from a template, so that copies of one need it again. */
export function databaseSql(options: Pick<Options, 'database' | 'rolePrefix'>): string {
  const database = quote(options.database);
  const roles = SERVICES.map((service) => quote(roleOf(options, service))).join(', ');
  // CREATE: drizzle's migrator says "create schema if not exists", which PostgreSQL refuses without it.
  return `revoke all on database ${database} from public; grant connect, create on database ${database} to ${roles};`;
}

function schemaSql(options: Options, service: ServiceName): string {
  const schema = quote(SCHEMAS[service]);
  const role = quote(roleOf(options, service));
  return `create schema if not exists ${schema} authorization ${role}; revoke all on schema ${schema} from public;`;
}

/** The row that moves `clock_now()` of all schemas (ADR 0020). What these tools provision is TEST. */
function testClockSql(options: Options): string {
  const moved = `${TEST_CLOCK.schema}.${TEST_CLOCK.table}`;
  const roles = SERVICES.map((service) => quote(roleOf(options, service))).join(', ');
  return `
    create schema if not exists ${TEST_CLOCK.schema};
    create table if not exists ${moved} (
      one boolean primary key default true check (one),
      milliseconds bigint not null default 0 check (milliseconds >= 0));
    insert into ${moved} default values on conflict do nothing;
    grant usage on schema ${TEST_CLOCK.schema} to ${roles};
    grant select on ${moved} to ${roles};
    grant update on ${moved} to ${quote(roleOf(options, 'sandbox-bank'))};`;
}

const quote = (name: string) => pg.escapeIdentifier(name);

/** The same server and user, another database. */
export function inDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}

/** One connection for a few statements. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
