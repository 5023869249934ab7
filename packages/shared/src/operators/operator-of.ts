import type { Express, Request, RequestHandler, Response } from 'express';
import { ApiError } from '../errors/api-error.ts';
import { bodySha256 } from '../http/app.ts';
import type { Db } from '../postgres/db.ts';
import type { Operator, OperatorIdentityVerifier, VerifiedIdentity } from './operator-identity.ts';
import { may, type Action } from './roles.ts';
import { useIdentity } from './use-identity.ts';

/** The header that carries an operator's identity from the console to a service. */
export const IDENTITY_HEADER = 'x-operator-identity';

/** An operator route is always registered with its action, so no route is accidentally open to every role. */
export type OperatorRoutes = Readonly<Record<'get' | 'post' | 'put', (path: string, action: Action, route: RequestHandler) => void>>;

/**
 * Adds routes for operators to an app. A request without an identity signed by the console for it is refused (401)
 * before any route, and so is a change with one that any replica has accepted before; a role that may not perform the route's action is
 * refused (403) before the route reads anything. The console checks the same table; the service does not rely on that.
 */
export function operatorRoutes(app: Express, db: Db, verify: OperatorIdentityVerifier): OperatorRoutes {
  app.use(async (req, res, next) => {
    const identity = readIdentity(req, verify);
    const isUsable = identity !== undefined && (req.method === 'GET' || (await useIdentity(db, identity)));
    if (!isUsable) throw new ApiError('UNAUTHORIZED');
    res.locals['operator'] = identity.operator;
    next();
  });
  const adding = (method: 'get' | 'post' | 'put') => (path: string, action: Action, route: RequestHandler) => {
    app[method](path, requireAction(action), route);
  };
  return { get: adding('get'), post: adding('post'), put: adding('put') };
}

function requireAction(action: Action): RequestHandler {
  return (_req, res, next) => {
    if (!may(operatorOf(res).role, action)) throw new ApiError('FORBIDDEN');
    next();
  };
}

function readIdentity(req: Request, verify: OperatorIdentityVerifier): VerifiedIdentity | undefined {
  const values = req.headersDistinct[IDENTITY_HEADER] ?? [];
  const [token] = values;
  if (token === undefined || values.length > 1) return undefined;
  return verify(token, { method: req.method, target: req.originalUrl, bodySha256: bodySha256(req) });
}

/** The operator who made a request to one of `operatorRoutes`. */
export function operatorOf(res: Response): Operator {
  const operator: unknown = res.locals['operator'];
  if (!isOperator(operator)) throw new Error('the route is not one of operatorRoutes');
  return operator;
}

function isOperator(value: unknown): value is Operator {
  return typeof value === 'object' && value !== null && 'login' in value && 'notIndependentOf' in value;
}
