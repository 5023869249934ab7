import { z } from 'zod';
import { moment } from '@pay/shared/http/fields.ts';
import { refundFailureCode } from '../messages.ts';
import { named } from '../registry.ts';
import {
  bankOperationId,
  body,
  currency,
  merchantRefundId,
  nextPageToken,
  refundAmount,
  refundReason,
  rublesString,
  uuid,
} from '../fields.ts';
import { REFUND_STATUSES } from '../states.ts';
import { Receipt, sumsTo } from './receipt.ts';

/** See spec/decisions#refunds. */
export const CreateRefund = named(
  'CreateRefund',
  'Refunds the buyer: part of the payment, or all that remains.',
  body({
    amount: refundAmount.optional(),
    reason: refundReason.optional(),
    merchantRefundId: merchantRefundId.optional(),
    receipt: Receipt.describe('The items refunded. Required for a partial refund of a payment that was created with a receipt').optional(),
  })
    .superRefine(sumsTo)
    .transform(({ amount: amountKopecks, ...refund }) => ({ ...refund, amountKopecks })),
);
/** The parsed request, with internal names; without an amount, all that remains. */
export type CreateRefund = z.output<typeof CreateRefund>;

/** See spec/decisions#refund-record. */
export const Refund = named(
  'Refund',
  'A refund and its current status.',
  z.object({
    refundId: uuid.describe('The id of the refund'),
    orderId: uuid.describe('The id of the payment'),
    merchantOrderId: z.string().describe("The partner's order number; empty for QR"),
    merchantRefundId: merchantRefundId.optional(),
    amount: rublesString.describe('The amount of this refund'),
    refundedAmount: rublesString.describe('The total of confirmed refunds of the payment'),
    currency,
    status: z.enum(REFUND_STATUSES).describe('PENDING: the bank has not decided'),
    reason: z.string().describe('As it was requested').optional(),
    failureCode: refundFailureCode.describe('Why no money was returned').optional(),
    statusReason: z.string().describe('Human-readable; may be absent').optional(),
    bankOperationId,
    createdAt: moment.describe('When it was requested'),
    updatedAt: moment.describe('When it last changed'),
    completedAt: moment.describe('When the bank confirmed it').optional(),
    statusUrl: z
      .string()
      .regex(/^\/api\/refunds\/[0-9a-f-]{36}$/)
      .describe('The path of its current status'),
  }),
);

export const RefundList = named(
  'RefundList',
  'The refunds of a payment, newest first.',
  z.object({
    items: z.array(Refund).describe('The refunds of this page'),
    nextPageToken,
  }),
);
