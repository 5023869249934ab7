import { setTimeout as wait } from 'node:timers/promises';
import { compare, waitingForPeople, type Comparison } from './compare.ts';
import type { FaultSystem } from './system.ts';
import { startTraffic, type Order } from './traffic.ts';

/** One row of the table: a fault, done to the running system while a shop sells. */
export type Row = {
  readonly name: string;
  readonly fault: string;
  /** In `npm test` too: over within seconds. */
  readonly quick?: true;
  /** Until what began before the end of the fault has to be whole; ten seconds unless a plan of the decisions says more. */
  readonly stuckSecondsMax?: number;
  /** The fault is the bank's: a payment may end FAILED where it took no money, and the partner was told. */
  readonly mayFail?: true;
  /** Why it cannot be tried on this machine; undefined where it can. */
  readonly problem?: (system: FaultSystem) => string | undefined;
  /** Does it and undoes it: when this resolves, the fault is over. */
  readonly inject: (system: FaultSystem) => Promise<void>;
};

export type Result = Comparison & {
  /** From the end of the fault until everything that began before it was whole; undefined: it never was. */
  readonly stuckSeconds: number | undefined;
};

const ORDERS_PER_SECOND = 3;
/** Orders that are whole before the fault begins: the system works. */
const WARM_ORDERS = 3;
/** Longest wait for the whole, before and after the fault. */
const WHOLE_WITHIN_MS = 120_000;
/** The bound of a row that names none. */
const STUCK_SECONDS_MAX = 10;
/** Orders go on for this long after the fault: they must not notice that there was one. */
const AFTERWARDS_MS = 1_000;
const LOOK_EVERY_MS = 100;

/** Runs one row on a system that is well, and leaves it so if it is. */
export async function runRow(system: FaultSystem, row: Row): Promise<Result> {
  const before = await waitingForPeople(system);
  const traffic = startTraffic(system.world, ORDERS_PER_SECOND);
  try {
    await untilTold(system, traffic.orders, WARM_ORDERS);
    await row.inject(system);
    const endedAt = performance.now();
    await wait(AFTERWARDS_MS);
    traffic.stop();
    const stuckSeconds = await untilWhole(system, traffic.orders, endedAt);
    return { ...(await compare(system, traffic.orders, { before, mayFail: row.mayFail === true })), stuckSeconds };
  } finally {
    await traffic.end();
  }
}

/** Whether a row holds: nothing lost, nothing twice, whole in time, nothing left to a person. */
export function isOk({ stuckSecondsMax = STUCK_SECONDS_MAX }: Row, result: Result): boolean {
  const { lost, twice, person, stuckSeconds = Infinity } = result;
  return lost.length + twice.length + person.length === 0 && stuckSeconds <= stuckSecondsMax;
}

const isTold = ({ world }: FaultSystem, { paymentId }: Order): boolean =>
  paymentId !== undefined && world.receiver.arrivals.some(({ orderId, signed }) => signed && orderId === paymentId);

async function untilTold(system: FaultSystem, orders: readonly Order[], count: number): Promise<void> {
  for (
    const end = performance.now() + WHOLE_WITHIN_MS;
    orders.filter((order) => isTold(system, order)).length < count;
  ) {
    if (performance.now() > end) throw new Error('the system does not work before the fault');
    await wait(LOOK_EVERY_MS);
  }
}

/** Waits until the partner was told of every order; the seconds of those that began before `endedAt`. */
async function untilWhole(system: FaultSystem, orders: readonly Order[], endedAt: number): Promise<number | undefined> {
  let stuckUntil = endedAt;
  for (const end = performance.now() + WHOLE_WITHIN_MS; performance.now() < end;) {
    const waiting = orders.filter((order) => order.problem === undefined && !isTold(system, order));
    if (waiting.some(({ startedAt }) => startedAt <= endedAt)) stuckUntil = performance.now();
    if (waiting.length === 0) return (stuckUntil - endedAt) / 1_000;
    await wait(LOOK_EVERY_MS);
  }
  return undefined;
}

/** A row as the table prints it. */
export function renderResult(row: Row, result: Result): string {
  const { name, fault, stuckSecondsMax = STUCK_SECONDS_MAX } = row;
  const { accepted, lost, twice, person, stuckSeconds } = result;
  const stuck = `${stuckSeconds === undefined ? 'for ever' : stuckSeconds.toFixed(1)} of ${String(stuckSecondsMax)}`;
  const cells = [
    name,
    fault,
    accepted,
    lost.length,
    twice.length,
    stuck,
    person.length === 0 ? 'never' : person.join('; '),
  ];
  return `| ${cells.join(' | ')} | ${isOk(row, result) ? 'ok' : '**not ok**'} |`;
}

export const TABLE_HEAD = [
  '| row | fault | accepted | lost | twice | stuck, s | person | verdict |',
  '| --- | ----- | -------: | ---: | ----: | -------: | ------ | ------- |',
].join('\n');
