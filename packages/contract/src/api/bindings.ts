import { z } from 'zod';
import { moment, pageLimit } from '@pay/shared/http/fields.ts';
import { cardExpiry, cardMask } from '../messages.ts';
import { named } from '../registry.ts';
import {
  bindingStatus,
  body,
  chargeAmount,
  chargePeriod,
  currency,
  customerID,
  description,
  LimitAndPage,
  nextPageToken,
  orderID,
  paymentStatus,
  rublesString,
  uuid,
  uuidInput,
} from '../fields.ts';
import { Receipt, sumsTo } from './receipt.ts';

/** See spec/service-contract#binding and spec/decisions#extra-fields-of-a-binding. */
export const Binding = named(
  'Binding',
  'A saved card that its buyer has agreed to have charged, at most once per period.',
  z.object({
    bindingId: uuid.describe('The id of the binding'),
    customerId: customerID,
    status: bindingStatus,
    consentId: uuid.describe('The id of the consent'),
    period: chargePeriod,
    lastChargedAt: moment.describe('When the card was last charged; the first payment counts'),
    nextChargeAt: moment.describe('The earliest time at which a new charge is accepted'),
    createdAt: moment.describe('When the card was saved'),
    cardMask: cardMask.describe('Absent when the payment channel did not confirm it').optional(),
    cardExpiry: cardExpiry.describe('Absent when the payment channel did not confirm it').optional(),
    revokedAt: moment.describe('When it was revoked').optional(),
  }),
);

/** See spec/decisions#list-of-bindings. */
export const BindingFilter = LimitAndPage.extend({
  customerId: customerID.describe('The buyer'),
  status: bindingStatus.describe('Only bindings with this status').optional(),
  limit: pageLimit(100),
});

/** See spec/service-contract#binding-list-response. */
export const BindingList = named(
  'BindingList',
  "A buyer's bindings, newest first.",
  z.object({
    items: z.array(Binding).describe('The bindings of this page'),
    nextPageToken,
  }),
);

/** See spec/service-contract#recurring-charge-request. */
export const CreateRecurringPayment = named(
  'CreateRecurringPayment',
  'Charges a saved card without the buyer being present.',
  body({
    merchantOrderId: orderID,
    amount: chargeAmount,
    currency,
    bindingId: uuidInput.describe('The binding to charge'),
    description,
    receipt: Receipt.optional(),
  })
    .superRefine(sumsTo)
    .transform(({ amount: amountKopecks, currency: _rub, ...charge }) => ({ ...charge, amountKopecks })),
);

/** See spec/service-contract#recurring-charge-response. */
export const RecurringPayment = named(
  'RecurringPayment',
  'The response to an accepted charge, and to a repeat of the request.',
  z.object({
    paymentId: uuid.describe('The id of the payment; called orderId in events'),
    merchantOrderId: orderID,
    status: paymentStatus,
    amount: rublesString,
    currency,
    paymentMethod: z.literal('CARD_BINDING').describe('A charge of a saved card'),
    experience: z.literal('OFF_SESSION').describe('The buyer is not present'),
    bindingId: uuid.describe('The binding that is charged'),
    createdAt: moment.describe('When the charge was accepted'),
    statusUrl: z
      .string()
      .regex(/^\/api\/card\/[0-9a-f-]{36}$/)
      .describe('The path of its current status'),
  }),
);
