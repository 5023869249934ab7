import type { Express } from 'express';
import { createApp } from '@pay/shared/http/app.ts';
import { addQueueRoutes, type QueueDeps } from '@pay/shared/http/queue-routes.ts';
import type { OperatorIdentityVerifier } from '@pay/shared/operators/operator-identity.ts';
import { requireOperator, requireRole } from '@pay/shared/operators/operator-of.ts';
import type { Deps } from '../deps.ts';
import {
  decideBeneficiaryRoute,
  decideFundingRoute,
  proposeBeneficiaryRoute,
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

/** Who decides about money, and who also speaks with partners. The console's table says more; this is the least. */
const money = requireRole('finance', 'admin');
const withOffice = requireRole('operator', 'finance', 'admin');

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
      for (const action of ACTIONS) {
        const roles = action === 'cancel' ? withOffice : money;
        app.post(`/withdrawals/:requestID/${action}`, roles, actRoute(deps, action));
      }
      app.get('/partners/:partnerID/beneficiaries', listBeneficiariesRoute(deps));
      app.post('/partners/:partnerID/beneficiaries', withOffice, proposeBeneficiaryRoute(deps));
      app.post('/beneficiaries/:beneficiaryRef/confirm', withOffice, decideBeneficiaryRoute(deps, 'ISSUED'));
      app.post('/beneficiaries/:beneficiaryRef/reject', withOffice, decideBeneficiaryRoute(deps, 'REJECTED'));
      app.get('/partners/:partnerID/audit', listAuditRoute(deps));
      app.get('/stores', listStoresRoute(deps));
      app.post('/stores/:storeID/fundings', money, proposeFundingRoute(deps));
      app.get('/fundings', listFundingsRoute(deps));
      app.post('/fundings/:fundingID/confirm', money, decideFundingRoute(deps, 'CONFIRMED'));
      app.post('/fundings/:fundingID/reject', money, decideFundingRoute(deps, 'REJECTED'));
      app.get('/overview', overviewRoute(deps));
      addQueueRoutes(app, deps);
    },
  });
}
