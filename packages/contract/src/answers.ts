import { z } from 'zod';
import { chargePeriod } from './fields.ts';
import { cardExpiry, cardMask } from './messages.ts';
import { BINDING_STATUSES, PAYMENT_STATUSES } from './states.ts';

// What our services answer each other, as far as the caller reads it: it parses with these, and who answers returns their wire form. What
// else an answer has is not looked at.

/** `/internal/charges` and `/internal/charges/withdrawn`: the payment that the charge has become. */
export const ChargeTaken = z.object({ status: z.enum(PAYMENT_STATUSES) });

/** The same routes, and `/internal/charges/checked`, if they refuse. */
export const ChargeRefused = z.object({
  code: z.string(),
  details: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  /** Set with DUPLICATE_ORDER: the payment that uses the number. */
  paymentId: z.uuid().optional(),
});

/** `/internal/bindings/{bindingId}` and its `/revoke`: a binding as its buyer's page shows it. */
export const BuyersBinding = z.object({
  bindingId: z.uuid(),
  status: z.enum(BINDING_STATUSES),
  period: chargePeriod,
  cardMask: cardMask.optional(),
  cardExpiry: cardExpiry.optional(),
  nextChargeAt: z.iso.datetime({ precision: 3 }).transform((text) => new Date(text)),
  /** The charge that has not ended, for payments, which sends no other one; null: none. */
  openPaymentId: z.uuid().nullish(),
});

/** `/portal/sessions`: a new session of the portal. */
export const PortalSession = z.object({ token: z.string() });
