import type { RequestHandler } from 'express';
import { pathName } from '@pay/shared/http/path-id.ts';
import type { Deps } from '../deps.ts';
import { endSession } from '../use-cases/end-session.ts';
import { signedInOf } from './operator-session.ts';

/** POST /api/sessions/{id}/end. */
export function endSessionRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    await endSession(deps.db, signedInOf(res), pathName(req, 'id'));
    res.json({ ended: true });
  };
}
