import type { z } from 'zod';
import { LimitAndPage } from '../fields.ts';
import type { Operation } from './operation.ts';
import { CreateRefund, Refund, RefundList } from './refunds.ts';

/** Cancelling is the same for both kinds of payments. */
export function cancelOperation(kind: 'card' | 'qr', response: z.ZodType): Operation {
  return {
    method: 'post',
    path: `/api/${kind}/{id}/cancel`,
    operationId: `cancel${kind === 'card' ? 'Card' : 'Qr'}Payment`,
    summary: 'End a payment that nobody has paid and no card is under way for; it becomes CANCELLED',
    isIdempotent: true,
    status: 200,
    response,
    errors: ['NOT_FOUND', 'CANCEL_NOT_ALLOWED'],
  };
}

/** Refunds are the same below both kinds of payments. */
export function refundOperations(kind: 'card' | 'qr'): readonly Operation[] {
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
