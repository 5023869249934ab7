import { ratios, withRange, type Figure } from './figures.ts';
import { saturate, type LoadResult } from './load.ts';
import { CONCURRENCY } from './partner.ts';

/** For a quick look: `BENCH_ROUNDS=1 npm run bench -- payments`. */
export const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
/** Short, so that the sides of a round meet the same minute of a machine whose speed changes. */
const ROUND_SECONDS = 8;
/** The first requests of a round all start at once. */
const LEAD_SECONDS = 1;
/** Before the first round, until the compiler has optimised the hot code: services run for weeks. */
const WARM_UP_SECONDS = 12;

/** How a bench in rounds was run, for its first line. */
export const ROUNDS_TEXT = `Closed loop, ${String(CONCURRENCY)} requests in flight; ${String(ROUNDS)} rounds of ${String(ROUND_SECONDS)} s, alternating, after ${String(WARM_UP_SECONDS)} s of warm-up; medians, and the range of the rounds.`;

/** One of the things that are compared; `Extra` is what else is measured, before and after each round. */
export type Side<Extra> = {
  readonly one: () => Promise<unknown>;
  /** Called before and after each round. */
  readonly read: () => Promise<Extra>;
};

/** A round's load and what was read before and after it. */
export type Round<Extra> = { readonly load: LoadResult; readonly before: Extra; readonly after: Extra };

/** Runs the sides alternately, each first as often as last. Returns the rounds of each, in the sides' order. */
export async function inRounds<Extra>(sides: readonly Side<Extra>[]): Promise<readonly (readonly Round<Extra>[])[]> {
  const load = (one: Side<Extra>['one'], seconds: number, warmUpSeconds: number) =>
    saturate({ concurrency: CONCURRENCY, seconds, warmUpSeconds, one });
  for (const { one } of sides) await load(one, WARM_UP_SECONDS, 0);
  const rounds = sides.map((): Round<Extra>[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = sides.map((side, index) => ({ side, index }));
    for (const { side, index } of round % 2 === 0 ? order : order.toReversed()) {
      // Outside the measured seconds: the load itself leaves its lead uncounted, the readings must not include it either.
      await load(side.one, LEAD_SECONDS, 0);
      const before = await side.read();
      const result = await load(side.one, ROUND_SECONDS, 0);
      rounds[index]?.push({ load: result, before, after: await side.read() });
    }
  }
  return rounds;
}

/** A row of a table with `LOAD_HEADER`. */
export function loadRow(what: string, rounds: readonly { readonly load: LoadResult }[]): (string | number)[] {
  const of = (read: (load: LoadResult) => number) => rounds.map(({ load }) => read(load));
  return [
    what,
    withRange(of(({ perSecond }) => perSecond)),
    withRange(of(({ p50Ms }) => p50Ms)),
    withRange(of(({ p99Ms }) => p99Ms)),
    of(({ failed }) => failed).reduce((sum, failed) => sum + failed, 0),
  ];
}
export const LOAD_HEADER = ['what', 'per second', 'p50 ms', 'p99 ms', 'failed'] as const;

/** Rate and latency of one side. */
export function loadFigures(name: string, rounds: readonly { readonly load: LoadResult }[]): Figure[] {
  const of = (read: (load: LoadResult) => number) => rounds.map(({ load }) => read(load));
  return [
    { name, unit: '/s', better: 'higher', values: of(({ perSecond }) => perSecond) },
    { name: `${name}, p99`, unit: 'ms', better: 'lower', values: of(({ p99Ms }) => p99Ms) },
  ];
}

/** The ratio of our rate to the other's, for each round. */
export function ratioFigure(
  name: string,
  ours: readonly { readonly load: LoadResult }[],
  other: readonly { readonly load: LoadResult }[],
): Figure {
  const of = (rounds: readonly { readonly load: LoadResult }[]) => rounds.map(({ load }) => load.perSecond);
  return { name, unit: '', better: 'higher', values: ratios(of(ours), of(other)) };
}
