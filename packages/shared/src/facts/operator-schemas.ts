import { z } from 'zod';
import { moment, momentInput } from '../http/fields.ts';

/**
 * Requests and records of `operator-routes.ts`, which every service that consumes facts has. They stand below the contract,
 * which names and describes them (decisions/contract-as-code).
 */

/** A range of time; without an end it reaches as far as owners keep facts. */
export const FactsRange = z.strictObject({
  from: momentInput('At or after this time').optional(),
  to: momentInput('Before this time').optional(),
});

/** What owners published in a range, and which of it never came. */
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
