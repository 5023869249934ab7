import type { Express } from 'express';
import { createApp } from '@pay/shared/http/app.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { HttpDeps } from '../deps.ts';
import { renderBankError } from './bank-error.ts';
import { controlRoutes } from './control.ts';
import { openByLink } from './open-by-link.ts';
import { operationsPageRoutes } from './operations-page.ts';
import { assetRoute, pageHeaders } from './page.ts';
import { requireKey } from './require-key.ts';
import { wakeNotifier } from './wake-notifier.ts';

/**
 * THE ROUTE LIST for whoever controls the bank. It moves the clock of all services and shows what every partner did, so
 * it has its own port and key: the other port is where buyers are sent.
 */
export function createControlApp(log: Log, deps: HttpDeps, controlKeys: readonly Buffer[]): Express {
  const keys = controlKeys.map((key) => key.toString('base64'));
  return createApp({
    listener: 'control',
    log,
    requestIdFrom: 'caller',
    onError: renderBankError,
    routes: (app) => {
      app.use(wakeNotifier(deps.notifier));
      // Tests and the command line.
      app.use('/control', requireKey(keys));
      controlRoutes(app, deps);

      // The operations page, for people.
      app.get('/assets/bank.css', assetRoute);
      app.use('/operations', pageHeaders, openByLink(keys));
      app.all('/', pageHeaders, openByLink(keys));
      operationsPageRoutes(app, deps);
    },
  });
}
