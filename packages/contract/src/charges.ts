import { z } from 'zod';
import { moment } from '@pay/shared/http/fields.ts';
import { Receipt } from './api/receipt.ts';
import { description, orderID, uuidInput } from './fields.ts';
import type { FailureCode } from './states.ts';

/** The request from bindings to payments to charge a saved card. Amounts are kopecks as decimal strings, as in messages. */
export const ChargeSavedCard = z.strictObject({
  /** Chosen by bindings: identifies a repeat, and is the operation's id at the bank. */
  paymentId: uuidInput,
  bindingId: uuidInput,
  merchantOrderId: orderID,
  amountKopecks: z
    .string()
    .regex(/^[1-9]\d{0,17}$/)
    .transform(BigInt),
  description,
  receipt: Receipt.optional(),
  /** When bindings accepted it: every record of the charge shows this time. */
  createdAt: moment.transform((text) => new Date(text)),
});
export type ChargeSavedCard = z.output<typeof ChargeSavedCard>;

/** Asks whether a charge is valid, before it is refused because of its binding's state. */
export const CheckCharge = ChargeSavedCard.pick({
  bindingId: true,
  merchantOrderId: true,
  amountKopecks: true,
  receipt: true,
});
export type CheckCharge = z.output<typeof CheckCharge>;

/** A charge that must no longer be made, and why. */
const WITHDRAWALS = ['CONSENT_REVOKED', 'PROCESSING_ERROR'] as const satisfies readonly FailureCode[];
export const WithdrawCharge = ChargeSavedCard.extend({ failureCode: z.enum(WITHDRAWALS) });
export type WithdrawCharge = z.output<typeof WithdrawCharge>;

/**
 * How long payments relies on what bindings said of a consent, in milliseconds, from before it asked until the first byte of
 * the charge leaves for the bank. A revoke is answered later than that: so nothing leaves after the answer
 * (decisions/recurring-charges).
 */
export const CONSENT_HOLDS_MS = 250;
