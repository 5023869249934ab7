import { z } from 'zod';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { moment, momentInput } from '@pay/shared/http/fields.ts';
import { failureCode } from '../messages.ts';
import { named } from '../registry.ts';
import { RETRY_ADVICE } from '../retry-advice.ts';
import {
  body,
  chargePeriod,
  currency,
  customerID,
  description,
  issuedId,
  LimitAndPage,
  nextPageToken,
  orderID,
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

const consent = z.strictObject(
  {
    period: chargePeriod.describe('Not more often than this; for the whole binding'),
    capture: z.literal('MERCHANT', { error: 'must be MERCHANT, or left out' }).optional(),
    reference: typedText('partner', 128).optional(),
    version: typedText('partner', 128).optional(),
    acceptedAt: z.iso.datetime({ error: 'must be an ISO 8601 UTC timestamp' }).optional(),
    evidenceHash: z
      .string({ error: 'must be a string' })
      .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 as 64 lowercase hex digits')
      .describe('SHA-256, lowercase hex, of the exact UTF-8 text and terms shown to the buyer')
      .optional(),
  },
  { error: 'must be an object' },
);

/** The fields that come with `capture: MERCHANT`, and only with it. See spec/decisions#merchant-capture. */
const EVIDENCE = ['reference', 'version', 'acceptedAt', 'evidenceHash'] as const;

/** See spec/service-contract#recurringconsent. */
export const RecurringConsent = named(
  'RecurringConsent',
  "The buyer's consent to later charges. With capture MERCHANT the partner showed it, and says what and when.",
  consent
    .superRefine((given, ctx) => {
      for (const name of EVIDENCE) {
        const isMissing = given[name] === undefined;
        if (given.capture === undefined && !isMissing) fault(ctx, name, 'goes with capture MERCHANT only');
        if (given.capture !== undefined && isMissing) fault(ctx, name, 'is required with capture MERCHANT');
      }
    })
    .transform(({ period, reference, version, acceptedAt, evidenceHash }) =>
      reference === undefined || version === undefined || acceptedAt === undefined || evidenceHash === undefined
        ? { period }
        : { period, merchant: { reference, version, acceptedAt: new Date(acceptedAt), evidenceHash } },
    ),
);

/** See spec/service-contract#card-payment-create-request. */
export const CreateCardPayment = named(
  'CreateCardPayment',
  'A new card payment. Card details are typed on the hosted payment page only.',
  body({
    paymentPointID: paymentPointID.describe('May be left out with exactly one active point').optional(),
    orderID,
    amount: rublesInput,
    currency,
    description,
    customerID,
    returnUrl: orNull(returnUrl),
    savePaymentMethod: z
      .boolean({ error: 'must be true or false' })
      .describe('true: save the card, if the buyer agrees on the form; the payment stays CREATED until then')
      .optional(),
    recurringConsent: RecurringConsent.optional(),
    receipt: orNull(Receipt),
  })
    .superRefine(sumsTo)
    .superRefine(({ savePaymentMethod: saves, recurringConsent }, ctx) => {
      // See spec/decisions#save-payment-method.
      if (saves === true && recurringConsent === undefined)
        fault(ctx, 'recurringConsent', 'is required with savePaymentMethod true');
      if (saves !== true && recurringConsent !== undefined)
        fault(ctx, 'savePaymentMethod', 'must be true with recurringConsent');
    })
    .transform(
      ({
        paymentPointID: paymentPointId,
        orderID: merchantOrderId,
        amount: amountKopecks,
        customerID: customerId,
        recurringConsent: saving,
        savePaymentMethod: _saidBySaving,
        currency: _rub,
        ...payment
      }) => ({ ...payment, paymentPointId, merchantOrderId, amountKopecks, customerId, saving }),
    ),
);
/** The parsed request; stored fields have the names of their columns. */
export type CreateCardPayment = z.output<typeof CreateCardPayment>;

function fault(ctx: z.core.$RefinementCtx, field: string, message: string): void {
  ctx.addIssue({ code: 'custom', path: [field], message });
}

const created = z.object({
  id: uuid.describe('The payment; events call it orderId'),
  orderID,
  amount: rublesNumber,
  currency,
  status: paymentStatus,
  paymentUrl: publicAddress.describe('The hosted payment page; absent when it cannot be used').optional(),
  expiresAt: moment.describe('End of the payment session'),
  statusUrl: z.string().regex(/^\/api\/card\/[0-9a-f-]{36}$/),
});

/** See spec/service-contract#card-payment-create-response-http-201. */
export const CreatedCardPayment = named(
  'CreatedCardPayment',
  'The answer to a created card payment, and to its repeat.',
  created,
);

/** See spec/decisions#card-payment-record. */
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

/** See spec/decisions#list-of-card-payments. */
export const CardPaymentList = named(
  'CardPaymentList',
  "The partner's card payments and charges of saved cards, the newest first.",
  z.object({
    items: z.array(CardPayment),
    nextPageToken,
  }),
);

export const CardPaymentQuery = LimitAndPage.extend({
  orderID: orderID.describe('The one with this orderID or merchantOrderId: none or one').optional(),
  customerID: customerID.optional(),
  paymentPointID: issuedId.optional(),
  from: momentInput('Created at this moment or later').optional(),
  to: momentInput('Created before this moment').optional(),
  status: paymentStatus.optional(),
}).transform(({ orderID: merchantOrderId, customerID: customerId, paymentPointID: paymentPointId, ...query }) => ({
  ...query,
  merchantOrderId,
  customerId,
  paymentPointId,
}));
