import type { Express } from 'express';
import { listHeldBackCardsRoute } from './list-held-back-cards.ts';
import { createApp } from '@pay/shared/http/app.ts';
import { addOutboxRoute } from '@pay/shared/broker/queue-routes.ts';
import type { OperatorIdentityVerifier } from '@pay/shared/operators/operator-identity.ts';
import { operatorRoutes } from '@pay/shared/operators/operator-of.ts';
import type { ApiDeps } from '../../deps.ts';
import {
  bookExceptionRoute,
  getExceptionRoute,
  listExceptionsRoute,
  readBackExceptionRoute,
  resolveExceptionRoute,
  returnExceptionRoute,
} from './exceptions.ts';
import { getStatementRoute } from './get-statement.ts';
import { getTrialBalanceRoute } from './get-trial-balance.ts';
import { listActionsRoute } from './audit-log.ts';
import { overviewRoute } from './overview.ts';
import { letCardsThroughRoute } from './held-back-cards.ts';
import { getPaymentRoute, listPaymentsRoute } from './payments.ts';
import { changePointRoute, createPointRoute, getPointRoute } from './points.ts';
import { confirmProposalRoute, listProposalsRoute, rejectProposalRoute } from './proposals.ts';
import { getReconciliationRoute, listReconciliationsRoute, reconcileRoute } from './reconciliations.ts';
import { refundRoute } from './refund.ts';
import { partnerDayRoute } from './partner-day.ts';
import {
  createRouteRoute,
  getPointAcquiringRoutesRoute,
  listRoutesRoute,
  setPointAcquiringRoutesRoute,
  setRouteLimitsRoute,
  setRouteStatusRoute,
} from './acquiring-routes.ts';
import { eraseBuyerRoute } from './erase-buyer.ts';
import { createStoreRoute, listStoresRoute, setMerchantConsentRoute } from './stores.ts';

/** The audience of the operator identities that the console signs for this service. */
export const OPERATOR_AUDIENCE = 'payments-operator';

/** The operator routes, below `/operator` on the private port. */
export function createOperatorApp(deps: ApiDeps, verify: OperatorIdentityVerifier): Express {
  return createApp({
    listener: 'operator',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      const routes = operatorRoutes(app, deps.db, verify);
      routes.get('/payments', 'payments.read', listPaymentsRoute(deps));
      routes.get('/payments/:paymentId', 'payments.read', getPaymentRoute(deps));
      routes.post('/payments/:paymentId/refunds', 'payments.refund', refundRoute(deps));
      routes.get('/proposals', 'proposals.read', listProposalsRoute(deps));
      routes.post('/proposals/:proposalId/confirm', 'proposals.decide', confirmProposalRoute(deps));
      routes.post('/proposals/:proposalId/reject', 'proposals.decide', rejectProposalRoute(deps));
      routes.post('/payments/:paymentId/erase-buyer', 'buyers.erase', eraseBuyerRoute(deps));
      routes.get('/exceptions', 'exceptions.read', listExceptionsRoute(deps));
      routes.get('/exceptions/:exceptionId', 'exceptions.read', getExceptionRoute(deps));
      routes.post('/exceptions/:exceptionId/settle', 'exceptions.settle', resolveExceptionRoute(deps));
      routes.post('/exceptions/:exceptionId/read-back', 'exceptions.settle', readBackExceptionRoute(deps));
      routes.post('/exceptions/:exceptionId/book', 'exceptions.settle', bookExceptionRoute(deps));
      routes.post('/exceptions/:exceptionId/return', 'exceptions.settle', returnExceptionRoute(deps));
      routes.get('/reconciliations', 'reconciliations.read', listReconciliationsRoute(deps));
      routes.post('/reconciliations', 'reconciliations.run', reconcileRoute(deps));
      routes.get('/reconciliations/:routeId/:date', 'reconciliations.read', getReconciliationRoute(deps));
      routes.get('/payment-points/:paymentPointId/routes/:method', 'routes.read', getPointAcquiringRoutesRoute(deps));
      routes.put('/payment-points/:paymentPointId/routes/:method', 'points.change', setPointAcquiringRoutesRoute(deps));
      routes.get('/routes', 'routes.read', listRoutesRoute(deps));
      routes.post('/routes', 'routes.create', createRouteRoute(deps));
      routes.put('/routes/:routeId/limits', 'routes.change', setRouteLimitsRoute(deps));
      routes.post('/routes/:routeId/suspend', 'routes.change', setRouteStatusRoute(deps, 'SUSPENDED'));
      routes.post('/routes/:routeId/resume', 'routes.change', setRouteStatusRoute(deps, 'ACTIVE'));
      routes.get('/partners/:partnerId/operations.csv', 'payments.export', partnerDayRoute(deps));
      routes.get('/ledger/trial-balance', 'ledger.read', getTrialBalanceRoute(deps));
      routes.get('/ledger/statements/:partnerId', 'ledger.read', getStatementRoute(deps));
      routes.get('/stores', 'stores.read', listStoresRoute(deps));
      routes.post('/stores', 'stores.create', createStoreRoute(deps));
      routes.put('/stores/:storeId/merchant-consent', 'stores.capabilities', setMerchantConsentRoute(deps));
      routes.post('/stores/:storeId/payment-points', 'points.create', createPointRoute(deps));
      routes.get('/payment-points/:paymentPointId', 'stores.read', getPointRoute(deps));
      routes.put('/payment-points/:paymentPointId', 'points.change', changePointRoute(deps));
      routes.get('/held-back-cards', 'held-back.read', listHeldBackCardsRoute(deps));
      routes.post('/held-back-cards/let-through', 'held-back.let-through', letCardsThroughRoute(deps));
      routes.get('/overview', 'overview.read', overviewRoute(deps));
      routes.get('/actions', 'audit.read', listActionsRoute(deps));
      addOutboxRoute(routes, deps.db);
    },
  });
}
