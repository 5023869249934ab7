import type { RequestHandler } from 'express';
import type { RefundList } from '@pay/contract/api/refunds.ts';
import { LimitAndPage } from '@pay/contract/fields.ts';
import type { Wire } from '@pay/contract/wire.ts';
import type { PaymentMethod } from '@pay/contract/states.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import { findPartnerPayment } from '../../db/payment/payments.ts';
import { listRefunds } from '../../db/refund/refunds.ts';
import type { ApiDeps } from '../../deps.ts';
import { renderRefund } from '../render-refund.ts';

/** GET /api/card/:id/refunds and GET /api/qr/:id/refunds: newest first. */
export function listRefundsRoute(deps: ApiDeps, methods: readonly PaymentMethod[]): RequestHandler {
  return async (req, res) => {
    const partnerId = partnerOf(res);
    const query = validateQuery(LimitAndPage, req.url);
    const scope = ['refunds', partnerId, String(req.params['id']).toLowerCase()];
    const after = readPosition(deps.pageTokens, query.pageToken, scope);
    const payment = await findPartnerPayment(deps.db, partnerId, pathId(req, 'id'));
    if (payment === undefined || !methods.includes(payment.method)) throw new ApiError('NOT_FOUND');
    const { paymentId } = payment;
    // One more than asked for shows whether there is a next page.
    const found = await listRefunds(deps.db, paymentId, after, query.limit + 1);
    const items = found.slice(0, query.limit);
    const last = found.length > items.length ? items.at(-1) : undefined;
    const next = last === undefined ? undefined : { createdAt: last.createdAt, id: last.refundId };
    const page: Wire<typeof RefundList> = {
      items: items.map(renderRefund),
      nextPageToken: writePosition(deps.pageTokens, next, scope),
    };
    res.json(page);
  };
}
