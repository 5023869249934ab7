import { z } from 'zod';
import { moment, text } from '@pay/shared/http/fields.ts';
import { issuedId, LimitAndPage, oneOf, paymentStatus, rublesString, signedRublesString, uuid } from '../fields.ts';
import { failureCode, refundFailureCode } from '../messages.ts';
import { PAYMENT_METHODS, REFUND_STATUSES } from '../states.ts';
import { ReconciliationException } from './exceptions.ts';
import { fromMoment, rublesStringInput, toMoment } from './fields.ts';
import { pageOf, type RecordOf } from './record.ts';
import { namedForOperators } from './registry.ts';
import { LIABILITIES, TRANS_STATUSES } from './states.ts';

export const PaymentQuery = LimitAndPage.extend({
  id: issuedId.describe('Any id that belongs to a payment: a complete one, or at least six digits that a UUID begins with').optional(),
  cardLastFour: text
    .regex(/^\d{4}$/, 'must be four digits')
    .describe('Only payments by a card that ends like this; needs `from` and `to`')
    .optional(),
  amount: rublesStringInput.describe('Only payments of exactly this amount; needs `from` and `to`').optional(),
  partnerID: issuedId.describe('Only of this partner').optional(),
  paymentPointID: issuedId.describe('Only of this payment point').optional(),
  status: paymentStatus.describe('Only payments with this status').optional(),
  method: oneOf(PAYMENT_METHODS).describe('Only payments made like this').optional(),
  from: fromMoment.optional(),
  to: toMoment.optional(),
}).refine(
  ({ cardLastFour, amount, from, to }) => (cardLastFour === undefined && amount === undefined) || (from !== undefined && to !== undefined),
  // Millions may have the same digits or amount: without a range, another filter could make a query read them all.
  { path: ['from'], error: 'is required, with to, to search by card or amount' },
);

export const Payment = namedForOperators(
  'Payment',
  "A payment. Never contains the checkout token or the bank's card token.",
  z.object({
    paymentId: uuid,
    partnerID: z.string(),
    paymentPointID: z.string(),
    routeId: z.string(),
    method: z.enum(PAYMENT_METHODS),
    merchantOrderId: z.string(),
    amount: rublesString,
    refundedAmount: rublesString,
    refundableAmount: rublesString.describe('The amount less every refund that was made or is under way'),
    currency: z.string(),
    description: z.string(),
    customerId: z.string(),
    status: paymentStatus,
    failureCode: failureCode.nullable(),
    aggregateVersion: z.int().describe("Counts the payment's events for the partner; a refund request names the value that was seen"),
    bankOperationId: z.string().nullable(),
    cardMask: z.string().nullable(),
    bindingId: uuid.nullable(),
    consentId: uuid.nullable(),
    ledgerTransactionId: uuid.nullable(),
    expiresAt: moment,
    createdAt: moment,
    updatedAt: moment,
  }),
);
export type Payment = RecordOf<typeof Payment>;
export const PaymentPage = namedForOperators('PaymentPage', 'Payments of all partners, newest first.', pageOf(Payment));

const refund = z.object({
  refundId: uuid,
  merchantRefundId: z.string().nullable(),
  amount: rublesString,
  status: z.enum(REFUND_STATUSES),
  reason: z.string().nullable(),
  failureCode: refundFailureCode.nullable(),
  bankOperationId: z.string().nullable(),
  createdAt: moment,
  completedAt: moment.nullable(),
});
export type PaymentRefund = RecordOf<typeof refund>;

/** Money that belongs to no order, being returned to the buyer. */
const moneyReturn = z.object({
  returnId: uuid,
  amount: rublesString,
  status: z.string(),
  attemptCount: z.int(),
  createdAt: moment,
  updatedAt: moment,
});

/** A card that was declined before the buyer tried another one. */
const declinedCard = z.object({
  attempt: z.int().describe('1 for the first order'),
  failureCode,
  cardMask: z.string().nullable(),
  bankOperationId: z.string().nullable(),
  transStatus: z.enum(TRANS_STATUSES).nullable(),
  sentAt: moment,
  declinedAt: moment,
});

const ledgerEntry = z.object({
  ledgerTransactionId: uuid,
  kind: z.string(),
  createdAt: moment,
  account: z.string(),
  owner: z.string(),
  amount: signedRublesString,
});
export type LedgerEntry = RecordOf<typeof ledgerEntry>;

const threeDSecure = z
  .object({
    version: z.string().nullable(),
    transStatus: z.enum(TRANS_STATUSES).nullable(),
    eci: z.string().nullable(),
    threeDSServerTransID: z.string().nullable(),
    dsTransID: z.string().nullable(),
    acsTransID: z.string().nullable(),
    liability: z.enum(LIABILITIES),
  })
  .describe('How the buyer was authenticated, in EMV terms; null until the bank reports it');
export type ThreeDSecure = RecordOf<typeof threeDSecure>;

const receipt = z
  .object({ taxation: z.string(), items: z.int(), contacts: z.array(z.string()).describe('Masked') })
  .describe('The 54-FZ receipt as the partner sent it; null if there is none');
export type PaymentReceipt = RecordOf<typeof receipt>;

export const PaymentTimeline = namedForOperators(
  'PaymentTimeline',
  'A payment with its refunds, ledger entries, returned money and reconciliation results.',
  Payment.extend({
    bank: z.object({
      cardSentAt: moment.nullable(),
      lastReadAt: moment.nullable(),
      nextReadAt: moment.nullable(),
      readCount: z.int(),
    }),
    threeDSecure: threeDSecure.nullable(),
    receipt: receipt.nullable(),
    declinedCards: z
      .array(declinedCard)
      .describe(
        'The orders that were left behind: of cards that the bank declined while the buyer could try another one, and, as CANCELLED_BY_CUSTOMER, of a way to pay that the buyer left for another; the last order is that of the payment',
      ),
    refunds: z.array(refund),
    returns: z.array(moneyReturn),
    ledger: z.array(ledgerEntry),
    exceptions: z.array(ReconciliationException),
  }),
);
export type PaymentTimeline = RecordOf<typeof PaymentTimeline>;

export const ErasedPayments = namedForOperators(
  'ErasedPayments',
  'The number of rows from which personal data of the buyer was erased.',
  z.object({ payments: z.int(), savedCards: z.int() }),
);
