import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

/** The result of one load run. Latencies in milliseconds. */
export type Quantiles = { readonly p50Ms: number; readonly p99Ms: number };

export type LoadResult = Quantiles & {
  readonly perSecond: number;
  readonly done: number;
  readonly failed: number;
};

type Load = {
  /** Requests in flight at any time: a closed loop, so the rate is the system's capacity at saturation. */
  readonly concurrency: number;
  readonly seconds: number;
  /** Not counted: caches, pools and the compiler warm up. */
  readonly warmUpSeconds: number;
  readonly one: () => Promise<unknown>;
};

/** Runs `one` repeatedly, `concurrency` at a time, for a limited time, and measures the rate. */
export async function saturate(load: Load): Promise<LoadResult> {
  const startedAt = performance.now();
  const countFrom = startedAt + load.warmUpSeconds * 1_000;
  const until = countFrom + load.seconds * 1_000;
  const latenciesMs: number[] = [];
  let failed = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      const sentAt = performance.now();
      const ok = await load.one().then(
        () => true,
        () => false,
      );
      if (sentAt < countFrom) continue;
      if (ok) latenciesMs.push(performance.now() - sentAt);
      else failed += 1;
    }
  };
  await Promise.all(Array.from({ length: load.concurrency }, worker));
  const seconds = (performance.now() - countFrom) / 1_000;
  latenciesMs.sort((a, b) => a - b);
  return {
    perSecond: latenciesMs.length / seconds,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    done: latenciesMs.length,
    failed,
  };
}

type Pace = {
  /** Requests started per second, whether or not earlier ones have ended: an open loop, so that waiting counts. */
  readonly perSecond: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** `dueAt`: when it should have started, by `performance.now()`. */
  readonly one: (dueAt: number) => Promise<unknown>;
};

/** Starts `one` at a steady rate and measures how long each took from the time it was due. */
export async function paced(pace: Pace): Promise<LoadResult> {
  const startedAt = performance.now();
  const countFrom = startedAt + pace.warmUpSeconds * 1_000;
  const count = Math.round((pace.warmUpSeconds + pace.seconds) * pace.perSecond);
  const latenciesMs: number[] = [];
  let failed = 0;
  const running: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const dueAt = startedAt + (index * 1_000) / pace.perSecond;
    const early = dueAt - performance.now();
    if (early > 1) await wait(early);
    running.push(
      pace.one(dueAt).then(
        () => {
          if (dueAt >= countFrom) latenciesMs.push(performance.now() - dueAt);
        },
        () => {
          failed += 1;
        },
      ),
    );
  }
  await Promise.all(running);
  latenciesMs.sort((a, b) => a - b);
  return {
    perSecond: latenciesMs.length / pace.seconds,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    done: latenciesMs.length,
    failed,
  };
}

/** Of values in any order. */
export function quantilesOf(ms: readonly number[]): Quantiles {
  const sorted = ms.toSorted((a, b) => a - b);
  return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
}

/** Nearest-rank quantile of sorted values; 0 when there are none. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
