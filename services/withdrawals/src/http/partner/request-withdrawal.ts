import type { RequestHandler } from 'express';
import { z } from 'zod';
import { jsonBody } from '@pay/shared/http/app.ts';
import { idempotentRequest } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { requestWithdrawal } from '../../use-cases/request-withdrawal.ts';
import { amountUsdt, judgedId } from '../fields.ts';
import { renderWithdrawal } from '../render.ts';

const Body = z.strictObject(
  { storeId: judgedId, amountUsdt, beneficiaryRef: judgedId },
  { error: 'must be a JSON object' },
);

/** POST /api/withdrawal-requests */
export function requestWithdrawalRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { storeId, beneficiaryRef, amountUsdt: amountMicroUsdt } = validate(Body, jsonBody(req));
    const request = idempotentRequest(req, res);
    const command = { storeId, beneficiaryRef, amountMicroUsdt };
    const { withdrawal, status, replayed } = await requestWithdrawal(deps.db, request, command);
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(status).json(renderWithdrawal(withdrawal));
  };
}
