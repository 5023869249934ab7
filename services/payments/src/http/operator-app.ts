import type { Express } from 'express';
import { createApp } from '@pay/shared/http/app.ts';
import { requireInternalToken } from '@pay/shared/http/caller.ts';
import type { InternalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import type { Deps } from '../deps.ts';
import {
  getExceptionRoute,
  listExceptionsRoute,
  readBackExceptionRoute,
  settleExceptionRoute,
} from './operator-exceptions.ts';
import { getStatementRoute } from './get-statement.ts';
import { getTrialBalanceRoute } from './get-trial-balance.ts';
import { getPaymentRoute, listPaymentsRoute } from './operator-payments.ts';
import { getReconciliationRoute, listReconciliationsRoute, reconcileRoute } from './operator-reconciliations.ts';
import { partnerDayRoute } from './operator-report.ts';
import { getPointRoutesRoute, setPointRoutesRoute, setRouteStatusRoute } from './operator-routes.ts';
import { setMerchantConsentRoute } from './operator-stores.ts';

/** Audience of the tokens that operators' tools bring. Their subject is the operator's login. */
export const OPERATOR_AUDIENCE = 'payments-operator';

/** The routes of operators, on the private port below `/operator`. */
export function createOperatorApp(deps: Deps, verifyToken: InternalTokenVerifier): Express {
  return createApp({
    listener: 'operator',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      app.use(requireInternalToken(verifyToken));
      app.get('/payments', listPaymentsRoute(deps));
      app.get('/payments/:paymentId', getPaymentRoute(deps));
      app.get('/exceptions', listExceptionsRoute(deps));
      app.get('/exceptions/:exceptionId', getExceptionRoute(deps));
      app.post('/exceptions/:exceptionId/settle', settleExceptionRoute(deps));
      app.post('/exceptions/:exceptionId/read-back', readBackExceptionRoute(deps));
      app.get('/reconciliations', listReconciliationsRoute(deps));
      app.post('/reconciliations', reconcileRoute(deps));
      app.get('/reconciliations/:routeId/:date', getReconciliationRoute(deps));
      app.get('/payment-points/:paymentPointId/routes/:method', getPointRoutesRoute(deps));
      app.put('/payment-points/:paymentPointId/routes/:method', setPointRoutesRoute(deps));
      app.post('/routes/:routeId/suspend', setRouteStatusRoute(deps, 'SUSPENDED'));
      app.post('/routes/:routeId/resume', setRouteStatusRoute(deps, 'ACTIVE'));
      app.get('/partners/:partnerId/operations.csv', partnerDayRoute(deps));
      app.get('/ledger/trial-balance', getTrialBalanceRoute(deps));
      app.get('/ledger/statements/:partnerId', getStatementRoute(deps));
      app.put('/stores/:storeId/merchant-consent', setMerchantConsentRoute(deps));
    },
  });
}
