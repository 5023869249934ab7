import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { idempotentRequest } from '@pay/shared/http/caller.ts';
import { refuseContent } from '@pay/shared/http/refuse-content.ts';
import type { Deps } from '../../deps.ts';
import { CARD_METHODS, QR_METHODS } from '../../domain/payment/payment.ts';
import { cancelPayment } from '../../use-cases/payment/cancel-payment.ts';
import { renderCardPayment } from './render-card-payment.ts';
import { renderQrPayment } from './render-qr-payment.ts';

/** POST /api/card/:id/cancel and POST /api/qr/:id/cancel. Says all in its path: a body may be absent, or `{}`. */
export function cancelPaymentRoute(deps: Deps, kind: 'card' | 'qr'): RequestHandler {
  return async (req, res) => {
    refuseContent(req);
    const request = idempotentRequest(req, res);
    const id = z.uuid().safeParse(req.params['id']);
    if (!id.success) throw new ApiError('NOT_FOUND');
    const methods = kind === 'card' ? CARD_METHODS : QR_METHODS;
    const cancelled = await cancelPayment(deps, request, { paymentId: id.data.toLowerCase(), methods });
    const { payment, now, status, replayed } = cancelled;
    if (replayed) res.setHeader('Idempotency-Replayed', 'true');
    res.status(status).json(kind === 'card' ? renderCardPayment(deps, payment, now) : await renderQrPayment(deps, payment, now)); // prettier-ignore
  };
}
