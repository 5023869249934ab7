import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { compare, waitingForPeople } from '../faults/compare.ts';
import { startTraffic, type Order, type Traffic } from '../faults/traffic.ts';
import { untilWhole } from './cluster.ts';
import type { Result } from './report.ts';
import type { Drill } from './system.ts';

/** One row of the table: a fault, in a system that sells on servers that fail over. */
export type Row = {
  readonly name: string;
  readonly fault: string;
  /** The longest stop of creates that is accepted. */
  readonly goalSeconds: number;
  /** Breaks something, and returns what makes it whole again and what else to say of it. */
  readonly inject: (drill: Drill) => Promise<Injected>;
};
export type Injected = {
  /** Seconds that the fault lasts; ten if nothing is said. */
  readonly lastsSeconds?: number;
  /** Ends the fault: what was killed is started, what was stopped goes on. */
  readonly end: () => Promise<void> | void;
  /** Sentences about writes that were answered past our own programs and are lost. */
  readonly lostWrites?: () => Promise<readonly string[]>;
  /** Sentences, once the fault has ended, about servers that let somebody in whom they must not, or refused whom they must not. */
  readonly wrong?: readonly string[];
};

const CREATES_PER_SECOND = 10;
/** One order in two is paid. Hundreds wait at the end of a failover: they are not to be a flood of their own. */
const TRAFFIC = { ofOrders: 2, againMs: 1_000 };
/** Paid orders that are complete before the fault: they show that the system works. */
const WARM_ORDERS = 5;
const WARM_WITHIN_MS = 30_000;
const FAULT_SECONDS = 10;
/** How long a host that comes back may take to be part of its cluster again. */
const WHOLE_WITHIN_MS = 120_000;
/** How long every order that began may take to be complete, once everything is whole. */
const COMPLETE_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;

/** Runs one row on whole servers, and leaves them whole. @throws Error if a part of it does not end in time */
export async function runRow(drill: Drill, row: Row): Promise<Result> {
  await untilWhole(drill.place, WHOLE_WITHIN_MS);
  const at = new Date().toISOString();
  const load = loadavg()[0] ?? 0;
  const before = await waitingForPeople(drill);
  const callbacks = watchCallbacks(drill);
  const traffic = startTraffic(drill.world, CREATES_PER_SECOND, TRAFFIC);
  try {
    await until('paid orders before the fault', WARM_WITHIN_MS, () => callbacks.firstAt.size >= WARM_ORDERS);
    const faultAt = performance.now();
    const injected = await row.inject(drill);
    await wait((injected.lastsSeconds ?? FAULT_SECONDS) * 1_000);
    await injected.end();
    await untilWhole(drill.place, WHOLE_WITHIN_MS);
    await wait(1_000);
    const stoppedAt = performance.now();
    traffic.stop();
    // What is still missing then is counted as lost.
    await until('every order', COMPLETE_WITHIN_MS, () => traffic.orders.every(callbacks.isComplete)).catch(() => undefined);
    const { lost, ...compared } = await compare(drill, traffic.orders, { before, mayFail: false });
    const never = traffic.orders.filter(({ createdAt }) => createdAt === undefined);
    return {
      ...compared,
      person: [...compared.person, ...(injected.wrong ?? [])],
      name: row.name,
      at,
      load,
      lost: [...lost, ...never.map(({ orderID }) => `${orderID}: never created`), ...((await injected.lostWrites?.()) ?? [])],
      longestStopSeconds: longestStop(traffic, faultAt, stoppedAt) / 1_000,
      failed: traffic.orders.reduce((sum, { failures }) => sum + failures, 0),
      repeatedCallbacks: callbacks.repeated(),
      slowestCallbackSeconds: callbacks.slowest(traffic.orders) / 1_000,
    };
  } finally {
    await traffic.end();
    callbacks.stop();
  }
}

/** The longest time between two answers 201, in milliseconds. */
function longestStop({ orders }: Traffic, from: number, to: number): number {
  const answers = orders.flatMap(({ createdAt }) => (createdAt === undefined ? [] : [createdAt]));
  const within = answers.filter((moment) => moment > from && moment < to).sort((a, b) => a - b);
  const moments = [from, ...within, to];
  return Math.max(...moments.slice(1).map((moment, index) => moment - (moments[index] ?? moment)));
}

function watchCallbacks({ world: { receiver } }: Drill) {
  const earlier = receiver.arrivals.length;
  const firstAt = new Map<string, number>();
  receiver.onArrival = ({ orderId }) => {
    if (!firstAt.has(orderId)) firstAt.set(orderId, performance.now());
    return 200;
  };
  return {
    firstAt,
    isComplete: ({ createdAt, buyerPays, paymentId = '', problem }: Order): boolean =>
      problem !== undefined || (createdAt !== undefined && (!buyerPays || firstAt.has(paymentId))),
    repeated: (): number => {
      const arrived = receiver.arrivals.slice(earlier);
      return arrived.length - new Set(arrived.map(({ eventId }) => eventId)).size;
    },
    slowest: (orders: readonly Order[]): number =>
      Math.max(0, ...orders.map(({ paymentId = '', paidAt }) => (firstAt.get(paymentId) ?? 0) - (paidAt ?? Infinity))),
    stop: () => {
      receiver.onArrival = () => 200;
    },
  };
}

async function until(what: string, withinMs: number, look: () => boolean): Promise<void> {
  for (const end = performance.now() + withinMs; !look();) {
    if (performance.now() > end) throw new Error(`waited too long for ${what}`);
    await wait(LOOK_EVERY_MS);
  }
}
