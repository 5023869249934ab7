import { machineMs } from './load.ts';
import { startBenchProcess, type BenchProcess } from './processes/start.ts';
import { setTimeout as wait } from 'node:timers/promises';

/** Callbacks as they arrive at a receiver in a process of its own. Times are those of `machineMs`. */
export type Arrivals = {
  readonly receiver: BenchProcess;
  count(): number;
  /** When the first callback of a payment arrived. */
  at(paymentId: string): number | undefined;
  /** Waits for it. @throws Error after `milliseconds` */
  of(paymentId: string, milliseconds: number): Promise<number>;
  /** Waits until `wanted` callbacks have arrived in all. @throws Error after two minutes */
  reach(wanted: number): Promise<void>;
};

const REACH_MS = 120_000;

export async function startArrivalClock(): Promise<Arrivals> {
  const at = new Map<string, number>();
  const waiters = new Map<string, (arrivedAt: number) => void>();
  let count = 0;
  const receiver = await startBenchProcess('receiver', {}, ({ id, atMs }) => {
    count += 1;
    if (!at.has(id)) at.set(id, atMs);
    waiters.get(id)?.(atMs);
    waiters.delete(id);
  });
  return {
    receiver,
    count: () => count,
    at: (paymentId) => at.get(paymentId),
    of(paymentId, milliseconds) {
      const arrivedAt = at.get(paymentId);
      if (arrivedAt !== undefined) return Promise.resolve(arrivedAt);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiters.delete(paymentId);
          reject(new Error(`no callback of ${paymentId}`));
        }, milliseconds);
        waiters.set(paymentId, (now) => {
          clearTimeout(timer);
          resolve(now);
        });
      });
    },
    async reach(wanted) {
      const until = machineMs() + REACH_MS;
      while (count < wanted) {
        if (machineMs() > until) throw new Error(`only ${String(count)} of ${String(wanted)} arrived`);
        await wait(10);
      }
    },
  };
}
