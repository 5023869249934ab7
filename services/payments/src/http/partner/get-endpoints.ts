import type { RequestHandler } from 'express';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { findEndpoints } from '../../db/merchant/endpoints.ts';
import type { Deps } from '../../deps.ts';
import { renderEndpoints } from './render-endpoints.ts';

/** GET /api/integration/endpoints */
export function getEndpointsRoute(deps: Deps): RequestHandler {
  return async (_req, res) => {
    res.json(renderEndpoints(await findEndpoints(deps.db, partnerOf(res))));
  };
}
