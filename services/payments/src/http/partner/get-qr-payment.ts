import type { RequestHandler } from 'express';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { findPartnerPaymentAt } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import { renderQrPayment } from './render-qr-payment.ts';

/** GET /api/qr/:id. 404 for an id that is not a UUID, and for a card payment. */
export function getQrPaymentRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const found = await findPartnerPaymentAt(deps.db, partnerOf(res), pathId(req, 'id'));
    if (found?.payment.method !== 'SBP_DYNAMIC_QR') throw new ApiError('NOT_FOUND');
    res.json(await renderQrPayment(deps, found.payment, found.now));
  };
}
