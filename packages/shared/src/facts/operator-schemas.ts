import { z } from 'zod';

/** What the operators' routes of every service that hears facts ask and answer. The contract names and describes them. */

const momentInput = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const moment = z.iso.datetime({ precision: 3 });

/** Left out: everything that owners keep. */
export const FactsRange = z.strictObject({ from: momentInput.optional(), to: momentInput.optional() });

export const FactsComparison = z.object({
  from: moment,
  to: moment,
  published: z.int().describe('Facts that owners published for this service'),
  missing: z.array(
    z.object({
      owner: z.string(),
      count: z.int(),
      messageIds: z.array(z.string()).describe('The first hundred'),
    }),
  ),
});

export const FactsRepublished = FactsComparison.extend({ republished: z.int() });
