import { z } from 'zod';
import { cardExpiry, cardMask } from '../messages.ts';
import { named } from '../registry.ts';
import {
  bindingStatus,
  chargePeriod,
  currency,
  customerID,
  description,
  LimitAndPage,
  moment,
  orderID,
  paymentStatus,
  rublesString,
  uuid,
} from './fields.ts';
import { Receipt } from './receipt.ts';

/** Spec: Binding; decisions "extra fields". */
export const Binding = named(
  'Binding',
  'A saved card that its buyer agreed to be charged, not more often than once in a period.',
  z.object({
    bindingId: uuid,
    customerId: customerID,
    status: bindingStatus,
    consentId: uuid,
    period: chargePeriod,
    lastChargedAt: moment,
    nextChargeAt: moment.describe('The earliest moment at which a new charge is accepted'),
    createdAt: moment,
    cardMask: cardMask.describe('Absent when the payment channel did not confirm it').optional(),
    cardExpiry: cardExpiry.describe('Absent when the payment channel did not confirm it').optional(),
    revokedAt: moment.optional(),
  }),
);

/** Decisions "GET /v1/bindings". */
export const BindingFilter = LimitAndPage.extend({
  customerId: customerID.describe('The buyer'),
  status: bindingStatus.optional(),
  limit: z.int().min(1).max(100).default(100).optional(),
});

/** Spec: Binding list response. */
export const BindingList = named(
  'BindingList',
  "A buyer's bindings, the newest first.",
  z.object({
    items: z.array(Binding),
    nextPageToken: z.string().describe('pageToken of the next request; null on the last page').nullable(),
  }),
);

/** Spec: Recurring charge request. */
export const CreateRecurringPayment = named(
  'CreateRecurringPayment',
  'Charges a saved card without its buyer.',
  z.strictObject({
    merchantOrderId: orderID,
    amount: rublesString,
    currency,
    bindingId: uuid,
    description,
    receipt: Receipt.optional(),
  }),
);

/** Spec: Recurring charge response. */
export const RecurringPayment = named(
  'RecurringPayment',
  'The accepted charge, and its repeat.',
  z.object({
    paymentId: uuid,
    merchantOrderId: orderID,
    status: paymentStatus,
    amount: rublesString,
    currency,
    paymentMethod: z.literal('CARD_BINDING'),
    experience: z.literal('OFF_SESSION'),
    bindingId: uuid,
    createdAt: moment,
    statusUrl: z.string().regex(/^\/api\/card\/[0-9a-f-]{36}$/),
  }),
);
