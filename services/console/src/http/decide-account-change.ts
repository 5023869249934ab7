import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { Deps } from '../deps.ts';
import { decideAccountChange } from '../use-cases/decide-account-change.ts';
import { renderChange } from './list-account-changes.ts';
import { signedInOf } from './operator-session.ts';

const DECISIONS = { confirm: 'CONFIRMED', reject: 'REJECTED' } as const;
const Path = z.object({ id: z.string().max(64), decision: z.string() });

/**
 * POST /api/account-changes/{id}/{confirm|reject}. The answer to a confirmation contains the first password, if there
 * is one, which is shown only once. 409 with the current state if it is already decided.
 */
export function decideAccountChangeRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { id, decision } = validate(Path, req.params);
    if (decision !== 'confirm' && decision !== 'reject') throw new ApiError('NOT_FOUND');
    const { password } = await deps.auth.$context;
    const hash = (text: string) => password.hash(text);
    const outcome = await decideAccountChange(deps.db, signedInOf(res), { id, to: DECISIONS[decision] }, hash);
    const current = renderChange(outcome.change, await clock(deps.db));
    if (outcome.kind === 'stale') throw new ApiError('STALE_REVISION', { members: { current } });
    res.set('Cache-Control', 'no-store').json({ ...current, password: outcome.password });
  };
}
