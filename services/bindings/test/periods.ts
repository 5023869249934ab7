import { readFileSync } from 'node:fs';
import { z } from 'zod';

const Periods = z.strictObject({
  note: z.string(),
  cases: z
    .array(
      z.strictObject({
        period: z.enum(['PT1M', 'PT1H', 'P1D', 'P1W', 'P1M', 'P1Y']),
        charged: z.array(z.iso.datetime()).min(1),
        next: z.iso.datetime(),
      }),
    )
    .min(11),
});
/** Moments at which charges were confirmed, in order, and nextChargeAt after the last of them. */
export const periods = Periods.parse(JSON.parse(readFileSync(new URL('vectors/periods.json', import.meta.url), 'utf8')));
