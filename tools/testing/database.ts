import { createHash, createHmac, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { ADVISORY_LOCKS } from '../../packages/shared/src/postgres/advisory-locks.ts';
import { brokerUrls, provisionBroker, type BrokerUrls } from '../infrastructure/broker.ts';
import { ROOT } from '../infrastructure/folders.ts';
import { management } from '../infrastructure/rabbitmq.ts';
import { migrateAll, migrateService } from '../infrastructure/migrate.ts';
import {
  databaseSql,
  inDatabase,
  OWNER,
  ownerUrl,
  provision,
  roleOf,
  SCHEMAS,
  SERVICES,
  serviceUrls,
  withClient,
  type ServiceName,
} from '../infrastructure/provision.ts';

const ROLE_PREFIX = '';

/** A test file's own database. */
export type TestDatabase = {
  /** URL of the service's own role. */
  readonly url: string;
  /** Every service's URL: for tests of several services, and of what a role may not do. */
  readonly urls: Readonly<Record<ServiceName, string>>;
  /** URL of the owner of the service's schema, which is its search path: for test setup that the service may not do. */
  readonly ownerUrl: string;
  /** URL of the superuser, in this database. */
  readonly adminUrl: string;
  /** Ends remaining connections and removes the database. */
  readonly drop: () => Promise<void>;
};

/** What a template holds beside a service's schema. */
export type Addition = {
  readonly name: string;
  /** The files and folders, from the repository's root, that its content depends on. */
  readonly madeFrom: readonly string[];
  /** Adds it to a database that is migrated for the service; the URLs are of the superuser and of the schemas' owner. */
  readonly fill: (urls: { readonly adminUrl: string; readonly ownerUrl: string }) => Promise<void>;
  /** A statement for each copy: what is set for a database as a whole is not copied. */
  readonly settings?: (database: string) => string;
};

/** The schemas of all services, migrated. */
export const EVERY_SCHEMA: Addition = {
  name: 'every_schema',
  madeFrom: SERVICES.flatMap(contentOf),
  fill: ({ ownerUrl }) => migrateAll({ ownerUrl, rolePrefix: ROLE_PREFIX }),
};

/**
 * A fresh database with all roles and schemas, migrated for `service`. It is copied from a template that the first
 * caller creates and that is identified by the content it is made from, so it takes well under a second.
 */
export async function createTestDatabase(service: ServiceName, addition?: Addition): Promise<TestDatabase> {
  const adminUrl = needed('TEST_DATABASE_URL');
  const template = await templateFor(adminUrl, service, addition);
  const database = `test_${service.replace('-', '_')}_${String(process.pid)}_${randomBytes(4).toString('hex')}`;
  await withClient(adminUrl, async (client) => {
    // Files are copied in half the time that their content takes through the log, where nothing waits for a disk.
    await client.query(`create database ${database} template ${template} strategy file_copy`);
    await client.query(databaseSql({ database, rolePrefix: ROLE_PREFIX }));
    if (addition?.settings !== undefined) await client.query(addition.settings(database));
  });
  const plan = { adminUrl, database, rolePrefix: ROLE_PREFIX, passwordOf: passwordOf(adminUrl) };
  const urls = serviceUrls(plan);
  const owner = new URL(ownerUrl(plan));
  owner.searchParams.set('options', `-c search_path=${SCHEMAS[service]}`);
  const drop = () =>
    withClient(adminUrl, async (client) => {
      await untilDisconnected(client, database);
      await client.query(`drop database if exists ${database} with (force)`);
    });
  return { url: urls[service], urls, ownerUrl: owner.href, adminUrl: inDatabase(adminUrl, database), drop };
}

/** A test may leave a connection open; it is closed after this time. */
const GOODBYE_MS = 3_000;
const LOOK_EVERY_MS = 20;

/**
 * A pool that has ended may still have a socket whose termination message the server has not read. Closing it by force
 * is an error that nobody handles any more, and the test would fail.
 */
async function untilDisconnected(client: pg.Client, database: string): Promise<void> {
  const until = performance.now() + GOODBYE_MS;
  while (performance.now() < until) {
    const { rowCount } = await client.query('select from pg_stat_activity where datname = $1', [database]);
    if (rowCount === 0) return;
    await wait(LOOK_EVERY_MS);
  }
}

/**
 * The same for every run on one server, because roles belong to the server; useless without the administrator's
 * password.
 */
function passwordOf(adminUrl: string): (role: ServiceName | typeof OWNER) => string {
  const key = new URL(adminUrl).password;
  return (role) => createHmac('sha256', key).update(role).digest('hex');
}

/** The templates that this process has found or created. */
const templates = new Map<string, Promise<string>>();

function templateFor(adminUrl: string, service: ServiceName, addition: Addition | undefined): Promise<string> {
  const content = `${service.replace('-', '_')}${addition === undefined ? '' : `_${addition.name}`}`;
  const known = templates.get(content);
  if (known !== undefined) return known;
  const template = makeTemplate(adminUrl, service, addition, content);
  templates.set(content, template);
  // The next caller tries again.
  template.catch(() => templates.delete(content));
  return template;
}

async function makeTemplate(adminUrl: string, service: ServiceName, addition: Addition | undefined, content: string): Promise<string> {
  const name = `template_${content}_${contentHash(service, addition)}`;
  await withClient(adminUrl, async (client) => {
    const isThere = async () => (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1;
    if (await isThere()) return;
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.buildTestTemplate]);
    if (await isThere()) return;
    const draft = `${name}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    const options = { adminUrl, database: draft, rolePrefix: ROLE_PREFIX, passwordOf: passwordOf(adminUrl) };
    await provision(options);
    // Lets a test see who waits for a lock, whoever it is.
    await client.query(`grant pg_read_all_stats to ${roleOf(options, OWNER)}`);
    await migrateService(service, { ownerUrl: ownerUrl(options), rolePrefix: ROLE_PREFIX });
    await addition?.fill({ adminUrl: inDatabase(adminUrl, draft), ownerUrl: ownerUrl(options) });
    // The name is set last: a template with this name is complete.
    await client.query(`alter database ${draft} rename to ${name}`);
    await client.query(`alter database ${name} with allow_connections false is_template true`);
  });
  return name;
}

/** What a service's schema is made from. */
function contentOf(service: ServiceName): string[] {
  return [`services/${service}/migrations`, `services/${service}/src/db/grants.ts`];
}

/** Covers everything that the template is made from. */
function contentHash(service: ServiceName, addition: Addition | undefined): string {
  const hash = createHash('sha256');
  const add = (path: string) => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
    else hash.update(path).update(readFileSync(path));
  };
  for (const path of [
    ...contentOf(service),
    'tools/testing/database.ts',
    'tools/infrastructure/provision.ts',
    'packages/shared/src/postgres/grants.ts',
    'packages/shared/src/postgres/migrate.ts',
    'packages/shared/src/postgres/movable-clock.ts',
    ...(addition?.madeFrom ?? []),
  ])
    add(join(ROOT, path));
  return hash.digest('hex').slice(0, 12);
}

/** Secret from which the fact keys are derived in tests. */
export const TEST_FACT_SECRET = 'facts of tests';

/** A test file's own virtual host. */
export type TestBroker = {
  /** URL of a user with all rights. */
  readonly url: string;
  /** URLs for each service's own user. The services' exchanges, queues and bindings exist. */
  readonly urls: BrokerUrls;
  readonly vhost: string;
  /** URL of the management API, with user and password. */
  readonly managementUrl: string;
  /**
   * Simulates a reset of the node: connections are closed, messages are gone, and what `createTestBroker` made is
   * recreated.
   */
  reset(): Promise<void>;
  /** Removes the virtual host; connections to it are closed. */
  drop(): Promise<void>;
};

/**
 * A fresh virtual host on the run's RabbitMQ; with `services` it includes their users, rights and topology, as an
 * installation's setup step creates them.
 */
export async function createTestBroker(what: 'empty' | 'services' = 'empty'): Promise<TestBroker> {
  const managementUrl = needed('TEST_MANAGEMENT_URL');
  const vhost = `test-${String(process.pid)}-${randomBytes(4).toString('hex')}`;
  const user = new URL(managementUrl).username;
  const url = new URL(needed('TEST_AMQP_URL'));
  url.pathname = `/${vhost}`;
  const drop = () => expectOk(management(managementUrl, 'DELETE', `vhosts/${vhost}`));
  const plan = { vhost, userPrefix: 'test_', passwordOf: passwordOf(managementUrl) };
  const make = async () => {
    await expectOk(management(managementUrl, 'PUT', `vhosts/${vhost}`));
    const all = { configure: '.*', write: '.*', read: '.*' };
    await expectOk(management(managementUrl, 'PUT', `permissions/${vhost}/${user}`, all));
    if (what === 'services') await provisionBroker(managementUrl, plan);
  };
  const reset = async () => {
    await drop();
    await make();
  };
  await make();
  return { url: url.href, urls: brokerUrls(url.href, plan), vhost, managementUrl, reset, drop };
}

async function expectOk(call: Promise<Response>): Promise<void> {
  const response = await call;
  if (!response.ok) throw new Error(`RabbitMQ's management API answered ${String(response.status)}: ${await response.text()}`);
}

function needed(variable: string): string {
  const value = process.env[variable] ?? '';
  if (value !== '') return value;
  throw new Error(`${variable} is not set: name the test x.db.test.ts and run it with --selectProjects integration`);
}
