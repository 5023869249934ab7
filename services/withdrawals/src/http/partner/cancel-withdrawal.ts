import type { RequestHandler } from 'express';
import { idempotentRequest } from '@pay/shared/http/caller.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { refuseContent } from '@pay/shared/http/refuse-content.ts';
import type { Deps } from '../../deps.ts';
import { cancelWithdrawal } from '../../use-cases/cancel-withdrawal.ts';
import { renderWithdrawal } from '../render.ts';

/** POST /api/withdrawal-requests/{requestID}/cancel. The path says everything: the body may be absent or `{}`. */
export function cancelWithdrawalRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    refuseContent(req);
    const request = idempotentRequest(req, res);
    const { withdrawal, status, replayed } = await cancelWithdrawal(deps.db, request, pathId(req, 'requestID'));
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(status).json(renderWithdrawal(withdrawal));
  };
}
