import type { RequestHandler } from 'express';
import { z } from 'zod';
import { jsonBody } from '@pay/shared/http/app.ts';
import { partnerOf } from '@pay/shared/http/caller.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { noteStanding } from '../../use-cases/merchant/note-standing.ts';

const Body = z.strictObject({
  status: z.enum(['ACTIVE', 'SUSPENDED']),
  revision: z
    .string()
    .regex(/^\d{1,18}$/)
    .transform((text) => BigInt(text)),
});

/** POST /internal/partner-standing, for the gateway itself: not on its list. */
export function noteStandingRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    await noteStanding(deps, { partnerId: partnerOf(res), ...validate(Body, jsonBody(req)) });
    res.json({});
  };
}
