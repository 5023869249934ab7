import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { ConsentGiven, PaymentCompleted, PaymentFailed, type FailureCode } from '@pay/contract/messages.ts';
import type { Handle } from '@pay/shared/broker/consume.ts';
import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { pageTokens } from '@pay/shared/http/page-token.ts';
import { listen } from '@pay/shared/http/server.ts';
import { internalTokenSigner, internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import { createLog } from '@pay/shared/logging/logger.ts';
import { untilBlocked } from '../../../packages/shared/test/mechanisms.ts';
import { createTestDatabase } from '../../../tools/testing/database.ts';
import { onConsentGiven } from '../src/consumers/on-consent-given.ts';
import { onPaymentCompleted, onPaymentFailed } from '../src/consumers/on-payment-ended.ts';
import type { HttpDeps } from '../src/deps.ts';
import { createBindingsApp } from '../src/http/app.ts';
import { retryLimitsOf, retryLimitsText } from '../src/retry-limits.ts';
import { createOperationIds } from '@pay/shared/identities/operation-ids.ts';
import { createPayments } from '../src/payments/payments.ts';
import { startPaymentsServer, type PaymentsServer } from './payments-server.ts';

export type Json = Readonly<Record<string, unknown>>;
/** A response of the service. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly text: string; readonly body: Json };

export type Call = {
  readonly partner?: string;
  /** A random key by default; null sends none. */
  readonly key?: string | null;
  /** Sent literally instead of `body`. */
  readonly raw?: string;
  readonly body?: unknown;
  /** Which replica; the first by default. */
  readonly replica?: number;
};

/** One row of a table, as PostgreSQL returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** The fields that a test sets; the rest is an active monthly binding that is due. */
export type GivenBinding = {
  readonly partner?: string;
  readonly customerId?: string;
  readonly period?: string;
  readonly cardMask?: string;
  readonly cardExpiry?: string;
  /** When the first payment was confirmed; long ago by default, so that the binding is due. */
  readonly chargedAt?: string;
};

type Options = {
  /** The way that the service takes to its database. */
  readonly wayTo?: (databaseUrl: string) => Promise<string>;
};

export type TestApp = {
  readonly databaseUrl: string;
  /** The addresses of the replicas, and the key of the tokens that they accept. */
  readonly urls: readonly string[];
  readonly tokenKey: Buffer;
  /** Of the first replica. */
  readonly deps: HttpDeps;
  readonly payments: PaymentsServer;
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** Creates a binding through `payment.completed`; returns its id. */
  givenBinding(given?: GivenBinding): Promise<string>;
  /** POST /v1/recurring-payments, with a new order and key unless given. */
  charge(bindingId: string, call?: Call, change?: Json): Promise<Answer>;
  /** Delivers `payment.completed` for a charge that payments took. */
  completed(paymentId: unknown, occurredAt: string): Promise<void>;
  /** Delivers `payment.failed` for a charge that payments took. */
  failed(paymentId: unknown, failureCode?: FailureCode, occurredAt?: string): Promise<void>;
  consent(consent: Json): Promise<void>;
  /** The body of GET /v1/bindings/{bindingId}. */
  binding(bindingId: string, partner?: string): Promise<Json>;
  /** Types and payloads of the outbox of one binding, oldest first. */
  events(bindingId: string): Promise<readonly { readonly type: string; readonly payload: Json }[]>;
  rows(text: string, values?: unknown[]): Promise<Row[]>;
  /** Sets the database's clock and stops it there. */
  setClock(moment: string): Promise<void>;
  /** Waits until this many database sessions wait for a lock. */
  untilBlocked(sessions?: number): Promise<void>;
  close(): Promise<void>;
};

const HOST = '127.0.0.1';
export const PARTNER = 'partner-a';

/** The service in this process: two replicas with a pool each, on a database of their own; payments is simulated. */
export async function startTestApp({ wayTo }: Options = {}): Promise<TestApp> {
  const testDatabase = await createTestDatabase('bindings');
  const url = (await wayTo?.(testDatabase.url)) ?? testDatabase.url;
  const side = new pg.Pool({ connectionString: testDatabase.ownerUrl, max: 2 });
  const log = createLog('bindings', 'silent');
  const [tokenKey, paymentsKey] = [randomBytes(32), randomBytes(32)];
  const sign = internalTokenSigner('gateway', 'bindings', tokenKey);
  const payments = await startPaymentsServer(paymentsKey);

  const startReplica = async () => {
    const database = openDatabase({ url, applicationName: 'bindings-test', onIdleError: () => undefined });
    const client = createPayments({ urls: [payments.url], tokenKey: paymentsKey, log });
    const deps: HttpDeps = {
      db: database.db,
      log,
      payments: client,
      operationIds: createOperationIds(tokenKey),
      retryLimits: retryLimitsOf(retryLimitsText.parse(undefined)),
      pageTokens: pageTokens(tokenKey, 'bindings'),
    };
    const api = await listen(createBindingsApp(deps, internalTokenVerifier('bindings', tokenKey), new Map()), HOST, 0);
    const close = async () => {
      await api.drain(0);
      await client.close();
      await database.close();
    };
    return { deps, origin: `http://${HOST}:${String(api.port)}`, close };
  };
  const replicas = [await startReplica(), await startReplica()] as const;
  const { deps } = replicas[0];

  const t: TestApp = {
    databaseUrl: testDatabase.url,
    urls: replicas.map(({ origin }) => origin),
    tokenKey,
    deps,
    payments,
    async call(method, path, { partner = PARTNER, key, raw, body, replica = 0 } = {}) {
      const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
      const idempotencyKey = key === undefined && method === 'POST' ? randomUUID() : key;
      return answerOf(
        await fetch(`${replicas[replica % 2 === 0 ? 0 : 1].origin}${path}`, {
          method,
          headers: {
            'x-internal-token': sign(partner),
            ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
            ...(typeof idempotencyKey === 'string' ? { 'idempotency-key': idempotencyKey } : {}),
          },
          ...(sent === undefined ? {} : { body: sent }),
        }),
      );
    },
    async givenBinding({ partner = PARTNER, customerId = 'buyer', period = 'P1M', chargedAt = LONG_AGO, ...card } = {}) {
      const bindingId = randomUUID();
      const savedCard = { bindingId, consentId: randomUUID(), customerId, period, ...card };
      await deliver(onPaymentCompleted(deps), 'payment.completed', {
        ...paymentFact(randomUUID(), partner, chargedAt),
        ledgerTransactionId: randomUUID(),
        savedCard,
      });
      return bindingId;
    },
    charge: (bindingId, call = {}, change = {}) =>
      t.call('POST', '/v1/recurring-payments', {
        ...call,
        body: {
          merchantOrderId: `order-${randomUUID()}`,
          amount: '990.00',
          currency: 'RUB',
          bindingId,
          description: 'Subscription',
          ...change,
        },
      }),
    completed: (paymentId, occurredAt) =>
      deliver(onPaymentCompleted(deps), 'payment.completed', {
        ...chargeFact(paymentId, occurredAt),
        ledgerTransactionId: randomUUID(),
      }),
    failed: (paymentId, failureCode = 'INSUFFICIENT_FUNDS', occurredAt = '2026-11-21T10:00:00.000Z') =>
      deliver(onPaymentFailed(deps), 'payment.failed', { ...chargeFact(paymentId, occurredAt), status: 'REJECTED', failureCode }),
    consent: (consent) => deliver(onConsentGiven(deps), 'consent.given', consent),
    binding: async (bindingId, partner = PARTNER) => (await t.call('GET', `/v1/bindings/${bindingId}`, { partner })).body,
    async events(bindingId) {
      const text = 'select type, payload from outbox where aggregate_id = $1 order by position';
      return (await side.query<{ type: string; payload: Json }>(text, [bindingId])).rows;
    },
    rows: async (text, values = []) => (await side.query<Row>(text, values)).rows,
    async setClock(moment) {
      await t.rows(`create or replace function clock_now() returns timestamptz language sql stable as $$
        select ${pg.escapeLiteral(moment)}::timestamptz $$`);
    },
    untilBlocked: (sessions) => untilBlocked((text) => t.rows(text), sessions),
    async close() {
      await Promise.all(replicas.map((replica) => replica.close()));
      await payments.close();
      await side.end();
      await testDatabase.drop();
    },
  };

  /** What payments would publish about a charge that it took. */
  function chargeFact(paymentId: unknown, occurredAt: string): Json {
    const command = payments.taken.get(String(paymentId));
    if (command === undefined) throw new Error('payments has no such charge');
    const { partnerId, bindingId } = command;
    return { ...paymentFact(command.paymentId, partnerId, occurredAt), paymentMethod: 'CARD_BINDING', bindingId };
  }
  return t;
}

const LONG_AGO = '2020-01-31T10:00:00.000Z';

function paymentFact(paymentId: string, partnerId: string, occurredAt: string): Json {
  return {
    partnerId,
    paymentId,
    aggregateVersion: 1,
    merchantOrderId: 'order-0',
    amountKopecks: '99000',
    currency: 'RUB',
    paymentMethod: 'CARD',
    bankOperationId: 'b-1',
    occurredAt,
  };
}

/** Delivers a message as the broker would. It is parsed with the producer's schemas. */
async function deliver(handle: Handle, type: keyof typeof SCHEMAS, body: Json): Promise<void> {
  SCHEMAS[type].parse(body);
  await handle({ messageId: randomUUID(), type, aggregateId: '', occurredAt: '', body });
}

const SCHEMAS = {
  'payment.completed': PaymentCompleted,
  'payment.failed': PaymentFailed,
  'consent.given': ConsentGiven,
} as const;

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const value: unknown = text === '' ? {} : JSON.parse(text);
  const body: Json = typeof value === 'object' && value !== null ? { ...value } : {};
  return { status: response.status, headers: response.headers, text, body };
}
