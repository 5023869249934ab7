import type { Express } from 'express';
import { FACTS } from '@pay/contract/facts.ts';
import type { SigningKeys } from '@pay/shared/broker/fact-signature.ts';
import { addFactsRoutes } from '@pay/shared/facts/facts-routes.ts';
import { createApp } from '@pay/shared/http/app.ts';
import { requireInternalToken } from '@pay/shared/http/caller.ts';
import type { InternalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import type { HttpDeps } from '../deps.ts';
import { getBuyerBindingRoute, revokeBuyerBindingRoute } from './internal/buyer-bindings.ts';
import { createRecurringPaymentRoute } from './partner/create-recurring-payment.ts';
import { getBindingRoute, listBindingsRoute } from './partner/read-bindings.ts';
import { revokeBindingRoute } from './partner/revoke-binding.ts';

/**
 * THE ROUTE LIST of this service for the gateway. `/internal` is for payments and `/internal/facts` for the consumers
 * of its
 * facts: these are not on the gateway's list.
 */
export function createBindingsApp(deps: HttpDeps, verifyToken: InternalTokenVerifier, factKeys: SigningKeys): Express {
  return createApp({
    listener: 'api',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      addFactsRoutes(app, { db: deps.db, producer: 'bindings', facts: FACTS, keys: factKeys });
      app.use(requireInternalToken(verifyToken));
      app.post('/v1/recurring-payments', createRecurringPaymentRoute(deps));
      app.get('/v1/bindings', listBindingsRoute(deps));
      app.get('/v1/bindings/:bindingId', getBindingRoute(deps));
      app.post('/v1/bindings/:bindingId/revoke', revokeBindingRoute(deps));
      app.get('/internal/bindings/:bindingId', getBuyerBindingRoute(deps));
      app.post('/internal/bindings/:bindingId/revoke', revokeBuyerBindingRoute(deps));
    },
  });
}
