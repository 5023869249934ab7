import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type Client } from '../packages/sdk/src/client.ts';
import { verifyCallback } from '../packages/sdk/src/callbacks.ts';
import type { CardPayment, CreatedCardPayment, NewCardPayment, PaymentStatus } from '../packages/sdk/src/types.ts';
import pg from 'pg';
import { payAtCheckout } from '../tools/system/buyer.ts';
import { runningSystem } from '../tools/testing/running-system.ts';

/** A callback as it reached the partner. */
export type Arrival = {
  readonly eventId: string;
  readonly type: string;
  readonly orderId: string;
  readonly version: number;
  readonly bytes: string;
  readonly signed: boolean;
};

/** The partner's receiver, played by a real server. `answer` decides the response to each callback; 200 by default. */
export type Receiver = {
  readonly arrivals: readonly Arrival[];
  /** Called for each callback before it is answered. */
  onArrival: (arrival: Arrival) => Promise<number> | number;
  readonly url: string;
  close(): Promise<void>;
};

/** Cards of the sandbox bank by outcome, with any future expiry and any CVV. */
export const CARDS = {
  approved: '4111111111111111',
  declined: '4000000000000002',
  threeDs: '4000003800000446',
  threeDsMethod: '4000000000003220',
} as const;
/** Unlike any other text of the tests, so that a scan for it finds only leaks. */
export const CANARY_CVV = '739';
/** The code as a separate word: ids, tokens and ports of a run may contain its three digits. */
export const CANARY_CVV_ALONE = new RegExp(`(?<![\\w-])${CANARY_CVV}(?![\\w-])`);

const FINAL: ReadonlySet<PaymentStatus> = new Set(['COMPLETED', 'REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED', 'REFUNDED']);

/**
 * Longer than the cost of a crash (a lease of a minute, then an attempt) on a machine with a tenth of its cores, and
 * shorter than a test's timeout, so that what was waited for is named.
 */
const DEADLINE_MS = 240_000;

/** Waits for a condition; the deadline is reached only on failure. */
export async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (const end = Date.now() + DEADLINE_MS; Date.now() < end;) {
    const found = await look();
    if (found !== undefined) return found;
    await wait(50);
  }
  throw new Error(`waited too long for ${what}`);
}

/**
 * The running system with the partner's side controlled by the test. `publish` returns the public address of the
 * partner's receiver; its own by default.
 */
export async function openWorld(system = runningSystem(), publish = (receiverUrl: string) => receiverUrl) {
  const { partner } = system.state();
  const { baseUrl, bankControlUrl } = system.addresses;
  const client: Client = createClient({
    baseUrl,
    partnerID: partner.partnerID,
    publicKey: partner.publicKey,
    privateKeyPem: partner.privateKeyPem,
    attemptsMax: 12,
    retryAfterMaxMs: 60_000,
  });
  const secret = system.state().callbackSecret;
  if (secret === undefined) throw new Error('the demo partner has no callback secret');
  const receiver = await startReceiver([secret]);
  const { callbackUrl, returnUrl } = await client.readEndpoints();
  if (callbackUrl === null || returnUrl === null) throw new Error('the demo partner has no addresses');
  await client.saveEndpoints({ callbackUrl: publish(receiver.url), returnUrl });

  const bankControlKey = system.state().secrets.bankControlKey;
  const control = (path: string, method: string, body?: unknown) => send(`${bankControlUrl}/control/${path}`, bankControlKey, method, body);

  const order = (amount = '10.50'): NewCardPayment => ({
    paymentPointID: partner.paymentPoints.card,
    orderID: `e2e-${randomUUID()}`,
    amount,
    currency: 'RUB',
    description: 'Tea, 100 g',
    customerID: 'buyer-1',
    savePaymentMethod: false,
  });

  return {
    system,
    partner,
    client,
    receiver,
    order,
    create: (amount?: string): Promise<CreatedCardPayment> => client.createCardPayment(order(amount)),
    /** Pays as the buyer, by typing the card. */
    pay: (payment: Pick<CreatedCardPayment, 'paymentUrl'>, number: string, choice: { readonly agree?: boolean } = {}) =>
      payAtCheckout(payment.paymentUrl ?? '', { number, expiry: '12/34', cvv: CANARY_CVV }, choice),
    /** Waits for a final state. */
    ended: (id: string): Promise<CardPayment> =>
      until(`payment ${id} to end`, async () => {
        const payment = await client.readCardPayment(id).catch(() => undefined);
        return payment !== undefined && FINAL.has(payment.status) ? payment : undefined;
      }),
    /** Waits until the partner accepted the payment's callback. */
    told: (id: string): Promise<Arrival> => until(`the callback of ${id}`, () => receiver.arrivals.find((one) => one.orderId === id)),
    /** The bank's control API. */
    bank: {
      fault: (fault: Record<string, unknown>) => control('faults', 'POST', fault),
      /** Moves the clock of all services forward by an ISO 8601 duration. */
      advanceClock: (advance: string) => control('clock', 'POST', { advance }),
      clock: () => control('clock', 'GET'),
      resetClock: () => control('clock', 'POST', { reset: true }),
      clearFaults: () => control('faults', 'DELETE'),
      /** How it sends notifications: `hold` keeps them back. */
      notifications: async (mode: 'send' | 'hold' | 'duplicate') => (await control('notifications', 'POST', { mode })) as BankNotifications,
      /** Sends all held notifications now. */
      release: async (order: 'oldest' | 'newest') => (await control('notifications/release', 'POST', { order })) as BankNotifications,
      operation: async (id: string) => (await control(`operations/${id}`, 'GET')) as BankOperation,
    },
    /** Queries the databases as their administrator. */
    async query<T extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<T[]> {
      const pgClient = new pg.Client({ connectionString: system.state().databaseAdminUrl });
      await pgClient.connect();
      try {
        return (await pgClient.query<T>(sql, values)).rows;
      } finally {
        await pgClient.end();
      }
    },
    /** Restores the partner's addresses. */
    async close(): Promise<void> {
      await client.saveEndpoints({ callbackUrl, returnUrl });
      client.close();
      await receiver.close();
    },
  };
}
export type World = Awaited<ReturnType<typeof openWorld>>;

/** What the bank knows about an operation, and how often it moved money for it. */
type BankOperation = {
  readonly operation: { readonly status: string };
  readonly counters: { readonly moneyMoved: number };
};

/** How the bank sends notifications, how many it has sent, and how many are waiting. */
type BankNotifications = { readonly mode: string; readonly sent: number; readonly waiting: number };

async function send(url: string, key: string, method: string, body?: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(url, {
    method,
    ...(body === undefined ? { headers } : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${String(response.status)}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

async function startReceiver(keys: { keyId: string; secret: string }[]): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const verified = verifyCallback(body, request.headers, keys, new Date());
      const arrival = readArrival(body, verified.ok);
      arrivals.push(arrival);
      Promise.resolve(receiver.onArrival(arrival)).then(
        (status) => response.writeHead(status).end(),
        () => response.destroy(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    arrivals,
    onArrival: () => 200,
    url: `http://127.0.0.1:${String(port)}/callbacks`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
  return receiver;
}

function readArrival(body: Buffer, signed: boolean): Arrival {
  const event = JSON.parse(body.toString('utf8')) as {
    eventId: string;
    type: string;
    aggregateVersion: number;
    data: { orderId: string };
  };
  return {
    eventId: event.eventId,
    type: event.type,
    orderId: event.data.orderId,
    version: event.aggregateVersion,
    bytes: body.toString('utf8'),
    signed,
  };
}
