import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { isPartnerPoint } from '../../db/merchant/payment-points.ts';
import { listCardPayments } from '../../db/payment/payments.ts';
import type { ApiDeps } from '../../deps.ts';
import { PAYMENT_STATUSES } from '@pay/contract/states.ts';
import { customerId, issuedId, limit, merchantOrderId, moment, pageToken } from '../fields.ts';
import { renderCardPayment } from './render-card-payment.ts';

const Query = z.strictObject({
  orderID: merchantOrderId.optional(),
  customerID: customerId.optional(),
  paymentPointID: issuedId.optional(),
  from: moment.optional(),
  to: moment.optional(),
  status: z.enum(PAYMENT_STATUSES, { error: `must be one of ${PAYMENT_STATUSES.join(', ')}` }).optional(),
  limit,
  pageToken: pageToken.optional(),
});

/**
 * GET /api/card: the partner's card payments and charges of saved cards, newest first; created from `from` on, and before
 * `to`. With `orderID` the one that has this number, if any: what a partner asks who lost an answer and its key. ADR 0132.
 */
export function listCardPaymentsRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const partnerId = partnerOf(res);
    const query = validate(Query, { ...req.query });
    const { orderID, customerID, paymentPointID, from, to, status } = query;
    const chosen = [orderID, customerID, paymentPointID, from?.toISOString(), to?.toISOString(), status];
    const scope = ['card', partnerId, ...chosen];
    const after = readPosition(deps.pageTokens, query.pageToken, scope);
    if (paymentPointID !== undefined && !(await isPartnerPoint(deps.db, partnerId, paymentPointID)))
      throw new ApiError('NOT_FOUND');
    const filter = { partnerId, merchantOrderId: orderID, customerId: customerID, paymentPointId: paymentPointID, from, to, status }; // prettier-ignore
    // One more than asked for says whether there is a next page.
    const found = await listCardPayments(deps.db, filter, after, query.limit + 1);
    const now = await clock(deps.db);
    const items = found.slice(0, query.limit);
    const last = found.length > items.length ? items.at(-1) : undefined;
    const next = last === undefined ? undefined : { createdAt: last.createdAt, id: last.paymentId };
    res.json({
      items: items.map((payment) => renderCardPayment(deps, payment, now)),
      nextPageToken: writePosition(deps.pageTokens, next, scope),
    });
  };
}
