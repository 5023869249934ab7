import { z } from 'zod';
import { JsonNumber } from '../json/json-body.ts';

/** Ids per request or response. */
export const IDS_MAX = 1_000;
/** Gaps per request. */
export const GAPS_ASKED_MAX = 100;

/** A whole number in a body; the parser keeps numbers as written. */
const whole = (min: number) =>
  z
    .instanceof(JsonNumber)
    .transform(({ token }) => Number(token))
    .pipe(z.int().min(min));
const moment = whole(0);
const version = whole(1);

/** `/internal/facts/parts`: how much was published in each part of a time. */
export const PartsAsked = z.strictObject({ fromMs: moment, toMs: moment, partMs: whole(1) });
export const Parts = z.object({
  parts: z.array(z.object({ fromMs: z.int(), count: z.int().positive(), digest: z.string().regex(/^-?\d+$/) })),
});

/** `/internal/facts/ids`: what was published, oldest first. */
export const IdsAsked = z.strictObject({ fromMs: moment, toMs: moment });
export const Ids = z.object({ messageIds: z.array(z.guid()) });

/** `/internal/facts/publish-again`: what the caller lacks, and how much of it is published again. */
export const Lacked = z.union([
  z.strictObject({ messageIds: z.array(z.guid()).min(1).max(IDS_MAX) }),
  z.strictObject({
    versions: z
      .array(z.strictObject({ aggregateId: z.string().min(1).max(128), from: version, to: version }))
      .min(1)
      .max(GAPS_ASKED_MAX),
  }),
]);
export const Count = z.object({ count: z.int().nonnegative() });
