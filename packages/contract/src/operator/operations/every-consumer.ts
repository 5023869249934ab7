import { FactsRange } from '@pay/shared/facts/operator-schemas.ts';
import { DeadLetterQuery } from '@pay/shared/broker/queue-schemas.ts';
import { DeadLetterPage, DeadLetterWithBody, FactsComparison, FactsRepublished, QueueAges, RedriveDeadLetters, RedriveResult, RepublishFacts } from '../queues.ts'; // prettier-ignore
import type { OperatorOperation } from './operation.ts';

const nameOf = (service: string): string => `${service.charAt(0).toUpperCase()}${service.slice(1)}`;

/** Of every service with a queue. */
export const queueOperation = (service: string): OperatorOperation => ({
  method: 'get',
  path: '/queues',
  operationId: `read${nameOf(service)}Queues`,
  summary: `What waits in ${service}, and since when`,
  action: 'overview.read',
  answers: { 200: QueueAges },
});

/** Of every service that consumes facts. */
export const deadLetterOperations = (service: string): readonly OperatorOperation[] => [
  {
    method: 'get',
    path: '/dead-letters',
    operationId: `list${nameOf(service)}DeadLetters`,
    summary: `Messages that ${service} could not handle, the newest first`,
    action: 'dead-letters.read',
    query: DeadLetterQuery,
    answers: { 200: DeadLetterPage },
  },
  {
    method: 'get',
    path: '/dead-letters/{deadLetterId}',
    operationId: `read${nameOf(service)}DeadLetter`,
    summary: 'A dead letter with the message as it was sent',
    action: 'dead-letters.read',
    answers: { 200: DeadLetterWithBody },
    errors: ['NOT_FOUND'],
  },
  {
    method: 'post',
    path: '/dead-letters/redrive',
    operationId: `redrive${nameOf(service)}DeadLetters`,
    summary: 'Count the dead letters, or have handled again what was counted',
    action: 'dead-letters.redrive',
    request: RedriveDeadLetters,
    answers: { 200: RedriveResult },
  },
  {
    method: 'post',
    path: '/dead-letters/{deadLetterId}/redrive',
    operationId: `redrive${nameOf(service)}DeadLetter`,
    summary: 'Have a dead letter handled again',
    action: 'dead-letters.redrive',
    answers: { 200: DeadLetterWithBody },
    errors: ['NOT_FOUND'],
  },
];

/** Of every service that consumes facts. */
export const factsOperations = (service: string): readonly OperatorOperation[] => [
  {
    method: 'get',
    path: '/facts',
    operationId: `compare${nameOf(service)}Facts`,
    summary: `What owners published for ${service}, and what of it never came`,
    action: 'facts.read',
    query: FactsRange,
    answers: { 200: FactsComparison },
  },
  {
    method: 'post',
    path: '/facts/republish',
    operationId: `republish${nameOf(service)}Facts`,
    summary: 'Have what never came published again',
    action: 'facts.republish',
    request: RepublishFacts,
    answers: { 200: FactsRepublished },
  },
];
