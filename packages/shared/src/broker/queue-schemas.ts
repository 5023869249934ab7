import { z } from 'zod';
import { moment, momentInput, pageLimit, pageToken, text } from '../http/fields.ts';
import { LIST_ORDERS } from '../http/list-page.ts';

/**
 * Requests and records of `queue-routes.ts`, which every service with a queue has. They stand below the contract, which
 * names and describes them (decisions/contract-as-code).
 */

const type = text.min(1).max(128);
const status = z.enum(['WAITING', 'REDRIVEN']);

/** The query of the list of dead letters. */
export const DeadLetterQuery = z.strictObject({
  status: status.describe('Only messages with this status').optional(),
  type: type.describe('Only messages of this type').optional(),
  order: z.enum(LIST_ORDERS).default('newest').describe('Which messages come first: `oldest` for a queue'),
  limit: pageLimit(20),
  pageToken,
});

/** Counts dead letters, or has them handled again. Only what was counted is: `upTo` is the count's. */
export const Redrive = z.union([
  z.strictObject({ dryRun: z.literal(true), type: type.optional() }),
  z.strictObject({ upTo: momentInput('upTo of the count'), type: type.optional() }),
]);

export const DeadLetterCount = z.object({ total: z.int(), upTo: moment });
export const Redriven = z.object({ redriven: z.int(), failed: z.int(), left: z.int() });

/** A message that a service could not handle. */
export const DeadLetter = z.object({
  deadLetterId: z.uuid(),
  messageId: z.string().describe('As the sender set it; empty if it set none'),
  type: z.string(),
  aggregateId: z.string(),
  occurredAt: z.string().describe('As the sender wrote it'),
  requestId: z.string().nullable(),
  signature: z.string().nullable(),
  refused: z.boolean().describe('Nobody who may publish this type had signed it: lastError says what was wrong'),
  diedAt: moment,
  status,
  attemptCount: z.int().describe('How many times it was processed again on request'),
  lastError: z.string().nullable(),
  redrivenBy: z.string().nullable(),
  redrivenAt: moment.nullable(),
});
export const DeadLetterWithBody = DeadLetter.extend({ body: z.string().describe('The message as it was sent') });

/** How much waits in a queue, and since when. */
export const QueueAge = z.object({
  queue: z.enum(['outbox', 'dead-letters']),
  waiting: z.int(),
  oldestAt: moment.nullable(),
});
