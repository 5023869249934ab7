import { median, ratios, withRange, type Figure } from './figures.ts';
import { saturate, type LoadResult } from './load.ts';
import { CONCURRENCY } from './partner.ts';

/** For a quick look: `BENCH_TURNS=1 npm run bench -- payments`. */
export const TURNS = Number(process.env['BENCH_TURNS'] ?? 5);
/** Short, so that the sides of a turn meet the same minute of a machine whose speed changes. */
const TURN_SECONDS = 8;
/** The first requests of a turn all start at once. */
const LEAD_SECONDS = 1;
/** Before the first turn, until the compiler has optimised the hot code: services run for weeks. */
const WARM_UP_SECONDS = 12;

/** How a bench by turns was run, for its first line. */
export const TURNS_TEXT = `Closed loop, ${String(CONCURRENCY)} requests in flight; ${String(TURNS)} turns of ${String(TURN_SECONDS)} s by turns, after ${String(WARM_UP_SECONDS)} s of warm-up; medians, and the range of the turns.`;

/** One of the things that take turns; `Extra` is what else is measured of each turn, from before it to after it. */
export type Side<Extra> = {
  readonly one: () => Promise<unknown>;
  /** Called before and after each turn. */
  readonly read: () => Promise<Extra>;
};

/** A turn's load and what was read before and after it. */
export type Turn<Extra> = { readonly load: LoadResult; readonly before: Extra; readonly after: Extra };

/** Lets the sides take turns, each first as often as last. Returns the turns of each, in the sides' order. */
export async function byTurns<Extra>(sides: readonly Side<Extra>[]): Promise<readonly (readonly Turn<Extra>[])[]> {
  const load = (one: Side<Extra>['one'], seconds: number, warmUpSeconds: number) =>
    saturate({ concurrency: CONCURRENCY, seconds, warmUpSeconds, one });
  for (const { one } of sides) await load(one, WARM_UP_SECONDS, 0);
  const turns = sides.map((): Turn<Extra>[] => []);
  for (let turn = 0; turn < TURNS; turn += 1) {
    const order = sides.map((side, index) => ({ side, index }));
    for (const { side, index } of turn % 2 === 0 ? order : order.toReversed()) {
      // Outside the measured seconds: the load itself leaves its lead uncounted, the readings must not include it either.
      await load(side.one, LEAD_SECONDS, 0);
      const before = await side.read();
      const result = await load(side.one, TURN_SECONDS, 0);
      turns[index]?.push({ load: result, before, after: await side.read() });
    }
  }
  return turns;
}

/** A row of `turnsTable`. */
export function loadRow(what: string, turns: readonly { readonly load: LoadResult }[]): (string | number)[] {
  const of = (read: (load: LoadResult) => number) => turns.map(({ load }) => read(load));
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
export function loadFigures(name: string, turns: readonly { readonly load: LoadResult }[]): Figure[] {
  const of = (read: (load: LoadResult) => number) => turns.map(({ load }) => read(load));
  return [
    { name, unit: '/s', better: 'higher', values: of(({ perSecond }) => perSecond) },
    { name: `${name}, p99`, unit: 'ms', better: 'lower', values: of(({ p99Ms }) => p99Ms) },
  ];
}

/** What the rate of ours is of the other's, turn by turn. */
export function ratioFigure(
  name: string,
  ours: readonly { readonly load: LoadResult }[],
  other: readonly { readonly load: LoadResult }[],
): Figure {
  const of = (turns: readonly { readonly load: LoadResult }[]) => turns.map(({ load }) => load.perSecond);
  return { name, unit: '', better: 'higher', values: ratios(of(ours), of(other)) };
}

/** The median of what each turn gave. */
export const medianOf = <T>(turns: readonly T[], read: (turn: T) => number): number => median(turns.map(read));
