import { z } from 'zod';
import { typedText } from '@pay/shared/content/typed-text.ts';
import { moment, momentInput } from '@pay/shared/http/fields.ts';
import { failureCode } from '../messages.ts';
import { named } from '../registry.ts';
import { RETRY_ADVICE } from '../retry-advice.ts';
import {
  bankOperationId,
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
  pointOfPayment,
  publicAddress,
  returnUrl,
  rublesInput,
  rublesNumber,
  rublesString,
  uuid,
  withMember,
} from '../fields.ts';
import { Receipt, sumsTo } from './receipt.ts';

/**
 * No card that is valid today was saved before: what is earlier is seconds taken for milliseconds, or a clock that was never
 * set. See spec/decisions#moment-of-a-consent.
 */
const CONSENTS_FROM = Date.parse('2015-01-01T00:00:00Z');

const consent = z.strictObject(
  {
    period: chargePeriod.describe('Charges are made at most this often; fixed for the life of the binding'),
    capture: z
      .literal('MERCHANT', { error: 'must be MERCHANT, or left out' })
      .describe('You showed the consent on your own page, which has to be agreed with us. Left out: the payment page asks')
      .optional(),
    reference: typedText('partner', 128).describe('Your number of the consent').optional(),
    version: typedText('partner', 128).describe('The version of the text that was shown').optional(),
    acceptedAt: z.iso
      .datetime({ error: 'must be an ISO 8601 UTC timestamp', abort: true })
      .refine((value) => Date.parse(value) >= CONSENTS_FROM, 'must be when the buyer agreed, which was after 2014')
      .describe('When the buyer agreed: ISO 8601 UTC, after 2014 and not in the future')
      .optional(),
    evidenceHash: z
      .string({ error: 'must be a string' })
      .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 as 64 lowercase hex digits')
      .describe('SHA-256, lowercase hex, of the exact UTF-8 text and terms shown to the buyer')
      .optional(),
  },
  { error: 'must be an object' },
);

/** The fields that `capture: MERCHANT` requires; not allowed without it. See spec/decisions#merchant-capture. */
const EVIDENCE = ['reference', 'version', 'acceptedAt', 'evidenceHash'] as const;

/** See spec/service-contract#recurringconsent. */
export const RecurringConsent = named(
  'RecurringConsent',
  "The buyer's consent to later charges. With capture MERCHANT the partner collected it, and states what was shown and when.",
  consent
    .superRefine((given, ctx) => {
      for (const name of EVIDENCE) {
        const isMissing = given[name] === undefined;
        if (given.capture === undefined && !isMissing) fault(ctx, name, 'is allowed only with capture MERCHANT');
        if (given.capture !== undefined && isMissing) fault(ctx, name, 'is required with capture MERCHANT');
      }
    })
    .transform(({ period, reference, version, acceptedAt, evidenceHash }) =>
      reference === undefined || version === undefined || acceptedAt === undefined || evidenceHash === undefined
        ? { period }
        : { period, merchant: { reference, version, acceptedAt: new Date(acceptedAt), evidenceHash } },
    )
    .meta({
      dependentRequired: {
        capture: EVIDENCE,
        ...Object.fromEntries(EVIDENCE.map((name) => [name, ['capture']])),
      },
    }),
);

/** See spec/service-contract#card-payment-create-request. */
export const CreateCardPayment = named(
  'CreateCardPayment',
  'A new card payment. Card details are entered on the hosted payment page only.',
  body({
    paymentPointID: paymentPointID.describe('May be omitted if exactly one point is active').optional(),
    orderID,
    amount: rublesInput,
    currency,
    description,
    customerID,
    returnUrl: orNull(returnUrl),
    savePaymentMethod: z
      .boolean({ error: 'must be true or false' })
      .describe('true: save the card if the buyer agrees on the payment page; the payment stays CREATED until the buyer decides')
      .optional(),
    recurringConsent: RecurringConsent.optional(),
    receipt: orNull(Receipt),
  })
    .superRefine(sumsTo)
    .superRefine(({ savePaymentMethod: saves, recurringConsent }, ctx) => {
      // See spec/decisions#save-payment-method.
      if (saves === true && recurringConsent === undefined) fault(ctx, 'recurringConsent', 'is required with savePaymentMethod true');
      if (saves !== true && recurringConsent !== undefined) fault(ctx, 'savePaymentMethod', 'must be true with recurringConsent');
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
    )
    .meta({
      if: { properties: { savePaymentMethod: { const: true } }, required: ['savePaymentMethod'] },
      then: withMember('recurringConsent'),
      else: { not: withMember('recurringConsent') },
    }),
);
/** The parsed request. Fields that are stored are named after their columns. */
export type CreateCardPayment = z.output<typeof CreateCardPayment>;

function fault(ctx: z.core.$RefinementCtx, field: string, message: string): void {
  ctx.addIssue({ code: 'custom', path: [field], message });
}

const created = z.object({
  id: uuid.describe('The id of the payment; called orderId in events'),
  orderID,
  amount: rublesNumber,
  currency,
  status: paymentStatus,
  paymentUrl: publicAddress.describe('The hosted payment page; absent while it cannot be used').optional(),
  expiresAt: moment.describe('When the payment session ends'),
  statusUrl: z
    .string()
    .regex(/^\/api\/card\/[0-9a-f-]{36}$/)
    .describe('The path of its current status'),
});

/** See spec/service-contract#card-payment-create-response-http-201. */
export const CreatedCardPayment = named(
  'CreatedCardPayment',
  'The response to a created card payment, and to a repeat of the request.',
  created,
);

/** See spec/decisions#card-payment-record. */
export const CardPayment = named(
  'CardPayment',
  'A card payment and its current status.',
  created.extend({
    paymentPointID: pointOfPayment,
    customerID,
    description,
    paymentMethod: z.enum(['CARD', 'CARD_BINDING']).describe('CARD: typed in by the buyer; CARD_BINDING: a charge of a saved card'),
    bindingId: uuid
      .describe('For a payment that saves the card: present once it is COMPLETED. For a charge: the binding that was charged')
      .optional(),
    failureCode: failureCode.describe('Why no money was taken').optional(),
    statusReason: z.string().describe('Human-readable; may be absent').optional(),
    retryAdvice: z.enum(RETRY_ADVICE).describe('For a failed charge of a saved card: whether it may be retried').optional(),
    bankOperationId,
    refundedAmount: rublesString.describe('The total of confirmed refunds'),
    createdAt: moment.describe('When it was created'),
    updatedAt: moment.describe('When it last changed'),
  }),
);

/** See spec/decisions#list-of-card-payments. */
export const CardPaymentList = named(
  'CardPaymentList',
  "The partner's card payments and charges of saved cards, newest first.",
  z.object({
    items: z.array(CardPayment).describe('The payments of this page'),
    nextPageToken,
  }),
);

export const CardPaymentQuery = LimitAndPage.extend({
  orderID: orderID.describe('Only the payment with this orderID or merchantOrderId: none or one').optional(),
  customerID: customerID.describe('Only payments of this buyer').optional(),
  paymentPointID: issuedId.describe('Only payments of this payment point').optional(),
  from: momentInput('Created at or after this time').optional(),
  to: momentInput('Created before this time').optional(),
  status: paymentStatus.describe('Only payments with this status').optional(),
}).transform(({ orderID: merchantOrderId, customerID: customerId, paymentPointID: paymentPointId, ...query }) => ({
  ...query,
  merchantOrderId,
  customerId,
  paymentPointId,
}));
