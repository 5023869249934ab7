import type { RequestHandler } from 'express';
import { CreateWithdrawalRequest } from '@pay/contract/api/withdrawals.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { idempotentRequest } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { requestWithdrawal } from '../../use-cases/request-withdrawal.ts';
import { renderWithdrawal } from '../render.ts';

/** POST /api/withdrawal-requests */
export function requestWithdrawalRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const command = validate(CreateWithdrawalRequest, jsonBody(req));
    const request = idempotentRequest(req, res);
    const { withdrawal, status, replayed } = await requestWithdrawal(deps.db, request, command);
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(status).json(renderWithdrawal(withdrawal));
  };
}
