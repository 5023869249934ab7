import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { parseJson } from '@pay/shared/json/json-body.ts';
import { PaymentCompletedEvent, PaymentFailedEvent } from '../events.ts';
import { CardPayment, CreateCardPayment, CreatedCardPayment } from './card-payments.ts';
import { ErrorBody } from './errors.ts';
import { CallbackSecret, Endpoints, IssueCallbackSecret, PaymentPointList, SaveEndpoints } from './integration.ts';
import { CreateWithdrawalRequest } from './withdrawals.ts';

const id = '5f0c7a52-6a0a-4d0e-9a52-0e6a2a4a9f11';
const at = '2026-11-20T10:00:00.000Z';
/** Reads a body as a service does: numbers are validated as written. */
const sent = (request: object): unknown => parseJson(Buffer.from(JSON.stringify(request)));
const request = { orderID: 'A-1', amount: 10.5, currency: 'RUB', description: 'Чай', customerID: 'c1' };
const payout = { storeId: 's1', amountUsdt: '12.5', beneficiaryRef: 'ben_1' };
const created = {
  id,
  orderID: 'A-1',
  amount: 10.5,
  currency: 'RUB',
  status: 'SUBMITTED',
  paymentUrl: 'https://pay.example/pay/x',
  expiresAt: at,
  statusUrl: `/api/card/${id}`,
};
const payment = {
  ...created,
  paymentPointID: 'pp-1',
  customerID: 'c1',
  description: 'Чай',
  paymentMethod: 'CARD',
  bankOperationId: null,
  refundedAmount: '0.00',
  createdAt: at,
  updatedAt: at,
};
const data = {
  paymentId: id,
  orderId: id,
  merchantOrderId: 'A-1',
  status: 'COMPLETED',
  amount: '10.50',
  currency: 'RUB',
  paymentMethod: 'CARD',
  bankOperationId: 'b-1',
  occurredAt: at,
};
const completed = {
  schemaVersion: 1,
  eventId: id,
  type: 'payment.completed',
  aggregateVersion: 1,
  createdAt: at,
  data,
};
const failed = {
  ...completed,
  type: 'payment.failed',
  data: { ...data, paymentId: null, status: 'REJECTED', failureCode: 'INSUFFICIENT_FUNDS' },
};
const secret = {
  secret: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  keyId: 'k1',
  algorithm: 'HMAC-SHA256',
  signatureHeader: 'X-Service-Signature',
  issuedAt: at,
  replayUntil: at,
};
const error = { error: 'not found', code: 'NOT_FOUND', requestId: id };

const good: readonly (readonly [string, z.ZodType, unknown])[] = [
  ['CreateCardPayment', CreateCardPayment, sent(request)],
  ['a customerID of 128 emoji', CreateCardPayment, sent({ ...request, customerID: '🫖'.repeat(128) })],
  ['a description of 140 emoji', CreateCardPayment, sent({ ...request, description: '🫖'.repeat(140) })],
  ['a paymentPointID of 128 emoji', CreateCardPayment, sent({ ...request, paymentPointID: '🫖'.repeat(128) })],
  ['a beneficiaryRef of 128 emoji', CreateWithdrawalRequest, sent({ ...payout, beneficiaryRef: '🫖'.repeat(128) })],
  ['CreatedCardPayment', CreatedCardPayment, created],
  ['CreatedCardPayment without a form', CreatedCardPayment, { ...created, paymentUrl: undefined }],
  ['CardPayment', CardPayment, payment],
  ['PaymentPointList', PaymentPointList, { items: [] }],
  ['SaveEndpoints', SaveEndpoints, { callbackUrl: 'https://shop.example/cb', returnUrl: 'https://shop.example/' }],
  ['Endpoints before the first save', Endpoints, { callbackUrl: null, returnUrl: null, updatedAt: null }],
  ['IssueCallbackSecret', IssueCallbackSecret, { confirmSecureStorage: true }],
  ['CallbackSecret', CallbackSecret, secret],
  ['Error', ErrorBody, error],
  ['payment.completed', PaymentCompletedEvent, completed],
  ['payment.failed', PaymentFailedEvent, failed],
];

const bad: readonly (readonly [string, z.ZodType, unknown])[] = [
  ['an amount with three digits', CreateCardPayment, sent({ ...request, amount: 10.505 })],
  ['an amount of zero', CreateCardPayment, sent({ ...request, amount: 0 })],
  ['an amount as a string', CreateCardPayment, sent({ ...request, amount: '10.50' })],
  ['another currency', CreateCardPayment, sent({ ...request, currency: 'USD' })],
  ['a field that is not one', CreateCardPayment, sent({ ...request, cardNumber: 'x' })],
  ['an orderID of 65 characters', CreateCardPayment, sent({ ...request, orderID: 'a'.repeat(65) })],
  ['a description of 141 characters', CreateCardPayment, sent({ ...request, description: 'a'.repeat(141) })],
  ['a customerID of 129 characters', CreateCardPayment, sent({ ...request, customerID: 'a'.repeat(129) })],
  ['a customerID of 129 emoji', CreateCardPayment, sent({ ...request, customerID: '🫖'.repeat(129) })],
  ['a paymentPointID of 129 emoji', CreateCardPayment, sent({ ...request, paymentPointID: '🫖'.repeat(129) })],
  ['a beneficiaryRef of 129 emoji', CreateWithdrawalRequest, sent({ ...payout, beneficiaryRef: '🫖'.repeat(129) })],
  ['a status that is none', CardPayment, { ...payment, status: 'PAID' }],
  ['a moment without milliseconds', CardPayment, { ...payment, createdAt: '2026-11-20T10:00:00Z' }],
  ['a moment of another zone', CardPayment, { ...payment, createdAt: '2026-11-20T10:00:00.000+03:00' }],
  ['a refunded amount as a number', CardPayment, { ...payment, refundedAmount: 0 }],
  ['confirmSecureStorage false', IssueCallbackSecret, { confirmSecureStorage: false }],
  ['an error code that is none', ErrorBody, { ...error, code: 'OOPS' }],
  ['an error code of the operators', ErrorBody, { ...error, code: 'FORBIDDEN' }],
  ['an event amount as a number', PaymentCompletedEvent, { ...completed, data: { ...data, amount: 10.5 } }],
  ['an event amount with one digit', PaymentCompletedEvent, { ...completed, data: { ...data, amount: '10.5' } }],
  ['a completed payment without its transaction', PaymentCompletedEvent, { ...completed, data: { ...data, paymentId: null } }],
  ['a failed payment with a transaction', PaymentFailedEvent, { ...failed, data: { ...failed.data, paymentId: id } }],
  ['aggregateVersion 0', PaymentCompletedEvent, { ...completed, aggregateVersion: 0 }],
];

describe('a request', () => {
  it('becomes our words: kopecks from the number as it was written, moments, ids', () => {
    const asked = { ...request, paymentPointID: 'pp-1', savePaymentMethod: true, recurringConsent: { period: 'P1M' } };
    expect(CreateCardPayment.parse(sent(asked))).toEqual({
      paymentPointId: 'pp-1',
      merchantOrderId: 'A-1',
      amountKopecks: 1_050n,
      description: 'Чай',
      customerId: 'c1',
      saving: { period: 'P1M' },
      returnUrl: null,
      receipt: null,
    });
  });

  it('is not judged by the double that a number would become', () => {
    const raw = (amount: string) => parseJson(Buffer.from(JSON.stringify(request).replace('10.5', amount)));
    expect(CreateCardPayment.parse(raw('900719925474099.01')).amountKopecks).toBe(90_071_992_547_409_901n);
    expect(CreateCardPayment.safeParse(raw('1e2')).success).toBe(false);
  });
});

describe('the wire', () => {
  it.each(good)('%s passes', (_name, schema, value) => {
    expect(schema.safeParse(value).error).toBeUndefined();
  });
  it.each(bad)('%s does not', (_name, schema, value) => {
    expect(schema.safeParse(value).success).toBe(false);
  });
});
