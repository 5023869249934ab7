import { createHash, randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { openDatabase } from '@pay/shared/postgres/connect/pool.ts';
import { singleKey } from '@pay/shared/encryption/encryption.ts';
import { listen } from '@pay/shared/http/server.ts';
import { pageTokens } from '@pay/shared/http/page-token.ts';
import { internalTokenSigner, internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import { createLog } from '@pay/shared/logging/logger.ts';
import { startDnsServer, type DnsAnswer } from '../../../packages/shared/test/dns-server.ts';
import { untilBlocked } from '../../../packages/shared/test/mechanisms.ts';
import { workOff } from '../../../packages/shared/test/work-off.ts';
import { createTestDatabase } from '../../../tools/testing/database.ts';
import { createOperationIds } from '@pay/shared/identities/operation-ids.ts';
import { createBindings } from '../src/bindings/bindings.ts';
import { SANDBOX_BANK } from '../src/acquirers/connectors.ts';
import { createSandboxBankAcquirer } from '../src/acquirers/sandbox-bank/sandbox-bank-acquirer.ts';
import { insertPoint, insertRoute, insertStore } from '../src/db/merchant/payment-points.ts';
import { findCardEntry } from '../src/db/checkout/card-entry.ts';
import { listRoutesWithDuePayments } from '../src/db/payment/payments.ts';
import { listRoutesWithDueRefunds } from '../src/db/refund/refunds.ts';
import type { Buyer, CardDetails } from '../src/acquirers/acquirer.ts';
import type { ApiDeps, CheckoutDeps, Deps } from '../src/deps.ts';
import { createPaymentsApp } from '../src/http/app.ts';
import { answerConsent } from '../src/use-cases/checkout/answer-consent.ts';
import { followUpLoop } from '../src/use-cases/payment/follow-up-payments.ts';
import { followUpRefundsLoop } from '../src/use-cases/refund/follow-up-refunds.ts';
import { payByCard, type PayByCardOutcome } from '../src/use-cases/checkout/pay-by-card.ts';
import { startTestBank, type TestBank } from './bank.ts';
import { startTestBindings, type TestBindings } from './bindings.ts';
import { startTestNotifier, type TestNotifier } from './notifier.ts';

export type Json = Readonly<Record<string, unknown>>;
/** An answer of the service. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly text: string; readonly body: Json };

export type Call = {
  readonly partner?: string;
  /** A fresh one by default; null sends none. */
  readonly key?: string | null;
  /** Sent as it stands, instead of `body`. */
  readonly raw?: string | Buffer;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** One row of a table, as PostgreSQL hands it over. */
export type Row = Readonly<Record<string, unknown>>;

type Options = {
  readonly poolSize?: number;
  /** Of one call to the bank. */
  readonly deadlineMs?: number;
  readonly allowPrivateAddresses?: boolean;
  readonly ownHosts?: readonly string[];
  /** The way that the service takes to its database. */
  readonly wayTo?: (databaseUrl: string) => Promise<string>;
};

export type TestApp = {
  readonly deps: ApiDeps & CheckoutDeps;
  readonly bank: TestBank;
  readonly bindings: TestBindings;
  readonly notifier: TestNotifier;
  readonly url: string;
  /** Of the tokens that it accepts. */
  readonly tokenKey: Buffer;
  readonly databaseUrl: string;
  /** Of the owner of the tables: for what the service may not do. */
  readonly ownerUrl: string;
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** A POST /api/card with a good body; `change` replaces fields, undefined removes one. */
  create(change?: Json, call?: Call): Promise<Answer>;
  read(id: unknown, call?: Call): Promise<Answer>;
  /** A partner with a store and one card point, ready for payments. */
  givenPartner(point?: Json): Promise<{ partner: string; point: string; store: string }>;
  /** A SUBMITTED payment of a partner, its id and the token of its form. */
  givenPayment(change?: Json): Promise<{ id: string; checkoutToken: string; orderID: string }>;
  /** A payment whose buyer agreed and paid: a card that may be charged. */
  givenSavedCard(change?: Json): Promise<{ id: string; checkoutToken: string; bindingId: string }>;
  /** POST /internal/charges of a saved card; `change` replaces fields. */
  charge(bindingId: string, change?: Json, call?: Call): Promise<Answer>;
  pay(checkoutToken: string, card?: Partial<typeof CARD>): Promise<PayByCardOutcome>;
  rows(text: string, values?: unknown[]): Promise<Row[]>;
  /** The row of a payment. */
  payment(id: unknown): Promise<Row>;
  /** What waits to be published about a payment, oldest first. */
  messages(id: unknown): Promise<{ type: string; payload: Json }[]>;
  /** Moves the database's clock forward. */
  moveClock(interval: string): Promise<void>;
  /** During `work` the database's clock moves by `moveClock` only: nothing is due because the machine is slow. */
  withStoppedClock(work: () => Promise<void>): Promise<void>;
  /** The worker, until nothing is due. */
  work(): Promise<void>;
  /** Resolves when PostgreSQL reports that this many sessions wait for a lock of this database. */
  untilBlocked(count?: number): Promise<void>;
  close(): Promise<void>;
};

/** Good for years, approved by the test bank. */
export const CARD = { number: '4111111111111111', expiryMonth: 12, expiryYear: 2099, cvv: '123' };

/** What a buyer saw who agreed. */
export const SHOWN = {
  text: 'I agree.',
  version: 'test-1',
  sha256: createHash('sha256').update('I agree.').digest('hex'),
  address: '203.0.113.7',
  userAgent: 'Test/1.0',
} as const;

/** What the test's name server says; every other name has a public address. */
const NAMES: Readonly<Record<string, DnsAnswer>> = {
  'gone.example': 'NXDOMAIN',
  'broken.example': 'SERVFAIL',
  'silent.example': 'SILENCE',
  '127.0.0.1.nip.example': { addresses: ['127.0.0.1'] },
  'mixed.example': { addresses: ['8.8.8.8', '10.0.0.1'] },
};

const RUNNING = 'clock_timestamp()';

/** The workers, until nothing is due. */
export async function followUpAll(deps: Deps): Promise<void> {
  do {
    await workOff(followUpLoop(deps));
    await workOff(followUpRefundsLoop(deps));
  } while ([await listRoutesWithDuePayments(deps.db), await listRoutesWithDueRefunds(deps.db)].flat().length > 0);
}

/** The service against a database of its own and a bank played by the test. */
export async function startTestApp(options: Options = {}): Promise<TestApp> {
  const testDatabase = await createTestDatabase('payments');
  const bank = await startTestBank();
  const names = await startDnsServer((name) => NAMES[name] ?? { addresses: ['8.8.8.8'] });
  const playedBindings = await startTestBindings();
  const log = createLog('payments', 'silent');
  const playedNotifier = await startTestNotifier(log);
  const databaseUrl = (await options.wayTo?.(testDatabase.url)) ?? testDatabase.url;
  const database = openDatabase({
    url: databaseUrl,
    applicationName: 'payments-test',
    ...(options.poolSize === undefined ? {} : { poolSize: options.poolSize }),
    onIdleError: () => undefined,
  });
  const reads = openDatabase({
    url: databaseUrl,
    applicationName: 'payments-test-reads',
    poolSize: 2,
    onIdleError: () => undefined,
  });
  const side = new pg.Pool({ connectionString: testDatabase.ownerUrl, max: 2 });
  const acquirer = createSandboxBankAcquirer({
    url: bank.url,
    apiKey: bank.apiKey,
    routeId: `test-${randomUUID()}`,
    log,
    ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs }),
    breakerResetMs: 600_000,
  });
  const { url: bindingsUrl, tokenKey: bindingsKey } = playedBindings;
  const bindings = createBindings({ urls: [bindingsUrl], tokenKey: bindingsKey, log });
  const deps: ApiDeps & CheckoutDeps = {
    refundLimits: { support: 0n, operator: 5_000n, finance: 1_000_000n, admin: 1_000_000_000n },
    db: database.db,
    reads: reads.db,
    log,
    environment: 'TEST',
    acquirerOf: ({ connector }) => (connector === SANDBOX_BANK ? acquirer : undefined),
    pageTokens: pageTokens(randomBytes(32), 'payments'),
    encryptionKeys: singleKey('k1', randomBytes(32)),
    bindings,
    operationIds: createOperationIds(bindingsKey),
    notifier: playedNotifier.client,
    velocity: { address: 1_000, bin: 1_000, point: 1_000 },
    checkoutUrl: 'https://form.example',
    allowPrivateAddresses: options.allowPrivateAddresses ?? false,
    ownHosts: options.ownHosts ?? ['api.pay.example'],
    dnsServers: [names.server],
  };
  const tokenKey = randomBytes(32);
  const signToken = internalTokenSigner('gateway', 'payments', tokenKey);
  const listener = await listen(createPaymentsApp(deps, internalTokenVerifier('payments', tokenKey), new Map()), '127.0.0.1', 0);
  const url = `http://127.0.0.1:${String(listener.port)}`;

  const rows = async (text: string, values: unknown[] = []): Promise<Row[]> => (await side.query<Row>(text, values)).rows;
  let real = RUNNING;
  const setClock = () =>
    rows(`create or replace function clock_now() returns timestamptz language sql stable as $$
      select date_trunc('milliseconds', ${real}) + (select sum(by) from moved) $$`);
  const t: TestApp = {
    deps,
    bank,
    bindings: playedBindings,
    notifier: playedNotifier,
    url,
    tokenKey,
    databaseUrl: testDatabase.url,
    ownerUrl: testDatabase.ownerUrl,
    async call(method, path, { partner = DEFAULT_PARTNER, key, raw, body, headers } = {}) {
      const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
      const idempotencyKey = key === undefined && method === 'POST' ? randomUUID() : key;
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          'x-internal-token': signToken(partner),
          ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
          ...(typeof idempotencyKey === 'string' ? { 'idempotency-key': idempotencyKey } : {}),
          ...headers,
        },
        ...(sent === undefined ? {} : { body: typeof sent === 'string' ? sent : new Uint8Array(sent) }),
      });
      const text = await response.text();
      const isCsv = response.headers.get('content-type')?.startsWith('text/csv') === true;
      return { status: response.status, headers: response.headers, text, body: isCsv ? {} : asJson(text) };
    },
    create: (change = {}, call = {}) => t.call('POST', '/api/card', { body: { ...goodBody(), ...change }, ...call }),
    read: (id, call = {}) => t.call('GET', `/api/card/${String(id)}`, call),
    async givenPartner(point = {}) {
      const [partner, paymentPointId, storeId] = [randomUUID(), `point-${randomUUID()}`, `store-${randomUUID()}`];
      await deps.db.transaction(async (tx) => {
        await insertRoute(tx, { routeId: SANDBOX_BANK, connector: SANDBOX_BANK });
        await insertStore(tx, { storeId, partnerId: partner, name: 'Shop' });
        const base = { paymentPointId, storeId, partnerId: partner, name: 'Cards', routeId: SANDBOX_BANK };
        await insertPoint(tx, { ...base, paymentMethods: ['CARD'], feeBasisPoints: 250, ...point });
      });
      return { partner, point: paymentPointId, store: storeId };
    },
    async givenPayment(change = {}) {
      const answer = await t.create(change);
      if (answer.status !== 201) throw new Error(`not created: ${answer.text}`);
      const { id, orderID } = answer.body;
      const row = await t.payment(id);
      return { id: String(id), orderID: String(orderID), checkoutToken: String(row['form_token']) };
    },
    async givenSavedCard(change = {}) {
      const saving = { savePaymentMethod: true, recurringConsent: { period: 'P1M' } };
      const { id, checkoutToken } = await t.givenPayment({ ...saving, ...change });
      await answerConsent(deps, { checkoutToken, agreed: SHOWN });
      await t.pay(checkoutToken);
      const bindingId = String((await t.payment(id))['binding_id']);
      const partnerId = String((await t.payment(id))['partner_id']);
      const nextChargeAt = '2026-12-21T00:00:00.000Z';
      playedBindings.known.set(bindingId, { partnerId, status: 'ACTIVE', period: 'P1M', nextChargeAt });
      return { id, checkoutToken, bindingId };
    },
    charge: (bindingId, change = {}, call = {}) => {
      const fresh = { paymentId: randomUUID(), merchantOrderId: `order-${randomUUID()}` };
      const createdAt = '2026-11-21T09:59:59.987Z';
      const body = {
        ...fresh,
        bindingId,
        amountKopecks: '10000',
        description: 'A month of coffee',
        createdAt,
        ...change,
      };
      return t.call('POST', '/internal/charges', { key: null, body, ...call });
    },
    pay: (checkoutToken, card = {}) => payAtCheckout(deps, checkoutToken, { ...CARD, ...card }),
    rows,
    async payment(id) {
      const [row] = await rows('select * from payments where payment_id = $1', [id]);
      if (row === undefined) throw new Error('no such payment');
      return row;
    },
    async messages(id) {
      const found = await rows('select type, payload from outbox where aggregate_id = $1 order by position', [id]);
      return found.map(({ type, payload }) => ({ type: String(type), payload: payload as Json }));
    },
    async moveClock(interval) {
      await rows(`create table if not exists moved (by interval)`);
      await rows('grant select on moved to public');
      await rows('insert into moved values ($1)', [interval]);
      await setClock();
    },
    async withStoppedClock(work) {
      const [row] = await rows('select clock_timestamp()::text as now');
      real = `${pg.escapeLiteral(String(row?.['now']))}::timestamptz`;
      await t.moveClock('0');
      try {
        await work();
      } finally {
        real = RUNNING;
        await setClock();
      }
    },
    work: () => followUpAll(deps),
    untilBlocked: (count) => untilBlocked(rows, count),
    async close() {
      await listener.drain(0);
      await acquirer.close();
      await bank.close();
      await names.close();
      await bindings.close();
      await playedBindings.close();
      await playedNotifier.close();
      await side.end();
      await database.close();
      await reads.close();
      await testDatabase.drop();
    },
  };
  await deps.db.transaction(async (tx) => {
    await insertRoute(tx, { routeId: SANDBOX_BANK, connector: SANDBOX_BANK });
    await insertStore(tx, { storeId: 'store-1', partnerId: DEFAULT_PARTNER, name: 'Coffee & Books' });
    await insertPoint(tx, {
      paymentPointId: DEFAULT_POINT,
      storeId: 'store-1',
      partnerId: DEFAULT_PARTNER,
      name: 'Cards',
      paymentMethods: ['CARD'],
      routeId: SANDBOX_BANK,
      feeBasisPoints: 250,
    });
  });
  return t;
}

export const DEFAULT_PARTNER = 'partner-1';
export const DEFAULT_POINT = 'point-1';

/** A card create request that is accepted. */
export function goodBody(): Json {
  return {
    paymentPointID: DEFAULT_POINT,
    orderID: `order-${randomUUID()}`,
    amount: 100.5,
    currency: 'RUB',
    description: 'Coffee',
    customerID: 'buyer-1',
  };
}

function asJson(text: string): Json {
  const value: unknown = text === '' ? {} : JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The buyer of the form behind a token sends a card. @throws Error when there is no such form */
export async function payAtCheckout(deps: Deps, checkoutToken: string, card: CardDetails, buyer?: Buyer): Promise<PayByCardOutcome> {
  const found = await findCardEntry(deps.db, checkoutToken);
  if (found === undefined) throw new Error('no payment has this form token');
  return payByCard(deps, found, { card, ...(buyer === undefined ? {} : { buyer }) });
}
