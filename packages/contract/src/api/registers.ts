import { z } from 'zod';
import { day, moment, partNumber } from '@pay/shared/http/fields.ts';
import { named } from '../registry.ts';
import {
  currency,
  LimitAndPage,
  nextPageToken,
  pointOfPayment,
  signedRublesString,
  signedUsdtString,
  usdtString,
  uuid,
} from '../fields.ts';
import { PAYMENT_METHODS } from '../states.ts';

const register = z.object({
  date: day,
  currency,
  openingBalance: signedRublesString.describe('What we owed you at the close of the previous day'),
  payments: signedRublesString.describe('Payments by buyers, before our fees'),
  recurringCharges: signedRublesString.describe('Charges of saved cards, before our fees'),
  refunds: signedRublesString.describe('Reserved for refunds, less what was released by failed refunds'),
  fees: signedRublesString.describe('Our fees of the day: negative or zero'),
  closingBalance: signedRublesString.describe('openingBalance + payments + recurringCharges + refunds + fees, to the kopeck'),
  lines: z.int().min(0).describe('The number of entries of the day'),
  parts: z.int().min(1).describe('The number of parts; each has at most 5,000 lines'),
  madeAt: moment.describe('When the register was made; it never changes afterwards'),
});

/** See decisions/daily-registers. */
export const Register = named('Register', 'A closed day: what changed your ruble balance.', register);

const line = z.object({
  line: z.int().positive().describe('Numbered from 1 across all parts'),
  bookedAt: moment.describe('Earlier than the day of the register if the entry missed the register of its own day'),
  type: z
    .enum(['PAYMENT', 'RECURRING_CHARGE', 'REFUND', 'REFUND_FAILED'])
    .describe('REFUND: requested, its amount is reserved; REFUND_FAILED: the amount is returned to the balance'),
  orderId: uuid.describe('The payment'),
  merchantOrderId: z.string().describe('Your order number; empty for QR'),
  refundId: uuid.nullable().describe('The refund; null for a payment'),
  merchantRefundId: z.string().nullable().describe('Your refund number; null if there is none'),
  paymentPointID: pointOfPayment,
  paymentMethod: z.enum(PAYMENT_METHODS).describe('How the buyer paid'),
  amount: signedRublesString.describe('Before our fee; negative for a refund'),
  fee: signedRublesString.describe('Negative or zero'),
  net: signedRublesString.describe('amount + fee'),
  balance: signedRublesString.describe('The balance after this line'),
});

/** See decisions/daily-registers. */
export const RegisterPart = named(
  'RegisterPart',
  'A closed day with the lines of one of its parts.',
  register.extend({
    part: z.int().positive().describe('Which part this is, from 1'),
    items: z.array(line).describe('The lines of this part'),
  }),
);

export const RegisterList = named(
  'RegisterList',
  'The closed days, newest first.',
  z.object({
    items: z.array(Register).describe('The days of this page'),
    nextPageToken,
  }),
);

const usdtRegister = z.object({
  date: day,
  currency: z.literal('USDT').describe('Always USDT'),
  openingAvailable: signedUsdtString.describe('What was available at the close of the previous day, across all your stores'),
  openingReserved: signedUsdtString.describe('What payout requests had reserved at that time'),
  funded: usdtString.describe('Credited to your stores'),
  requested: usdtString.describe('Reserved by new payout requests'),
  released: usdtString.describe('Released by requests that were rejected, cancelled or failed'),
  completed: usdtString.describe('Paid out'),
  closingAvailable: signedUsdtString.describe('openingAvailable + funded - requested + released, to the millionth'),
  closingReserved: signedUsdtString.describe('openingReserved + requested - released - completed, to the millionth'),
  lines: z.int().min(0).describe('The number of entries of the day'),
  parts: z.int().min(1).describe('The number of parts; each has at most 5,000 lines'),
  madeAt: moment.describe('When the register was made; it never changes afterwards'),
});

/** See decisions/daily-registers. */
export const UsdtRegister = named('UsdtRegister', 'A closed day: what changed your USDT balance.', usdtRegister);

const usdtLine = z.object({
  line: z.int().positive().describe('Numbered from 1 across all parts'),
  bookedAt: moment.describe('Earlier than the day of the register if the entry missed the register of its own day'),
  type: z
    .enum(['FUNDING', 'WITHDRAWAL_REQUESTED', 'WITHDRAWAL_REJECTED', 'WITHDRAWAL_CANCELLED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_COMPLETED'])
    .describe('What happened'),
  storeId: z.string().describe('The store whose balance changed'),
  withdrawalRequestId: uuid.nullable().describe('The payout request; null for a funding'),
  fundingId: uuid.nullable().describe('The funding; null for a payout request'),
  beneficiaryRef: z.string().nullable().describe('The recipient; null for a funding'),
  transferReference: z.string().nullable().describe('The reference of the manual transfer; WITHDRAWAL_COMPLETED only'),
  amount: usdtString.describe('Always positive, whatever the type'),
  availableChange: signedUsdtString.describe('The change of what is available'),
  reservedChange: signedUsdtString.describe('The change of what is reserved'),
  available: signedUsdtString.describe('After this line, across all your stores'),
  reserved: signedUsdtString.describe('After this line, across all your stores'),
});

/** See decisions/daily-registers. */
export const UsdtRegisterPart = named(
  'UsdtRegisterPart',
  'A closed day in USDT with the lines of one of its parts.',
  usdtRegister.extend({
    part: z.int().positive().describe('Which part this is, from 1'),
    items: z.array(usdtLine).describe('The lines of this part'),
  }),
);

export const UsdtRegisterList = named(
  'UsdtRegisterList',
  'The closed days in USDT, newest first.',
  z.object({
    items: z.array(UsdtRegister).describe('The days of this page'),
    nextPageToken,
  }),
);

export const RegisterListQuery = LimitAndPage.extend({
  from: day.describe('This day or later').optional(),
  to: day.describe('Before this day').optional(),
});

export const RegisterPartQuery = z.strictObject({
  format: z.enum(['json', 'csv'], { error: 'must be json or csv' }).default('json').describe('csv: text/csv, RFC 4180, in UTF-8'),
  part: partNumber,
});
