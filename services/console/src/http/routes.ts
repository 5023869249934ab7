import type { Action } from '@pay/shared/operators/roles.ts';
import type { OperatedService } from '../operator-apis/operator-api.ts';

/** A route that a service's operator API answers: `/api/<service><path>` here is `/operator<path>` there. */
export type ForwardedRoute = {
  readonly method: 'get' | 'post' | 'put';
  readonly service: OperatedService;
  readonly path: string;
  readonly action: Action;
  /** Path that is read before the action, for the audit log. */
  readonly before?: string;
  /** The subject, if the path does not name one. */
  readonly subject?: string;
};

const read = (service: OperatedService, path: string, action: Action): ForwardedRoute => ({
  method: 'get',
  service,
  path,
  action,
});
const act = (service: OperatedService, path: string, action: Action, before?: string): ForwardedRoute => ({
  method: 'post',
  service,
  path,
  action,
  ...(before === undefined ? {} : { before }),
});

const change = (service: OperatedService, path: string, action: Action, before?: string): ForwardedRoute => ({
  ...act(service, path, action, before),
  method: 'put',
});

/** Services with their own queue: messages that they could not process are listed and redriven. */
const CONSUMERS = ['bindings', 'withdrawals', 'notifier'] as const;

const deadLetters = (service: OperatedService): readonly ForwardedRoute[] => [
  read(service, '/dead-letters', 'dead-letters.read'),
  read(service, LETTER, 'dead-letters.read'),
  { ...act(service, '/dead-letters/redrive', 'dead-letters.redrive'), subject: `dead letters of ${service}` },
  act(service, `${LETTER}/redrive`, 'dead-letters.redrive', LETTER),
];

const facts = (service: OperatedService): readonly ForwardedRoute[] => [
  read(service, '/facts', 'facts.read'),
  { ...act(service, '/facts/republish', 'facts.republish'), subject: `facts for ${service}` },
];

const LETTER = '/dead-letters/:deadLetterId';
const PAYMENT = '/payments/:paymentId';
const POINT = '/payment-points/:paymentPointId';
const POINT_ROUTES = `${POINT}/routes/:method`;
const WITHDRAWAL = '/withdrawals/:requestID';
const PARTNER = '/partners/:partnerID';
const EXCEPTION = '/exceptions/:exceptionId';
const EVENT = '/events/:eventId';

/** Every forwarded route. Nothing else can be reached through the console. */
export const FORWARDED: readonly ForwardedRoute[] = [
  read('withdrawals', '/withdrawals', 'withdrawals.read'),
  read('withdrawals', '/withdrawals/counts', 'withdrawals.read'),
  read('withdrawals', WITHDRAWAL, 'withdrawals.read'),
  act('withdrawals', `${WITHDRAWAL}/take`, 'withdrawals.take', WITHDRAWAL),
  act('withdrawals', `${WITHDRAWAL}/approve`, 'withdrawals.approve', WITHDRAWAL),
  act('withdrawals', `${WITHDRAWAL}/reject`, 'withdrawals.reject', WITHDRAWAL),
  act('withdrawals', `${WITHDRAWAL}/complete`, 'withdrawals.complete', WITHDRAWAL),
  act('withdrawals', `${WITHDRAWAL}/fail`, 'withdrawals.fail', WITHDRAWAL),
  act('withdrawals', `${WITHDRAWAL}/cancel`, 'withdrawals.cancel', WITHDRAWAL),
  read('withdrawals', '/stores', 'withdrawals.read'),
  read('withdrawals', '/fundings', 'fundings.read'),
  act('withdrawals', '/stores/:storeID/fundings', 'fundings.propose'),
  act('withdrawals', '/fundings/:fundingID/confirm', 'fundings.confirm'),
  act('withdrawals', '/fundings/:fundingID/reject', 'fundings.reject'),
  read('withdrawals', `${PARTNER}/beneficiaries`, 'beneficiaries.read'),
  act('withdrawals', `${PARTNER}/beneficiaries`, 'beneficiaries.propose'),
  act('withdrawals', '/beneficiaries/:beneficiaryRef/confirm', 'beneficiaries.confirm'),
  act('withdrawals', '/beneficiaries/:beneficiaryRef/reject', 'beneficiaries.confirm'),
  act('withdrawals', '/beneficiaries/:beneficiaryRef/revoke', 'beneficiaries.revoke'),

  read('withdrawals', `${PARTNER}/audit`, 'audit.read'),

  read('gateway', '/partners', 'partners.read'),
  read('gateway', PARTNER, 'partners.read'),
  read('gateway', `${PARTNER}/audit`, 'partners.read'),
  act('gateway', '/partners', 'partners.create'),
  change('gateway', `${PARTNER}/rate-limit`, 'partners.limit', PARTNER),
  act('gateway', `${PARTNER}/suspend`, 'partners.suspend', PARTNER),
  act('gateway', `${PARTNER}/resume`, 'partners.resume', PARTNER),
  act('gateway', `${PARTNER}/keys`, 'keys.register', PARTNER),
  act('gateway', `${PARTNER}/keys/:keyId/activate`, 'keys.activate', PARTNER),
  act('gateway', `${PARTNER}/keys/:keyId/revoke`, 'keys.revoke', PARTNER),

  read('notifier', '/events', 'deliveries.read'),
  read('notifier', EVENT, 'deliveries.read'),
  act('notifier', `${EVENT}/resend`, 'deliveries.resend'),
  read('notifier', '/replays', 'deliveries.read'),
  read('notifier', '/replays/:replayId', 'deliveries.read'),
  act('notifier', '/replays', 'deliveries.replay'),
  act('notifier', '/replays/:replayId/cancel', 'deliveries.replay', '/replays/:replayId'),
  read('notifier', '/partners', 'deliveries.read'),
  read('notifier', PARTNER, 'deliveries.read'),
  act('notifier', `${PARTNER}/test-callback`, 'deliveries.test'),
  act('notifier', `${PARTNER}/secret-rotation`, 'secrets.rotate', PARTNER),
  read('notifier', '/alerts', 'deliveries.read'),
  read('notifier', '/actions', 'deliveries.read'),
  read('notifier', '/gaps', 'deliveries.read'),

  read('payments', '/payments', 'payments.read'),
  read('payments', PAYMENT, 'payments.read'),
  act('payments', `${PAYMENT}/refunds`, 'payments.refund', PAYMENT),
  read('payments', '/stores', 'stores.read'),
  act('payments', '/stores', 'stores.create'),
  change('payments', '/stores/:storeId/merchant-consent', 'stores.capabilities'),
  act('payments', '/stores/:storeId/payment-points', 'points.create'),
  read('payments', POINT, 'stores.read'),
  change('payments', POINT, 'points.change', POINT),
  read('payments', POINT_ROUTES, 'routes.read'),
  change('payments', POINT_ROUTES, 'points.change', POINT_ROUTES),
  read('payments', '/routes', 'routes.read'),
  act('payments', '/routes', 'routes.create'),
  change('payments', '/routes/:routeId/limits', 'routes.change'),
  act('payments', '/routes/:routeId/suspend', 'routes.change'),
  act('payments', '/routes/:routeId/resume', 'routes.change'),
  read('payments', '/actions', 'audit.read'),
  read('payments', '/proposals', 'proposals.read'),
  act('payments', '/proposals/:proposalId/confirm', 'proposals.decide'),
  act('payments', '/proposals/:proposalId/reject', 'proposals.decide'),
  read('payments', '/exceptions', 'exceptions.read'),
  read('payments', EXCEPTION, 'exceptions.read'),
  act('payments', `${EXCEPTION}/settle`, 'exceptions.settle', EXCEPTION),
  act('payments', `${EXCEPTION}/read-back`, 'exceptions.settle', EXCEPTION),
  act('payments', `${EXCEPTION}/book`, 'exceptions.settle', EXCEPTION),
  act('payments', `${EXCEPTION}/return`, 'exceptions.settle', EXCEPTION),
  read('payments', '/reconciliations', 'reconciliations.read'),
  read('payments', '/reconciliations/:routeId/:date', 'reconciliations.read'),
  act('payments', '/reconciliations', 'reconciliations.run'),
  read('payments', '/partners/:partnerId/operations.csv', 'payments.export'),
  read('payments', '/ledger/trial-balance', 'ledger.read'),
  read('payments', '/ledger/statements/:partnerId', 'ledger.read'),

  read('bindings', '/bindings', 'consents.read'),
  read('bindings', '/bindings/:bindingId', 'consents.read'),
  act('bindings', '/bindings/:bindingId/revoke', 'bindings.revoke'),
  read('bindings', '/consents/:consentId', 'consents.read'),
  // Nothing is read first: the audit log must not store what is erased.
  act('bindings', '/bindings/:bindingId/erase-buyer', 'buyers.erase'),
  act('payments', `${PAYMENT}/erase-buyer`, 'buyers.erase'),

  ...(['payments', 'withdrawals', 'notifier'] as const).map((one) => read(one, '/overview', 'overview.read')),
  ...(['payments', ...CONSUMERS] as const).map((one) => read(one, '/queues', 'overview.read')),
  read('payments', '/held-back-cards', 'held-back.read'),
  act('payments', '/held-back-cards/let-through', 'held-back.let-through'),
  ...CONSUMERS.flatMap(deadLetters),
  ...CONSUMERS.flatMap(facts),
];

/** Routes that the console answers itself, with the action that each requires. */
export const OWN = {
  countWaiting: { method: 'get', path: '/api/waiting', action: 'overview.read' },
  listAudit: { method: 'get', path: '/api/audit', action: 'audit.read' },
  listAuditedActions: { method: 'get', path: '/api/audited-actions', action: 'audit.read' },
  exportAuditedActions: { method: 'get', path: '/api/audited-actions.csv', action: 'audit.export' },
  listOperators: { method: 'get', path: '/api/operators', action: 'operators.read' },
  exportOperators: { method: 'get', path: '/api/operators.csv', action: 'operators.export' },
  listSessions: { method: 'get', path: '/api/sessions', action: 'sessions.read' },
  endSession: { method: 'post', path: '/api/sessions/:id/end', action: 'sessions.end' },
  proposeOperator: { method: 'post', path: '/api/operators', action: 'operators.manage' },
  changeOperator: { method: 'post', path: '/api/operators/:login/:change', action: 'operators.manage' },
  listAccountChanges: { method: 'get', path: '/api/account-changes', action: 'operators.read' },
  decideAccountChange: { method: 'post', path: '/api/account-changes/:id/:decision', action: 'operators.confirm' },
} as const satisfies Record<string, { method: 'get' | 'post'; path: string; action: Action }>;
