import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type Client } from '../../packages/sdk/src/client.ts';
import { ApiError } from '../../packages/sdk/src/errors.ts';
import { streamEvents } from '../../packages/sdk/src/event-stream.ts';
import { CANARY_CVV, CARDS, type World } from '../world.ts';

/** What a call is for. A `pay` is a buyer's whole visit to the checkout, a `page` one of the console or the portal. */
export type Kind = 'create' | 'pay' | 'read' | 'refund' | 'charge' | 'events' | 'binding' | 'balance' | 'page';

/** One call, as its caller saw it. Times are from `performance.now()`. */
export type Call = {
  readonly kind: Kind;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Why it failed: no answer, a 5xx, or a refusal that the caller had no reason to expect. */
  readonly problem: string | undefined;
};

/** What the partner and its buyer were promised about one payment or charge. */
export type Promised = {
  readonly startedAt: number;
  readonly isCharge: boolean;
  /** Set once the partner was answered 201. */
  paymentId?: string;
  /** The buyer's page said so, or the charge was accepted. */
  isPaid?: boolean;
  /** The buyer had no answer to the card, and nothing more to send: the payment is paid or has failed, and either is right. */
  isUnanswered?: boolean;
  /** Set once the partner was answered 201 to its refund. */
  refundId?: string;
};

export type Load = {
  readonly calls: readonly Call[];
  readonly promised: readonly Promised[];
  /** The ids of events in the order in which the stream sent them, with repeats; undefined if nobody follows one. */
  readonly streamed: readonly string[] | undefined;
  /** Begins nothing new, and waits until everybody has what they came for. */
  stop(): Promise<void>;
  /** Closes the stream. */
  end(): Promise<void>;
};

/** A call of each of these begins so often. With two replicas on two busy cores, this is load and not a bench. */
const ORDER_EVERY_MS = 150;
const READ_EVERY_MS = 80;
const CHARGE_EVERY_MS = 2_000;
const PAGE_EVERY_MS = 300;
/** Every so many orders are refunded in part. */
const REFUND_EACH = 4;
/** The pause of somebody who failed and tries again: the failure is counted. */
const AGAIN_MS = 300;
/** Somebody who waits for the bank looks so often, for so long. */
const LOOK_MS = 200;
const LOOKS_MAX = 150;
/** Longer than the gateway lets any call take. */
const CALL_TIMEOUT_MS = 20_000;

const CARD = { number: CARDS.approved, expiry: '12/34', cvv: CANARY_CVV };

type Wanted = {
  /** Saved cards, each of which is charged once. */
  readonly bindings: readonly string[];
  readonly hasPortal: boolean;
  readonly hasStream: boolean;
};

/**
 * Everything at once: orders that are created, paid, read and partly refunded, charges of saved cards, reads of every service, pages of the
 * console and the portal, a stream of events. Nobody repeats a call unseen: each failure counts.
 */
export function startLoad(world: World, { bindings, hasPortal, hasStream }: Wanted): Load {
  const calls: Call[] = [];
  const promised: Promised[] = [];
  const streamed: string[] = [];
  const [stopping, ending] = [new AbortController(), new AbortController()];
  const { partner, system } = world;
  const { baseUrl, consoleUrl, portalUrl } = system.addresses;
  const { partnerID, publicKey, privateKeyPem } = partner;
  const client = createClient({ baseUrl, partnerID, publicKey, privateKeyPem, attemptsMax: 1, timeoutMs: CALL_TIMEOUT_MS });

  /** Undefined if it failed. */
  const call = async <T>(kind: Kind, work: () => Promise<T>): Promise<T | undefined> => {
    const startedAt = performance.now();
    const note = (problem: string | undefined) => calls.push({ kind, startedAt, endedAt: performance.now(), problem });
    try {
      const answer = await work();
      note(undefined);
      return answer;
    } catch (error) {
      note(describe(error));
      return undefined;
    }
  };
  /** Repeats a call that failed, as its caller would: each failure is on record. */
  const insist = async <T>(kind: Kind, work: () => Promise<T>): Promise<T | undefined> => {
    for (let tries = 0; tries < 20; tries += 1) {
      const answer = await call(kind, work);
      if (answer !== undefined) return answer;
      await wait(AGAIN_MS);
    }
    return undefined;
  };
  const callers = { client, call, insist };

  const order = async (turn: number): Promise<void> => {
    const promise: Promised = { startedAt: performance.now(), isCharge: false };
    promised.push(promise);
    await buy(world, callers, promise);
    if (turn % REFUND_EACH === 0) await refund(callers, promise);
  };
  const charge = async (turn: number): Promise<void> => {
    const bindingId = bindings[turn];
    if (bindingId === undefined) return;
    const promise: Promised = { startedAt: performance.now(), isCharge: true };
    promised.push(promise);
    const payment = {
      merchantOrderId: `update-${randomUUID()}`,
      amount: '990.00',
      currency: 'RUB',
      bindingId,
      description: 'Tea',
    } as const;
    const idempotencyKey = randomUUID();
    const charged = await insist('charge', () => client.createRecurringPayment(payment, { idempotencyKey }));
    if (charged === undefined) return;
    promise.paymentId = charged.paymentId;
    promise.isPaid = true;
  };
  const reads: readonly (() => Promise<unknown>)[] = [
    () => call('read', () => client.listCardPayments({ limit: 5 })),
    () => call('events', () => client.listEvents({ limit: 5 })),
    () => call('binding', () => client.readBinding(bindings[0] ?? '')),
    () => call('balance', () => client.readWithdrawalBalance(partner.storeID)),
    () => call('read', () => client.listPaymentPoints()),
  ];
  const pages = hasPortal ? [consoleUrl, portalUrl] : [consoleUrl];

  const loops = [
    every(ORDER_EVERY_MS, stopping.signal, order),
    every(CHARGE_EVERY_MS, stopping.signal, charge),
    every(READ_EVERY_MS, stopping.signal, (turn) => reads[turn % reads.length]?.()),
    every(PAGE_EVERY_MS, stopping.signal, (turn) => call('page', () => look(pages[turn % pages.length] ?? ''))),
  ];
  const listening = hasStream ? listen(world, streamed, ending.signal) : undefined;
  return {
    calls,
    promised,
    streamed: hasStream ? streamed : undefined,
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
    async end() {
      ending.abort();
      await listening;
      client.close();
    },
  };
}

type Callers = {
  readonly client: Client;
  readonly call: <T>(kind: Kind, work: () => Promise<T>) => Promise<T | undefined>;
  readonly insist: <T>(kind: Kind, work: () => Promise<T>) => Promise<T | undefined>;
};

/** The partner creates an order, the buyer pays it, and the partner reads it until it is paid. */
async function buy(world: World, { client, call, insist }: Callers, promise: Promised): Promise<void> {
  const wish = world.order();
  const idempotencyKey = randomUUID();
  const created = await insist('create', () => client.createCardPayment(wish, { idempotencyKey }));
  if (created === undefined) return;
  const { id, paymentUrl } = created;
  promise.paymentId = id;
  if (paymentUrl === undefined) return;
  const isSubmitted = async () => (await client.readCardPayment(id)).status === 'SUBMITTED';
  let tries = 0;
  const ended = await insist('pay', async () => {
    tries += 1;
    if (tries > 1 && !(await isSubmitted())) return 'unanswered';
    await world.pay({ ...created, paymentUrl }, CARD.number);
    return 'paid';
  });
  if (ended === undefined) return;
  promise.isPaid = ended === 'paid';
  promise.isUnanswered = ended === 'unanswered';
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const payment = await call('read', () => client.readCardPayment(id));
    if (payment?.status === 'COMPLETED') return;
    await wait(LOOK_MS);
  }
}

/** A ruble of it goes back. */
async function refund({ client, insist }: Callers, promise: Promised): Promise<void> {
  const { paymentId, isPaid } = promise;
  if (paymentId === undefined || isPaid !== true) return;
  const idempotencyKey = randomUUID();
  const refunded = await insist('refund', () => client.refundCardPayment(paymentId, { amount: '1.00' }, { idempotencyKey }));
  if (refunded !== undefined) promise.refundId = refunded.refundId;
}

/** Begins one every so often, whether or not the one before has ended. Resolves when all have, after `stopped`. */
async function every(milliseconds: number, stopped: AbortSignal, begin: (turn: number) => unknown): Promise<void> {
  const begun: Promise<unknown>[] = [];
  for (let turn = 0; !stopped.aborted; turn += 1) {
    begun.push(Promise.resolve(begin(turn)));
    await wait(milliseconds, undefined, { signal: stopped }).catch(() => undefined);
  }
  await Promise.all(begun);
}

/** A page of ours. @throws Error for a 5xx */
async function look(url: string): Promise<true> {
  const response = await fetch(url, { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
  await response.arrayBuffer();
  if (response.status >= 500) throw new Error(`${url} answered ${String(response.status)}`);
  return true;
}

/** Follows the partner's stream through every break. */
async function listen({ partner, system }: World, streamed: string[], signal: AbortSignal): Promise<void> {
  const { partnerID, publicKey, privateKeyPem } = partner;
  const { callbackSecret } = system.state();
  const keys = callbackSecret === undefined ? [] : [callbackSecret];
  const options = { baseUrl: system.addresses.baseUrl, partnerID, publicKey, privateKeyPem, keys, signal };
  for await (const { event } of streamEvents(options)) if (event !== undefined) streamed.push(event.eventId);
}

function describe(error: unknown): string {
  if (error instanceof ApiError) return `${String(error.status)} ${error.code}`;
  const causes: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
  return causes.join(': ');
}
