import type { Express, RequestHandler } from 'express';
import { createApp } from '@pay/shared/http/app.ts';
import { callerOf, requireInternalToken } from '@pay/shared/http/caller.ts';
import type { InternalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../sign-in/session.ts';
import { listAccountChangesRoute } from './list-account-changes.ts';
import { listAuditRoute } from './list-audit.ts';
import { listOperatorsRoute } from './list-operators.ts';
import { disableOperatorRoute } from './operators.ts';

/** Audience of the tokens that operators' tools bring. Their subject is the operator's login. */
export const OPERATOR_AUDIENCE = 'console-operator';

/**
 * For the command line, on the private port below `/operator`: staff and the trail, with the same use cases as the pages.
 * What takes two administrators is not here: a key says a name, and does not say that two names are two people.
 */
export function createOperatorApp(deps: Deps, verify: InternalTokenVerifier): Express {
  return createApp({
    listener: 'operator',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      app.use(requireInternalToken(verify));
      app.use(asAdministrator());
      app.get('/audit', listAuditRoute(deps));
      app.get('/operators', listOperatorsRoute(deps));
      app.get('/account-changes', listAccountChangesRoute(deps));
      app.post('/operators/:login/disable', disableOperatorRoute(deps));
    },
  });
}

/** Who holds the key of this API administrates the system anyway; the trail has the name that he gives. */
function asAdministrator(): RequestHandler {
  return (_req, res, next) => {
    const { partnerId: login } = callerOf(res);
    const signedIn: SignedIn = {
      operatorId: '',
      login,
      name: login,
      role: 'admin',
      hasSecondFactor: true,
      mustSetUpSecondFactor: false,
      setCookies: [],
    };
    res.locals['signedIn'] = signedIn;
    next();
  };
}
