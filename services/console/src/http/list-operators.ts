import type { RequestHandler } from 'express';
import { listOperators, type Operator } from '../db/operators.ts';
import type { Deps } from '../deps.ts';

/** GET /api/operators: all operators, including disabled ones. */
export function listOperatorsRoute(deps: Deps): RequestHandler {
  return async (_req, res) => {
    const items = (await listOperators(deps.db)).map(({ hasPassword, hasPasskey, lockedUntil, ...operator }) => ({
      ...renderOperator(operator),
      hasPassword,
      hasPasskey,
      lockedUntil: lockedUntil?.toISOString() ?? null,
    }));
    res.set('Cache-Control', 'no-store').json({ items });
  };
}

/** An operator as administrators see them. */
export function renderOperator({ email, name, role, disabledAt, twoFactorEnabled, createdAt }: Operator) {
  return {
    login: email,
    name,
    role,
    disabledAt: disabledAt?.toISOString() ?? null,
    hasSecondFactor: twoFactorEnabled,
    createdAt: createdAt.toISOString(),
  };
}
