import type { Express } from 'express';
import { FACTS } from '@pay/contract/facts.ts';
import type { SigningKeys } from '@pay/shared/broker/fact-signature.ts';
import { addFactsRoutes } from '@pay/shared/facts/facts-routes.ts';
import { createApp } from '@pay/shared/http/app.ts';
import { requireInternalToken } from '@pay/shared/http/caller.ts';
import type { InternalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import { getRegisterRoute, listRegistersRoute } from '@pay/shared/registers/register-routes.ts';
import type { ApiDeps } from '../deps.ts';
import { CARD_METHODS, QR_METHODS } from '../domain/payment/payment.ts';
import { cancelPaymentRoute } from './partner/cancel-payment.ts';
import { chargeSavedCardRoute, checkChargeRoute, noteRevokedCardRoute, withdrawChargeRoute } from './internal/charge-saved-card.ts';
import { createCardPaymentRoute } from './partner/create-card-payment.ts';
import { createQrPaymentRoute } from './partner/create-qr-payment.ts';
import { createRefundRoute } from './partner/create-refund.ts';
import { getCardPaymentRoute } from './partner/get-card-payment.ts';
import { getEndpointsRoute } from './partner/get-endpoints.ts';
import { getQrPaymentRoute } from './partner/get-qr-payment.ts';
import { getRefundRoute } from './partner/get-refund.ts';
import { listCardPaymentsRoute } from './partner/list-card-payments.ts';
import { listPaymentPointsRoute } from './partner/list-payment-points.ts';
import { listQrPaymentsRoute } from './partner/list-qr-payments.ts';
import { listRefundsRoute } from './partner/list-refunds.ts';
import { RUBLE_REGISTERS } from './partner/list-registers.ts';
import { noteStandingRoute } from './internal/note-standing.ts';
import { saveEndpointsRoute } from './partner/save-endpoints.ts';

/**
 * The list of routes. The gateway and bindings call them; consumers of this service's facts call `/internal/facts`. Checkout
 * has a list of its own (`checkout/`).
 */
export function createPaymentsApp(deps: ApiDeps, verifyToken: InternalTokenVerifier, factKeys: SigningKeys): Express {
  return createApp({
    listener: 'api',
    log: deps.log,
    requestIdFrom: 'caller',
    routes: (app) => {
      const reading = { ...deps, db: deps.reads };
      addFactsRoutes(app, { db: deps.db, producer: 'payments', facts: FACTS, keys: factKeys });
      app.use(requireInternalToken(verifyToken));
      app.get('/api/integration/payment-points', listPaymentPointsRoute(reading));
      app.put('/api/integration/endpoints', saveEndpointsRoute(deps));
      app.get('/api/integration/endpoints', getEndpointsRoute(reading));
      app.post('/api/card', createCardPaymentRoute(deps));
      app.get('/api/card', listCardPaymentsRoute(reading));
      app.get('/api/card/:id', getCardPaymentRoute(reading));
      app.post('/api/card/:id/cancel', cancelPaymentRoute(deps, 'card'));
      app.post('/internal/charges', chargeSavedCardRoute(deps));
      app.post('/internal/charges/checked', checkChargeRoute(reading));
      app.post('/internal/charges/withdrawn', withdrawChargeRoute(deps));
      app.post('/internal/saved-cards/:bindingId/revoke', noteRevokedCardRoute(deps));
      app.post('/internal/partner-standing', noteStandingRoute(deps));
      app.post('/api/qr', createQrPaymentRoute(deps));
      app.get('/api/qr/:id', getQrPaymentRoute(reading));
      app.post('/api/qr/:id/cancel', cancelPaymentRoute(deps, 'qr'));
      app.get('/api/payments/:paymentPointID', listQrPaymentsRoute(reading));
      app.post('/api/card/:id/refunds', createRefundRoute(deps, CARD_METHODS));
      app.get('/api/card/:id/refunds', listRefundsRoute(reading, CARD_METHODS));
      app.post('/api/qr/:id/refunds', createRefundRoute(deps, QR_METHODS));
      app.get('/api/qr/:id/refunds', listRefundsRoute(reading, QR_METHODS));
      app.get('/api/refunds/:refundId', getRefundRoute(reading));
      app.get('/api/registers/RUB', listRegistersRoute(reading, RUBLE_REGISTERS));
      app.get('/api/registers/RUB/:date', getRegisterRoute(reading, RUBLE_REGISTERS));
    },
  });
}
