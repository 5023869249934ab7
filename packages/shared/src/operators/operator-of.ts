import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../errors/api-error.ts';
import { bodySha256 } from '../http/app.ts';
import type { Operator, OperatorIdentityVerifier } from './operator-identity.ts';
import type { Role } from './roles.ts';

/** The header that carries an operator's identity from the console to a service. */
export const IDENTITY_HEADER = 'x-operator-identity';

/** Refuses every request without an identity that the console signed for it (401), before any route. */
export function requireOperator(verify: OperatorIdentityVerifier): RequestHandler {
  return (req, res, next) => {
    const operator = readOperator(req, verify);
    if (operator === undefined) throw new ApiError('UNAUTHORIZED');
    res.locals['operator'] = operator;
    next();
  };
}

function readOperator(req: Request, verify: OperatorIdentityVerifier): Operator | undefined {
  const values = req.headersDistinct[IDENTITY_HEADER] ?? [];
  const [token] = values;
  if (token === undefined || values.length > 1) return undefined;
  return verify(token, { method: req.method, target: req.originalUrl, bodySha256: bodySha256(req) });
}

/**
 * Lets through who has one of these roles. Who may do what is the console's table; where money is decided, the service does
 * not take its word. @throws ApiError 403
 */
export function requireRole(...roles: readonly Role[]): RequestHandler {
  return (_req, res, next) => {
    if (!roles.includes(operatorOf(res).role)) throw new ApiError('FORBIDDEN');
    next();
  };
}

/** The operator of a request that passed `requireOperator`. */
export function operatorOf(res: Response): Operator {
  const operator: unknown = res.locals['operator'];
  if (!isOperator(operator)) throw new Error('the route is not behind requireOperator');
  return operator;
}

function isOperator(value: unknown): value is Operator {
  return typeof value === 'object' && value !== null && 'login' in value && 'notIndependentOf' in value;
}
