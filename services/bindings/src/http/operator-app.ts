import type { Express } from 'express';
import { createApp } from '@pay/shared/http/app.ts';
import { addQueueRoutes, type QueueDeps } from '@pay/shared/http/queue-routes.ts';
import type { OperatorIdentityVerifier } from '@pay/shared/operators/operator-identity.ts';
import { requireOperator } from '@pay/shared/operators/operator-of.ts';
import type { Deps } from '../deps.ts';
import { eraseBuyerRoute, getOperatorBindingRoute, getOperatorConsentRoute } from './operator-consents.ts';

/** Audience of the identities that the console signs for operators. */
export const OPERATOR_AUDIENCE = 'bindings-operator';

/** The routes of operators, on the private port below `/operator`: evidence is read, dead letters are handled again. */
export function createOperatorApp(deps: Deps & QueueDeps, verify: OperatorIdentityVerifier): Express {
  return createApp({
    listener: 'operator',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      app.use(requireOperator(verify));
      app.get('/bindings/:bindingId', getOperatorBindingRoute(deps));
      app.post('/bindings/:bindingId/erase-buyer', eraseBuyerRoute(deps));
      app.get('/consents/:consentId', getOperatorConsentRoute(deps));
      addQueueRoutes(app, deps);
    },
  });
}
