import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { Deps } from '../deps.ts';
import { SIGN_IN_WITH } from '../domain/account-change.ts';
import { ROLES } from '@pay/shared/operators/roles.ts';
import { disableOperator, unlockOperator } from '../use-cases/manage-operators.ts';
import { proposeAccountChange, type ProposedChange } from '../use-cases/propose-account-change.ts';
import { renderChange } from './list-account-changes.ts';
import { renderOperator } from './list-operators.ts';
import { signedInOf } from './operator-session.ts';

const login = z
  .email('must be an e-mail address')
  .max(254)
  .transform((text) => text.toLowerCase());
const name = z.string().trim().pipe(typedText('operator', 140));
const role = z.enum(ROLES);
const NewOperator = z.strictObject({ login, name, role, signIn: z.enum(SIGN_IN_WITH) });
const RoleBody = z.strictObject({ role });
const Login = z.object({ login: z.string() });
const Path = Login.extend({ change: z.string() });

/** POST /api/operators: proposes a new operator, whom another administrator confirms (`decide-account-change.ts`). */
export function proposeOperatorRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { login: whose, ...newcomer } = validate(NewOperator, jsonBody(req));
    await propose(deps, res, whose, { kind: 'create', ...newcomer });
  };
}

/**
 * POST /api/operators/{login}/{change}: `disable` and `unlock` take effect at once; role, enable, reset-second-factor
 * and new-password are proposed for another administrator to confirm.
 */
export function changeOperatorRoute(deps: Deps): RequestHandler {
  const atOnce = { disable: disableOperatorRoute(deps), unlock: unlockOperatorRoute(deps) };
  return async (req, res, next) => {
    const path = validate(Path, req.params);
    if (path.change === 'disable' || path.change === 'unlock') await atOnce[path.change](req, res, next);
    else
      await propose(
        deps,
        res,
        path.login,
        readChange(path.change, () => jsonBody(req)),
      );
  };
}

/** POST /api/operators/{login}/disable. */
export function disableOperatorRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const path = validate(Login, req.params);
    res.json(renderOperator(await disableOperator(deps.db, signedInOf(res), path.login)));
  };
}

/** POST /api/operators/{login}/unlock: after too many wrong passwords or codes. */
export function unlockOperatorRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const path = validate(Login, req.params);
    res.json(renderOperator(await unlockOperator(deps.db, signedInOf(res), path.login)));
  };
}

async function propose(deps: Deps, res: Response, whose: string, change: ProposedChange): Promise<void> {
  const proposed = await proposeAccountChange(deps.db, signedInOf(res), whose, change);
  res
    .status(201)
    .set('Cache-Control', 'no-store')
    .json(renderChange(proposed, await clock(deps.db)));
}

function readChange(kind: string, body: () => unknown): ProposedChange {
  switch (kind) {
    case 'role':
      return { kind, ...validate(RoleBody, body()) };
    case 'enable':
    case 'reset-second-factor':
    case 'new-password':
      return { kind };
    default:
      throw new ApiError('NOT_FOUND');
  }
}
