import type { RequestHandler } from 'express';
import {
  PaymentQuery,
  type Payment as PaymentRecord,
  type PaymentPage,
  type PaymentReceipt,
  type PaymentTimeline,
  type ThreeDSecure,
} from '@pay/contract/operator/payments.ts';
import type { RecordOf } from '@pay/contract/operator/record.ts';
import { maskedContact } from '@pay/shared/content/masked-contact.ts';
import { readPosition, writePosition } from '@pay/shared/http/list-page.ts';
import { pathId } from '@pay/shared/http/path-id.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import { renderRub, renderRubAmount } from '@pay/shared/money/money.ts';
import { operatorOf } from '@pay/shared/operators/operator-of.ts';
import type { PaymentRecords } from '../../db/operator/payment-search.ts';
import type { Payment } from '../../db/payment/payments.ts';
import { orderOf } from '../../domain/payment/order-number.ts';
import type { ApiDeps } from '../../deps.ts';
import { liabilityOf } from '../../domain/acquiring/three-ds.ts';
import { findPayments, readPaymentTimeline } from '../../use-cases/operator/read-payment-timeline.ts';
import { renderException } from './exceptions.ts';

/** GET /operator/payments: any partner's, the newest first. `id` is any id that belongs to a payment, or its beginning. */
export function listPaymentsRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const { limit, pageToken, ...asked } = validateQuery(PaymentQuery, req.url);
    const { partnerID: partnerId, paymentPointID: paymentPointId, amount: amountKopecks, ...rest } = asked;
    const { id, status, method, cardLastFour, from, to } = rest;
    const filter = { id, partnerId, paymentPointId, status, method, cardLastFour, amountKopecks, from, to };
    const card = [cardLastFour, amountKopecks?.toString()];
    const texts = [id, partnerId, paymentPointId, status, method, ...card, from?.toISOString(), to?.toISOString()];
    const scope = ['operator-payments', operatorOf(res).login, ...texts];
    const after = readPosition(deps.pageTokens, pageToken, scope);
    const { items, next } = await findPayments(deps.db, filter, after, limit);
    const page: RecordOf<typeof PaymentPage> = {
      items: items.map(renderPayment),
      nextPageToken: writePosition(deps.pageTokens, next, scope),
    };
    res.json(page);
  };
}

/** GET /operator/payments/{paymentId}: with its refunds, returns, ledger entries and exceptions. */
export function getPaymentRoute(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    res.json(renderTimeline(await readPaymentTimeline(deps.db, pathId(req, 'paymentId'))));
  };
}

function renderTimeline({ payment, declinedCards, refunds, returns, entries, exceptions }: Timeline): PaymentTimeline {
  const { cardSentAt, lastReadAt, nextReadAt, readCount } = payment;
  return {
    ...renderPayment(payment),
    bank: {
      cardSentAt: cardSentAt?.toISOString() ?? null,
      lastReadAt: lastReadAt?.toISOString() ?? null,
      nextReadAt: nextReadAt?.toISOString() ?? null,
      readCount,
    },
    threeDSecure: renderThreeDs(payment),
    receipt: renderReceipt(payment),
    declinedCards: declinedCards.map((card) => ({
      attempt: card.attempt,
      failureCode: card.failureCode,
      cardMask: card.cardMask,
      bankOperationId: card.bankOperationId,
      transStatus: card.transStatus,
      sentAt: card.sentAt.toISOString(),
      declinedAt: card.declinedAt.toISOString(),
    })),
    refunds: refunds.map((refund) => ({
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
    returns: returns.map(({ returnId, amountKopecks, status, attemptCount, createdAt, updatedAt }) => ({
      returnId,
      amount: renderRub(amountKopecks),
      status,
      attemptCount,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    })),
    ledger: entries.map(({ amountKopecks, createdAt, ...entry }) => ({
      ...entry,
      amount: renderRubAmount(amountKopecks),
      createdAt: createdAt.toISOString(),
    })),
    exceptions: exceptions.map(renderException),
  };
}

type Timeline = PaymentRecords & { readonly payment: Payment };

/** How the buyer was authenticated and who bears a fraud, in EMV's own names; null if the bank said nothing. */
function renderThreeDs(payment: Payment): ThreeDSecure | null {
  const { threeDsVersion: version, transStatus, eci, threeDsServerTransId, dsTransId, acsTransId } = payment;
  const ids = { threeDSServerTransID: threeDsServerTransId, dsTransID: dsTransId, acsTransID: acsTransId };
  const said = { version, transStatus, eci, ...ids };
  if (Object.values(said).every((value) => value === null)) return null;
  return { ...said, liability: liabilityOf(payment) };
}

/** That there is a receipt, and where it was sent, with each contact masked; null if there is none. */
function renderReceipt({ receipt }: Payment): PaymentReceipt | null {
  if (receipt === null) return null;
  const { taxation, email, phone, items } = receipt;
  const contacts = [email, phone].flatMap((contact) => (contact === undefined ? [] : [maskedContact(contact)]));
  return { taxation, items: items.length, contacts };
}

/** A payment as operators see it: never the checkout's token, nor what the bank returned for the card. */
function renderPayment(payment: Payment): PaymentRecord {
  const { expiresAt, createdAt, updatedAt } = payment;
  return {
    paymentId: payment.paymentId,
    partnerID: payment.partnerId,
    paymentPointID: payment.paymentPointId,
    routeId: payment.routeId,
    method: payment.method,
    merchantOrderId: orderOf(payment),
    amount: renderRub(payment.amountKopecks),
    refundedAmount: renderRub(payment.refundedKopecks),
    refundableAmount: renderRub(payment.amountKopecks - payment.refundReservedKopecks),
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
