import type { ErrorCode } from '@pay/shared/errors/catalogue.ts';
import type { z } from 'zod';
import { Binding, BindingFilter, BindingList, CreateRecurringPayment, RecurringPayment } from './bindings.ts';
import { CardPayment, CreateCardPayment, CreatedCardPayment } from './card-payments.ts';
import { CallbackEvent, CallbackEventList, CallbackEventQuery, CallbackEventStory } from './event-log.ts';
import { LimitAndPage } from './fields.ts';
import {
  CallbackSecret,
  Endpoints,
  IssueCallbackSecret,
  PaymentPointList,
  SaveEndpoints,
  TestCallback,
} from './integration.ts';
import { CreatedQrPayment, CreateQrPayment, QrPayment, QrPaymentList, QrPaymentQuery } from './qr-payments.ts';
import { CreateRefund, Refund, RefundList } from './refunds.ts';
import {
  CreateWithdrawalRequest,
  WithdrawalBalance,
  WithdrawalRequest,
  WithdrawalRequestFilter,
  WithdrawalRequestList,
} from './withdrawals.ts';

/** One endpoint of the public API. */
export type Operation = {
  readonly method: 'get' | 'post' | 'put';
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly request?: z.ZodType;
  /** The parameters after the question mark. */
  readonly query?: z.ZodObject;
  /** Takes the header Idempotency-Key, and needs it. */
  readonly isIdempotent?: true;
  readonly status: 200 | 201 | 202;
  readonly response: z.ZodType;
  /** Beyond those that every call may meet. */
  readonly errors: readonly ErrorCode[];
};

/** Every call may be answered with one of these. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'VALIDATION_FAILED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];
/** Every call that changes something. */
export const COMMAND_ERRORS: readonly ErrorCode[] = ['OUTCOME_UNKNOWN'];
/** Every call with a body. */
export const BODY_ERRORS: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
/** Every call with an Idempotency-Key. */
export const IDEMPOTENCY_ERRORS: readonly ErrorCode[] = ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_PROGRESS'];

/** The public API as far as it is served. Spec: Endpoints. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/card',
    operationId: 'createCardPayment',
    summary: 'Create a card payment; the buyer pays at paymentUrl',
    request: CreateCardPayment,
    isIdempotent: true,
    status: 201,
    response: CreatedCardPayment,
    errors: ['PAYMENT_POINT_REQUIRED', 'NOT_FOUND', 'DUPLICATE_ORDER', 'ROUTE_UNAVAILABLE'],
  },
  {
    method: 'get',
    path: '/api/card/{id}',
    operationId: 'readCardPayment',
    summary: 'How a card payment stands',
    status: 200,
    response: CardPayment,
    errors: ['NOT_FOUND'],
  },
  ...refundOperations('card'),
  {
    method: 'post',
    path: '/api/qr',
    operationId: 'createQrPayment',
    summary: 'Create a QR payment; the buyer pays the code',
    request: CreateQrPayment,
    isIdempotent: true,
    status: 201,
    response: CreatedQrPayment,
    errors: ['PAYMENT_POINT_REQUIRED', 'NOT_FOUND', 'ROUTE_UNAVAILABLE'],
  },
  {
    method: 'get',
    path: '/api/qr/{id}',
    operationId: 'readQrPayment',
    summary: 'How a QR payment stands',
    status: 200,
    response: QrPayment,
    errors: ['NOT_FOUND'],
  },
  ...refundOperations('qr'),
  {
    method: 'get',
    path: '/api/payments/{paymentPointID}',
    operationId: 'listQrPayments',
    summary: 'The QR payments of a payment point, the newest first',
    query: QrPaymentQuery,
    status: 200,
    response: QrPaymentList,
    errors: ['NOT_FOUND'],
  },
  {
    method: 'get',
    path: '/api/refunds/{refundId}',
    operationId: 'readRefund',
    summary: 'How a refund stands',
    status: 200,
    response: Refund,
    errors: ['NOT_FOUND'],
  },
  {
    method: 'get',
    path: '/api/integration/payment-points',
    operationId: 'listPaymentPoints',
    summary: 'The payment points of the partner',
    status: 200,
    response: PaymentPointList,
    errors: [],
  },
  {
    method: 'put',
    path: '/api/integration/endpoints',
    operationId: 'saveEndpoints',
    summary: 'Save callbackUrl and returnUrl',
    request: SaveEndpoints,
    status: 200,
    response: Endpoints,
    errors: [],
  },
  {
    method: 'get',
    path: '/api/integration/endpoints',
    operationId: 'readEndpoints',
    summary: 'The saved addresses',
    status: 200,
    response: Endpoints,
    errors: [],
  },
  {
    method: 'post',
    path: '/api/integration/callback-secret',
    operationId: 'issueCallbackSecret',
    summary: 'Issue the callback secret, once',
    request: IssueCallbackSecret,
    isIdempotent: true,
    status: 201,
    response: CallbackSecret,
    errors: ['ENDPOINTS_NOT_CONFIGURED', 'SECRET_ALREADY_ISSUED'],
  },
  {
    method: 'post',
    path: '/api/integration/test-callback',
    operationId: 'sendTestCallback',
    summary: 'Send the newest payment.completed again, to check the receiver',
    status: 202,
    response: TestCallback,
    errors: ['NOT_FOUND'],
  },
  {
    method: 'get',
    path: '/api/events',
    operationId: 'listEvents',
    summary: "The partner's events of the last 30 days, the newest first",
    query: CallbackEventQuery,
    status: 200,
    response: CallbackEventList,
    errors: [],
  },
  {
    method: 'get',
    path: '/api/events/{eventId}',
    operationId: 'readEvent',
    summary: 'An event with its body and its attempts',
    status: 200,
    response: CallbackEventStory,
    errors: ['NOT_FOUND'],
  },
  {
    method: 'post',
    path: '/api/events/{eventId}/replay',
    operationId: 'replayEvent',
    summary: 'Send an event again, whatever became of it; sixty a minute',
    isIdempotent: true,
    status: 202,
    response: CallbackEvent,
    errors: ['NOT_FOUND', 'ENDPOINTS_NOT_CONFIGURED'],
  },
  {
    method: 'post',
    path: '/v1/recurring-payments',
    operationId: 'createRecurringPayment',
    summary: 'Charge a saved card, once a period',
    request: CreateRecurringPayment,
    isIdempotent: true,
    status: 201,
    response: RecurringPayment,
    errors: [
      'NOT_FOUND',
      'DUPLICATE_ORDER',
      'BINDING_REVOKED',
      'BINDING_EXPIRED',
      'PREVIOUS_CHARGE_NOT_FINISHED',
      'PERIOD_NOT_ELAPSED',
      'RETRY_NOT_ALLOWED',
      'ROUTE_UNAVAILABLE',
    ],
  },
  {
    method: 'get',
    path: '/v1/bindings',
    operationId: 'listBindings',
    summary: "A buyer's saved cards, the newest first",
    query: BindingFilter,
    status: 200,
    response: BindingList,
    errors: [],
  },
  {
    method: 'get',
    path: '/v1/bindings/{bindingId}',
    operationId: 'readBinding',
    summary: 'How a binding stands, and its period',
    status: 200,
    response: Binding,
    errors: ['NOT_FOUND'],
  },
  {
    method: 'post',
    path: '/v1/bindings/{bindingId}/revoke',
    operationId: 'revokeBinding',
    summary: 'Forbid new charges of a binding, at once and for good',
    isIdempotent: true,
    status: 202,
    response: Binding,
    errors: ['NOT_FOUND'],
  },
  {
    method: 'get',
    path: '/api/withdrawal-balances/{storeID}',
    operationId: 'readWithdrawalBalance',
    summary: 'What a store has in USDT, and what of it is reserved',
    status: 200,
    response: WithdrawalBalance,
    errors: ['NOT_FOUND'],
  },
  {
    method: 'post',
    path: '/api/withdrawal-requests',
    operationId: 'createWithdrawalRequest',
    summary: 'Ask for a payout in USDT; the amount is reserved',
    request: CreateWithdrawalRequest,
    isIdempotent: true,
    status: 201,
    response: WithdrawalRequest,
    errors: ['NOT_FOUND', 'INSUFFICIENT_BALANCE'],
  },
  {
    method: 'get',
    path: '/api/withdrawal-requests',
    operationId: 'listWithdrawalRequests',
    summary: "The partner's payout requests, the newest first",
    query: WithdrawalRequestFilter,
    status: 200,
    response: WithdrawalRequestList,
    errors: ['NOT_FOUND'],
  },
  {
    method: 'get',
    path: '/api/withdrawal-requests/{requestID}',
    operationId: 'readWithdrawalRequest',
    summary: 'How a payout request stands',
    status: 200,
    response: WithdrawalRequest,
    errors: ['NOT_FOUND'],
  },
];

/** Refunds are the same below both kinds of payments. */
function refundOperations(kind: 'card' | 'qr'): readonly Operation[] {
  const name = kind === 'card' ? 'Card' : 'Qr';
  const path = `/api/${kind}/{id}/refunds`;
  return [
    {
      method: 'post',
      path,
      operationId: `refund${name}Payment`,
      summary: 'Give a part of a payment back, or all that remains',
      request: CreateRefund,
      isIdempotent: true,
      status: 201,
      response: Refund,
      errors: ['NOT_FOUND', 'DUPLICATE_ORDER', 'REFUND_NOT_ALLOWED', 'REFUND_AMOUNT_EXCEEDED'],
    },
    {
      method: 'get',
      path,
      operationId: `list${name}Refunds`,
      summary: 'The refunds of a payment, the newest first',
      query: LimitAndPage,
      status: 200,
      response: RefundList,
      errors: ['NOT_FOUND'],
    },
  ];
}
