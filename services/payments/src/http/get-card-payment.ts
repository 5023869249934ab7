import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { callerOf } from '@pay/shared/http/caller.ts';
import { clock } from '@pay/shared/time/clock.ts';
import { findPartnerPayment } from '../db/payments.ts';
import type { Deps } from '../deps.ts';
import { renderCardPayment } from './render-card-payment.ts';

/** GET /api/card/:id. An id that is no UUID names nothing; a QR payment is not there. */
export function getCardPaymentRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const id = z.uuid().safeParse(req.params['id']);
    const payment = id.success ? await findPartnerPayment(deps.db, callerOf(res).partnerId, id.data) : undefined;
    if (payment === undefined || payment.method === 'SBP_DYNAMIC_QR') throw new ApiError('NOT_FOUND');
    res.json(renderCardPayment(deps, payment, await clock(deps.db)));
  };
}
