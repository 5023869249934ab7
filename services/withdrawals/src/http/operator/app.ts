import type { Express } from 'express';
import { createApp } from '@pay/shared/http/app.ts';
import { addFactsOperatorRoutes, type FactsDeps } from '@pay/shared/facts/operator-routes.ts';
import { addQueueRoutes, type QueueDeps } from '@pay/shared/broker/queue-routes.ts';
import type { OperatorIdentityVerifier } from '@pay/shared/operators/operator-identity.ts';
import { operatorRoutes } from '@pay/shared/operators/operator-of.ts';
import type { Deps } from '../../deps.ts';
import {
  decideBeneficiaryRoute,
  decideFundingRoute,
  proposeBeneficiaryRoute,
  listBeneficiariesRoute,
  revokeBeneficiaryRoute,
  listFundingsRoute,
  proposeFundingRoute,
} from './partners.ts';
import { overviewRoute } from './overview.ts';
import {
  actRoute,
  countForOperatorsRoute,
  getForOperatorsRoute,
  listAuditRoute,
  listForOperatorsRoute,
  listStoresRoute,
} from './withdrawals.ts';

/** Audience of the identities that the console signs for operators. */
export const OPERATOR_AUDIENCE = 'withdrawals-operator';

/** The routes of operators, on the private port below `/operator`. */
export function createOperatorApp(deps: Deps & QueueDeps & FactsDeps, verify: OperatorIdentityVerifier): Express {
  return createApp({
    listener: 'operator',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      const routes = operatorRoutes(app, deps.db, verify);
      routes.get('/withdrawals', 'withdrawals.read', listForOperatorsRoute(deps));
      routes.get('/withdrawals/counts', 'withdrawals.read', countForOperatorsRoute(deps));
      routes.get('/withdrawals/:requestID', 'withdrawals.read', getForOperatorsRoute(deps));
      routes.post('/withdrawals/:requestID/take', 'withdrawals.take', actRoute(deps, 'take'));
      routes.post('/withdrawals/:requestID/approve', 'withdrawals.approve', actRoute(deps, 'approve'));
      routes.post('/withdrawals/:requestID/reject', 'withdrawals.reject', actRoute(deps, 'reject'));
      routes.post('/withdrawals/:requestID/cancel', 'withdrawals.cancel', actRoute(deps, 'cancel'));
      routes.post('/withdrawals/:requestID/complete', 'withdrawals.complete', actRoute(deps, 'complete'));
      routes.post('/withdrawals/:requestID/fail', 'withdrawals.fail', actRoute(deps, 'fail'));
      routes.get('/partners/:partnerID/beneficiaries', 'beneficiaries.read', listBeneficiariesRoute(deps));
      routes.post('/partners/:partnerID/beneficiaries', 'beneficiaries.propose', proposeBeneficiaryRoute(deps));
      routes.post('/beneficiaries/:beneficiaryRef/confirm', 'beneficiaries.confirm', decideBeneficiaryRoute(deps, 'ISSUED'));
      routes.post('/beneficiaries/:beneficiaryRef/reject', 'beneficiaries.confirm', decideBeneficiaryRoute(deps, 'REJECTED'));
      routes.post('/beneficiaries/:beneficiaryRef/revoke', 'beneficiaries.revoke', revokeBeneficiaryRoute(deps));
      routes.get('/partners/:partnerID/audit', 'audit.read', listAuditRoute(deps));
      routes.get('/stores', 'withdrawals.read', listStoresRoute(deps));
      routes.post('/stores/:storeID/fundings', 'fundings.propose', proposeFundingRoute(deps));
      routes.get('/fundings', 'fundings.read', listFundingsRoute(deps));
      routes.post('/fundings/:fundingID/confirm', 'fundings.confirm', decideFundingRoute(deps, 'CONFIRMED'));
      routes.post('/fundings/:fundingID/reject', 'fundings.reject', decideFundingRoute(deps, 'REJECTED'));
      routes.get('/overview', 'overview.read', overviewRoute(deps));
      addQueueRoutes(routes, deps);
      addFactsOperatorRoutes(routes, deps);
    },
  });
}
