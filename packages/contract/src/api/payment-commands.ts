import type { z } from 'zod';
import { LimitAndPage } from '../fields.ts';
import type { Operation } from './operation.ts';
import { CreateRefund, Refund, RefundList } from './refunds.ts';

/** Cancelling works the same for both kinds of payment. */
export function cancelOperation(kind: 'card' | 'qr', response: z.ZodType): Operation {
  return {
    method: 'post',
    path: `/api/${kind}/{id}/cancel`,
    operationId: `cancel${kind === 'card' ? 'Card' : 'Qr'}Payment`,
    summary: 'Cancel a payment that is unpaid and has no card being processed; it becomes CANCELLED',
    isIdempotent: true,
    status: 200,
    response,
    errors: ['NOT_FOUND', 'CANCEL_NOT_ALLOWED'],
  };
}

/** Refunds work the same under both kinds of payment. */
export function refundOperations(kind: 'card' | 'qr'): readonly Operation[] {
  const name = kind === 'card' ? 'Card' : 'Qr';
  const path = `/api/${kind}/{id}/refunds`;
  return [
    {
      method: 'post',
      path,
      operationId: `refund${name}Payment`,
      summary: 'Refund part of a payment, or all that remains',
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
      summary: 'List the refunds of a payment, newest first',
      query: LimitAndPage,
      status: 200,
      response: RefundList,
      errors: ['NOT_FOUND'],
    },
  ];
}
