import type { RequestHandler } from 'express';
import { OperatorBindingQuery, type AnyBinding } from '@pay/contract/operator/consents.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import type { PageTokens } from '@pay/shared/http/page-token.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { Deps } from '../../deps.ts';
import { readBindings, type Binding } from '../../use-cases/read-bindings.ts';
import { revokeForCaller } from '../../use-cases/revoke-binding.ts';
import { renderBinding } from '../render.ts';

/** GET /operator/bindings: the saved cards of a partner's buyers, newest first. */
export function listOperatorBindingsRoute(deps: Deps & { readonly pageTokens: PageTokens }): RequestHandler {
  return async (req, res) => {
    const { limit, pageToken, partnerID: partnerId, ...rest } = validateQuery(OperatorBindingQuery, req.url);
    const { customerId, status, cardLastFour } = rest;
    const scope = ['operator-bindings', operatorOf(res).login, partnerId, customerId, status, cardLastFour];
    const after = readPosition(deps.pageTokens, pageToken, scope);
    const { items, next } = await readBindings(deps.db, { partnerId, customerId, status, cardLastFour }, after, limit);
    res.json({ items: items.map(renderAnyBinding), nextPageToken: writePosition(deps.pageTokens, next, scope) });
  };
}

/** POST /operator/bindings/{bindingId}/revoke. Repeating it changes nothing. */
export function revokeForCallerRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    res.json(renderAnyBinding(await revokeForCaller(deps, operatorOf(res).login, pathId(req, 'bindingId'))));
  };
}

/** A binding as operators see it. */
export function renderAnyBinding(binding: Binding): AnyBinding {
  return { partnerID: binding.partnerId, ...renderBinding(binding), openPaymentId: binding.openPaymentId };
}
