// Generated from packages/contract by `node packages/contract/src/write-sdk-types.ts`: change it there.

import type { FailedStatus, FailureCode, RetryAdvice, RefundFailureCode, ChargePeriod } from './types.ts';

/** The binding exists after a successful first payment: store bindingId with your customerId. */
export type BindingCreatedEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'binding.created';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the binding. */
    readonly bindingId: string;
    /** Identifier of the buyer in the partner's system. At most 128 characters. */
    readonly customerId: string;
    /** The id of the consent. */
    readonly consentId: string;
    /** The card is charged at most this often. */
    readonly period: ChargePeriod;
    /** The earliest time at which a new charge is accepted. */
    readonly nextChargeAt: string;
    /** A binding is no operation of the bank. */
    readonly bankOperationId: null;
    /** When it happened. */
    readonly occurredAt: string;
    /** The status of the binding. */
    readonly status: 'ACTIVE';
  };
};

/**
 * Sent if enabled in extraEvents. A charge was requested after the card's expiry month: a new first payment is needed.
 */
export type BindingExpiredEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'binding.expired';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the binding. */
    readonly bindingId: string;
    /** Identifier of the buyer in the partner's system. At most 128 characters. */
    readonly customerId: string;
    /** The id of the consent. */
    readonly consentId: string;
    /** The card is charged at most this often. */
    readonly period: ChargePeriod;
    /** The earliest time at which a new charge is accepted. */
    readonly nextChargeAt: string;
    /** A binding is no operation of the bank. */
    readonly bankOperationId: null;
    /** When it happened. */
    readonly occurredAt: string;
    /** The status of the binding. */
    readonly status: 'EXPIRED';
  };
};

/** The binding is revoked: new charges are forbidden. */
export type BindingRevokedEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'binding.revoked';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the binding. */
    readonly bindingId: string;
    /** Identifier of the buyer in the partner's system. At most 128 characters. */
    readonly customerId: string;
    /** The id of the consent. */
    readonly consentId: string;
    /** The card is charged at most this often. */
    readonly period: ChargePeriod;
    /** The earliest time at which a new charge is accepted. */
    readonly nextChargeAt: string;
    /** A binding is no operation of the bank. */
    readonly bankOperationId: null;
    /** When it happened. */
    readonly occurredAt: string;
    /** The status of the binding. */
    readonly status: 'REVOKED';
  };
};

/** The payment is confirmed and recorded in the financial ledger: ship the order once. */
export type PaymentCompletedEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'payment.completed';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** Rubles: an exact decimal string with two decimal places. */
    readonly amount: string;
    /** Always RUB. */
    readonly currency: 'RUB';
    /** CARD for charges of saved cards, too. */
    readonly paymentMethod: 'CARD' | 'QR';
    /** The id of the operation at the bank; null if there is none. */
    readonly bankOperationId: string | null;
    /** When it happened. */
    readonly occurredAt: string;
    /** The confirmed financial transaction. */
    readonly paymentId: string;
    /** The status of the payment. */
    readonly status: 'COMPLETED';
  };
};

/** The payment ended and no money was taken. Sent once. */
export type PaymentFailedEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'payment.failed';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** Rubles: an exact decimal string with two decimal places. */
    readonly amount: string;
    /** Always RUB. */
    readonly currency: 'RUB';
    /** CARD for charges of saved cards, too. */
    readonly paymentMethod: 'CARD' | 'QR';
    /** The id of the operation at the bank; null if there is none. */
    readonly bankOperationId: string | null;
    /** When it happened. */
    readonly occurredAt: string;
    /** There is no financial transaction. */
    readonly paymentId: null;
    /** The final status of the payment. */
    readonly status: FailedStatus;
    /** Why no money was taken. */
    readonly failureCode: FailureCode;
    /** Human-readable; may be absent. */
    readonly statusReason?: string;
    /** For a charge of a saved card: whether it may be retried. */
    readonly retryAdvice?: RetryAdvice;
  };
};

/** Confirmed refunds have reached the full amount, with the refund named here. */
export type PaymentRefundedEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'payment.refunded';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** The amount of the payment. */
    readonly amount: string;
    /** Always RUB. */
    readonly currency: 'RUB';
    /** CARD for charges of saved cards, too. */
    readonly paymentMethod: 'CARD' | 'QR';
    /** The id of the refund at the bank; null until the bank has reported it. */
    readonly bankOperationId: string | null;
    /** When it happened. */
    readonly occurredAt: string;
    /** The confirmed financial transaction of the payment. */
    readonly paymentId: string;
    /** The id of the refund. */
    readonly refundId: string;
    /** The partner's unique refund number. At most 64 characters. */
    readonly merchantRefundId?: string;
    /** The total of confirmed refunds of the payment. */
    readonly refundedAmount: string;
    /** The status of the payment. */
    readonly status: 'REFUNDED';
  };
};

/** The refund is confirmed for this amount. */
export type RefundCompletedEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'refund.completed';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** The amount of this refund. */
    readonly amount: string;
    /** Always RUB. */
    readonly currency: 'RUB';
    /** CARD for charges of saved cards, too. */
    readonly paymentMethod: 'CARD' | 'QR';
    /** The id of the refund at the bank; null until the bank has reported it. */
    readonly bankOperationId: string | null;
    /** When it happened. */
    readonly occurredAt: string;
    /** The confirmed financial transaction of the payment. */
    readonly paymentId: string;
    /** The id of the refund. */
    readonly refundId: string;
    /** The partner's unique refund number. At most 64 characters. */
    readonly merchantRefundId?: string;
    /** The total of confirmed refunds of the payment. */
    readonly refundedAmount: string;
    /** The status of the refund. */
    readonly status: 'COMPLETED';
  };
};

/** No money was returned; the amount can be refunded again. */
export type RefundFailedEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'refund.failed';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** The amount of this refund. */
    readonly amount: string;
    /** Always RUB. */
    readonly currency: 'RUB';
    /** CARD for charges of saved cards, too. */
    readonly paymentMethod: 'CARD' | 'QR';
    /** The id of the refund at the bank; null until the bank has reported it. */
    readonly bankOperationId: string | null;
    /** When it happened. */
    readonly occurredAt: string;
    /** The confirmed financial transaction of the payment. */
    readonly paymentId: string;
    /** The id of the refund. */
    readonly refundId: string;
    /** The partner's unique refund number. At most 64 characters. */
    readonly merchantRefundId?: string;
    /** The total of confirmed refunds of the payment. */
    readonly refundedAmount: string;
    /** The status of the refund. */
    readonly status: 'FAILED';
    /** Why no money was returned. */
    readonly failureCode: RefundFailureCode;
    /** Human-readable; may be absent. */
    readonly statusReason?: string;
  };
};

/** The refund request is saved; its result is pending. */
export type RefundPendingEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'refund.pending';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** The amount of this refund. */
    readonly amount: string;
    /** Always RUB. */
    readonly currency: 'RUB';
    /** CARD for charges of saved cards, too. */
    readonly paymentMethod: 'CARD' | 'QR';
    /** The id of the refund at the bank; null until the bank has reported it. */
    readonly bankOperationId: string | null;
    /** When it happened. */
    readonly occurredAt: string;
    /** The confirmed financial transaction of the payment. */
    readonly paymentId: string;
    /** The id of the refund. */
    readonly refundId: string;
    /** The partner's unique refund number. At most 64 characters. */
    readonly merchantRefundId?: string;
    /** The total of confirmed refunds of the payment. */
    readonly refundedAmount: string;
    /** The status of the refund. */
    readonly status: 'PENDING';
  };
};

/** Sent if enabled in extraEvents. A day is closed, and its register is available. */
export type RegisterReadyEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'register.ready';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the register. */
    readonly registerId: string;
    /** Always RUB. */
    readonly currency: 'RUB';
    /** The day, in UTC. */
    readonly date: string;
    /** What we owed you at the close of the previous day. */
    readonly openingBalance: string;
    /** What we owe you at the close of this day. */
    readonly closingBalance: string;
    /** The number of entries of the day. */
    readonly lines: number;
    /** The path of the register. */
    readonly statusUrl: string;
    /** When the day was closed. */
    readonly occurredAt: string;
  };
};

/** Sent if enabled in extraEvents. The current status of a payout request. */
export type WithdrawalApprovedEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'withdrawal.approved';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the payout request. */
    readonly withdrawalRequestId: string;
    /** The store that pays. */
    readonly storeId: string;
    /** USDT: an exact decimal string with six decimal places. */
    readonly amountUsdt: string;
    /** The recipient. */
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled or failed. */
    readonly statusReason?: string;
    /** The reference of the manual transfer. */
    readonly transferReference?: string;
    /** When it happened. */
    readonly occurredAt: string;
    /** The status of the payout request. */
    readonly status: 'APPROVED';
  };
};

/** Sent if enabled in extraEvents. The current status of a payout request. */
export type WithdrawalCancelledEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'withdrawal.cancelled';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the payout request. */
    readonly withdrawalRequestId: string;
    /** The store that pays. */
    readonly storeId: string;
    /** USDT: an exact decimal string with six decimal places. */
    readonly amountUsdt: string;
    /** The recipient. */
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled or failed. */
    readonly statusReason?: string;
    /** The reference of the manual transfer. */
    readonly transferReference?: string;
    /** When it happened. */
    readonly occurredAt: string;
    /** The status of the payout request. */
    readonly status: 'CANCELLED';
  };
};

/** Sent if enabled in extraEvents. The current status of a payout request. */
export type WithdrawalCompletedEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'withdrawal.completed';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the payout request. */
    readonly withdrawalRequestId: string;
    /** The store that pays. */
    readonly storeId: string;
    /** USDT: an exact decimal string with six decimal places. */
    readonly amountUsdt: string;
    /** The recipient. */
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled or failed. */
    readonly statusReason?: string;
    /** The reference of the manual transfer. */
    readonly transferReference?: string;
    /** When it happened. */
    readonly occurredAt: string;
    /** The status of the payout request. */
    readonly status: 'COMPLETED';
  };
};

/** Sent if enabled in extraEvents. The current status of a payout request. */
export type WithdrawalFailedEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'withdrawal.failed';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the payout request. */
    readonly withdrawalRequestId: string;
    /** The store that pays. */
    readonly storeId: string;
    /** USDT: an exact decimal string with six decimal places. */
    readonly amountUsdt: string;
    /** The recipient. */
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled or failed. */
    readonly statusReason?: string;
    /** The reference of the manual transfer. */
    readonly transferReference?: string;
    /** When it happened. */
    readonly occurredAt: string;
    /** The status of the payout request. */
    readonly status: 'FAILED';
  };
};

/** Sent if enabled in extraEvents. The current status of a payout request. */
export type WithdrawalInReviewEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'withdrawal.in_review';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the payout request. */
    readonly withdrawalRequestId: string;
    /** The store that pays. */
    readonly storeId: string;
    /** USDT: an exact decimal string with six decimal places. */
    readonly amountUsdt: string;
    /** The recipient. */
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled or failed. */
    readonly statusReason?: string;
    /** The reference of the manual transfer. */
    readonly transferReference?: string;
    /** When it happened. */
    readonly occurredAt: string;
    /** The status of the payout request. */
    readonly status: 'IN_REVIEW';
  };
};

/** Sent if enabled in extraEvents. A day in USDT is closed, and its register is available. */
export type WithdrawalRegisterReadyEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'withdrawal-register.ready';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the register. */
    readonly registerId: string;
    /** Always USDT. */
    readonly currency: 'USDT';
    /** The day, in UTC. */
    readonly date: string;
    /** USDT: an exact decimal string with six decimal places and a leading minus if negative. */
    readonly openingAvailable: string;
    /** USDT: an exact decimal string with six decimal places and a leading minus if negative. */
    readonly openingReserved: string;
    /** USDT: an exact decimal string with six decimal places and a leading minus if negative. */
    readonly closingAvailable: string;
    /** USDT: an exact decimal string with six decimal places and a leading minus if negative. */
    readonly closingReserved: string;
    /** The number of entries of the day. */
    readonly lines: number;
    /** The path of the register. */
    readonly statusUrl: string;
    /** When the day was closed. */
    readonly occurredAt: string;
  };
};

/** Sent if enabled in extraEvents. The current status of a payout request. */
export type WithdrawalRejectedEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'withdrawal.rejected';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the payout request. */
    readonly withdrawalRequestId: string;
    /** The store that pays. */
    readonly storeId: string;
    /** USDT: an exact decimal string with six decimal places. */
    readonly amountUsdt: string;
    /** The recipient. */
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled or failed. */
    readonly statusReason?: string;
    /** The reference of the manual transfer. */
    readonly transferReference?: string;
    /** When it happened. */
    readonly occurredAt: string;
    /** The status of the payout request. */
    readonly status: 'REJECTED';
  };
};

/** Sent if enabled in extraEvents. The current status of a payout request. */
export type WithdrawalRequestedEvent = {
  /** The version of this format. */
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** Also in X-Service-Event-Type. */
  readonly type: 'withdrawal.requested';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  /** When the event was made. */
  readonly createdAt: string;
  /** What it is about. */
  readonly data: {
    /** The id of the payout request. */
    readonly withdrawalRequestId: string;
    /** The store that pays. */
    readonly storeId: string;
    /** USDT: an exact decimal string with six decimal places. */
    readonly amountUsdt: string;
    /** The recipient. */
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled or failed. */
    readonly statusReason?: string;
    /** The reference of the manual transfer. */
    readonly transferReference?: string;
    /** When it happened. */
    readonly occurredAt: string;
    /** The status of the payout request. */
    readonly status: 'REQUESTED';
  };
};

/** The current status of a payout request. Sent if enabled in `extraEvents`. */
export type WithdrawalEvent =
  | WithdrawalRequestedEvent
  | WithdrawalInReviewEvent
  | WithdrawalApprovedEvent
  | WithdrawalCompletedEvent
  | WithdrawalRejectedEvent
  | WithdrawalCancelledEvent
  | WithdrawalFailedEvent;

/** Every event that this version knows. A newer service may send others: add a default branch. */
export type PartnerEvent =
  | PaymentCompletedEvent
  | PaymentFailedEvent
  | RefundPendingEvent
  | RefundCompletedEvent
  | RefundFailedEvent
  | PaymentRefundedEvent
  | BindingCreatedEvent
  | BindingRevokedEvent
  | BindingExpiredEvent
  | WithdrawalRequestedEvent
  | WithdrawalInReviewEvent
  | WithdrawalApprovedEvent
  | WithdrawalCompletedEvent
  | WithdrawalRejectedEvent
  | WithdrawalCancelledEvent
  | WithdrawalFailedEvent
  | RegisterReadyEvent
  | WithdrawalRegisterReadyEvent;
