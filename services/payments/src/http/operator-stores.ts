import type { RequestHandler } from 'express';
import { z } from 'zod';
import { jsonBody } from '@pay/shared/http/app.ts';
import { callerOf } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../deps.ts';
import { setMerchantConsent } from '../use-cases/set-merchant-consent.ts';

const Path = z.object({ storeId: z.string().max(128) });
const Body = z.strictObject({ enabled: z.boolean({ error: 'must be true or false' }) });

/** PUT /operator/stores/{storeId}/merchant-consent */
export function setMerchantConsentRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { storeId } = validate(Path, req.params);
    const { enabled } = validate(Body, jsonBody(req));
    const store = await setMerchantConsent(deps, storeId, { enabled, operator: callerOf(res).partnerId });
    const { partnerId, name, merchantConsent } = store;
    res.json({ storeId, partnerId, name, merchantConsent });
  };
}
