import type { Action } from '../domain/roles.ts';
import type { Upstream } from '../upstreams/operator-api.ts';

/** A route that is answered by a service's operator API: `/api/<upstream><path>` here is `/operator<path>` there. */
export type ForwardedRoute = {
  readonly method: 'get' | 'post' | 'put';
  readonly upstream: Upstream;
  readonly path: string;
  readonly action: Action;
  /** What is read before something is done to it, for the trail. */
  readonly before?: string;
};

const read = (upstream: Upstream, path: string, action: Action): ForwardedRoute => ({
  method: 'get',
  upstream,
  path,
  action,
});
const act = (upstream: Upstream, path: string, action: Action, before?: string): ForwardedRoute => ({
  method: 'post',
  upstream,
  path,
  action,
  ...(before === undefined ? {} : { before }),
});

const WITHDRAWAL = '/withdrawals/:requestID';
const PARTNER = '/partners/:partnerID';
const EXCEPTION = '/exceptions/:exceptionId';
const EVENT = '/events/:eventId';

/** Every forwarded route. What is not here cannot be reached through the console. */
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
  act('withdrawals', `${PARTNER}/beneficiaries`, 'beneficiaries.issue'),

  read('gateway', '/partners', 'partners.read'),
  read('gateway', PARTNER, 'partners.read'),
  read('gateway', `${PARTNER}/audit`, 'partners.read'),
  act('gateway', '/partners', 'partners.create'),
  { ...act('gateway', `${PARTNER}/rate-limit`, 'partners.limit', PARTNER), method: 'put' },
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

  read('payments', '/payments', 'payments.read'),
  read('payments', '/payments/:paymentId', 'payments.read'),
  read('payments', '/exceptions', 'exceptions.read'),
  read('payments', EXCEPTION, 'exceptions.read'),
  act('payments', `${EXCEPTION}/settle`, 'exceptions.settle', EXCEPTION),
  read('payments', '/reconciliations', 'reconciliations.read'),
];

/** The routes that the console answers itself, with the action that each needs. */
export const OWN = {
  exportWithdrawals: { method: 'get', path: '/api/withdrawals.csv', action: 'withdrawals.export' },
  exportPayments: { method: 'get', path: '/api/payments.csv', action: 'payments.export' },
  listAudit: { method: 'get', path: '/api/audit', action: 'audit.read' },
  listOperators: { method: 'get', path: '/api/operators', action: 'operators.read' },
  createOperator: { method: 'post', path: '/api/operators', action: 'operators.manage' },
  changeOperator: { method: 'post', path: '/api/operators/:login/:change', action: 'operators.manage' },
} as const satisfies Record<string, { method: 'get' | 'post'; path: string; action: Action }>;
