import type { RequestHandler } from 'express';
import { BindingFilter } from '@pay/contract/api/bindings.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import type { HttpDeps } from '../../deps.ts';
import { readBinding, readBindings } from '../../use-cases/read-bindings.ts';
import { renderBinding } from '../render.ts';

/** GET /v1/bindings */
export function listBindingsRoute(deps: HttpDeps): RequestHandler {
  return async (req, res) => {
    const { limit: count, pageToken, ...filter } = validateQuery(BindingFilter, req.url);
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
    res.json(renderBinding(await readBinding(deps.db, partnerOf(res), pathId(req, 'bindingId'))));
  };
}
