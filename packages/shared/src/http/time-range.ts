import { z } from 'zod';
import { momentInput } from './fields.ts';

/** The widths of buckets in seconds: a minute to a day. */
const WIDTHS = [60, 300, 900, 3_600, 10_800, 21_600, 86_400] as const;
const DAY_SECONDS = 86_400;
const BUCKETS_MAX = 48;
const DAYS_MAX = 31;

/** `?from=&to=` of what is counted over time: at most 31 days, `to` not included. */
export const TimeRangeQuery = z
  .strictObject({ from: momentInput('At or after this time'), to: momentInput('Before this time') })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be after from' })
  .refine(({ from, to }) => to.getTime() - from.getTime() <= DAYS_MAX * DAY_SECONDS * 1_000, {
    path: ['to'],
    error: `must be at most ${String(DAYS_MAX)} days after from`,
  });

/** A time range and its division; buckets begin at `from`. */
export type TimeRange = { readonly from: Date; readonly to: Date; readonly bucketSeconds: number };

/** Cut into at most 48 buckets of a width that people read. */
export function cutRange({ from, to }: z.output<typeof TimeRangeQuery>): TimeRange {
  const seconds = (to.getTime() - from.getTime()) / 1_000;
  return { from, to, bucketSeconds: WIDTHS.find((width) => seconds / width <= BUCKETS_MAX) ?? DAY_SECONDS };
}

/** The start of every bucket, including empty ones. */
export function bucketsOf({ from, to, bucketSeconds }: TimeRange): Date[] {
  const buckets: Date[] = [];
  for (let at = from.getTime(); at < to.getTime(); at += bucketSeconds * 1_000) buckets.push(new Date(at));
  return buckets;
}
