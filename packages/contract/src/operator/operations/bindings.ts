import { BindingWithConsent, Consent, ErasedBindings } from '../consents.ts';
import { deadLetterOperations, factsOperations, queueOperation } from './every-consumer.ts';
import type { OperatorOperation } from './operation.ts';

/** Every operator route of bindings. */
export const BINDINGS_OPERATIONS: readonly OperatorOperation[] = [
  {
    method: 'get',
    path: '/bindings/{bindingId}',
    operationId: 'readAnyBinding',
    summary: 'A saved card of any partner, with the consent it stands on',
    action: 'consents.read',
    answers: { 200: BindingWithConsent },
    errors: ['NOT_FOUND'],
  },
  {
    method: 'post',
    path: '/bindings/{bindingId}/erase-buyer',
    operationId: 'eraseBuyerOfBinding',
    summary: 'Revoke every card of the buyer of a binding, and remove what is kept of the buyer',
    action: 'buyers.erase',
    answers: { 200: ErasedBindings },
    errors: ['NOT_FOUND'],
  },
  {
    method: 'get',
    path: '/consents/{consentId}',
    operationId: 'readConsent',
    summary: 'A consent with all its evidence, including one that no binding came of',
    action: 'consents.read',
    answers: { 200: Consent },
    errors: ['NOT_FOUND'],
  },
  queueOperation('bindings'),
  ...deadLetterOperations('bindings'),
  ...factsOperations('bindings'),
];
