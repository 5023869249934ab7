import { z } from 'zod';
import { day, moment } from '@pay/shared/http/fields.ts';
import { bindingStatus, chargePeriod, withdrawalStatus } from './fields.ts';
import { FAILED_STATUSES, FAILURE_CODES, PAYMENT_METHODS, REFUND_FAILURE_CODES } from './states.ts';

/**
 * The messages between our services: one schema per type, used by the producer's tests and by every consumer. Amounts
 * are minor units as decimal strings and timestamps are ISO 8601 UTC; both stay strings when a message is parsed
 * (decisions/money). The notifier renders partner events from these.
 */

const kopecks = z.string().regex(/^\d{1,18}$/);

/** The maximum frequency at which a saved card may be charged. See spec/service-contract#charge-periods. */
export type ChargePeriod = z.infer<typeof chargePeriod>;

/** A final, unsuccessful state. */
export const failedStatus = z.enum(FAILED_STATUSES);

/** Why a payment ended with no money taken. See spec/decisions#failure-codes. */
export const failureCode = z.enum(FAILURE_CODES);
export type FailureCode = z.infer<typeof failureCode>;

/** Why a refund failed: the codes of payments, and one more. */
export const refundFailureCode = z.enum(REFUND_FAILURE_CODES);
export type RefundFailureCode = z.infer<typeof refundFailureCode>;

/** How the payment was made: a card entered by the buyer, a saved card charged off session, or an SBP QR code. */
export const paymentMethod = z.enum(PAYMENT_METHODS);

const paymentFact = z.object({
  partnerId: z.string(),
  paymentId: z.uuid(),
  /** Numbers all partner events of the payment from 1, without gaps. */
  aggregateVersion: z.int().positive(),
  /** Empty for QR payments. */
  merchantOrderId: z.string(),
  amountKopecks: kopecks,
  currency: z.literal('RUB'),
  paymentMethod,
  bankOperationId: z.string().nullable(),
  /** Only for charges of a saved card (`paymentMethod` CARD_BINDING). */
  bindingId: z.uuid().optional(),
  occurredAt: moment,
});

/** `220070******1234`, as reported by the bank. */
export const cardMask = z.string().regex(/^\d{6}\*+\d{4}$/);
/** `2028-09`. */
export const cardExpiry = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/);

/** Present if this first payment saved the buyer's card: the binding now exists. */
const savedCard = z.object({
  bindingId: z.uuid(),
  consentId: z.uuid(),
  customerId: z.string(),
  period: chargePeriod,
  /** Absent when the bank did not confirm it. */
  cardMask: cardMask.optional(),
  cardExpiry: cardExpiry.optional(),
});

/** `payment.completed`: confirmed by the bank and written to the ledger. */
export const PaymentCompleted = paymentFact.extend({
  /** The ledger transaction, called `paymentId` in partner events. */
  ledgerTransactionId: z.uuid(),
  savedCard: savedCard.optional(),
});
export type PaymentCompleted = z.infer<typeof PaymentCompleted>;

/** `payment.failed`: the first move into a final negative state. */
export const PaymentFailed = paymentFact.extend({
  status: failedStatus,
  failureCode,
  statusReason: z.string().optional(),
});
export type PaymentFailed = z.infer<typeof PaymentFailed>;

const refundFact = paymentFact.extend({
  /** The payment's ledger transaction; called `paymentId` in partner events. */
  ledgerTransactionId: z.uuid(),
  refundId: z.uuid(),
  /** Absent if the partner gave none. */
  merchantRefundId: z.string().optional(),
  /** The total of confirmed refunds of the payment. `amountKopecks` is this refund's. */
  refundedKopecks: kopecks,
});

/** `refund.pending`: the request is saved, the result pending. `bankOperationId` of all refund messages is the refund's. */
export const RefundPending = refundFact;
export type RefundPending = z.infer<typeof RefundPending>;

/** `refund.completed`: the bank confirmed this refund. */
export const RefundCompleted = refundFact;
export type RefundCompleted = z.infer<typeof RefundCompleted>;

/** `refund.failed`: no money was returned. */
export const RefundFailed = refundFact.extend({
  failureCode: refundFailureCode,
  statusReason: z.string().optional(),
});
export type RefundFailed = z.infer<typeof RefundFailed>;

/** `payment.refunded`: this refund brought the confirmed refunds to the full amount. `amountKopecks` is the payment's. */
export const PaymentRefunded = refundFact;
export type PaymentRefunded = z.infer<typeof PaymentRefunded>;

/** `integration.endpoints_updated`: the partner saved its addresses. Apply only when `revision` is higher than the known one. */
export const EndpointsUpdated = z.object({
  partnerId: z.string(),
  callbackUrl: z.url(),
  returnUrl: z.url(),
  /** The events that the partner enabled beyond the eight; absent in messages of older versions of payments. */
  extraEvents: z.array(z.string()).default([]),
  revision: z.int().positive(),
  updatedAt: moment,
});
export type EndpointsUpdated = z.infer<typeof EndpointsUpdated>;

/** `store.created`: a partner's store was created. */
export const StoreCreated = z.object({ storeId: z.string(), partnerId: z.string(), name: z.string() });
export type StoreCreated = z.infer<typeof StoreCreated>;

/**
 * `consent.given`: a buyer agreed to have a card saved and charged later; `payment.completed` says whether it was saved.
 * With capture MERCHANT it holds the partner's own evidence. See spec/service-contract#recurringconsent.
 */
export const ConsentGiven = z.object({
  consentId: z.uuid(),
  bindingId: z.uuid(),
  /** The first payment. */
  paymentId: z.uuid(),
  partnerId: z.string(),
  customerId: z.string(),
  storeName: z.string().optional(),
  period: chargePeriod,
  /** Who showed the text: our page or the partner. */
  capture: z.enum(['SERVICE', 'MERCHANT']),
  /** Exactly what the buyer read; null if the partner showed it. */
  text: z.string().nullable(),
  version: z.string(),
  /** Lowercase hex SHA-256 of the UTF-8 text; the partner's `evidenceHash` with MERCHANT. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The partner's reference, with MERCHANT. */
  reference: z.string().optional(),
  acceptedAt: moment,
  /** The IP address and user agent of the buyer's browser; with SERVICE. */
  address: z.string().optional(),
  userAgent: z.string().optional(),
});
export type ConsentGiven = z.infer<typeof ConsentGiven>;

/** `binding.created`, `binding.revoked`, `binding.expired`: a binding after the transition, as reported to the partner. */
export const BindingFact = z.object({
  partnerId: z.string(),
  bindingId: z.uuid(),
  /** Numbers all partner events of the binding from 1, without gaps. */
  aggregateVersion: z.int().positive(),
  customerId: z.string(),
  status: bindingStatus,
  consentId: z.uuid(),
  period: chargePeriod,
  nextChargeAt: moment,
  occurredAt: moment,
});
export type BindingFact = z.infer<typeof BindingFact>;

/**
 * `buyer.erased`: no stored data may identify the buyer of this binding any longer. Does not name the buyer. See
 * decisions/erasure.
 */
export const BuyerErased = z.object({ partnerId: z.string(), bindingId: z.uuid(), occurredAt: moment });
export type BuyerErased = z.infer<typeof BuyerErased>;

/** `withdrawal.*`: a payout request after the transition that the type names. Amounts are micro-USDT. */
export const WithdrawalFact = z.object({
  partnerId: z.string(),
  withdrawalRequestId: z.uuid(),
  /** Numbers all events of the request from 1, without gaps. */
  aggregateVersion: z.int().positive(),
  storeId: z.string(),
  amountMicroUsdt: z.string().regex(/^\d{1,18}$/),
  beneficiaryRef: z.string(),
  status: withdrawalStatus,
  /** Why it was rejected, cancelled or failed. */
  statusReason: z.string().optional(),
  /** The reference of the manual transfer; COMPLETED only. */
  transferReference: z.string().optional(),
  occurredAt: moment,
});
export type WithdrawalFact = z.infer<typeof WithdrawalFact>;

const signedKopecks = z.string().regex(/^-?\d{1,18}$/);

/** `register.ready`: a day of a partner's ruble balance is closed. See decisions/daily-registers. */
export const RegisterReady = z.object({
  partnerId: z.string(),
  registerId: z.uuid(),
  /** Always 1: a register is announced once. */
  aggregateVersion: z.literal(1),
  /** `2026-11-22`, UTC. */
  day,
  currency: z.literal('RUB'),
  openingKopecks: signedKopecks,
  closingKopecks: signedKopecks,
  lines: z.int().min(0),
  occurredAt: moment,
});
export type RegisterReady = z.infer<typeof RegisterReady>;

const signedMicroUsdt = z.string().regex(/^-?\d{1,19}$/);

/** `withdrawal-register.ready`: a day of a partner's USDT is closed. See decisions/daily-registers. */
export const WithdrawalRegisterReady = z.object({
  partnerId: z.string(),
  registerId: z.uuid(),
  /** Always 1: a register is announced once. */
  aggregateVersion: z.literal(1),
  /** `2026-11-22`, UTC. */
  day,
  currency: z.literal('USDT'),
  openingAvailableMicroUsdt: signedMicroUsdt,
  openingReservedMicroUsdt: signedMicroUsdt,
  closingAvailableMicroUsdt: signedMicroUsdt,
  closingReservedMicroUsdt: signedMicroUsdt,
  lines: z.int().min(0),
  occurredAt: moment,
});
export type WithdrawalRegisterReady = z.infer<typeof WithdrawalRegisterReady>;
