import { createApp } from '@pay/shared/http/app.ts';
import type { Express } from 'express';
import type { Bundle } from '../bundle/bundle.ts';
import type { Deps } from '../deps.ts';
import { AUTH_PATH } from '../sign-in/auth.ts';
import { countWaitingRoute } from './count-waiting.ts';
import { decideAccountChangeRoute } from './decide-account-change.ts';
import { listAccountChangesRoute } from './list-account-changes.ts';
import { createDocsRoute } from './docs.ts';
import { forwardTryItRoute, offerTryItRoute } from './try-it.ts';
import { FILE_FORMATS } from '../files/send-file.ts';
import { exportListRoute } from './export-list.ts';
import { EXPORTED } from './exported-lists.ts';
import { forwardRoute } from './forward.ts';
import { listAuditRoute } from './list-audit.ts';
import { exportAuditedActionsRoute, listAuditedActionsRoute } from './list-audited-actions.ts';
import { exportOperatorsRoute, listOperatorsRoute } from './list-operators.ts';
import { listSessionsRoute } from './list-sessions.ts';
import { endSessionRoute } from './end-session.ts';
import { requireAction, requireSession } from './operator-session.ts';
import { changeOperatorRoute, proposeOperatorRoute } from './operators.ts';
import { requireOwnOrigin } from './own-origin.ts';
import { addNotFoundPage, addPages, CONSOLE_PAGES } from './pages.ts';
import { FORWARDED, OWN } from './routes.ts';
import { getSessionRoute, getSignInOptionsRoute, signInRoute } from './sign-in.ts';

/** The routes of the console, on its own origin. `/api` requires a session and a role that allows the action. */
export function createConsoleApp(deps: Deps, bundle: Bundle): Express {
  return createApp({
    listener: 'console',
    log: deps.log,
    requestIdFrom: 'edge',
    routes: (app) => {
      app.get('/docs', (_req, res) => {
        res.redirect(301, '/docs/');
      });
      if (deps.tryItUrl !== undefined) {
        app.get('/docs/try.json', offerTryItRoute);
        app.all('/docs/try/{*path}', forwardTryItRoute(deps.tryItUrl));
      }
      app.get('/docs/{*path}', createDocsRoute());
      addPages(app, bundle, CONSOLE_PAGES);
      app.use('/api', requireOwnOrigin(deps.publicUrl, 'console'));
      app.all(`${AUTH_PATH}/{*path}`, signInRoute(deps));
      app.get('/api/sign-in-options', getSignInOptionsRoute(deps));
      app.use('/api', requireSession(deps));
      app.get('/api/session', getSessionRoute());
      addOwnRoutes(app, deps);
      for (const route of FORWARDED) {
        const path = `/api/${route.service}${route.path}`;
        app[route.method](path, requireAction(route.action), forwardRoute(deps, route));
      }
      addNotFoundPage(app, bundle, CONSOLE_PAGES);
    },
  });
}

const OWN_NAMES = [
  'countWaiting',
  'listAudit',
  'listAuditedActions',
  'exportAuditedActions',
  'listOperators',
  'exportOperators',
  'listSessions',
  'endSession',
  'proposeOperator',
  'changeOperator',
  'listAccountChanges',
  'decideAccountChange',
] as const;

function addOwnRoutes(app: Express, deps: Deps): void {
  const own = {
    countWaiting: countWaitingRoute(deps),
    listAudit: listAuditRoute(deps),
    listAuditedActions: listAuditedActionsRoute(deps),
    exportAuditedActions: exportAuditedActionsRoute(deps),
    listOperators: listOperatorsRoute(deps),
    exportOperators: exportOperatorsRoute(deps),
    listSessions: listSessionsRoute(deps),
    endSession: endSessionRoute(deps),
    proposeOperator: proposeOperatorRoute(deps),
    changeOperator: changeOperatorRoute(deps),
    listAccountChanges: listAccountChangesRoute(deps),
    decideAccountChange: decideAccountChangeRoute(deps),
  };
  for (const name of OWN_NAMES) {
    const { method, path, action } = OWN[name];
    app[method](path, requireAction(action), own[name]);
  }
  for (const [name, list] of Object.entries(EXPORTED)) {
    for (const format of FILE_FORMATS)
      app.get(`/api/${name}.${format}`, requireAction(list.action), exportListRoute(deps, name, list, format));
  }
}
