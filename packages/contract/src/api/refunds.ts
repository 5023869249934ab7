import { z } from 'zod';
import { refundFailureCode } from '../messages.ts';
import { named } from '../registry.ts';
import { currency, moment, rublesString, uuid } from './fields.ts';
import { Receipt } from './receipt.ts';

export const refundStatus = z.enum(['PENDING', 'COMPLETED', 'FAILED']);
export const merchantRefundId = z.string().min(1).max(64).describe("The partner's unique number of the refund");

/** Decisions "refunds". */
export const CreateRefund = named(
  'CreateRefund',
  'Money back to the buyer: a part, or all that remains.',
  z.strictObject({
    amount: rublesString.describe('Left out: all that remains').optional(),
    reason: z.string().min(1).max(140).optional(),
    merchantRefundId: merchantRefundId.optional(),
    receipt: Receipt.describe('What is given back. Needed for a part of a payment that was made with one').optional(),
  }),
);

/** Decisions "refund record". */
export const Refund = named(
  'Refund',
  'How a refund stands.',
  z.object({
    refundId: uuid,
    orderId: uuid.describe('The id of the payment'),
    merchantOrderId: z.string().describe("The partner's order number; empty for QR"),
    merchantRefundId: merchantRefundId.optional(),
    amount: rublesString.describe('Of this refund'),
    refundedAmount: rublesString.describe('Confirmed refunds of the payment in all'),
    currency,
    status: refundStatus,
    reason: z.string().optional(),
    failureCode: refundFailureCode.optional(),
    statusReason: z.string().describe('For people; may be absent').optional(),
    bankOperationId: z.string().nullable(),
    createdAt: moment,
    updatedAt: moment,
    completedAt: moment.optional(),
    statusUrl: z.string().regex(/^\/api\/refunds\/[0-9a-f-]{36}$/),
  }),
);

export const RefundList = named(
  'RefundList',
  'The refunds of a payment, the newest first.',
  z.object({
    items: z.array(Refund),
    nextPageToken: z.string().describe('pageToken of the next request; null on the last page').nullable(),
  }),
);
