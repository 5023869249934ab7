import type { RequestHandler } from 'express';
import { QrPaymentQuery, type QrPaymentList } from '@pay/contract/api/qr-payments.ts';
import type { Wire } from '@pay/contract/wire.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { isPartnerPoint } from '../../db/merchant/payment-points.ts';
import { listQrPayments } from '../../db/payment/payment-lists.ts';
import type { ApiDeps } from '../../deps.ts';
import { renderQrListItem } from './render-qr-payment.ts';

/** GET /api/payments/:paymentPointID: the QR payments of a point, newest first, created at or after `from` and before `to`. */
export function listQrPaymentsRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const partnerId = partnerOf(res);
    const { from, to, status, limit: count, pageToken: token } = validateQuery(QrPaymentQuery, req.url);
    const paymentPointId = String(req.params['paymentPointID']);
    const scope = ['payments', partnerId, paymentPointId, from?.toISOString(), to?.toISOString(), status];
    const after = readPosition(deps.pageTokens, token, scope);
    if (!(await isPartnerPoint(deps.db, partnerId, paymentPointId))) throw new ApiError('NOT_FOUND');
    const filter = { partnerId, paymentPointId, from, to, status };
    const { items, next } = await listQrPayments(deps.db, filter, after, count);
    const now = await clock(deps.db);
    const page: Wire<typeof QrPaymentList> = {
      items: items.map((payment) => renderQrListItem(deps, payment, now)),
      nextPageToken: writePosition(deps.pageTokens, next, scope),
    };
    res.json(page);
  };
}
