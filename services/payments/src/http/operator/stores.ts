import type { RequestHandler } from 'express';
import type { RecordOf } from '@pay/contract/operator/record.ts';
import {
  CreateStore,
  SetMerchantConsent,
  SetStoreLogo,
  StorePath,
  StoreQuery,
  type PartnerStore,
  type PartnerStoreList,
  type StoreConsent,
  type StoreLogo,
} from '@pay/contract/operator/stores.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { validate, validateQuery } from '@pay/shared/http/validate.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { PaymentPoint, Store } from '../../db/merchant/payment-points.ts';
import type { Logo } from '../../db/merchant/store-logos.ts';
import type { Deps } from '../../deps.ts';
import { setLogo } from '../../use-cases/merchant/set-logo.ts';
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

/** PUT /operator/stores/{storeId}/logo */
export function setLogoRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { storeId } = validate(StorePath, req.params);
    const { png } = validate(SetStoreLogo, jsonBody(req));
    const logo = await setLogo(deps, storeId, { png, operator: operatorOf(res).login });
    const answer: RecordOf<typeof StoreLogo> = { storeId, logo: logo ?? null };
    res.json(answer);
  };
}

/** GET /operator/stores: by id, each with its payment points. */
export function listStoresRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { partnerID: partnerId, after, limit } = validateQuery(StoreQuery, req.url);
    const found = await readStores(deps.db, { partnerId, after }, limit);
    const list: RecordOf<typeof PartnerStoreList> = {
      items: found.map(({ store, logo, points }) => renderStore(store, logo, points)),
    };
    res.json(list);
  };
}

/** POST /operator/stores */
export function createStoreRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const store = await createStore(deps.db, validate(CreateStore, jsonBody(req)), operatorOf(res).login);
    res.status(201).json(renderStore(store, undefined, []));
  };
}

function renderStore(store: Store, logo: Logo | undefined, points: readonly PaymentPoint[]): PartnerStore {
  const { storeId, partnerId, name, merchantConsent, createdAt } = store;
  return {
    storeId,
    partnerId,
    name,
    merchantConsent,
    logo: logo ?? null,
    createdAt: createdAt.toISOString(),
    paymentPoints: points.map(renderPoint),
  };
}
