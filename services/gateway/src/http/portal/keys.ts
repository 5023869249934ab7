import type { RequestHandler } from 'express';
import { RegisterKey } from '@pay/contract/operator/partners.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import type { PartnerKeyRow } from '../../db/partners.ts';
import { registerOwnKey, revokeOwnKey } from '../../use-cases/manage-keys.ts';
import { readPartner } from '../../use-cases/manage-partners.ts';
import { demandFreshSession, portalSessionOf } from './portal-session.ts';

/** GET /portal/keys: the keys of the session's partner, in order of registration. */
export function listOwnKeysRoute(db: Db): RequestHandler {
  return async (_req, res) => {
    const { keys } = await readPartner(db, portalSessionOf(res).partnerId);
    res.json({ items: keys.map(renderOwnKey) });
  };
}

/** POST /portal/keys `{ publicKey }`: 201 REGISTERED. An operator activates it: that is the second person. */
export function registerOwnKeyRoute(db: Db): RequestHandler {
  return async (req, res) => {
    demandFreshSession(res);
    const { publicKey } = validate(RegisterKey, jsonBody(req));
    res.status(201).json(renderOwnKey(await registerOwnKey(db, portalSessionOf(res).partnerId, publicKey)));
  };
}

/** POST /portal/keys/{keyId}/revoke: 400 for the only active key. */
export function revokeOwnKeyRoute(db: Db): RequestHandler {
  return async (req, res) => {
    demandFreshSession(res);
    const { partnerId } = portalSessionOf(res);
    res.json(renderOwnKey(await revokeOwnKey(db, partnerId, pathId(req, 'keyId'))));
  };
}

/** A key as its partner sees it: without the names of our staff. */
function renderOwnKey(key: PartnerKeyRow) {
  const { keyId, publicKey, comment, fingerprint, status } = key;
  return {
    keyId,
    publicKey,
    comment,
    fingerprint,
    status,
    registeredAt: key.registeredAt.toISOString(),
    activatedAt: key.activatedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  };
}
