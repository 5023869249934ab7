import type { RequestHandler } from 'express';
import type { PaymentPointList } from '@pay/contract/api/integration.ts';
import type { Wire } from '@pay/contract/wire.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { listPoints } from '../../db/merchant/payment-points.ts';
import type { Deps } from '../../deps.ts';

/** GET /api/integration/payment-points */
export function listPaymentPointsRoute(deps: Deps): RequestHandler {
  return async (_req, res) => {
    const points = await listPoints(deps.db, partnerOf(res));
    const list: Wire<typeof PaymentPointList> = {
      items: points.map((point) => ({
        paymentPointID: point.paymentPointId,
        storeID: point.storeId,
        name: point.name,
        status: point.status,
        paymentMethods: point.paymentMethods,
      })),
    };
    res.json(list);
  };
}
