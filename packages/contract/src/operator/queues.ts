import * as facts from '@pay/shared/facts/operator-schemas.ts';
import * as queues from '@pay/shared/broker/queue-schemas.ts';
import { z } from 'zod';
import { listOf, pageOf, type RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';

/** What every service with a queue answers operators: names for the schemas that stand beside the routes in packages/shared (ADR 0151). */

export type QueueAge = RecordOf<typeof queues.QueueAge>;
export const QueueAges = namedForOperators(
  'QueueAges',
  'What waits in a service, and since when.',
  listOf(queues.QueueAge),
);

export const DeadLetter = namedForOperators(
  'DeadLetter',
  'A message that a service could not handle.',
  queues.DeadLetter,
);
export type DeadLetter = RecordOf<typeof DeadLetter>;
export const DeadLetterPage = namedForOperators('DeadLetterPage', 'Dead letters, the newest first.', pageOf(DeadLetter)); // prettier-ignore
export const DeadLetterWithBody = namedForOperators(
  'DeadLetterWithBody',
  'A dead letter with the message as it was sent.',
  queues.DeadLetterWithBody,
);
export type DeadLetterWithBody = RecordOf<typeof DeadLetterWithBody>;

export const RedriveDeadLetters = namedForOperators(
  'RedriveDeadLetters',
  'Counts the dead letters, or has handled again what was counted.',
  queues.Redrive,
);
export const RedriveResult = namedForOperators(
  'RedriveResult',
  'What was counted, or what became of it.',
  z.union([queues.DeadLetterCount, queues.Redriven]),
);

export const RepublishFacts = namedForOperators(
  'RepublishFacts',
  'The range to compare; left out: everything that is kept.',
  facts.FactsRange,
);
export const FactsComparison = namedForOperators(
  'FactsComparison',
  'What owners published for a service, and what of it never came.',
  facts.FactsComparison,
);
export const FactsRepublished = namedForOperators(
  'FactsRepublished',
  'The comparison, and how many facts were published again.',
  facts.FactsRepublished,
);
