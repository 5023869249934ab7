import type { Db } from '@pay/shared/postgres/db.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { createApp, jsonBody } from '@pay/shared/http/app.ts';
import { JsonNumber } from '@pay/shared/json/json-body.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { OperatorIdentityVerifier } from '@pay/shared/operators/operator-identity.ts';
import { operatorOf, operatorRoutes } from '@pay/shared/operators/operator-of.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { Express, Request } from 'express';
import { z } from 'zod';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { activateKey, registerKey, revokeKey } from '../use-cases/manage-keys.ts';
import {
  createPartner,
  readAudit,
  readPartner,
  readPartners,
  setPartnerStatus,
  setRateLimit,
} from '../use-cases/manage-partners.ts';
import { renderAudit, renderKey, renderPartner } from './render.ts';

/** Audience of the identities that the console signs for operators. */
export const OPERATOR_AUDIENCE = 'gateway-operator';

/** A refill above this is no limit any more. */
const RATE_MAX = 1_000_000;

const positiveInteger = z
  .instanceof(JsonNumber, { error: 'must be a number' })
  .refine(({ token }) => /^[1-9][0-9]{0,6}$/.test(token) && Number(token) <= RATE_MAX, {
    error: `must be a whole number from 1 to ${String(RATE_MAX)}`,
  })
  .transform(({ token }) => Number(token));

/** What a header can carry and a person can read out. */
const PartnerId = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 . _ -');
const CreatePartner = z.strictObject({
  partnerID: PartnerId,
  name: typedText('partner.name'),
  ratePerSecond: positiveInteger.optional(),
  burst: positiveInteger.optional(),
});
const RateLimit = z.strictObject({ ratePerSecond: positiveInteger, burst: positiveInteger });
const RegisterKey = z.strictObject({ publicKey: z.string().max(512) });
const Page = z.strictObject({
  after: z.string().default(''),
  limit: z.coerce.number().int().min(1).max(100).default(100),
});
const KeyId = z.uuid();

/** The operators' API of the gateway, mounted at `/operator` on the private port. README "Operator API". */
export function createOperatorApp(db: Db, log: Log, verify: OperatorIdentityVerifier): Express {
  return createApp({
    listener: 'operator',
    log,
    requestIdFrom: 'caller',
    routes: (app) => {
      const routes = operatorRoutes(app, verify);
      routes.post('/partners', 'partners.create', async (req, res) => {
        const { partnerID: partnerId, name, ratePerSecond, burst } = validate(CreatePartner, jsonBody(req));
        const limit = {
          ...(ratePerSecond === undefined ? {} : { ratePerSecond }),
          ...(burst === undefined ? {} : { burst }),
        };
        res
          .status(201)
          .json(renderPartner(await createPartner(db, operatorOf(res).login, { partnerId, name, ...limit })));
      });
      routes.get('/partners', 'partners.read', async (req, res) => {
        const { after, limit } = validate(Page, { ...req.query });
        res.json({ items: (await readPartners(db, after, limit)).map(renderPartner) });
      });
      routes.get('/partners/:partnerID', 'partners.read', async (req, res) => {
        res.json(renderPartner(await readPartner(db, param(req, 'partnerID'))));
      });
      routes.put('/partners/:partnerID/rate-limit', 'partners.limit', async (req, res) => {
        const limit = validate(RateLimit, jsonBody(req));
        res.json(renderPartner(await setRateLimit(db, operatorOf(res).login, param(req, 'partnerID'), limit)));
      });
      routes.post('/partners/:partnerID/suspend', 'partners.suspend', async (req, res) => {
        res.json(
          renderPartner(await setPartnerStatus(db, operatorOf(res).login, param(req, 'partnerID'), 'SUSPENDED')),
        );
      });
      routes.post('/partners/:partnerID/resume', 'partners.resume', async (req, res) => {
        res.json(renderPartner(await setPartnerStatus(db, operatorOf(res).login, param(req, 'partnerID'), 'ACTIVE')));
      });
      routes.post('/partners/:partnerID/keys', 'keys.register', async (req, res) => {
        const { publicKey } = validate(RegisterKey, jsonBody(req));
        res
          .status(201)
          .json(renderKey(await registerKey(db, operatorOf(res).login, param(req, 'partnerID'), publicKey)));
      });
      routes.post('/partners/:partnerID/keys/:keyId/activate', 'keys.activate', async (req, res) => {
        res.json(renderKey(await activateKey(db, operatorOf(res).login, param(req, 'partnerID'), keyId(req))));
      });
      routes.post('/partners/:partnerID/keys/:keyId/revoke', 'keys.revoke', async (req, res) => {
        res.json(renderKey(await revokeKey(db, operatorOf(res).login, param(req, 'partnerID'), keyId(req))));
      });
      routes.get('/partners/:partnerID/audit', 'partners.read', async (req, res) => {
        res.json({ items: (await readAudit(db, param(req, 'partnerID'))).map(renderAudit) });
      });
    },
  });
}

function param(req: Request, name: string): string {
  const value = req.params[name];
  if (typeof value !== 'string') throw new Error(`the route has no parameter ${name}`);
  return value;
}

/** What is not a UUID is no key's id. */
function keyId(req: Request): string {
  const parsed = KeyId.safeParse(param(req, 'keyId'));
  if (!parsed.success) throw new ApiError('NOT_FOUND');
  return parsed.data;
}
