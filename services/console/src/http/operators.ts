import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../deps.ts';
import { ROLES } from '../domain/roles.ts';
import { changeOperator, createOperator, type OperatorChange } from '../use-cases/manage-operators.ts';
import { signedInOf } from './operator-session.ts';
import { renderOperator } from './list-operators.ts';

const login = z
  .email('must be an e-mail address')
  .max(254)
  .transform((text) => text.toLowerCase());
const name = z.string().trim().pipe(typedText('operator.name'));
const role = z.enum(ROLES);
const NewOperator = z.strictObject({ login, name, role, signIn: z.enum(['password', 'company']) });
const RoleBody = z.strictObject({ role });
const Path = z.object({ login, change: z.string() });

/** POST /api/operators: the answer has the first password, which is shown once. */
export function createOperatorRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { signIn, ...operator } = validate(NewOperator, jsonBody(req));
    const { password } = await deps.auth.$context;
    const hash = signIn === 'password' ? (text: string) => password.hash(text) : undefined;
    const made = await createOperator(deps.db, signedInOf(res), operator, hash);
    res
      .status(201)
      .set('Cache-Control', 'no-store')
      .json({ ...renderOperator(made.operator), password: made.password });
  };
}

/** POST /api/operators/{login}/{change}: role, disable, enable, reset-second-factor. */
export function changeOperatorRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const path = validate(Path, req.params);
    const change = readChange(path.change, () => jsonBody(req));
    res.json(renderOperator(await changeOperator(deps.db, signedInOf(res), path.login, change)));
  };
}

function readChange(kind: string, body: () => unknown): OperatorChange {
  switch (kind) {
    case 'role':
      return { kind, ...validate(RoleBody, body()) };
    case 'disable':
    case 'enable':
    case 'reset-second-factor':
      return { kind };
    default:
      throw new ApiError('NOT_FOUND');
  }
}
