import type { RequestHandler } from 'express';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { findPartnerRefund } from '../../db/refund/refunds.ts';
import type { Deps } from '../../deps.ts';
import { renderRefund } from '../render-refund.ts';

/** GET /api/refunds/:refundId */
export function getRefundRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const refund = await findPartnerRefund(deps.db, partnerOf(res), pathId(req, 'refundId'));
    if (refund === undefined) throw new ApiError('NOT_FOUND');
    res.json(renderRefund(refund));
  };
}
