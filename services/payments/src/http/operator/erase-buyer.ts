import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { Deps } from '../../deps.ts';
import { eraseBuyer } from '../../use-cases/operator/erase-buyer.ts';

const Path = z.object({ paymentId: z.uuid() });

/** POST /operator/payments/{paymentId}/erase-buyer. Again: nothing is left to erase. */
export function eraseBuyerRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const path = Path.safeParse(req.params);
    if (!path.success) throw new ApiError('NOT_FOUND');
    res.json(await eraseBuyer(deps, operatorOf(res).login, path.data.paymentId));
  };
}
