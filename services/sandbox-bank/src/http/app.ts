import type { Express } from 'express';
import { createApp } from '@pay/shared/http/app.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { HttpDeps } from '../deps.ts';
import { acquirerCall } from './acquirer-call.ts';
import { authorizeOrderRoute } from './authorize-order.ts';
import { cancelOrderRoute } from './cancel-order.ts';
import { chargeCardRoute } from './charge-card.ts';
import { renderBankError } from './bank-error.ts';
import { assetRoute, pageHeaders } from './page.ts';
import { prepareThreeDsRoute } from './prepare-three-ds.ts';
import { readBackRoute, readRegisterRoute } from './read-back.ts';
import { refundPaymentRoute } from './refund-payment.ts';
import { registerOrderRoute } from './register-order.ts';
import { requireKey } from './require-key.ts';
import { sbpPageRoutes } from './sbp-page.ts';
import { methodScriptRoute, THREE_DS_METHOD, threeDsMethodRoute } from './three-ds-method.ts';
import { threeDsPageRoutes } from './three-ds-page.ts';
import { wakeNotifier } from './wake-notifier.ts';

/** THE ROUTE LIST for merchants and buyers. The control API has its own port (`createControlApp`). */
export function createBankApp(log: Log, deps: HttpDeps): Express {
  return createApp({
    listener: 'bank',
    log,
    requestIdFrom: 'caller',
    onError: renderBankError,
    routes: (app) => {
      app.use(wakeNotifier(deps.notifier));
      // The acquirer API: for merchants, with the key.
      app.use('/v1', requireKey(deps.apiKeys));
      app.post('/v1/orders', acquirerCall(deps, 'register', registerOrderRoute(deps)));
      app.post('/v1/orders/:operationId/three-ds', acquirerCall(deps, 'three-ds', prepareThreeDsRoute(deps)));
      app.post('/v1/orders/:operationId/authorize', acquirerCall(deps, 'authorize', authorizeOrderRoute(deps)));
      app.post('/v1/orders/:operationId/cancel', acquirerCall(deps, 'cancel', cancelOrderRoute(deps)));
      app.post('/v1/charges', acquirerCall(deps, 'charge', chargeCardRoute(deps)));
      app.post('/v1/refunds', acquirerCall(deps, 'refund', refundPaymentRoute(deps)));
      app.get('/v1/operations/:operationId', acquirerCall(deps, 'read', readBackRoute(deps)));
      app.get('/v1/register', acquirerCall(deps, 'read', readRegisterRoute(deps)));

      // Pages: 3-D Secure and SBP.
      app.get('/assets/bank.css', assetRoute);
      app.get('/assets/method.js', methodScriptRoute);
      app.post(THREE_DS_METHOD, threeDsMethodRoute(deps));
      app.use(['/3ds', '/sbp'], pageHeaders);
      threeDsPageRoutes(app, deps);
      sbpPageRoutes(app, deps);
    },
  });
}
