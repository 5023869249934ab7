import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { sql } from 'drizzle-orm';
import type { Express } from 'express';
import { openDatabase, type Database } from '@pay/shared/postgres/connect/pool.ts';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { createLog } from '@pay/shared/logging/logger.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import { untilBlocked } from '../../../packages/shared/test/mechanisms.ts';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/database.ts';
import type { Deps } from '../src/deps.ts';
import { createFaults } from '../src/faults.ts';
import { createBankApp } from '../src/http/app.ts';
import { createControlApp } from '../src/http/control-app.ts';
import type { Notifier } from '../src/notifier.ts';

export const API_KEY = 'test-key-of-the-bank';
/** Also accepted: during a key rotation both are. */
export const API_KEY_PREVIOUS = 'old-test-key-of-the-bank';
/** Contains every character of base64's alphabet that an address has to escape. */
export const CONTROL_KEY = Buffer.alloc(32, 0xfb);
export const CONTROL_KEY_PREVIOUS = Buffer.alloc(32, 0xfa);
const BEARER = { Authorization: `Bearer ${CONTROL_KEY.toString('base64')}` };

export type Answered = { readonly status: number; readonly body: Record<string, unknown> };

/** A whole bank behind real HTTP, with a PostgreSQL database of its own. */
export type TestBank = {
  readonly url: string;
  /** The origin of the control API and the operations page. */
  readonly controlUrl: string;
  readonly deps: Deps;
  readonly database: Database;
  /**
   * Calls the acquirer API, or `/control/*` on its own port, with the respective key. Rejects if the bank gives no
   * answer.
   */
  call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answered>;
  /** Calls anything else on the port of merchants and buyers, without following redirects. */
  open(path: string, init?: RequestInit): Promise<Response>;
  /** Calls the control port with its key, without following redirects. */
  openControl(path: string, init?: RequestInit): Promise<Response>;
  /** Presses a button on a buyer's page. */
  press(path: string, decision: string): Promise<Response>;
  /** Presses a button on the operations page. */
  pressControl(path: string, decision: string): Promise<Response>;
  /** Registers an order and returns its operation id. */
  givenOrder(change?: object): Promise<string>;
  /** Registers an order and pays it with a card that is saved; returns the token. */
  givenSavedCard(number?: string): Promise<string>;
  authorize(operationId: string, number: string, change?: object): Promise<Answered>;
  /**
   * Waits until PostgreSQL reports this many sessions of the bank waiting for a lock: a real interleaving, without
   * sleeping.
   */
  untilBlocked(count: number): Promise<void>;
  /** How often money moved. */
  moneyMoved(operationId: string): Promise<unknown>;
  close(): Promise<void>;
};

/** A card of the list, valid until the end of 2099. */
export const cardOf = (number: string) => ({ number, expiryMonth: '12', expiryYear: '2099', cvv: '123' });

/** A complete order; every test changes only what it is about. */
export const orderOf = (change: object = {}) => ({
  operationId: randomUUID(),
  amountKopecks: '1050',
  currency: 'RUB',
  description: 'Tea',
  method: 'CARD',
  expiresAt: '2099-12-31T23:59:59.000Z',
  returnUrl: 'http://shop.test/back?order=1',
  ...change,
});

export async function startTestBank(notifier?: Notifier): Promise<TestBank> {
  const testDatabase: TestDatabase = await createTestDatabase('sandbox-bank');
  const database = openDatabase({
    url: testDatabase.url,
    applicationName: 'sandbox-bank',
    onIdleError: () => undefined,
  });
  const deps: Deps = { db: database.db, newId: () => randomBytes(16).toString('hex') };

  // The app needs the public URL, and the URL needs the port: the listener comes first.
  const served: { app?: Express } = {};
  const listener: Listener = await listen((req, res) => void served.app?.(req, res), '127.0.0.1', 0);
  const url = `http://127.0.0.1:${String(listener.port)}`;
  const log = createLog('sandbox-bank', 'silent');
  const httpDeps = { ...deps, faults: createFaults(), notifier, publicUrl: url, apiKeys: [API_KEY, API_KEY_PREVIOUS] };
  served.app = createBankApp(log, httpDeps);
  const control = await listen(createControlApp(log, httpDeps, [CONTROL_KEY, CONTROL_KEY_PREVIOUS]), '127.0.0.1', 0);
  const controlUrl = `http://127.0.0.1:${String(control.port)}`;

  const bank: TestBank = {
    url,
    controlUrl,
    deps,
    database,
    async call(method, path, body) {
      const isControl = path.startsWith('/control/');
      const response = await fetch(`${isControl ? controlUrl : url}${path}`, {
        method,
        headers: {
          ...(isControl ? BEARER : { Authorization: `Bearer ${API_KEY}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: toRecord(await response.json()) };
    },
    open: (path, init) => fetch(`${url}${path}`, { redirect: 'manual', ...init }),
    openControl: (path, { headers, ...init } = {}) =>
      fetch(`${controlUrl}${path}`, {
        redirect: 'manual',
        ...init,
        headers: { ...BEARER, ...Object.fromEntries(new Headers(headers)) },
      }),
    press: (path, decision) => bank.open(path, { method: 'POST', body: new URLSearchParams({ decision }) }),
    pressControl: (path, decision) => bank.openControl(path, { method: 'POST', body: new URLSearchParams({ decision }) }),
    async givenOrder(change) {
      const order = orderOf(change);
      expect((await bank.call('POST', '/v1/orders', order)).status).toBe(200);
      return order.operationId;
    },
    async givenSavedCard(number = '4111111111111111') {
      const operationId = await bank.givenOrder();
      await bank.authorize(operationId, number, { saveCard: true });
      const { body } = await bank.call('GET', `/v1/operations/${operationId}`);
      return String(body['cardToken']);
    },
    authorize: (operationId, number, change = {}) =>
      bank.call('POST', `/v1/orders/${operationId}/authorize`, { card: cardOf(number), saveCard: false, ...change }),
    untilBlocked: (count) => untilBlocked(async (query) => selectRows(database.db, sql.raw(query)), count),
    async moneyMoved(operationId) {
      const { body } = await bank.call('GET', `/control/operations/${operationId}`);
      return toRecord(body['counters'])['moneyMoved'];
    },
    async close() {
      await Promise.all([listener.drain(0), control.drain(0)]);
      await database.close();
      await testDatabase.drop();
    },
  };
  return bank;
}

/** Parsed JSON that must be an object. */
export function toRecord(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('not an object');
  return Object.fromEntries(Object.entries(value));
}
