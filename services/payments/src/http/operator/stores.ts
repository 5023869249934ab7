import type { RequestHandler } from 'express';
import { z } from 'zod';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { PaymentPoint, Store } from '../../db/merchant/payment-points.ts';
import type { Deps } from '../../deps.ts';
import { createStore, readStores } from '../../use-cases/merchant/manage-stores.ts';
import { setMerchantConsent } from '../../use-cases/merchant/set-merchant-consent.ts';
import { issuedId, limit, newId } from '../fields.ts';
import { renderPoint } from './points.ts';

const Path = z.object({ storeId: z.string().max(128) });
const Body = z.strictObject({ enabled: z.boolean({ error: 'must be true or false' }) });
const Query = z.strictObject({ partnerID: issuedId.optional(), after: issuedId.optional(), limit });
const NewStore = z.strictObject({ storeId: newId, partnerID: issuedId, name: typedText('store.name') });

/** PUT /operator/stores/{storeId}/merchant-consent */
export function setMerchantConsentRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { storeId } = validate(Path, req.params);
    const { enabled } = validate(Body, jsonBody(req));
    const store = await setMerchantConsent(deps, storeId, { enabled, operator: operatorOf(res).login });
    const { partnerId, name, merchantConsent } = store;
    res.json({ storeId, partnerId, name, merchantConsent });
  };
}

/** GET /operator/stores: by id, each with its payment points. */
export function listStoresRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { partnerID: partnerId, after, limit: count } = validate(Query, { ...req.query });
    const found = await readStores(deps.db, { partnerId, after }, count);
    res.json({ items: found.map(({ store, points }) => renderStore(store, points)) });
  };
}

/** POST /operator/stores */
export function createStoreRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { storeId, partnerID: partnerId, name } = validate(NewStore, jsonBody(req));
    const store = await createStore(deps.db, { storeId, partnerId, name }, operatorOf(res).login);
    res.status(201).json(renderStore(store, []));
  };
}

function renderStore(store: Store, points: readonly PaymentPoint[]) {
  const { storeId, partnerId, name, merchantConsent, createdAt } = store;
  return {
    storeId,
    partnerId,
    name,
    merchantConsent,
    createdAt: createdAt.toISOString(),
    paymentPoints: points.map(renderPoint),
  };
}
