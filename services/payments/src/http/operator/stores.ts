import type { RequestHandler } from 'express';
import type { RecordOf } from '@pay/contract/operator/record.ts';
import {
  CreateStore,
  SetMerchantConsent,
  StorePath,
  StoreQuery,
  type PartnerStore,
  type PartnerStoreList,
  type StoreConsent,
} from '@pay/contract/operator/stores.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { validate, validateQuery } from '@pay/shared/http/validate.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { PaymentPoint, Store } from '../../db/merchant/payment-points.ts';
import type { Deps } from '../../deps.ts';
import { createStore, readStores } from '../../use-cases/merchant/manage-stores.ts';
import { setMerchantConsent } from '../../use-cases/merchant/set-merchant-consent.ts';
import { renderPoint } from './points.ts';

/** PUT /operator/stores/{storeId}/merchant-consent */
export function setMerchantConsentRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { storeId } = validate(StorePath, req.params);
    const { enabled } = validate(SetMerchantConsent, jsonBody(req));
    const store = await setMerchantConsent(deps, storeId, { enabled, operator: operatorOf(res).login });
    const { partnerId, name, merchantConsent } = store;
    const consent: RecordOf<typeof StoreConsent> = { storeId, partnerId, name, merchantConsent };
    res.json(consent);
  };
}

/** GET /operator/stores: by id, each with its payment points. */
export function listStoresRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { partnerID: partnerId, after, limit } = validateQuery(StoreQuery, req.url);
    const found = await readStores(deps.db, { partnerId, after }, limit);
    const list: RecordOf<typeof PartnerStoreList> = {
      items: found.map(({ store, points }) => renderStore(store, points)),
    };
    res.json(list);
  };
}

/** POST /operator/stores */
export function createStoreRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const store = await createStore(deps.db, validate(CreateStore, jsonBody(req)), operatorOf(res).login);
    res.status(201).json(renderStore(store, []));
  };
}

function renderStore(store: Store, points: readonly PaymentPoint[]): PartnerStore {
  const { storeId, partnerId, name, merchantConsent, createdAt } = store;
  return {
    storeId,
    partnerId,
    name,
    merchantConsent,
    logo: null,
    createdAt: createdAt.toISOString(),
    paymentPoints: points.map(renderPoint),
  };
}
