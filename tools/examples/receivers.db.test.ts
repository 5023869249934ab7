import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { checkReceiver } from '../../packages/cli/src/partner/receiver-check.ts';
import { ROOT } from '../infrastructure/folders.ts';
import { freePorts } from '../infrastructure/ports.ts';
import { signTestCallback } from '../../packages/sdk/src/callbacks.ts';
import type { PartnerEvent } from '../../packages/sdk/src/events.ts';
import { GO_SDK, runGo } from '../sdk/go.ts';
import { installSdk, type InstalledSdk } from '../sdk/installed.ts';
import { GO, JAVA, JAVA_POSTGRESQL, PHP, PYTHON, SHORT_JAVAC, SHORT_JVM } from '../sdk/languages.ts';
import { startExample } from '../sdk/readme-example.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';

const run = promisify(execFile);
// The tests of the SDKs say which language is missing.
const [go, java, python, php] = [GO, JAVA, PYTHON, PHP].map((language) => language.find());
const RECEIVERS = join(ROOT, 'examples/receivers');
const KEY = { keyId: 'k_example', secret: randomBytes(32).toString('base64') };
const ORDER = 'order-1001';
/** The amount is text where there is no decimal. */
const ordersTable = (amount: 'text' | 'numeric') =>
  `create table orders (number text primary key, amount ${amount} not null default '10.50', currency text not null default 'RUB', paid boolean not null default false)`;

let installed: InstalledSdk;
let shop = '';
let port = 0;
beforeAll(async () => {
  installed = await installSdk();
  shop = installed.shop;
  port = (await freePorts(['receiver'])).receiver;
});
afterAll(() => installed.remove());

/** Sends everything that the service or a forger might, and expects the answers of docs/partners/callbacks.md. */
async function expectRulesKept(): Promise<void> {
  const url = `http://127.0.0.1:${String(port)}/callbacks`;
  await expectWrongMoneyStopped(url);
  const results = await checkReceiver({ url, key: KEY, merchantOrderId: ORDER });
  expect(results.filter(({ passed }) => !passed)).toEqual([]);
}

/** Money that does not fit the order ends with 500: it is sent again, until somebody has looked (N15). */
async function expectWrongMoneyStopped(url: string): Promise<void> {
  for (const change of [{ amount: '10.49' }, { currency: 'USD' }, { merchantOrderId: 'order-1002' }]) {
    const happened = { orderId: randomUUID(), paymentId: randomUUID(), merchantOrderId: ORDER, status: 'COMPLETED' };
    const data = {
      ...happened,
      amount: '10.50',
      currency: 'RUB',
      paymentMethod: 'CARD',
      bankOperationId: null,
      occurredAt: '2026-01-02T00:00:00.000Z',
      ...change,
    };
    const event = {
      schemaVersion: 1,
      eventId: randomUUID(),
      aggregateVersion: 1,
      createdAt: '2026-01-02T00:00:00.000Z',
      type: 'payment.completed',
      data,
    } as PartnerEvent;
    const { headers, body } = signTestCallback(event, [KEY], new Date());
    const { status } = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
    expect([change, status]).toEqual([change, 500]);
  }
}

/** Starts a receiver, and checks it once it listens. */
async function expectRulesKeptBy(program: string, given: readonly string[], folder: string, env: Record<string, string>) {
  const { PATH = '' } = process.env;
  const own = { PATH, CALLBACK_KEY_ID: KEY.keyId, CALLBACK_SECRET: KEY.secret, PORT: String(port) };
  const receiver = startExample(program, given, folder, { ...own, ...env });
  try {
    await Promise.race([untilListening(), receiver.printed(/never printed/)]);
    await expectRulesKept();
  } finally {
    await receiver.stop();
  }
}

async function untilListening(): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await wait(20);
  }
}

/** A file with an unpaid order. */
function givenShopFile(name: string): { readonly path: string; readonly isPaid: () => boolean } {
  const path = join(shop, name);
  const database = new DatabaseSync(path);
  database.exec(ordersTable('text'));
  database.prepare('insert into orders (number) values (?)').run(ORDER);
  database.close();
  return {
    path,
    isPaid: () => {
      const reader = new DatabaseSync(path);
      const row = reader.prepare('select paid from orders').get();
      reader.close();
      return row?.['paid'] === 1;
    },
  };
}

it.each(['typescript/receiver.ts', 'python/receiver.py', 'php/receiver.php', 'go/receiver.go', 'java/Receiver.java', 'worker/receiver.ts'])(
  '%s has fewer than 40 lines',
  async (name) => {
    expect((await readFile(join(RECEIVERS, name), 'utf8')).trimEnd().split('\n').length).toBeLessThan(40);
  },
);

it('the TypeScript receivers compile strictly', async () => {
  const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc');
  expect((await run(process.execPath, [tsc, '-p', RECEIVERS])).stdout).toBe('');
});

describe('PostgreSQL: a receiver keeps the rules, and pays the order', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase('console');
    client = new pg.Client(database.adminUrl);
    await client.connect();
    await client.query(ordersTable('numeric'));
  });
  // Each SDK has tables of its own shape.
  beforeEach(async () => {
    await client.query('drop table if exists callback_events, callback_aggregates');
    await client.query('delete from orders');
    await client.query('insert into orders (number) values ($1)', [ORDER]);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });
  const expectPaid = async () => {
    expect((await client.query('select paid from orders')).rows).toEqual([{ paid: true }]);
  };

  it('TypeScript: Express', async () => {
    await symlink(join(ROOT, 'packages/sdk/node_modules/express'), join(shop, 'node_modules/express'));
    await symlink(join(ROOT, 'node_modules/pg'), join(shop, 'node_modules/pg'));
    await writeFile(join(shop, 'package.json'), '{ "type": "module" }');
    await copyFile(join(RECEIVERS, 'typescript/receiver.ts'), join(shop, 'receiver.ts'));
    await expectRulesKeptBy(process.execPath, ['receiver.ts'], shop, { DATABASE_URL: database.adminUrl });
    await expectPaid();
  });

  if (go !== undefined) {
    it('Go: net/http', async () => {
      const folder = join(shop, 'go');
      await mkdir(folder);
      await copyFile(join(RECEIVERS, 'go/receiver.go'), join(folder, 'receiver.go'));
      const modules = (await readFile(join(GO_SDK, 'testdb/go.mod'), 'utf8')).replace('=> ../', `=> ${GO_SDK}`);
      await writeFile(join(folder, 'go.mod'), modules);
      expect(await runGo(go, ['build', '-o', 'receiver', '.'], folder)).toBe('');
      const DATABASE_URL = `${database.adminUrl}?sslmode=disable`;
      await expectRulesKeptBy(join(folder, 'receiver'), [], folder, { DATABASE_URL });
      await expectPaid();
    });
  }

  if (java !== undefined) {
    it('Java: jdk.httpserver', async () => {
      const folder = join(shop, 'java');
      const sources = globSync(join(ROOT, 'sdks/java/src/pay/sdk/*.java'));
      await run('javac', [
        ...SHORT_JAVAC,
        '-proc:none',
        '-cp',
        JAVA_POSTGRESQL,
        '-d',
        folder,
        ...sources,
        join(RECEIVERS, 'java/Receiver.java'),
      ]);
      const { host, pathname, username, password } = new URL(database.adminUrl);
      const query = new URLSearchParams({ user: decodeURIComponent(username), password: decodeURIComponent(password) });
      const DATABASE_URL = `jdbc:postgresql://${host}${pathname}?${query.toString()}`;
      await expectRulesKeptBy(java, [...SHORT_JVM, '-cp', [folder, JAVA_POSTGRESQL].join(delimiter), 'Receiver'], folder, {
        DATABASE_URL,
      });
      await expectPaid();
    });
  }
});

describe('SQLite: a receiver keeps the rules, and pays the order', () => {
  if (python !== undefined) {
    it('Python: Flask', async () => {
      const { path, isPaid } = givenShopFile('python.db');
      const env = { DATABASE: path, PYTHONPATH: join(ROOT, 'sdks/python/src'), PYTHONDONTWRITEBYTECODE: '1' };
      await expectRulesKeptBy(python, [join(RECEIVERS, 'python/receiver.py')], shop, env);
      expect(isPaid()).toBe(true);
    });
  }

  if (php !== undefined) {
    it('plain PHP', async () => {
      const folder = join(shop, 'php');
      await mkdir(folder);
      await run(php, ['-d', 'phar.readonly=0', join(ROOT, 'sdks/php/build.php'), folder]);
      await copyFile(join(RECEIVERS, 'php/receiver.php'), join(folder, 'receiver.php'));
      const { path, isPaid } = givenShopFile('php.db');
      const serve = ['-S', `127.0.0.1:${String(port)}`, 'receiver.php'];
      await expectRulesKeptBy(php, serve, folder, { DATABASE: path });
      expect(isPaid()).toBe(true);
    });
  }
});

describe('a worker: Request, Response and D1', () => {
  type Statement = { bind(...values: SQLInputValue[]): Statement; first(): unknown; run(): void };
  type Worker = { fetch(request: Request, env: Readonly<Record<string, unknown>>): Promise<Response> };

  /** What the receiver uses of D1: a batch is a transaction. */
  function d1(database: DatabaseSync) {
    const prepare = (sql: string, values: readonly SQLInputValue[] = []): Statement => ({
      bind: (...bound) => prepare(sql, bound),
      first: () => database.prepare(sql).get(...values) ?? null,
      run: () => {
        database.prepare(sql).run(...values);
      },
    });
    return {
      prepare,
      batch(statements: readonly Statement[]) {
        database.exec('begin');
        try {
          for (const statement of statements) statement.run();
          database.exec('commit');
        } catch (error) {
          database.exec('rollback');
          throw error;
        }
      },
    };
  }

  it('imports nothing but the web entry of the SDK', async () => {
    const code = stripTypeScriptTypes(await readFile(join(RECEIVERS, 'worker/receiver.ts'), 'utf8'));
    expect([...code.matchAll(/\bfrom '([^']+)'|\bimport\(|\brequire\(/g)].map(([, from]) => from)).toEqual(['@pay/sdk/web']);
    expect(code).not.toMatch(/\bprocess\b|\bBuffer\b/);
  });

  it('keeps the rules, and pays the order', async () => {
    const file = join(shop, 'worker.mjs');
    await writeFile(file, stripTypeScriptTypes(await readFile(join(RECEIVERS, 'worker/receiver.ts'), 'utf8')));
    const { default: worker } = (await import(pathToFileURL(file).href)) as { readonly default: Worker };
    const database = new DatabaseSync(':memory:');
    database.exec('create table callback_events (event_id text primary key, aggregate_id text, version integer)');
    database.exec(ordersTable('text'));
    database.prepare('insert into orders (number) values (?)').run(ORDER);
    const env = { DB: d1(database), CALLBACK_KEY_ID: KEY.keyId, CALLBACK_SECRET: KEY.secret };
    const server = createServer((request, response) => {
      void buffer(request).then(async (body) => {
        const headers = new Headers(Object.entries(request.headersDistinct).map(([name, values]) => [name, String(values)]));
        const answer = await worker.fetch(new Request('https://worker/', { method: 'POST', headers, body }), env);
        response.writeHead(answer.status).end(await answer.text());
      });
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    try {
      await expectRulesKept();
      expect(database.prepare('select paid from orders').get()).toEqual({ paid: 1 });
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      database.close();
    }
  });
});
