import type { RequestHandler } from 'express';
import { idempotentRequest } from '@pay/shared/http/caller.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { refuseContent } from '@pay/shared/http/refuse-content.ts';
import type { Deps } from '../../deps.ts';
import { CARD_METHODS, QR_METHODS } from '../../domain/payment/payment.ts';
import { cancelPayment } from '../../use-cases/payment/cancel-payment.ts';
import { renderCardPayment } from './render-card-payment.ts';
import { renderQrPayment } from './render-qr-payment.ts';

/** POST /api/card/:id/cancel and POST /api/qr/:id/cancel. The path says everything: the body may be absent or `{}`. */
export function cancelPaymentRoute(deps: Deps, kind: 'card' | 'qr'): RequestHandler {
  return async (req, res) => {
    refuseContent(req);
    const request = idempotentRequest(req, res);
    const paymentId = pathId(req, 'id');
    const methods = kind === 'card' ? CARD_METHODS : QR_METHODS;
    const cancelled = await cancelPayment(deps, request, { paymentId, methods });
    const { payment, now, status, replayed } = cancelled;
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(status).json(kind === 'card' ? renderCardPayment(deps, payment, now) : await renderQrPayment(deps, payment, now));
  };
}
