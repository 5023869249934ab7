import type { RequestHandler } from 'express';
import { RegisterKey } from '@pay/contract/operator/partners.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { pathId, pathName } from '@pay/shared/http/path-id.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import { activateKey, registerKey, revokeKey } from '../../use-cases/manage-keys.ts';
import { renderKey } from './render.ts';

/** POST /operator/partners/{partnerID}/keys */
export function registerKeyRoute(db: Db): RequestHandler {
  return async (req, res) => {
    const { publicKey } = validate(RegisterKey, jsonBody(req));
    const key = await registerKey(db, operatorOf(res).login, pathName(req, 'partnerID'), publicKey);
    res.status(201).json(renderKey(key));
  };
}

/** POST /operator/partners/{partnerID}/keys/{keyId}/activate */
export function activateKeyRoute(db: Db): RequestHandler {
  return async (req, res) => {
    const { login } = operatorOf(res);
    res.json(renderKey(await activateKey(db, login, pathName(req, 'partnerID'), pathId(req, 'keyId'))));
  };
}

/** POST /operator/partners/{partnerID}/keys/{keyId}/revoke */
export function revokeKeyRoute(db: Db): RequestHandler {
  return async (req, res) => {
    const { login } = operatorOf(res);
    res.json(renderKey(await revokeKey(db, login, pathName(req, 'partnerID'), pathId(req, 'keyId'))));
  };
}
