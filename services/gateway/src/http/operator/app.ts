import type { Express } from 'express';
import { createApp } from '@pay/shared/http/app.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { OperatorIdentityVerifier } from '@pay/shared/operators/operator-identity.ts';
import { operatorRoutes } from '@pay/shared/operators/operator-of.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import { activateKeyRoute, registerKeyRoute, revokeKeyRoute } from './keys.ts';
import {
  createPartnerRoute,
  getPartnerRoute,
  listAuditRoute,
  listPartnersRoute,
  setPartnerStatusRoute,
  setRateLimitRoute,
} from './partners.ts';

/** Audience of the identities that the console signs for operators. */
export const OPERATOR_AUDIENCE = 'gateway-operator';

/** The routes of operators, on the private port below `/operator`. README "Operator API". */
export function createOperatorApp(db: Db, log: Log, verify: OperatorIdentityVerifier): Express {
  return createApp({
    listener: 'operator',
    log,
    requestIdFrom: 'caller',
    routes: (app) => {
      const routes = operatorRoutes(app, db, verify);
      routes.post('/partners', 'partners.create', createPartnerRoute(db));
      routes.get('/partners', 'partners.read', listPartnersRoute(db));
      routes.get('/partners/:partnerID', 'partners.read', getPartnerRoute(db));
      routes.put('/partners/:partnerID/rate-limit', 'partners.limit', setRateLimitRoute(db));
      routes.post('/partners/:partnerID/suspend', 'partners.suspend', setPartnerStatusRoute(db, 'SUSPENDED'));
      routes.post('/partners/:partnerID/resume', 'partners.resume', setPartnerStatusRoute(db, 'ACTIVE'));
      routes.post('/partners/:partnerID/keys', 'keys.register', registerKeyRoute(db));
      routes.post('/partners/:partnerID/keys/:keyId/activate', 'keys.activate', activateKeyRoute(db));
      routes.post('/partners/:partnerID/keys/:keyId/revoke', 'keys.revoke', revokeKeyRoute(db));
      routes.get('/partners/:partnerID/audit', 'partners.read', listAuditRoute(db));
    },
  });
}
