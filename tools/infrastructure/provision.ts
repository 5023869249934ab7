import pg from 'pg';
import { ADVISORY_LOCKS } from '../../packages/shared/src/postgres/advisory-locks.ts';
import { TEST_CLOCK } from '../../packages/shared/src/postgres/movable-clock.ts';

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
  /** URL of a user who may create databases and roles. */
  readonly adminUrl: string;
  readonly database: string;
  /** Prefix of all role names: roles belong to the whole server, and a given server may have others. */
  readonly rolePrefix: string;
  readonly passwordOf: (role: DatabaseRole) => string;
};

/** The role that owns all schemas and runs the migrations; no service runs as it (decisions/hardening). */
export const OWNER = 'owner';
/** The roles that have a password. */
export type DatabaseRole = ServiceName | typeof OWNER;

/**
 * Creates the database, the owner of everything in it, and a login role and a schema for each service. Safe to repeat:
 * passwords are set again, data stays, and objects that a service's role still owns from the time before the owner role
 * are transferred to it. A service's role sees only its own schema; its privileges there come with the migrations.
 * Returns each service's URL.
 */
export async function provision(options: Options): Promise<Record<ServiceName, string>> {
  await withClient(options.adminUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.provision]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [options.database]);
    if (rowCount === 0) await client.query(`create database ${quote(options.database)}`);
    await client.query(roleSql(options, OWNER));
    for (const service of SERVICES) {
      await client.query(roleSql(options, service));
      await client.query(`alter role ${quote(roleOf(options, service))} set search_path = ${quote(SCHEMAS[service])}`);
    }
    await client.query(databaseSql(options));
  });
  await withClient(inDatabase(options.adminUrl, options.database), async (client) => {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.provision]);
    await client.query('revoke all on schema public from public');
    for (const service of SERVICES) await client.query(schemaSql(options, service));
    await client.query(testClockSql(options));
  });
  return serviceUrls(options);
}

/** Removes the database and the roles that `provision` created with the same options. */
export async function unprovision(options: Options): Promise<void> {
  await withClient(options.adminUrl, async (client) => {
    await client.query(`drop database if exists ${quote(options.database)} with (force)`);
    for (const role of [...SERVICES, OWNER] as const) await client.query(`drop role if exists ${quote(roleOf(options, role))}`);
  });
}

/** The URLs of the services' roles in a database that was provisioned with the same options. */
export function serviceUrls(options: Options): Record<ServiceName, string> {
  const entries = SERVICES.map((service): [ServiceName, string] => [service, urlOf(options, service)]);
  return Object.fromEntries(entries) as Record<ServiceName, string>;
}

/** The URL that migrations run with. */
export function ownerUrl(options: Options): string {
  return urlOf(options, OWNER);
}

function urlOf(options: Options, role: DatabaseRole): string {
  const url = new URL(inDatabase(options.adminUrl, options.database));
  url.username = roleOf(options, role);
  url.password = options.passwordOf(role);
  return url.href;
}

/** The name of a service's role, or of the owner. */
export const roleOf = ({ rolePrefix }: Pick<Options, 'rolePrefix'>, role: DatabaseRole): string =>
  rolePrefix + (role === OWNER ? 'pay_owner' : SCHEMAS[role]);

function roleSql(options: Options, named: DatabaseRole): string {
  const role = quote(roleOf(options, named));
  const literal = pg.escapeLiteral(roleOf(options, named));
  // The administrator joins the role: PostgreSQL requires that before a schema can be transferred.
  return `
    do $$ begin
      if not exists (select from pg_roles where rolname = ${literal}) then create role ${role}; end if;
    end $$;
    alter role ${role} with login nosuperuser nocreatedb nocreaterole inherit
      password ${pg.escapeLiteral(options.passwordOf(named))};
    grant ${role} to current_user;`;
}

/** Settings of a database as a whole. They are not copied from a template, so copies need them again. */
export function databaseSql(options: Pick<Options, 'database' | 'rolePrefix'>): string {
  const database = quote(options.database);
  const roles = everyRole(options);
  return `revoke all on database ${database} from public, ${roles}; grant connect on database ${database} to ${roles};`;
}

function schemaSql(options: Options, service: ServiceName): string {
  const schema = quote(SCHEMAS[service]);
  const [role, owner] = [quote(roleOf(options, service)), quote(roleOf(options, OWNER))];
  return `
    create schema if not exists ${schema} authorization ${owner};
    reassign owned by ${role} to ${owner};
    revoke all on schema ${schema} from public, ${role};
    grant usage on schema ${schema} to ${role};`;
}

const everyRole = (options: Pick<Options, 'rolePrefix'>) =>
  ([...SERVICES, OWNER] as const).map((role) => quote(roleOf(options, role))).join(', ');

/** The row that moves `clock_now()` of all schemas (decisions/clock). These tools provision only TEST. */
function testClockSql(options: Options): string {
  const moved = `${TEST_CLOCK.schema}.${TEST_CLOCK.table}`;
  const roles = everyRole(options);
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
