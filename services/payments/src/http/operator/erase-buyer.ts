import type { RequestHandler } from 'express';
import type { ErasedPayments } from '@pay/contract/operator/payments.ts';
import type { RecordOf } from '@pay/contract/operator/record.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { Deps } from '../../deps.ts';
import { eraseBuyer } from '../../use-cases/operator/erase-buyer.ts';

/** POST /operator/payments/{paymentId}/erase-buyer. A repeat finds nothing left to erase. */
export function eraseBuyerRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const erased: RecordOf<typeof ErasedPayments> = await eraseBuyer(deps, operatorOf(res).login, pathId(req, 'paymentId'));
    res.json(erased);
  };
}
