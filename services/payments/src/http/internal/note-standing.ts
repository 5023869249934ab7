import type { RequestHandler } from 'express';
import { PartnerStanding } from '@pay/contract/standings.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { noteStanding } from '../../use-cases/merchant/note-standing.ts';

/** POST /internal/partner-standing: called by the gateway itself, which does not route partners to it. */
export function noteStandingRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    await noteStanding(deps, { partnerId: partnerOf(res), ...validate(PartnerStanding, jsonBody(req)) });
    res.json({});
  };
}
