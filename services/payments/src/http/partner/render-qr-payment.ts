import type { CreatedQrPayment, QrPayment } from '@pay/contract/api/qr-payments.ts';
import type { Wire } from '@pay/contract/wire.ts';
import { renderRub, renderRubNumber } from '@pay/shared/money/money.ts';
import type { Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import { FAILURES } from '../../domain/payment/failure.ts';
import { isCheckoutUsable } from '../../domain/payment/card-entry.ts';
import { qrCode } from '../../use-cases/payment/qr-code.ts';
import { paymentUrl } from '../../use-cases/payment/submit-payment.ts';

/**
 * The answer of POST /api/qr. It has both forms of the code as long as the code can be paid, and `paymentUrl`, our own page
 * with the code, as long as the buyer can use it. See spec/decisions#qr-payment.
 */
export async function renderCreatedQrPayment(deps: Deps, payment: Payment, now: Date): Promise<Wire<typeof CreatedQrPayment>> {
  return { ...renderWithoutCode(deps, payment, now), ...(await qrCode(deps, payment)) };
}

function renderWithoutCode(deps: Deps, payment: Payment, now: Date): Wire<typeof CreatedQrPayment> {
  return {
    id: payment.paymentId,
    status: payment.status,
    amount: renderRubNumber(payment.amountKopecks),
    currency: payment.currency,
    paymentMethod: 'SBP_DYNAMIC_QR',
    paymentPointID: payment.paymentPointId,
    ...(isCheckoutUsable(payment, now) ? { paymentUrl: paymentUrl(deps, payment) } : {}),
    expiresAt: payment.expiresAt.toISOString(),
    createdAt: payment.createdAt.toISOString(),
    statusUrl: `/api/qr/${payment.paymentId}`,
  };
}

/** The answer of GET /api/qr/{id}. */
export async function renderQrPayment(deps: Deps, payment: Payment, now: Date): Promise<Wire<typeof QrPayment>> {
  return { ...(await renderCreatedQrPayment(deps, payment, now)), ...progressOf(payment) };
}

/** An item of GET /api/payments/{paymentPointID}. The code takes 2 KB, so only the payment itself has it. */
export function renderQrListItem(deps: Deps, payment: Payment, now: Date): Wire<typeof QrPayment> {
  return { ...renderWithoutCode(deps, payment, now), ...progressOf(payment) };
}

function progressOf(payment: Payment) {
  const { description, failureCode } = payment;
  return {
    ...(description === '' ? {} : { description }),
    ...(failureCode === null ? {} : { failureCode, statusReason: FAILURES[failureCode].reason }),
    bankOperationId: payment.bankOperationId,
    refundedAmount: renderRub(payment.refundedKopecks),
    updatedAt: payment.updatedAt.toISOString(),
  };
}
