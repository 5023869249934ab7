import * as facts from '@pay/shared/facts/operator-schemas.ts';
import * as queues from '@pay/shared/broker/queue-schemas.ts';
import { z } from 'zod';
import { listOf, pageOf, type RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';

/**
 * What every service with a queue returns to operators: names for the schemas defined beside the routes in
 * packages/shared (decisions/contract-as-code).
 */

export type QueueAge = RecordOf<typeof queues.QueueAge>;
export const QueueAges = namedForOperators('QueueAges', "A service's queues, with the age of the oldest item.", listOf(queues.QueueAge));

export const DeadLetter = namedForOperators('DeadLetter', 'A message that a service could not process.', queues.DeadLetter);
export type DeadLetter = RecordOf<typeof DeadLetter>;
export const DeadLetterPage = namedForOperators('DeadLetterPage', 'Dead letters, newest first.', pageOf(DeadLetter));
export const DeadLetterWithBody = namedForOperators(
  'DeadLetterWithBody',
  'A dead letter with the original message.',
  queues.DeadLetterWithBody,
);
export type DeadLetterWithBody = RecordOf<typeof DeadLetterWithBody>;

export const RedriveDeadLetters = namedForOperators(
  'RedriveDeadLetters',
  'Counts the dead letters, or processes the counted ones again.',
  queues.Redrive,
);
export const RedriveResult = namedForOperators(
  'RedriveResult',
  'The count, or the results of processing.',
  z.union([queues.DeadLetterCount, queues.Redriven]),
);

export const RepublishFacts = namedForOperators(
  'RepublishFacts',
  'The range to compare; if omitted: everything that is stored.',
  facts.FactsRange,
);
export const FactsComparison = namedForOperators(
  'FactsComparison',
  'The facts that their owners published for a service, and which of them never arrived.',
  facts.FactsComparison,
);
export const FactsRepublished = namedForOperators(
  'FactsRepublished',
  'The comparison, and the number of facts published again.',
  facts.FactsRepublished,
);
