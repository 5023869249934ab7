import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from './figures.ts';

/** Time in milliseconds that all processes of this machine share and nobody sets. */
export type Clock = {
  readonly now: () => number;
  readonly until: (at: number) => Promise<unknown>;
};

export const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6;

const MACHINE: Clock = {
  now: machineMs,
  until: async (at) => {
    const early = at - machineMs();
    if (early > 1) await wait(early);
  },
};

/** Latencies in milliseconds. */
export type Quantiles = { readonly p50Ms: number; readonly p99Ms: number };

/** The result of one load run. The latencies are those of all requests, also of those that failed. */
export type LoadResult = Quantiles & {
  /** Successful requests only. */
  readonly perSecond: number;
  readonly done: number;
  readonly failed: number;
};

/** Of values in any order. */
export function quantilesOf(ms: readonly number[]): Quantiles {
  const sorted = ms.toSorted((a, b) => a - b);
  return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
}

/** Collects what happened to the requests that count. */
function createTally() {
  const latenciesMs: number[] = [];
  let failed = 0;
  return {
    async add(startedAt: number, now: () => number, request: Promise<unknown>): Promise<void> {
      const isDone = await request.then(
        () => true,
        () => false,
      );
      latenciesMs.push(now() - startedAt);
      if (!isDone) failed += 1;
    },
    result: (seconds: number): LoadResult => ({
      ...quantilesOf(latenciesMs),
      perSecond: (latenciesMs.length - failed) / seconds,
      done: latenciesMs.length - failed,
      failed,
    }),
  };
}

type Load = {
  /** Requests in flight at any time: a closed loop, so the rate is the system's capacity at saturation. */
  readonly concurrency: number;
  readonly seconds: number;
  /** Not counted: caches, pools and the compiler warm up, and the first requests all start at once. */
  readonly warmUpSeconds: number;
  readonly one: () => Promise<unknown>;
};

/** Runs `one` repeatedly, `concurrency` at a time, for a limited time, and measures the rate. */
export async function saturate(load: Load, { now }: Clock = MACHINE): Promise<LoadResult> {
  const countFrom = now() + load.warmUpSeconds * 1_000;
  const until = countFrom + load.seconds * 1_000;
  const [warmUp, counted] = [createTally(), createTally()];
  const worker = async (): Promise<void> => {
    for (let sentAt = now(); sentAt < until; sentAt = now()) {
      await (sentAt < countFrom ? warmUp : counted).add(sentAt, now, load.one());
    }
  };
  await Promise.all(Array.from({ length: load.concurrency }, worker));
  return counted.result((now() - countFrom) / 1_000);
}

type Pace = {
  /** Requests that are due per second, whether or not earlier ones have ended: an open loop, so that waiting counts. */
  readonly perSecond: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** `dueAt`: when it should have started. `isCounted`: after the warm-up. */
  readonly one: (dueAt: number, isCounted: boolean) => Promise<unknown>;
};

/** Starts `one` at a steady rate and measures how long each took from the time it was due. */
export async function paced(pace: Pace, clock: Clock = MACHINE): Promise<LoadResult> {
  const startedAt = clock.now();
  const first = Math.round(pace.warmUpSeconds * pace.perSecond);
  const count = first + Math.round(pace.seconds * pace.perSecond);
  const [warmUp, counted] = [createTally(), createTally()];
  const running: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const dueAt = startedAt + (index * 1_000) / pace.perSecond;
    await clock.until(dueAt);
    const isCounted = index >= first;
    running.push((isCounted ? counted : warmUp).add(dueAt, clock.now, pace.one(dueAt, isCounted)));
  }
  await Promise.all(running);
  return counted.result(pace.seconds);
}

/** One step of a life: what it took from the time when it was due, and whether it failed. */
export type StepTaken<Name extends string> = { readonly name: Name; readonly ms: number; readonly failed: boolean };

/**
 * Requests that need each other, each due at a time of its own: the first at `dueAt`, each further one `apartMs` later. One
 * whose predecessor was not ready when it was due starts late, and its waiting counts. After one that failed, the rest
 * fail too: each with the time from when it was due, or 0 if that is still to come.
 */
export async function inSteps<Name extends string>(
  { dueAt, apartMs }: { readonly dueAt: number; readonly apartMs: number },
  steps: readonly (readonly [name: Name, run: () => Promise<unknown>])[],
  clock: Clock = MACHINE,
): Promise<readonly StepTaken<Name>[]> {
  const taken: StepTaken<Name>[] = [];
  let failed = false;
  for (const [index, [name, run]] of steps.entries()) {
    const stepDueAt = dueAt + index * apartMs;
    if (!failed) {
      await clock.until(stepDueAt);
      failed = await run().then(
        () => false,
        () => true,
      );
    }
    taken.push({ name, ms: Math.max(0, clock.now() - stepDueAt), failed });
  }
  return taken;
}
