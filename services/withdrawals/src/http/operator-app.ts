import type { Express } from 'express';
import { createApp } from '@pay/shared/http/app.ts';
import { addQueueRoutes, type QueueDeps } from '@pay/shared/http/queue-routes.ts';
import type { OperatorIdentityVerifier } from '@pay/shared/operators/operator-identity.ts';
import { requireOperator } from '@pay/shared/operators/operator-of.ts';
import type { Deps } from '../deps.ts';
import {
  decideFundingRoute,
  issueBeneficiaryRoute,
  listBeneficiariesRoute,
  listFundingsRoute,
  proposeFundingRoute,
} from './operator-partners.ts';
import { overviewRoute } from './operator-overview.ts';
import {
  actRoute,
  countForOperatorsRoute,
  getForOperatorsRoute,
  listAuditRoute,
  listForOperatorsRoute,
  listStoresRoute,
} from './operator-withdrawals.ts';

/** Audience of the identities that the console signs for operators. */
export const OPERATOR_AUDIENCE = 'withdrawals-operator';

const ACTIONS = ['take', 'approve', 'reject', 'cancel', 'complete', 'fail'] as const;

/** The routes of operators, on the private port below `/operator`. */
export function createOperatorApp(deps: Deps & QueueDeps, verify: OperatorIdentityVerifier): Express {
  return createApp({
    listener: 'operator',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      app.use(requireOperator(verify));
      app.get('/withdrawals', listForOperatorsRoute(deps));
      app.get('/withdrawals/counts', countForOperatorsRoute(deps));
      app.get('/withdrawals/:requestID', getForOperatorsRoute(deps));
      for (const action of ACTIONS) app.post(`/withdrawals/:requestID/${action}`, actRoute(deps, action));
      app.get('/partners/:partnerID/beneficiaries', listBeneficiariesRoute(deps));
      app.post('/partners/:partnerID/beneficiaries', issueBeneficiaryRoute(deps));
      app.get('/partners/:partnerID/audit', listAuditRoute(deps));
      app.get('/stores', listStoresRoute(deps));
      app.post('/stores/:storeID/fundings', proposeFundingRoute(deps));
      app.get('/fundings', listFundingsRoute(deps));
      app.post('/fundings/:fundingID/confirm', decideFundingRoute(deps, 'CONFIRMED'));
      app.post('/fundings/:fundingID/reject', decideFundingRoute(deps, 'REJECTED'));
      app.get('/overview', overviewRoute(deps));
      addQueueRoutes(app, deps);
    },
  });
}
