import { setTimeout as wait } from 'node:timers/promises';
import { compare, waitingForPeople, type Comparison } from './compare.ts';
import type { FaultSystem } from './system.ts';
import { startTraffic, type Order } from './traffic.ts';

/** One row of the table: a fault that is injected into the running system while a shop sells. */
export type Row = {
  readonly name: string;
  readonly fault: string;
  /** Also part of `npm test`: finished within seconds. */
  readonly quick?: true;
  /**
   * How soon everything that began before the end of the fault must be complete; ten seconds unless the row justifies
   * more.
   */
  readonly stuckSecondsMax?: number;
  /** The fault is the bank's: a payment may end FAILED if it took no money and the partner was notified. */
  readonly mayFail?: true;
  /** Why it cannot run on this machine; undefined if it can. */
  readonly problem?: (system: FaultSystem) => string | undefined;
  /** Injects and removes the fault: when this resolves, the fault is over. */
  readonly inject: (system: FaultSystem) => Promise<void>;
  /** Runs after the row: restores the system for later rows. */
  readonly tidy?: (system: FaultSystem) => Promise<void>;
};

export type Result = Comparison & {
  /** Seconds from the end of the fault until everything that began before was complete; undefined if it never was. */
  readonly stuckSeconds: number | undefined;
  /** A sentence for each late order, for finding the cause. */
  readonly late: readonly string[];
};

const ORDERS_PER_SECOND = 3;
/** Orders that are complete before the fault begins: they show that the system works. */
const WARM_ORDERS = 3;
/** Longest wait for completeness, before and after the fault. */
const WHOLE_WITHIN_MS = 120_000;
/** The limit of rows that do not name one. */
export const STUCK_SECONDS_MAX = 10;
/** How long orders go on after the fault: these must not notice it. */
const AFTERWARDS_MS = 1_000;
const LOOK_EVERY_MS = 100;

/** Runs one row on a healthy system, and leaves it healthy if it passes. */
export async function runRow(system: FaultSystem, row: Row): Promise<Result> {
  const before = await waitingForPeople(system);
  const traffic = startTraffic(system.world, ORDERS_PER_SECOND);
  try {
    await untilTold(system, traffic.orders, WARM_ORDERS);
    await row.inject(system);
    const endedAt = performance.now();
    await wait(AFTERWARDS_MS);
    traffic.stop();
    const { stuckSeconds, toldAt } = await untilWhole(system, traffic.orders, endedAt);
    const late = traffic.orders.flatMap((order) => lateness(order, toldAt.get(order), { row, endedAt }));
    return {
      ...(await compare(system, traffic.orders, { before, mayFail: row.mayFail === true })),
      stuckSeconds,
      late,
    };
  } finally {
    await traffic.end();
    await row.tidy?.(system);
  }
}

/** Whether a row passes: nothing lost, nothing twice, complete in time, nothing left for a person. */
export function isOk({ stuckSecondsMax = STUCK_SECONDS_MAX }: Row, result: Result): boolean {
  const { lost, twice, person, stuckSeconds = Infinity } = result;
  return lost.length + twice.length + person.length === 0 && stuckSeconds <= stuckSecondsMax;
}

const isTold = ({ world }: FaultSystem, { paymentId }: Order): boolean =>
  paymentId !== undefined && world.receiver.arrivals.some(({ orderId, signed }) => signed && orderId === paymentId);

async function untilTold(system: FaultSystem, orders: readonly Order[], count: number): Promise<void> {
  for (const end = performance.now() + WHOLE_WITHIN_MS; orders.filter((order) => isTold(system, order)).length < count;) {
    if (performance.now() > end) throw new Error('the system does not work before the fault');
    await wait(LOOK_EVERY_MS);
  }
}

type Whole = Pick<Result, 'stuckSeconds'> & { readonly toldAt: ReadonlyMap<Order, number> };

/** Waits until the partner was notified of every order; returns the seconds of those that began before `endedAt`. */
async function untilWhole(system: FaultSystem, orders: readonly Order[], endedAt: number): Promise<Whole> {
  const toldAt = new Map<Order, number>();
  let stuckUntil = endedAt;
  for (const end = performance.now() + WHOLE_WITHIN_MS; performance.now() < end;) {
    const open = orders.filter((order) => order.problem === undefined && !toldAt.has(order));
    const now = performance.now();
    for (const order of open) if (isTold(system, order)) toldAt.set(order, now);
    const waiting = open.filter((order) => !toldAt.has(order));
    if (waiting.some(({ startedAt }) => startedAt <= endedAt)) stuckUntil = now;
    if (waiting.length === 0) return { stuckSeconds: (stuckUntil - endedAt) / 1_000, toldAt };
    await wait(LOOK_EVERY_MS);
  }
  return { stuckSeconds: undefined, toldAt };
}

/** The history of a late order, in seconds before and after the end of the fault. */
function lateness(
  { paymentId, startedAt, createdAt, paidAt }: Order,
  toldAt: number | undefined,
  { row: { stuckSecondsMax = STUCK_SECONDS_MAX }, endedAt }: { readonly row: Row; readonly endedAt: number },
): string[] {
  if (startedAt > endedAt || (toldAt ?? Infinity) <= endedAt + stuckSecondsMax * 1_000) return [];
  const at = (moment: number | undefined) => (moment === undefined ? 'never' : `${((moment - endedAt) / 1_000).toFixed(1)} s`);
  return [`${paymentId ?? 'no payment'}: ordered ${at(startedAt)}, created ${at(createdAt)}, paid ${at(paidAt)}, told ${at(toldAt)}`];
}
