import type { Express } from 'express';
import { listHeldBackCardsRoute } from './list-held-back-cards.ts';
import { createApp } from '@pay/shared/http/app.ts';
import { addOutboxRoute } from '@pay/shared/http/queue-routes.ts';
import type { OperatorIdentityVerifier } from '@pay/shared/operators/operator-identity.ts';
import { requireOperator, requireRole } from '@pay/shared/operators/operator-of.ts';
import type { ApiDeps } from '../deps.ts';
import {
  getExceptionRoute,
  listExceptionsRoute,
  readBackExceptionRoute,
  settleExceptionRoute,
} from './operator-exceptions.ts';
import { getStatementRoute } from './get-statement.ts';
import { getTrialBalanceRoute } from './get-trial-balance.ts';
import { listActionsRoute } from './operator-actions.ts';
import { overviewRoute } from './operator-overview.ts';
import { getPaymentRoute, listPaymentsRoute } from './operator-payments.ts';
import { changePointRoute, createPointRoute, getPointRoute } from './operator-points.ts';
import { confirmProposalRoute, listProposalsRoute, rejectProposalRoute } from './operator-proposals.ts';
import { getReconciliationRoute, listReconciliationsRoute, reconcileRoute } from './operator-reconciliations.ts';
import { refundRoute } from './operator-refund.ts';
import { partnerDayRoute } from './operator-report.ts';
import {
  createRouteRoute,
  getPointRoutesRoute,
  listRoutesRoute,
  setPointRoutesRoute,
  setRouteLimitsRoute,
  setRouteStatusRoute,
} from './operator-routes.ts';
import { eraseBuyerRoute } from './operator-erase.ts';
import { createStoreRoute, listStoresRoute, setMerchantConsentRoute } from './operator-stores.ts';

/** Audience of the identities that the console signs for operators. */
export const OPERATOR_AUDIENCE = 'payments-operator';

/** The least that is asked here; the console's table says more. */
const money = requireRole('finance', 'admin');
const office = requireRole('operator', 'admin');
const withMoney = requireRole('operator', 'finance', 'admin');

/** The routes of operators, on the private port below `/operator`. */
export function createOperatorApp(deps: ApiDeps, verify: OperatorIdentityVerifier): Express {
  return createApp({
    listener: 'operator',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      app.use(requireOperator(verify));
      app.get('/payments', listPaymentsRoute(deps));
      app.get('/payments/:paymentId', getPaymentRoute(deps));
      app.post('/payments/:paymentId/refunds', withMoney, refundRoute(deps));
      app.get('/proposals', listProposalsRoute(deps));
      app.post('/proposals/:proposalId/confirm', withMoney, confirmProposalRoute(deps));
      app.post('/proposals/:proposalId/reject', withMoney, rejectProposalRoute(deps));
      app.post('/payments/:paymentId/erase-buyer', eraseBuyerRoute(deps));
      app.get('/exceptions', listExceptionsRoute(deps));
      app.get('/exceptions/:exceptionId', getExceptionRoute(deps));
      app.post('/exceptions/:exceptionId/settle', money, settleExceptionRoute(deps));
      app.post('/exceptions/:exceptionId/read-back', readBackExceptionRoute(deps));
      app.get('/reconciliations', listReconciliationsRoute(deps));
      app.post('/reconciliations', reconcileRoute(deps));
      app.get('/reconciliations/:routeId/:date', getReconciliationRoute(deps));
      app.get('/payment-points/:paymentPointId/routes/:method', getPointRoutesRoute(deps));
      app.put('/payment-points/:paymentPointId/routes/:method', setPointRoutesRoute(deps));
      app.get('/routes', listRoutesRoute(deps));
      app.post('/routes', createRouteRoute(deps));
      app.put('/routes/:routeId/limits', setRouteLimitsRoute(deps));
      app.post('/routes/:routeId/suspend', setRouteStatusRoute(deps, 'SUSPENDED'));
      app.post('/routes/:routeId/resume', setRouteStatusRoute(deps, 'ACTIVE'));
      app.get('/partners/:partnerId/operations.csv', partnerDayRoute(deps));
      app.get('/ledger/trial-balance', getTrialBalanceRoute(deps));
      app.get('/ledger/statements/:partnerId', getStatementRoute(deps));
      app.get('/stores', listStoresRoute(deps));
      app.post('/stores', createStoreRoute(deps));
      app.put('/stores/:storeId/merchant-consent', setMerchantConsentRoute(deps));
      app.post('/stores/:storeId/payment-points', createPointRoute(deps));
      app.get('/payment-points/:paymentPointId', getPointRoute(deps));
      app.put('/payment-points/:paymentPointId', office, changePointRoute(deps));
      app.get('/held-back-cards', listHeldBackCardsRoute(deps));
      app.get('/overview', overviewRoute(deps));
      app.get('/actions', listActionsRoute(deps));
      addOutboxRoute(app, deps.db);
    },
  });
}
