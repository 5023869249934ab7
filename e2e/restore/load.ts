import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { givenBinding } from '../saved-card.ts';
import { startTraffic, type Order, type Traffic } from '../faults/traffic.ts';
import type { DrillSystem } from './system.ts';

/** What partners and buyers did, as they know it: what was answered with 201, by the id in the answer. */
export type Load = {
  readonly orders: readonly Order[];
  /** Refunds, each with its payment. */
  readonly refunds: Map<string, { readonly paymentId: string; readonly amount: string }>;
  /** Charges of saved cards, by payment id. */
  readonly charges: Map<string, { readonly bindingId: string; readonly merchantOrderId: string }>;
  /** Ends everything that is under way. */
  end(): Promise<void>;
};

/** New orders per second. */
const ORDERS_PER_SECOND = 4;
/** Saved cards, each of which is charged once. */
export const BINDINGS = 6;

/** Buyers whose cards may be charged at once: as if their first payments had been a period ago. */
export async function givenBindings({ world, query }: DrillSystem): Promise<string[]> {
  const ids: string[] = [];
  for (let count = 0; count < BINDINGS; count += 1) ids.push((await givenBinding(world, 'P1D')).bindingId);
  await query(
    `update bindings.bindings set last_charged_at = last_charged_at - interval '2 days', next_charge_at = next_charge_at - interval '2 days'`,
  );
  return ids;
}

/** A shop with orders at a steady rate; every third paid order is refunded, half of these in part; saved cards are charged. */
export function startLoad({ world }: DrillSystem, bindings: readonly string[]): Load {
  const { client } = world;
  const ending = new AbortController();
  const traffic: Traffic = startTraffic(world, ORDERS_PER_SECOND);
  const refunds: Load['refunds'] = new Map();
  const charges: Load['charges'] = new Map();
  const isOver = () => ending.signal.aborted;
  const pause = (ms: number) => wait(ms, undefined, { signal: ending.signal }).catch(() => undefined);

  const refundSome = async () => {
    let next = 0;
    while (!isOver()) {
      await pause(50);
      const order = traffic.orders[next];
      if (order === undefined || (order.paidAt === undefined && order.problem === undefined)) continue;
      next += 1;
      if (next % 3 !== 0 || order.paymentId === undefined) continue;
      const amount = next % 2 === 0 ? '10.50' : '4.00';
      await client
        .refundCardPayment(order.paymentId, { amount }, { signal: ending.signal })
        .then(({ refundId, orderId: paymentId }) => refunds.set(refundId, { paymentId, amount }))
        .catch(() => undefined);
    }
  };
  const chargeAll = async () => {
    for (const bindingId of bindings) {
      await pause(6_000);
      if (isOver()) return;
      const merchantOrderId = `charge-${randomUUID()}`;
      await client
        .createRecurringPayment(
          { merchantOrderId, amount: '990.00', currency: 'RUB', bindingId, description: 'Month' },
          { signal: ending.signal },
        )
        .then(({ paymentId }) => charges.set(paymentId, { bindingId, merchantOrderId }))
        .catch(() => undefined);
    }
  };
  const working = [refundSome(), chargeAll()];
  return {
    orders: traffic.orders,
    refunds,
    charges,
    async end() {
      ending.abort();
      await traffic.end();
      await Promise.all(working);
    },
  };
}
