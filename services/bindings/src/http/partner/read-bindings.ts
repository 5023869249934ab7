import type { RequestHandler } from 'express';
import { z } from 'zod';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { HttpDeps } from '../../deps.ts';
import { BINDING_STATUSES } from '@pay/contract/states.ts';
import { readBinding, readBindings } from '../../use-cases/read-bindings.ts';
import { bindingIdOfPath, customerId, limit, text } from '../fields.ts';
import { renderBinding } from '../render.ts';

const Query = z.strictObject({
  customerId,
  status: z.enum(BINDING_STATUSES, { error: `must be one of ${BINDING_STATUSES.join(', ')}` }).optional(),
  limit,
  pageToken: text.optional(),
});

/** GET /v1/bindings */
export function listBindingsRoute(deps: HttpDeps): RequestHandler {
  return async (req, res) => {
    const { limit: count, pageToken, ...filter } = validate(Query, { ...req.query });
    const partnerId = partnerOf(res);
    const scope = [partnerId, filter.customerId, filter.status];
    const after = readPosition(deps.pageTokens, pageToken, scope);
    const { customerId: buyer, status } = filter;
    const { items, next } = await readBindings(deps.db, { partnerId, customerId: buyer, status }, after, count);
    res.json({ items: items.map(renderBinding), nextPageToken: writePosition(deps.pageTokens, next, scope) });
  };
}

/** GET /v1/bindings/{bindingId} */
export function getBindingRoute(deps: HttpDeps): RequestHandler {
  return async (req, res) => {
    res.json(renderBinding(await readBinding(deps.db, partnerOf(res), bindingIdOfPath(req))));
  };
}
