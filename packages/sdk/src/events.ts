import type { ChargePeriod, FailureCode, RefundFailureCode, RetryAdvice } from './types.ts';
import type { ExtraEvent } from './integration-types.ts';

/** What every callback has. See spec/service-contract#envelope. */
type Envelope<Type extends string, Data> = {
  readonly schemaVersion: 1;
  readonly eventId: string;
  readonly type: Type;
  /** Rises by one with every event of the same payment or binding. */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: Data;
};

type PaymentData = {
  /** The `id` of the payment, as it was answered when it was created. */
  readonly orderId: string;
  /** Your `orderID` or `merchantOrderId`; empty for QR. */
  readonly merchantOrderId: string;
  /** Two decimals. */
  readonly amount: string;
  readonly currency: 'RUB';
  readonly paymentMethod: 'CARD' | 'QR';
  readonly bankOperationId: string | null;
  readonly occurredAt: string;
};

/** Confirmed and recorded in the ledger: ship the order, once. */
export type PaymentCompletedEvent = Envelope<
  'payment.completed',
  PaymentData & { readonly paymentId: string; readonly status: 'COMPLETED' }
>;

/** The payment ended without money. Sent once. */
export type PaymentFailedEvent = Envelope<
  'payment.failed',
  PaymentData & {
    readonly paymentId: null;
    readonly status: 'REJECTED' | 'EXPIRED' | 'FAILED' | 'CANCELLED';
    readonly failureCode: FailureCode;
    /** For people; may be absent. */
    readonly statusReason?: string;
    /** Of a charge of a saved card, and only there. */
    readonly retryAdvice?: RetryAdvice;
  }
>;

type BindingData<Status> = {
  readonly bindingId: string;
  readonly customerId: string;
  readonly status: Status;
  readonly consentId: string;
  readonly period: ChargePeriod;
  readonly nextChargeAt: string;
  readonly bankOperationId: null;
  readonly occurredAt: string;
};

/** A saved card can be charged. Keep `bindingId` with your `customerId`. */
export type BindingCreatedEvent = Envelope<'binding.created', BindingData<'ACTIVE'>>;
/** No further charges. */
export type BindingRevokedEvent = Envelope<'binding.revoked', BindingData<'REVOKED'>>;

/** A charge came after the last month of the card. Sent when it is switched on in `extraEvents`. */
export type BindingExpiredEvent = Envelope<'binding.expired', BindingData<'EXPIRED'>>;

/** How a payout request stands. Sent when it is switched on in `extraEvents`. */
export type WithdrawalEvent = Envelope<
  Extract<ExtraEvent, `withdrawal.${string}`>,
  {
    readonly withdrawalRequestId: string;
    readonly storeId: string;
    /** Six decimals. */
    readonly amountUsdt: string;
    readonly beneficiaryRef: string;
    readonly status: 'REQUESTED' | 'IN_REVIEW' | 'APPROVED' | 'COMPLETED' | 'REJECTED' | 'CANCELLED' | 'FAILED';
    readonly statusReason?: string;
    readonly transferReference?: string;
    readonly occurredAt: string;
  }
>;

type RefundData<Status> = PaymentData & {
  /** The confirmed financial transaction of the payment. */
  readonly paymentId: string;
  readonly refundId: string;
  /** Absent where you gave none. */
  readonly merchantRefundId?: string;
  readonly status: Status;
  /** Confirmed refunds of the payment in all; two decimals. `amount` is this refund's. */
  readonly refundedAmount: string;
};

/** The refund command is saved, its result awaited. */
export type RefundPendingEvent = Envelope<'refund.pending', RefundData<'PENDING'>>;
/** The refund amount named here is confirmed. */
export type RefundCompletedEvent = Envelope<'refund.completed', RefundData<'COMPLETED'>>;
/** No money went back; the amount may be refunded anew. */
export type RefundFailedEvent = Envelope<
  'refund.failed',
  RefundData<'FAILED'> & {
    readonly failureCode: RefundFailureCode;
    /** For people; may be absent. */
    readonly statusReason?: string;
  }
>;

/** Confirmed refunds reached the full amount, by the refund that is named; `amount` is the payment's. */
export type PaymentRefundedEvent = Envelope<'payment.refunded', RefundData<'REFUNDED'>>;

/** Sent when it is switched on in `extraEvents`: a day is closed, `readRegister` has it. */
export type RegisterReadyEvent = Envelope<
  'register.ready',
  {
    readonly registerId: string;
    readonly currency: 'RUB';
    /** The day, UTC. */
    readonly date: string;
    /** Two decimals, perhaps negative. */
    readonly openingBalance: string;
    readonly closingBalance: string;
    readonly lines: number;
    readonly statusUrl: string;
    readonly occurredAt: string;
  }
>;

/** Sent when it is switched on in `extraEvents`: a day in USDT is closed, `readUsdtRegister` has it. Amounts have six decimals. */
export type WithdrawalRegisterReadyEvent = Envelope<
  'withdrawal-register.ready',
  {
    readonly registerId: string;
    readonly currency: 'USDT';
    /** The day, UTC. */
    readonly date: string;
    readonly openingAvailable: string;
    readonly openingReserved: string;
    readonly closingAvailable: string;
    readonly closingReserved: string;
    readonly lines: number;
    readonly statusUrl: string;
    readonly occurredAt: string;
  }
>;

/** Every event that this version knows. A newer service may send others: have a default branch. */
export type PartnerEvent =
  | PaymentCompletedEvent
  | PaymentFailedEvent
  | BindingCreatedEvent
  | BindingRevokedEvent
  | BindingExpiredEvent
  | WithdrawalEvent
  | RegisterReadyEvent
  | WithdrawalRegisterReadyEvent
  | RefundPendingEvent
  | RefundCompletedEvent
  | RefundFailedEvent
  | PaymentRefundedEvent;
