import { z } from 'zod';
import { moment, partNumber } from '@pay/shared/http/fields.ts';
import { named } from '../registry.ts';
import {
  currency,
  day,
  LimitAndPage,
  nextPageToken,
  signedRublesString,
  signedUsdtString,
  usdtString,
  uuid,
} from '../fields.ts';
import { PAYMENT_METHODS } from '../states.ts';

const register = z.object({
  date: day,
  currency,
  openingBalance: signedRublesString.describe('What we owed you when the day before was closed'),
  payments: signedRublesString.describe('Payments of buyers, before our fees'),
  recurringCharges: signedRublesString.describe('Charges of saved cards, before our fees'),
  refunds: signedRublesString.describe('Set aside for refunds, less what came back from refunds that failed'),
  fees: signedRublesString,
  closingBalance: signedRublesString.describe('openingBalance + payments + recurringCharges + refunds + fees, to the kopeck'),
  lines: z.int().min(0).describe('Bookings of the day'),
  parts: z.int().min(1).describe('A part has 5,000 lines at most'),
  madeAt: moment.describe('Nothing of it changes afterwards'),
}); // prettier-ignore

/** ADR 0137. */
export const Register = named('Register', 'A closed day: what moved your balance in rubles.', register);

const line = z.object({
  line: z.int().positive().describe('From 1 through all parts'),
  bookedAt: moment.describe('Before the day where it was booked too late for the register of its own day'),
  type: z
    .enum(['PAYMENT', 'RECURRING_CHARGE', 'REFUND', 'REFUND_FAILED'])
    .describe('REFUND: asked for, its amount is set aside; REFUND_FAILED: the amount is back'),
  orderId: uuid.describe('The payment'),
  merchantOrderId: z.string().describe('Your order number; empty for QR'),
  refundId: uuid.nullable(),
  merchantRefundId: z.string().nullable(),
  paymentPointID: z.string(),
  paymentMethod: z.enum(PAYMENT_METHODS),
  amount: signedRublesString.describe('Before our fee; negative where it goes back'),
  fee: signedRublesString.describe('Negative or zero'),
  net: signedRublesString.describe('amount + fee'),
  balance: signedRublesString.describe('After this line'),
});

/** ADR 0137. */
export const RegisterPart = named(
  'RegisterPart',
  'A closed day with the lines of one of its parts.',
  register.extend({ part: z.int().positive(), items: z.array(line) }),
);

export const RegisterList = named(
  'RegisterList',
  'The closed days, the newest first.',
  z.object({
    items: z.array(Register),
    nextPageToken,
  }),
);

const usdtRegister = z.object({
  date: day,
  currency: z.literal('USDT'),
  openingAvailable: signedUsdtString.describe('What was available when the day before was closed, over all your stores'),
  openingReserved: signedUsdtString.describe('What payout requests had reserved then'),
  funded: usdtString.describe('Credited to your stores'),
  requested: usdtString.describe('Reserved by new payout requests'),
  released: usdtString.describe('Available again: requests that were rejected, cancelled or failed'),
  completed: usdtString.describe('Paid out'),
  closingAvailable: signedUsdtString.describe('openingAvailable + funded - requested + released, to the millionth'),
  closingReserved: signedUsdtString.describe('openingReserved + requested - released - completed, to the millionth'),
  lines: z.int().min(0).describe('Bookings of the day'),
  parts: z.int().min(1).describe('A part has 5,000 lines at most'),
  madeAt: moment.describe('Nothing of it changes afterwards'),
}); // prettier-ignore

/** ADR 0137. */
export const UsdtRegister = named('UsdtRegister', 'A closed day: what moved your USDT.', usdtRegister);

const usdtLine = z.object({
  line: z.int().positive().describe('From 1 through all parts'),
  bookedAt: moment.describe('Before the day where it was booked too late for the register of its own day'),
  type: z.enum(['FUNDING', 'WITHDRAWAL_REQUESTED', 'WITHDRAWAL_REJECTED', 'WITHDRAWAL_CANCELLED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_COMPLETED']),
  storeId: z.string(),
  withdrawalRequestId: uuid.nullable(),
  fundingId: uuid.nullable(),
  beneficiaryRef: z.string().nullable(),
  transferReference: z.string().describe('Of the transfer that was made by hand; WITHDRAWAL_COMPLETED only').nullable(),
  amount: usdtString.describe('Positive, whatever the type'),
  availableChange: signedUsdtString,
  reservedChange: signedUsdtString,
  available: signedUsdtString.describe('After this line, over all your stores'),
  reserved: signedUsdtString.describe('After this line, over all your stores'),
}); // prettier-ignore

/** ADR 0137. */
export const UsdtRegisterPart = named(
  'UsdtRegisterPart',
  'A closed day in USDT with the lines of one of its parts.',
  usdtRegister.extend({ part: z.int().positive(), items: z.array(usdtLine) }),
);

export const UsdtRegisterList = named(
  'UsdtRegisterList',
  'The closed days in USDT, the newest first.',
  z.object({
    items: z.array(UsdtRegister),
    nextPageToken,
  }),
);

export const RegisterListQuery = LimitAndPage.extend({
  from: day.describe('This day or later').optional(),
  to: day.describe('Before this day').optional(),
});

export const RegisterPartQuery = z.strictObject({
  format: z
    .enum(['json', 'csv'], { error: 'must be json or csv' })
    .default('json')
    .describe('csv: text/csv, RFC 4180, in UTF-8'),
  part: partNumber,
});
