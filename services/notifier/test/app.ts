import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { EventType } from '@pay/contract/events.ts';
import { FACTS } from '@pay/contract/facts.ts';
import type { IncomingMessage } from '@pay/shared/broker/consume.ts';
import { factVerifier, type FactKey } from '@pay/shared/broker/fact-signature.ts';
import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { singleKey, type EncryptionKeys } from '@pay/shared/encryption/encryption.ts';
import { pageTokens } from '@pay/shared/http/page-token.ts';
import { listen } from '@pay/shared/http/server.ts';
import { internalTokenSigner, internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import { createLog } from '@pay/shared/logging/logger.ts';
import type { AddressRules } from '@pay/shared/net/safe-connect.ts';
import { createPause } from '@pay/shared/time/pause.ts';
import { noOwners } from '../../../packages/shared/test/no-owners.ts';
import { testConsoleKey } from '../../../packages/shared/test/operators.ts';
import { createTestDatabase } from '../../../tools/testing/database.ts';
import { onEndpointsUpdated } from '../src/consumers/on-endpoints-updated.ts';
import { createOnPartnerEvent, partnerEventHandlers } from '../src/consumers/on-partner-event.ts';
import { PARTNER_CONCURRENCY_MAX } from '../src/db/claim-statement.ts';
import { insertEvents } from '../src/db/events.ts';
import { DeliveryLoop } from '../src/delivery/loop.ts';
import { createSender } from '../src/delivery/send.ts';
import { createStored } from '../src/delivery/stored.ts';
import type { Deps } from '../src/deps.ts';
import { createPartnerApp } from '../src/http/app.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from '../src/http/operator/app.ts';

/** The notifier in this process, on its own database. Messages are handed to its consumers directly. */
export type TestApp = {
  readonly deps: Deps;
  readonly url: string;
  readonly operatorUrl: string;
  /** As the notifier's own role. */
  readonly databaseUrl: string;
  readonly encryptionKeys: EncryptionKeys;
  /** Rows returned by a statement in the notifier's schema. */
  query<T extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<T[]>;
  /** Waits until the statement's first row says `true` in its column `ok`. */
  until(text: string, values?: unknown[]): Promise<void>;
  /**
   * One more replica's engine. By default it announces what it leaves to the others, and has no session: only time ends
   * its leases.
   */
  startEngine(rules?: Partial<AddressRules>, announce?: () => void, session?: number): DeliveryLoop;
  /** The key that payments signs its facts with. */
  readonly factKey: FactKey;
  givenEndpoints(partnerId: string, callbackUrl: string, revision?: number, extraEvents?: readonly string[]): Promise<void>;
  /** Fetches a secret through the API; returns the response's status and body. */
  fetchSecret(partnerId: string, options?: { key?: string; body?: string }): Promise<SecretAnswer>;
  /** Calls a route with a partner's token, and an Idempotency-Key if one is given. */
  call(
    method: string,
    path: string,
    partnerId: string,
    key?: string,
  ): Promise<{ status: number; headers: Headers; body: Readonly<Record<string, unknown>> }>;
  /** What a request of a partner carries behind the gateway. */
  headersOf(partnerId: string): Readonly<Record<string, string>>;
  /** Calls an operator route as the operator olga. */
  operate(method: string, path: string, body?: unknown): Promise<{ status: number; body: Readonly<Record<string, unknown>> }>;
  /** Handles a payment's message; returns its event id. */
  givenEvent(partnerId: string, options?: { paymentId?: string; version?: number; type?: EventType }): Promise<string>;
  /** Moves the database's clock by this much, for example `61 s`. */
  moveClock(interval: string): Promise<void>;
  /** Stops the database's clock while `run` is running, so that a per-minute count stays within one minute. */
  whileClockStands<T>(run: () => Promise<T>): Promise<T>;
  stopEngines(): Promise<void>;
  stop(): Promise<void>;
};

export type SecretAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, string>>;
};

/** A payment's message, as payments writes it. */
export function paymentMessage(partnerId: string, paymentId: string, version: number, type: EventType): Record<string, unknown> {
  const common = {
    partnerId,
    paymentId,
    aggregateVersion: version,
    merchantOrderId: `order-${paymentId.slice(0, 8)}`,
    amountKopecks: '1050',
    currency: 'RUB',
    paymentMethod: 'CARD',
    bankOperationId: 'bank-1',
    occurredAt: '2026-11-20T10:00:00.000Z',
  };
  return type === 'payment.completed'
    ? { ...common, ledgerTransactionId: randomUUID() }
    : { ...common, status: 'REJECTED', failureCode: 'INSUFFICIENT_FUNDS', statusReason: 'not enough money' };
}

/** As `paymentMessage`, or a binding's if the type is one of a binding. */
function messageOf(partnerId: string, id: string, version: number, type: EventType): Record<string, unknown> {
  if (!type.startsWith('binding.')) return paymentMessage(partnerId, id, version, type);
  const status = type === 'binding.created' ? 'ACTIVE' : type === 'binding.expired' ? 'EXPIRED' : 'REVOKED';
  const moments = { nextChargeAt: '2026-12-20T10:00:00.000Z', occurredAt: '2026-11-20T10:00:00.000Z' };
  const base = { partnerId, bindingId: id, aggregateVersion: version, customerId: 'buyer', consentId: randomUUID() };
  return { ...base, status, period: 'P1M', ...moments };
}

/** Statements of a schema's owner that move its clock forward, for example by `61 s`. */
export function movedBy(interval: string): readonly string[] {
  return [
    'create table if not exists moved (by interval)',
    'grant select on moved to public',
    `insert into moved values ('${interval}')`,
    `create or replace function clock_now() returns timestamptz language sql stable as $$
      select date_trunc('milliseconds', clock_timestamp()) + (select sum(by) from moved) $$`,
  ];
}

/**
 * Starts the app. Tests start the engines, so that they decide who delivers. `wayTo` returns the URL through which the
 * app reaches its database, for a test that listens in.
 */
export async function startTestApp(wayTo = (url: string) => Promise.resolve(url)): Promise<TestApp> {
  const testDatabase = await createTestDatabase('notifier');
  const log = createLog('notifier', 'error');
  const database = openDatabase({
    url: await wayTo(testDatabase.url),
    applicationName: 'notifier-test',
    onIdleError: () => undefined,
  });
  const side = new pg.Pool({ connectionString: testDatabase.ownerUrl, max: 2 });
  const encryptionKeys = singleKey('test', randomBytes(32));
  const engines: DeliveryLoop[] = [];
  const tellOthers = () => {
    for (const engine of engines) engine.wakeForOther();
  };
  // Without a delivering engine, events are still stored.
  const delivery: Deps['delivery'] = {
    store: (events) => engines[0]?.store(events) ?? insertEvents(database.db, events),
    wake() {
      for (const engine of engines) engine.wake();
    },
  };
  const deps: Deps = {
    db: database.db,
    log,
    encryptionKeys,
    delivery,
    stored: createStored(() => undefined),
    replays: createPause(),
  };
  const onPartnerEvent = createOnPartnerEvent(deps);
  const tokenKey = randomBytes(32);
  const sign = internalTokenSigner('gateway', 'notifier', tokenKey);
  const handlers = {
    'integration.endpoints_updated': (message: IncomingMessage) => onEndpointsUpdated(deps, message),
    ...partnerEventHandlers(onPartnerEvent),
  };
  const factKey = { id: 'k1', key: randomBytes(32) };
  const verify = factVerifier(FACTS, 'notifier', new Map([['payments', new Map([[factKey.id, factKey.key]])]]));
  const partnerApp = createPartnerApp(
    { ...deps, handlers, verify },
    internalTokenVerifier('notifier', tokenKey),
    pageTokens(tokenKey, 'notifier'),
  );
  const listener = await listen(partnerApp, '127.0.0.1', 0);
  const url = `http://127.0.0.1:${String(listener.port)}`;

  const people = testConsoleKey();
  const operators = await listen(
    createOperatorApp(
      {
        ...deps,
        owners: noOwners('notifier'),
        handlers: {},
        verify: () => undefined,
        pageTokens: pageTokens(randomBytes(32), 'notifier'),
      },
      people.verifierOf(OPERATOR_AUDIENCE),
    ),
    '127.0.0.1',
    0,
  );
  const operatorUrl = `http://127.0.0.1:${String(operators.port)}`;

  const incoming = (type: string, body: unknown): IncomingMessage => ({
    messageId: randomUUID(),
    type,
    aggregateId: '',
    occurredAt: '2026-11-20T10:00:00.000Z',
    body,
  });
  async function query<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await side.query<T>(text, values)).rows;
  }

  return {
    deps,
    url,
    operatorUrl,
    databaseUrl: testDatabase.url,
    encryptionKeys,
    factKey,
    query,
    async until(text, values) {
      while ((await query<{ ok: boolean }>(text, values))[0]?.ok !== true) await wait(20);
    },
    startEngine(rules = {}, announce = tellOthers, session) {
      // What a private address answers is not kept: the receivers that tests play count as public.
      const played = { allowPrivate: true, publicForTests: ['127.0.0.1'], ...rules };
      const sender = createSender(played, PARTNER_CONCURRENCY_MAX);
      const engine = new DeliveryLoop({
        db: deps.db,
        log,
        encryptionKeys,
        sender,
        announce,
        holder: () => session ?? null,
      });
      engines.push(engine);
      return engine;
    },
    async givenEndpoints(partnerId, callbackUrl, revision = 1, extraEvents = []) {
      const body = {
        partnerId,
        callbackUrl,
        returnUrl: 'https://shop.example/',
        extraEvents,
        revision,
        updatedAt: '2026-11-20T10:00:00.000Z',
      };
      await onEndpointsUpdated(deps, incoming('integration.endpoints_updated', body));
    },
    async fetchSecret(partnerId, { key = randomUUID(), body = '{"confirmSecureStorage":true}' } = {}) {
      const response = await fetch(`${url}/api/integration/callback-secret`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key, 'X-Internal-Token': sign(partnerId) },
        body,
      });
      return {
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as Record<string, string>,
      };
    },
    async call(method, path, partnerId, key) {
      const headers = { 'X-Internal-Token': sign(partnerId), ...(key === undefined ? {} : { 'Idempotency-Key': key }) };
      const response = await fetch(`${url}${path}`, { method, headers });
      const { status, headers: answered } = response;
      return { status, headers: answered, body: (await response.json()) as Record<string, unknown> };
    },
    headersOf: (partnerId) => ({ 'X-Internal-Token': sign(partnerId) }),
    async operate(method, path, body) {
      const response = await people.fetchAs(OPERATOR_AUDIENCE, 'olga', `${operatorUrl}${path}`, { method, body });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    async givenEvent(partnerId, { paymentId = randomUUID(), version = 1, type = 'payment.completed' } = {}) {
      const message = incoming(type, messageOf(partnerId, paymentId, version, type));
      await onPartnerEvent(type, message);
      return message.messageId;
    },
    async moveClock(interval) {
      for (const statement of movedBy(interval)) await query(statement);
    },
    async whileClockStands(run) {
      const [goes] = await query<{ text: string; now: Date }>(
        `select pg_get_functiondef('clock_now()'::regprocedure) as text, clock_now() as now`,
      );
      if (goes === undefined) throw new Error('there is no clock');
      await query(`create or replace function clock_now() returns timestamptz language sql stable as $$
        select timestamptz '${goes.now.toISOString()}' $$`);
      try {
        return await run();
      } finally {
        await query(goes.text);
      }
    },
    async stopEngines() {
      await Promise.all(engines.splice(0).map((engine) => engine.stop()));
    },
    async stop() {
      await Promise.all(engines.splice(0).map((engine) => engine.stop()));
      await operators.drain(1_000);
      await listener.drain(1_000);
      await side.end();
      await database.close();
      await testDatabase.drop();
    },
  };
}
