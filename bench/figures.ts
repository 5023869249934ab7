/** One measured quantity of a bench, with a value for each round. */
export type Figure = {
  readonly name: string;
  /** As in the tables: `/s`, `ms`, `MiB`; empty for a ratio. */
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  readonly values: readonly number[];
};

/** What a bench prints, and what it leaves for `npm run bench -- compare`. */
export type Report = { readonly text: string; readonly figures: readonly Figure[] };

/** Nearest-rank quantile of sorted values; 0 when there are none. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [lower, upper] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return ((lower ?? 0) + (upper ?? 0)) / 2;
}

/** The ratio of ours to the other for each round. Both sides of a round ran in the same minute, on an equally busy machine. */
export function ratios(ours: readonly number[], other: readonly number[]): number[] {
  return ours.map((value, round) => value / (other[round] ?? NaN));
}

/** Three digits that matter. */
export const digits = (value: number): string => value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);

/** `232 (195 to 275)`: the median of the rounds, and the lowest and highest of them. */
export function withRange(values: readonly number[]): string {
  if (values.length === 1) return digits(median(values));
  return `${digits(median(values))} (${digits(Math.min(...values))} to ${digits(Math.max(...values))})`;
}

/** Whether the second is better than the first. If the ranges of their rounds overlap, nobody can say. */
export function verdict(before: Figure, after: Figure): 'better' | 'worse' | 'not told apart' {
  const isAbove = Math.min(...after.values) > Math.max(...before.values);
  const isBelow = Math.max(...after.values) < Math.min(...before.values);
  if (!isAbove && !isBelow) return 'not told apart';
  return isAbove === (after.better === 'higher') ? 'better' : 'worse';
}
