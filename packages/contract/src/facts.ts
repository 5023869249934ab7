import type { FactRoutes } from '@pay/shared/broker/topology.ts';

/**
 * Every fact that our services publish: its only owner, and the services that must consume it. Exchanges, queues,
 * bindings, the permissions of each service's broker user and the keys that sign facts are derived from this table alone
 * (decisions/outbox-and-relay, decisions/broker-trust). For the contents of each fact see `messages.ts`.
 */
export const FACTS = {
  'integration.endpoints_updated': { owner: 'payments', consumers: ['notifier'] },
  'store.created': { owner: 'payments', consumers: ['withdrawals'] },
  'payment.completed': { owner: 'payments', consumers: ['notifier', 'bindings'] },
  'payment.failed': { owner: 'payments', consumers: ['notifier', 'bindings'] },
  'payment.refunded': { owner: 'payments', consumers: ['notifier'] },
  'refund.pending': { owner: 'payments', consumers: ['notifier'] },
  'refund.completed': { owner: 'payments', consumers: ['notifier'] },
  'refund.failed': { owner: 'payments', consumers: ['notifier'] },
  'consent.given': { owner: 'payments', consumers: ['bindings'] },
  'binding.created': { owner: 'bindings', consumers: ['notifier'] },
  'binding.revoked': { owner: 'bindings', consumers: ['notifier'] },
  'binding.expired': { owner: 'bindings', consumers: ['notifier'] },
  'withdrawal.requested': { owner: 'withdrawals', consumers: ['notifier'] },
  'withdrawal.in_review': { owner: 'withdrawals', consumers: ['notifier'] },
  'withdrawal.approved': { owner: 'withdrawals', consumers: ['notifier'] },
  'withdrawal.completed': { owner: 'withdrawals', consumers: ['notifier'] },
  'withdrawal.rejected': { owner: 'withdrawals', consumers: ['notifier'] },
  'withdrawal.cancelled': { owner: 'withdrawals', consumers: ['notifier'] },
  'withdrawal.failed': { owner: 'withdrawals', consumers: ['notifier'] },
  'register.ready': { owner: 'payments', consumers: ['notifier'] },
  'withdrawal-register.ready': { owner: 'withdrawals', consumers: ['notifier'] },
  'buyer.erased': { owner: 'bindings', consumers: ['notifier'] },
} as const satisfies FactRoutes;
