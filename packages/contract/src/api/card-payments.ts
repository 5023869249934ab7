import { z } from 'zod';
import { failureCode } from '../messages.ts';
import { named } from '../registry.ts';
import { RETRY_ADVICE } from '../retry-advice.ts';
import {
  chargePeriod,
  currency,
  customerID,
  description,
  LimitAndPage,
  moment,
  orderID,
  paymentStatus,
  publicAddress,
  rublesNumber,
  rublesString,
  uuid,
} from './fields.ts';
import { Receipt } from './receipt.ts';

/** Spec: recurringConsent. Which members go together is checked by the service: evidence comes with MERCHANT only. */
export const RecurringConsent = named(
  'RecurringConsent',
  "The buyer's consent to later charges. With capture MERCHANT the partner showed it, and says what and when.",
  z.strictObject({
    period: chargePeriod.describe('Not more often than this; for the whole binding'),
    capture: z.literal('MERCHANT').optional(),
    reference: z.string().min(1).max(128).optional(),
    version: z.string().min(1).max(128).optional(),
    acceptedAt: z.iso.datetime().optional(),
    evidenceHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('SHA-256, lowercase hex, of the exact UTF-8 text and terms shown to the buyer')
      .optional(),
  }),
);

/** Spec: Card payment create request. */
export const CreateCardPayment = named(
  'CreateCardPayment',
  'A new card payment. Card details are typed on the hosted form only.',
  z.strictObject({
    paymentPointID: z.string().max(128).describe('May be left out with exactly one active point').optional(),
    orderID,
    amount: rublesNumber,
    currency,
    description,
    customerID,
    returnUrl: z.string().describe('Only path and query may differ from the saved returnUrl').optional(),
    savePaymentMethod: z
      .boolean()
      .describe('true: save the card, if the buyer agrees on the form; the payment stays CREATED until then')
      .optional(),
    recurringConsent: RecurringConsent.optional(),
    receipt: Receipt.optional(),
  }),
);

const created = z.object({
  id: uuid.describe('The payment; events call it orderId'),
  orderID,
  amount: rublesNumber,
  currency,
  status: paymentStatus,
  paymentUrl: publicAddress.describe('The hosted form; absent when it cannot be used').optional(),
  expiresAt: moment.describe('End of the payment session'),
  statusUrl: z.string().regex(/^\/api\/card\/[0-9a-f-]{36}$/),
});

/** Spec: Card payment create response. */
export const CreatedCardPayment = named(
  'CreatedCardPayment',
  'The answer to a created card payment, and to its repeat.',
  created,
);

/** Decisions "GET /api/card/{id}". */
export const CardPayment = named(
  'CardPayment',
  'How a card payment stands.',
  created.extend({
    paymentPointID: z.string(),
    customerID,
    description,
    paymentMethod: z.enum(['CARD', 'CARD_BINDING']),
    bindingId: uuid
      .describe('From the moment the payment that saves the card is COMPLETED; of a charge, the one charged')
      .optional(),
    failureCode: failureCode.optional(),
    statusReason: z.string().describe('For people; may be absent').optional(),
    retryAdvice: z
      .enum(RETRY_ADVICE)
      .describe('Of a failed charge of a saved card: whether it may be tried again')
      .optional(),
    bankOperationId: z.string().nullable(),
    refundedAmount: rublesString,
    createdAt: moment,
    updatedAt: moment,
  }),
);

/** Decisions "GET /api/card". */
export const CardPaymentList = named(
  'CardPaymentList',
  "The partner's card payments and charges of saved cards, the newest first.",
  z.object({
    items: z.array(CardPayment),
    nextPageToken: z.string().describe('pageToken of the next request; null on the last page').nullable(),
  }),
);

export const CardPaymentQuery = LimitAndPage.extend({
  orderID: orderID.describe('The one with this orderID or merchantOrderId: none or one').optional(),
  customerID: customerID.optional(),
  paymentPointID: z.string().min(1).max(128).optional(),
  from: z.iso.datetime({ offset: true }).describe('Created at this moment or later').optional(),
  to: z.iso.datetime({ offset: true }).describe('Created before this moment').optional(),
  status: paymentStatus.optional(),
});
