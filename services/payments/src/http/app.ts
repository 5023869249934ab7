import type { Express } from 'express';
import { createApp } from '@pay/shared/http/app.ts';
import { requireInternalToken } from '@pay/shared/http/caller.ts';
import type { InternalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import type { Deps } from '../deps.ts';
import { createCardPaymentRoute } from './create-card-payment.ts';
import { getCardPaymentRoute } from './get-card-payment.ts';
import { getEndpointsRoute } from './get-endpoints.ts';
import { listPaymentPointsRoute } from './list-payment-points.ts';
import { saveEndpointsRoute } from './save-endpoints.ts';

/** THE ROUTE LIST of this service, reached by the gateway only. The hosted form has its own (`form/`). */
export function createPaymentsApp(deps: Deps, verifyToken: InternalTokenVerifier): Express {
  return createApp({
    listener: 'api',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      app.use(requireInternalToken(verifyToken));
      app.get('/api/integration/payment-points', listPaymentPointsRoute(deps));
      app.put('/api/integration/endpoints', saveEndpointsRoute(deps));
      app.get('/api/integration/endpoints', getEndpointsRoute(deps));
      app.post('/api/card', createCardPaymentRoute(deps));
      app.get('/api/card/:id', getCardPaymentRoute(deps));
    },
  });
}
