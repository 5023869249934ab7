import type { RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { maskedContact } from '@pay/shared/content/masked-contact.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { Payment } from '../../db/payment/payments.ts';
import type { ApiDeps } from '../../deps.ts';
import { PAYMENT_STATUSES } from '@pay/contract/states.ts';
import { liabilityOf } from '../../domain/acquiring/three-ds.ts';
import { findPayments, readPaymentTimeline } from '../../use-cases/operator/read-payment-timeline.ts';
import { limit, moment, pageToken } from '../fields.ts';
import { renderException } from './exceptions.ts';

const anyId = z.string().min(1).max(128);
const Query = z.strictObject({
  id: anyId.optional(),
  partnerID: anyId.optional(),
  paymentPointID: anyId.optional(),
  status: z.enum(PAYMENT_STATUSES).optional(),
  method: z.enum(['CARD', 'CARD_BINDING', 'SBP_DYNAMIC_QR']).optional(),
  from: moment.optional(),
  to: moment.optional(),
  limit,
  pageToken: pageToken.optional(),
});
const Path = z.object({ paymentId: z.uuid() });

/** GET /operator/payments: any partner's, the newest first. `id` is any id in full that belongs to a payment. */
export function listPaymentsRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const { limit: count, pageToken: token, ...asked } = validate(Query, { ...req.query });
    const { id, partnerID: partnerId, paymentPointID: paymentPointId, status, method, from, to } = asked;
    const filter = { id, partnerId, paymentPointId, status, method, from, to };
    const texts = [id, partnerId, paymentPointId, status, method, from?.toISOString(), to?.toISOString()];
    const scope = ['operator-payments', operatorOf(res).login, ...texts];
    const after = readPosition(deps.pageTokens, token, scope);
    const { items, next } = await findPayments(deps.db, filter, after, count);
    res.json({ items: items.map(renderPayment), nextPageToken: writePosition(deps.pageTokens, next, scope) });
  };
}

/** GET /operator/payments/{paymentId}: with its refunds, what was booked, returned and found by reconciliation. */
export function getPaymentRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const path = Path.safeParse(req.params);
    if (!path.success) throw new ApiError('NOT_FOUND');
    const story = await readPaymentTimeline(deps.db, path.data.paymentId);
    res.json({
      ...renderPayment(story.payment),
      bank: {
        cardSentAt: story.payment.cardSentAt?.toISOString() ?? null,
        lastReadAt: story.payment.lastReadAt?.toISOString() ?? null,
        nextReadAt: story.payment.nextReadAt?.toISOString() ?? null,
        readCount: story.payment.readCount,
      },
      threeDSecure: renderThreeDs(story.payment),
      receipt: renderReceipt(story.payment),
      refunds: story.refunds.map((refund) => ({
        refundId: refund.refundId,
        merchantRefundId: refund.merchantRefundId,
        amount: renderRub(refund.amountKopecks),
        status: refund.status,
        reason: refund.reason,
        failureCode: refund.failureCode,
        bankOperationId: refund.bankOperationId,
        createdAt: refund.createdAt.toISOString(),
        completedAt: refund.completedAt?.toISOString() ?? null,
      })),
      returns: story.returns.map(({ returnId, amountKopecks, status, attemptCount, createdAt, updatedAt }) => ({
        returnId,
        amount: renderRub(amountKopecks),
        status,
        attemptCount,
        createdAt: createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
      })),
      ledger: story.entries.map(({ amountKopecks, createdAt, ...entry }) => ({
        ...entry,
        amount: renderRub(amountKopecks),
        createdAt: createdAt.toISOString(),
      })),
      exceptions: story.exceptions.map(renderException),
    });
  };
}

/** How the buyer was authenticated, and whose loss a fraud is by it; null while the bank told nothing. EMV's own names. */
function renderThreeDs(payment: Payment) {
  const { threeDsVersion: version, transStatus, eci, threeDsServerTransId, dsTransId, acsTransId } = payment;
  const told = { version, transStatus, eci, threeDSServerTransID: threeDsServerTransId, dsTransID: dsTransId, acsTransID: acsTransId }; // prettier-ignore
  if (Object.values(told).every((value) => value === null)) return null;
  return { ...told, liability: liabilityOf(payment) };
}

/** That there is a receipt, and where it went, as far as a person who asks can recognise it; null: none. */
function renderReceipt({ receipt }: Payment) {
  if (receipt === null) return null;
  const { taxation, email, phone, items } = receipt;
  return { taxation, items: items.length, contacts: [email, phone].flatMap((contact) => contact === undefined ? [] : [maskedContact(contact)]) }; // prettier-ignore
}

/** A payment as operators see it: never the checkout's token, nor what the bank gave for the card. */
function renderPayment(payment: Payment) {
  const { expiresAt, createdAt, updatedAt } = payment;
  return {
    paymentId: payment.paymentId,
    partnerID: payment.partnerId,
    paymentPointID: payment.paymentPointId,
    routeId: payment.routeId,
    method: payment.method,
    merchantOrderId: payment.merchantOrderId,
    amount: renderRub(payment.amountKopecks),
    refundedAmount: renderRub(payment.refundedKopecks),
    currency: payment.currency,
    description: payment.description,
    customerId: payment.customerId,
    status: payment.status,
    failureCode: payment.failureCode,
    aggregateVersion: payment.aggregateVersion,
    bankOperationId: payment.bankOperationId,
    cardMask: payment.cardMask,
    bindingId: payment.bindingId,
    consentId: payment.consentId,
    ledgerTransactionId: payment.ledgerTransactionId,
    expiresAt: expiresAt.toISOString(),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
