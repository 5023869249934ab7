import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { findPartnerPayment } from '../../db/payment/payments.ts';
import { listRefunds } from '../../db/refund/refunds.ts';
import type { ApiDeps } from '../../deps.ts';
import type { PaymentMethod } from '../../domain/payment/payment.ts';
import { limit, pageToken } from '../fields.ts';
import { renderRefund } from '../render-refund.ts';

const Query = z.strictObject({ limit, pageToken: pageToken.optional() });

/** GET /api/card/:id/refunds and GET /api/qr/:id/refunds: newest first. */
export function listRefundsRoute(deps: ApiDeps, methods: readonly PaymentMethod[]): RequestHandler {
  return async (req, res) => {
    const partnerId = partnerOf(res);
    const query = validate(Query, { ...req.query });
    const id = z.uuid().safeParse(req.params['id']);
    const scope = ['refunds', partnerId, String(req.params['id']).toLowerCase()];
    const after = readPosition(deps.pageTokens, query.pageToken, scope);
    const payment = id.success ? await findPartnerPayment(deps.db, partnerId, id.data) : undefined;
    if (payment === undefined || !methods.includes(payment.method)) throw new ApiError('NOT_FOUND');
    const { paymentId } = payment;
    // One more than asked for says whether there is a next page.
    const found = await listRefunds(deps.db, paymentId, after, query.limit + 1);
    const items = found.slice(0, query.limit);
    const last = found.length > items.length ? items.at(-1) : undefined;
    const next = last === undefined ? undefined : { createdAt: last.createdAt, id: last.refundId };
    res.json({ items: items.map(renderRefund), nextPageToken: writePosition(deps.pageTokens, next, scope) });
  };
}
