import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { checkReceiver } from '../../packages/cli/src/partner/receiver-check.ts';
import { ROOT } from '../infrastructure/folders.ts';
import { freePorts } from '../infrastructure/ports.ts';
import { installSdk, type InstalledSdk } from '../sdk/installed.ts';
import { PHP, PYTHON } from '../sdk/languages.ts';
import { startExample } from '../sdk/readme-example.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';

const run = promisify(execFile);
const RECEIVERS = join(ROOT, 'examples/receivers');
const KEY = { keyId: 'k_example', secret: randomBytes(32).toString('base64') };
const ORDER = 'order-1001';
const ORDERS = 'create table orders (number text primary key, paid boolean not null default false)';

let installed: InstalledSdk;
let shop = '';
let port = 0;
beforeAll(async () => {
  installed = await installSdk();
  shop = installed.shop;
  port = (await freePorts(['receiver'])).receiver;
});
afterAll(() => installed.remove());

/** Sends everything that the service or a forger might, and expects the answers of docs/callbacks.md. */
async function expectRulesKept(): Promise<void> {
  const url = `http://127.0.0.1:${String(port)}/callbacks`;
  const results = await checkReceiver({ url, key: KEY, merchantOrderId: ORDER });
  expect(results.filter(({ passed }) => !passed)).toEqual([]);
}

const variables = () => ({
  PATH: process.env['PATH'] ?? '',
  CALLBACK_KEY_ID: KEY.keyId,
  CALLBACK_SECRET: KEY.secret,
  PORT: String(port),
});

/** A file with an unpaid order. */
function givenShopFile(name: string): { readonly path: string; readonly isPaid: () => boolean } {
  const path = join(shop, name);
  const database = new DatabaseSync(path);
  database.exec(ORDERS);
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

it.each(['typescript/receiver.ts', 'python/receiver.py', 'php/receiver.php', 'worker/receiver.ts'])(
  '%s has fewer than 40 lines',
  async (name) => {
    expect((await readFile(join(RECEIVERS, name), 'utf8')).split('\n').length).toBeLessThanOrEqual(40);
  },
);

it('the TypeScript receivers compile strictly', async () => {
  const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc');
  expect((await run(process.execPath, [tsc, '-p', RECEIVERS])).stdout).toBe('');
});

describe('TypeScript: Express and PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('console');
    await symlink(join(ROOT, 'packages/sdk/node_modules/express'), join(shop, 'node_modules/express'));
    await symlink(join(ROOT, 'node_modules/pg'), join(shop, 'node_modules/pg'));
    await writeFile(join(shop, 'package.json'), '{ "type": "module" }');
  });
  afterAll(() => database.drop());

  it('keeps the rules, and pays the order', async () => {
    const client = new pg.Client(database.adminUrl);
    await client.connect();
    await client.query(ORDERS);
    await client.query('insert into orders (number) values ($1)', [ORDER]);
    await copyFile(join(RECEIVERS, 'typescript/receiver.ts'), join(shop, 'receiver.ts'));
    const env = { ...variables(), DATABASE_URL: database.adminUrl };
    const receiver = startExample(process.execPath, ['receiver.ts'], shop, env);
    try {
      await receiver.printed(/listening/);
      await expectRulesKept();
      expect((await client.query('select paid from orders')).rows).toEqual([{ paid: true }]);
    } finally {
      await receiver.stop();
      await client.end();
    }
  });
});

describe.each([PYTHON.find() ?? []].flat())('Python: Flask and SQLite, with %s', (python) => {
  it('keeps the rules, and pays the order', async () => {
    const { path, isPaid } = givenShopFile('python.db');
    const env = { ...variables(), DATABASE: path, PYTHONPATH: join(ROOT, 'sdks/python/src'), PYTHONDONTWRITEBYTECODE: '1' }; // prettier-ignore
    const receiver = startExample(python, [join(RECEIVERS, 'python/receiver.py')], shop, env);
    try {
      await receiver.printed(/Running on/);
      await expectRulesKept();
      expect(isPaid()).toBe(true);
    } finally {
      await receiver.stop();
    }
  });
});

describe.each([PHP.find() ?? []].flat())('PHP and SQLite, with %s', (php) => {
  it('keeps the rules, and pays the order', async () => {
    const folder = join(shop, 'php');
    await mkdir(folder);
    await run(php, ['-d', 'phar.readonly=0', join(ROOT, 'sdks/php/build.php'), folder]);
    await copyFile(join(RECEIVERS, 'php/receiver.php'), join(folder, 'receiver.php'));
    const { path, isPaid } = givenShopFile('php.db');
    const serve = ['-S', `127.0.0.1:${String(port)}`, 'receiver.php'];
    const receiver = startExample(php, serve, folder, { ...variables(), DATABASE: path });
    try {
      await receiver.printed(/Development Server .* started/);
      await expectRulesKept();
      expect(isPaid()).toBe(true);
    } finally {
      await receiver.stop();
    }
  });
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
    expect([...code.matchAll(/\bfrom '([^']+)'|\bimport\(|\brequire\(/g)].map(([, from]) => from)).toEqual([
      '@pay/sdk/web',
    ]);
    expect(code).not.toMatch(/\bprocess\b|\bBuffer\b/);
  });

  it('keeps the rules, and pays the order', async () => {
    const file = join(shop, 'worker.mjs');
    await writeFile(file, stripTypeScriptTypes(await readFile(join(RECEIVERS, 'worker/receiver.ts'), 'utf8')));
    const { default: worker } = (await import(pathToFileURL(file).href)) as { readonly default: Worker };
    const database = new DatabaseSync(':memory:');
    database.exec('create table callback_events (event_id text primary key, aggregate_id text, version integer)');
    database.exec(ORDERS);
    database.prepare('insert into orders (number) values (?)').run(ORDER);
    const env = { DB: d1(database), CALLBACK_KEY_ID: KEY.keyId, CALLBACK_SECRET: KEY.secret };
    const server = createServer((request, response) => {
      void buffer(request).then(async (body) => {
        const headers = new Headers(
          Object.entries(request.headersDistinct).map(([name, values]) => [name, String(values)]),
        );
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
