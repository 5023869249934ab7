import { z } from 'zod';

/** What the operators' routes of every service with a queue ask and answer. The contract names and describes them. */

const type = z.string().min(1).max(128);
const moment = z.iso.datetime({ precision: 3 });

export const DeadLetterQuery = z.strictObject({
  status: z.enum(['WAITING', 'REDRIVEN']).optional(),
  type: type.optional(),
  limit: z
    .any()
    .meta({ type: 'integer', minimum: 1, maximum: 100, default: 20 })
    .pipe(z.coerce.number().int().min(1).max(100))
    .default(20),
  pageToken: z.string().optional(),
});

/** `upTo` is what the count answered: only what was counted is handled again. */
export const Redrive = z.union([
  z.strictObject({ dryRun: z.literal(true), type: type.optional() }),
  z.strictObject({
    upTo: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
    type: type.optional(),
  }),
]);

export const Redriven = z.object({ redriven: z.int(), failed: z.int(), left: z.int() });
export const DeadLetterCount = z.object({ total: z.int(), upTo: moment });

export const DeadLetter = z.object({
  deadLetterId: z.uuid(),
  messageId: z.string().describe('As the sender wrote it; empty where it wrote none'),
  type: z.string(),
  aggregateId: z.string(),
  occurredAt: z.string().describe('As the sender wrote it'),
  requestId: z.string().nullable(),
  signature: z.string().nullable(),
  refused: z.boolean().describe('Nobody who may publish this type had signed it: lastError says what was wrong'),
  diedAt: moment,
  status: z.enum(['WAITING', 'REDRIVEN']),
  attemptCount: z.int().describe('How often somebody had it handled again'),
  lastError: z.string().nullable(),
  redrivenBy: z.string().nullable(),
  redrivenAt: moment.nullable(),
});
export const DeadLetterWithBody = DeadLetter.extend({ body: z.string().describe('The message as it was sent') });

export const QueueAge = z.object({
  queue: z.enum(['outbox', 'dead-letters']),
  waiting: z.int(),
  oldestAt: moment.nullable(),
});
