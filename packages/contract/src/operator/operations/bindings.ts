import { AnyBinding, AnyBindingPage, BindingWithConsent, Consent, ErasedBindings, OperatorBindingQuery } from '../consents.ts';
import { deadLetterOperations, factsOperations, queueOperation } from './every-consumer.ts';
import type { OperatorOperation } from './operation.ts';

/** Every operator route of bindings. */
export const BINDINGS_OPERATIONS: readonly OperatorOperation[] = [
  {
    method: 'get',
    path: '/bindings',
    operationId: 'listAnyBindings',
    summary: "List the saved cards of a partner's buyers, newest first",
    action: 'consents.read',
    query: OperatorBindingQuery,
    answers: { 200: AnyBindingPage },
  },
  {
    method: 'get',
    path: '/bindings/{bindingId}',
    operationId: 'readAnyBinding',
    summary: 'Get a saved card of any partner, with the consent it is based on',
    action: 'consents.read',
    answers: { 200: BindingWithConsent },
    errors: ['NOT_FOUND'],
  },
  {
    method: 'post',
    path: '/bindings/{bindingId}/revoke',
    operationId: 'revokeAnyBinding',
    summary: 'Revoke a saved card for a buyer who asks for it; the partner gets binding.revoked',
    action: 'bindings.revoke',
    answers: { 200: AnyBinding },
    errors: ['NOT_FOUND'],
  },
  {
    method: 'post',
    path: '/bindings/{bindingId}/erase-buyer',
    operationId: 'eraseBuyerOfBinding',
    summary: "Revoke all cards of a binding's buyer, and erase the buyer's personal data",
    action: 'buyers.erase',
    answers: { 200: ErasedBindings },
    errors: ['NOT_FOUND'],
  },
  {
    method: 'get',
    path: '/consents/{consentId}',
    operationId: 'readConsent',
    summary: 'Get a consent with all its evidence, including one without a binding',
    action: 'consents.read',
    answers: { 200: Consent },
    errors: ['NOT_FOUND'],
  },
  queueOperation('bindings'),
  ...deadLetterOperations('bindings'),
  ...factsOperations('bindings'),
];
