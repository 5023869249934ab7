import { z } from 'zod';
import { moment, momentInput } from '@pay/shared/http/fields.ts';
import { failureCode } from '../messages.ts';
import { named } from '../registry.ts';
import {
  body,
  currency,
  description,
  LimitAndPage,
  nextPageToken,
  orNull,
  paymentPointID,
  paymentStatus,
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
  'A new SBP payment that the buyer pays by a code. It has no order number: match it by its id.',
  body({
    paymentPointID: paymentPointID.describe('May be left out with exactly one active point').optional(),
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
/** The parsed request; stored fields have the names of their columns. */
export type CreateQrPayment = z.output<typeof CreateQrPayment>;

const created = z.object({
  id: uuid.describe('The payment; events call it orderId'),
  status: paymentStatus,
  amount: rublesNumber,
  currency,
  paymentMethod: z.literal('SBP_DYNAMIC_QR'),
  paymentPointID: z.string(),
  nspkurl: z
    .url()
    .describe(
      "The link behind the code; opens the buyer's bank. Comes together with qrImage, while the payment is open",
    )
    .optional(),
  qrImage: z
    .string()
    .regex(/^data:image\/png;base64,[A-Za-z0-9+/]+={0,2}$/)
    .describe(
      'The code as a PNG data URI; absent, as nspkurl is, until the bank registered the payment, and while its partner, point or route is suspended or closed',
    )
    .optional(),
  paymentUrl: publicAddress.describe('Our own page with the code, while it can be used').optional(),
  expiresAt: moment.describe('End of the payment session'),
  createdAt: moment,
  statusUrl: z.string().regex(/^\/api\/qr\/[0-9a-f-]{36}$/),
});

export const CreatedQrPayment = named(
  'CreatedQrPayment',
  'The answer to a created QR payment, and to its repeat.',
  created,
);

/** See spec/decisions#qr-payment and spec/decisions#card-payment-record. */
export const QrPayment = named(
  'QrPayment',
  'How a QR payment stands.',
  created.extend({
    description: description.optional(),
    failureCode: failureCode.optional(),
    statusReason: z.string().describe('For people; may be absent').optional(),
    bankOperationId: z.string().nullable(),
    refundedAmount: rublesString,
    updatedAt: moment,
  }),
);

/** See spec/decisions#qr-history-of-a-payment-point. */
export const QrPaymentList = named(
  'QrPaymentList',
  'The QR payments of a payment point, the newest first; without their codes, which the payment itself shows while it is open.',
  z.object({
    items: z.array(QrPayment),
    nextPageToken,
  }),
);

export const QrPaymentQuery = LimitAndPage.extend({
  from: momentInput('Created at this moment or later').optional(),
  to: momentInput('Created before this moment').optional(),
  status: paymentStatus.optional(),
});
