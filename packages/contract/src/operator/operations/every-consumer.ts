import { FactsRange } from '@pay/shared/facts/operator-schemas.ts';
import { DeadLetterQuery } from '@pay/shared/broker/queue-schemas.ts';
import {
  DeadLetterPage,
  DeadLetterWithBody,
  FactsComparison,
  FactsRepublished,
  QueueAges,
  RedriveDeadLetters,
  RedriveResult,
  RepublishFacts,
} from '../queues.ts';
import type { OperatorOperation } from './operation.ts';

const nameOf = (service: string): string => `${service.charAt(0).toUpperCase()}${service.slice(1)}`;

/** For every service with a queue. */
export const queueOperation = (service: string): OperatorOperation => ({
  method: 'get',
  path: '/queues',
  operationId: `read${nameOf(service)}Queues`,
  summary: `Get the queues of ${service} with the age of the oldest item`,
  action: 'overview.read',
  answers: { 200: QueueAges },
});

/** For every service that consumes facts. */
export const deadLetterOperations = (service: string): readonly OperatorOperation[] => [
  {
    method: 'get',
    path: '/dead-letters',
    operationId: `list${nameOf(service)}DeadLetters`,
    summary: `List the messages that ${service} could not process, newest or oldest first`,
    action: 'dead-letters.read',
    query: DeadLetterQuery,
    answers: { 200: DeadLetterPage },
  },
  {
    method: 'get',
    path: '/dead-letters/{deadLetterId}',
    operationId: `read${nameOf(service)}DeadLetter`,
    summary: 'Get a dead letter with the original message',
    action: 'dead-letters.read',
    answers: { 200: DeadLetterWithBody },
    errors: ['NOT_FOUND'],
  },
  {
    method: 'post',
    path: '/dead-letters/redrive',
    operationId: `redrive${nameOf(service)}DeadLetters`,
    summary: 'Count the dead letters, or process the counted ones again',
    action: 'dead-letters.redrive',
    request: RedriveDeadLetters,
    answers: { 200: RedriveResult },
  },
  {
    method: 'post',
    path: '/dead-letters/{deadLetterId}/redrive',
    operationId: `redrive${nameOf(service)}DeadLetter`,
    summary: 'Process a dead letter again',
    action: 'dead-letters.redrive',
    answers: { 200: DeadLetterWithBody },
    errors: ['NOT_FOUND'],
  },
];

/** For every service that consumes facts. */
export const factsOperations = (service: string): readonly OperatorOperation[] => [
  {
    method: 'get',
    path: '/facts',
    operationId: `compare${nameOf(service)}Facts`,
    summary: `Compare the facts published for ${service} with those it received`,
    action: 'facts.read',
    query: FactsRange,
    answers: { 200: FactsComparison },
  },
  {
    method: 'post',
    path: '/facts/republish',
    operationId: `republish${nameOf(service)}Facts`,
    summary: 'Have the missing facts published again',
    action: 'facts.republish',
    request: RepublishFacts,
    answers: { 200: FactsRepublished },
  },
];
