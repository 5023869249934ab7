import type { RequestHandler } from 'express';
import { CreatePartner, PartnerQuery, SetRateLimit } from '@pay/contract/operator/partners.ts';
import type { PartnerStatus } from '@pay/contract/operator/states.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { pathName } from '@pay/shared/http/path-id.ts';
import { validate, validateQuery } from '@pay/shared/http/validate.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import { createPartner, readAudit, readPartner, readPartners, setPartnerStatus, setRateLimit } from '../../use-cases/manage-partners.ts';
import { renderAudit, renderPartner } from './render.ts';

/** POST /operator/partners */
export function createPartnerRoute(db: Db): RequestHandler {
  return async (req, res) => {
    const partner = await createPartner(db, operatorOf(res).login, validate(CreatePartner, jsonBody(req)));
    res.status(201).json(renderPartner(partner));
  };
}

/** GET /operator/partners?after=&limit=: by id. */
export function listPartnersRoute(db: Db): RequestHandler {
  return async (req, res) => {
    const { after, limit } = validateQuery(PartnerQuery, req.url);
    res.json({ items: (await readPartners(db, after, limit)).map(renderPartner) });
  };
}

/** GET /operator/partners/{partnerID} */
export function getPartnerRoute(db: Db): RequestHandler {
  return async (req, res) => {
    res.json(renderPartner(await readPartner(db, pathName(req, 'partnerID'))));
  };
}

/** PUT /operator/partners/{partnerID}/rate-limit */
export function setRateLimitRoute(db: Db): RequestHandler {
  return async (req, res) => {
    const limit = validate(SetRateLimit, jsonBody(req));
    res.json(renderPartner(await setRateLimit(db, operatorOf(res).login, pathName(req, 'partnerID'), limit)));
  };
}

/** POST /operator/partners/{partnerID}/suspend and …/resume */
export function setPartnerStatusRoute(db: Db, status: PartnerStatus): RequestHandler {
  return async (req, res) => {
    res.json(renderPartner(await setPartnerStatus(db, operatorOf(res).login, pathName(req, 'partnerID'), status)));
  };
}

/** GET /operator/partners/{partnerID}/audit */
export function listAuditRoute(db: Db): RequestHandler {
  return async (req, res) => {
    res.json({ items: (await readAudit(db, pathName(req, 'partnerID'))).map(renderAudit) });
  };
}
