import { z } from 'zod';
import { moment, momentInput } from '@pay/shared/http/fields.ts';
import { failureCode } from '../messages.ts';
import { named } from '../registry.ts';
import {
  bankOperationId,
  body,
  currency,
  description,
  LimitAndPage,
  nextPageToken,
  orNull,
  paymentPointID,
  paymentStatus,
  pointOfPayment,
  publicAddress,
  returnUrl,
  rublesInput,
  rublesNumber,
  rublesString,
  uuid,
} from '../fields.ts';
import { Receipt, sumsTo } from './receipt.ts';

/** See spec/decisions#qr-payment. */
export const CreateQrPayment = named(
  'CreateQrPayment',
  'A new SBP payment that the buyer pays by QR code. It has no order number: match it by its id.',
  body({
    paymentPointID: paymentPointID.describe('May be omitted if exactly one point is active').optional(),
    amount: rublesInput,
    currency: currency.optional(),
    description: description.optional(),
    returnUrl: orNull(returnUrl),
    receipt: orNull(Receipt),
  })
    .superRefine(sumsTo)
    .transform(({ paymentPointID: paymentPointId, amount: amountKopecks, currency: _rub, ...payment }) => ({
      ...payment,
      paymentPointId,
      amountKopecks,
    })),
);
/** The parsed request. Fields that are stored are named after their columns. */
export type CreateQrPayment = z.output<typeof CreateQrPayment>;

const created = z.object({
  id: uuid.describe('The id of the payment; called orderId in events'),
  status: paymentStatus,
  amount: rublesNumber,
  currency,
  paymentMethod: z.literal('SBP_DYNAMIC_QR').describe('How the buyer pays'),
  paymentPointID: pointOfPayment,
  nspkurl: z
    .url()
    .describe("The link that the code contains; leads to the buyer's bank. Present together with qrImage, while the payment is open")
    .optional(),
  qrImage: z
    .string()
    .regex(/^data:image\/png;base64,[A-Za-z0-9+/]+={0,2}$/)
    .describe(
      'The code as a PNG data URI. Like nspkurl, absent until the bank has registered the payment, and while its partner, point or route is suspended or closed',
    )
    .optional(),
  paymentUrl: publicAddress.describe('Our hosted page with the code; absent while it cannot be used').optional(),
  expiresAt: moment.describe('When the payment session ends'),
  createdAt: moment.describe('When it was created'),
  statusUrl: z
    .string()
    .regex(/^\/api\/qr\/[0-9a-f-]{36}$/)
    .describe('The path of its current status'),
});

export const CreatedQrPayment = named('CreatedQrPayment', 'The response to a created QR payment, and to a repeat of the request.', created);

/** See spec/decisions#qr-payment and spec/decisions#card-payment-record. */
export const QrPayment = named(
  'QrPayment',
  'A QR payment and its current status.',
  created.extend({
    description: description.optional(),
    failureCode: failureCode.describe('Why no money was taken').optional(),
    statusReason: z.string().describe('Human-readable; may be absent').optional(),
    bankOperationId,
    refundedAmount: rublesString.describe('The total of confirmed refunds'),
    updatedAt: moment.describe('When it last changed'),
  }),
);

/** See spec/decisions#qr-history-of-a-payment-point. */
export const QrPaymentList = named(
  'QrPaymentList',
  'The QR payments of a payment point, newest first, without their codes: read the payment itself for its code while it is open.',
  z.object({
    items: z.array(QrPayment).describe('The payments of this page'),
    nextPageToken,
  }),
);

export const QrPaymentQuery = LimitAndPage.extend({
  from: momentInput('Created at or after this time').optional(),
  to: momentInput('Created before this time').optional(),
  status: paymentStatus.describe('Only payments with this status').optional(),
});
