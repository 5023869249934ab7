import type { RequestHandler } from 'express';
import { CardPaymentQuery, type CardPaymentList } from '@pay/contract/api/card-payments.ts';
import type { Wire } from '@pay/contract/wire.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { isPartnerPoint } from '../../db/merchant/payment-points.ts';
import { listCardPayments } from '../../db/payment/payment-lists.ts';
import type { ApiDeps } from '../../deps.ts';
import { renderCardPayment } from './render-card-payment.ts';

/**
 * GET /api/card: the partner's card payments and charges of saved cards, newest first, created at or after `from` and before
 * `to`. With `orderID`, the payment with that number, if there is one: a partner who lost an answer and its key finds the
 * payment this way. See decisions/idempotency.
 */
export function listCardPaymentsRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const partnerId = partnerOf(res);
    const { limit, pageToken, ...query } = validateQuery(CardPaymentQuery, req.url);
    const { merchantOrderId, customerId, paymentPointId, from, to, status } = query;
    const chosen = [merchantOrderId, customerId, paymentPointId, from?.toISOString(), to?.toISOString(), status];
    const scope = ['card', partnerId, ...chosen];
    const after = readPosition(deps.pageTokens, pageToken, scope);
    if (paymentPointId !== undefined && !(await isPartnerPoint(deps.db, partnerId, paymentPointId))) throw new ApiError('NOT_FOUND');
    const filter = { partnerId, merchantOrderId, customerId, paymentPointId, from, to, status };
    const { items, next } = await listCardPayments(deps.db, filter, after, limit);
    const now = await clock(deps.db);
    const page: Wire<typeof CardPaymentList> = {
      items: items.map((payment) => renderCardPayment(deps, payment, now)),
      nextPageToken: writePosition(deps.pageTokens, next, scope),
    };
    res.json(page);
  };
}
