import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { findPartnerPaymentAt } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import { renderQrPayment } from './render-qr-payment.ts';

/** GET /api/qr/:id. An id that is no UUID names nothing; a card payment is not there. */
export function getQrPaymentRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const id = z.uuid().safeParse(req.params['id']);
    const found = id.success ? await findPartnerPaymentAt(deps.db, partnerOf(res), id.data) : undefined;
    if (found?.payment.method !== 'SBP_DYNAMIC_QR') throw new ApiError('NOT_FOUND');
    res.json(await renderQrPayment(deps, found.payment, found.now));
  };
}
