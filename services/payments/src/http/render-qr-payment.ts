import { renderRub, renderRubNumber } from '@pay/shared/money/money.ts';
import type { Payment } from '../db/payments.ts';
import type { Deps } from '../deps.ts';
import { FAILURES } from '../domain/failure.ts';
import { isFormUsable } from '../domain/payable.ts';
import { qrImage } from '../use-cases/qr-image.ts';
import { paymentUrl } from '../use-cases/submit-payment.ts';

/**
 * The answer of POST /api/qr. Both forms of the code come together, once the bank registered it; `paymentUrl` is our own
 * page with the code, while it is of use. Decisions "POST /api/qr".
 */
export async function renderCreatedQrPayment(deps: Deps, payment: Payment, now: Date) {
  const { nspkUrl } = payment;
  return {
    id: payment.paymentId,
    status: payment.status,
    amount: renderRubNumber(payment.amountKopecks),
    currency: payment.currency,
    paymentMethod: payment.method,
    paymentPointID: payment.paymentPointId,
    ...(nspkUrl === null ? {} : { nspkurl: nspkUrl, qrImage: await qrImage(nspkUrl) }),
    ...(isFormUsable(payment, now) ? { paymentUrl: paymentUrl(deps, payment) } : {}),
    expiresAt: payment.expiresAt.toISOString(),
    createdAt: payment.createdAt.toISOString(),
    statusUrl: `/api/qr/${payment.paymentId}`,
  };
}

/** The answer of GET /api/qr/{id}, and an item of GET /api/payments/{paymentPointID}. */
export async function renderQrPayment(deps: Deps, payment: Payment, now: Date) {
  const { description, failureCode } = payment;
  return {
    ...(await renderCreatedQrPayment(deps, payment, now)),
    ...(description === '' ? {} : { description }),
    ...(failureCode === null ? {} : { failureCode, statusReason: FAILURES[failureCode].reason }),
    bankOperationId: payment.bankOperationId,
    refundedAmount: renderRub(payment.refundedKopecks),
    updatedAt: payment.updatedAt.toISOString(),
  };
}
