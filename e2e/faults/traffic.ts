import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '../../packages/sdk/src/errors.ts';
import { createClient } from '../../packages/sdk/src/client.ts';
import type { CreatedCardPayment } from '../../packages/sdk/src/types.ts';
import { payAtCheckout } from '../../tools/system/buyer.ts';
import { CANARY_CVV, CARDS, type World } from '../world.ts';

/** One order of a shop, as the shop and its buyer see it. Times are from `performance.now()`. */
export type Order = {
  readonly orderID: string;
  readonly startedAt: number;
  /** Whether its buyer pays. */
  readonly buyerPays: boolean;
  /** How many tries to create it got no 201. */
  failures: number;
  /** Set once the partner was answered 201. */
  paymentId?: string;
  /** When the partner got the checkout's address. */
  createdAt?: number;
  /** When the buyer's page confirmed the card payment. */
  paidAt?: number;
  /** Set if repeating is pointless: the partner got a final refusal, or the checkout page is gone. */
  problem?: string;
};

export type Traffic = {
  readonly orders: readonly Order[];
  /** Makes no new orders; those that began continue. */
  stop(): void;
  /** Aborts whatever is still running, and waits until nothing is. */
  end(): Promise<void>;
};

/** The pause before a partner or a buyer retries: short, so that it does not hide how long the system needs. */
const AGAIN_MS = 300;
/** Longer than the gateway lets any call take. */
const CALL_TIMEOUT_MS = 20_000;

/**
 * A shop with orders at a steady rate, which the partner creates and the buyer pays at the checkout. Both retry until
 * it is done, as the contract tells them to: the same body with the same key, the same page once more. Of `ofOrders` orders one is
 * paid; the others are only created.
 */
export function startTraffic(world: World, ordersPerSecond: number, { ofOrders = 1, againMs = AGAIN_MS } = {}): Traffic {
  const stopping = new AbortController();
  const ending = new AbortController();
  const orders: Order[] = [];
  const lives: Promise<void>[] = [];
  const { partner } = world;
  const client = createClient({
    baseUrl: world.system.addresses.baseUrl,
    partnerID: partner.partnerID,
    publicKey: partner.publicKey,
    privateKeyPem: partner.privateKeyPem,
    attemptsMax: 1,
    timeoutMs: CALL_TIMEOUT_MS,
  });

  /** Retries until it is done or finally refused. */
  const again = async <T>(order: Order, call: () => Promise<T | undefined>): Promise<T | undefined> => {
    while (!ending.signal.aborted) {
      try {
        const done = await call();
        if (done !== undefined) return done;
      } catch (error) {
        if (error instanceof ApiError && !isPassing(error)) {
          order.problem = `${String(error.status)} ${error.code}`;
          return undefined;
        }
      }
      await wait(againMs, undefined, { signal: ending.signal }).catch(() => undefined);
    }
    return undefined;
  };
  const live = async (order: Order): Promise<void> => {
    const wish = { ...world.order(), orderID: order.orderID };
    const idempotencyKey = `key-of-${order.orderID}`;
    const created = await again(order, async (): Promise<CreatedCardPayment | undefined> => {
      order.failures += 1;
      const answer = await client.createCardPayment(wish, { idempotencyKey });
      order.failures -= 1;
      order.paymentId = answer.id;
      return answer.paymentUrl === undefined && answer.status === 'CREATED' ? undefined : answer;
    });
    if (created?.paymentUrl === undefined) return;
    order.createdAt = performance.now();
    if (!order.buyerPays) return;
    const { paymentUrl, id } = created;
    const card = { number: CARDS.approved, expiry: '12/34', cvv: CANARY_CVV };
    const paid = await again(order, async () => {
      const { status } = await client.readCardPayment(id);
      if (status === 'SUBMITTED') await payAtCheckout(paymentUrl, card);
      return true;
    });
    if (paid === true) order.paidAt = performance.now();
  };
  const begin = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const order: Order = {
        orderID: `fault-${randomUUID()}`,
        startedAt: performance.now(),
        buyerPays: orders.length % ofOrders === 0,
        failures: 0,
      };
      orders.push(order);
      lives.push(live(order));
      await wait(1_000 / ordersPerSecond, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const beginning = begin();
  return {
    orders,
    stop: () => {
      stopping.abort();
    },
    async end() {
      stopping.abort();
      ending.abort();
      await beginning;
      await Promise.all(lives);
      client.close();
    },
  };
}

/** What a partner repeats with the same key, according to the contract. */
function isPassing({ status, code }: ApiError): boolean {
  return status >= 500 || status === 429 || code === 'IDEMPOTENCY_KEY_IN_PROGRESS';
}
