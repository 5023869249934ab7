// Generated from packages/contract by `node packages/contract/src/write-sdk-types.ts`: change it there.

import type { FailedStatus, FailureCode, RetryAdvice, RefundFailureCode, ChargePeriod } from './types.ts';

/** The binding exists after a successful first payment: store bindingId with your customerId. */
export type BindingCreatedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'binding.created';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly bindingId: string;
    /** Identifier of the buyer in the partner's system. At most 128 characters. */
    readonly customerId: string;
    readonly consentId: string;
    readonly period: ChargePeriod;
    /** The earliest time at which a new charge is accepted. */
    readonly nextChargeAt: string;
    readonly bankOperationId: null;
    readonly occurredAt: string;
    readonly status: 'ACTIVE';
  };
};

/**
 * Sent if enabled in extraEvents. A charge was requested after the card's expiry month: a new first payment is needed.
 */
export type BindingExpiredEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'binding.expired';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly bindingId: string;
    /** Identifier of the buyer in the partner's system. At most 128 characters. */
    readonly customerId: string;
    readonly consentId: string;
    readonly period: ChargePeriod;
    /** The earliest time at which a new charge is accepted. */
    readonly nextChargeAt: string;
    readonly bankOperationId: null;
    readonly occurredAt: string;
    readonly status: 'EXPIRED';
  };
};

/** The binding is revoked: new charges are forbidden. */
export type BindingRevokedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'binding.revoked';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly bindingId: string;
    /** Identifier of the buyer in the partner's system. At most 128 characters. */
    readonly customerId: string;
    readonly consentId: string;
    readonly period: ChargePeriod;
    /** The earliest time at which a new charge is accepted. */
    readonly nextChargeAt: string;
    readonly bankOperationId: null;
    readonly occurredAt: string;
    readonly status: 'REVOKED';
  };
};

/** The payment is confirmed and recorded in the financial ledger: ship the order once. */
export type PaymentCompletedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'payment.completed';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** Rubles: an exact decimal string with two decimal places. */
    readonly amount: string;
    readonly currency: 'RUB';
    readonly paymentMethod: 'CARD' | 'QR';
    readonly bankOperationId: string | null;
    readonly occurredAt: string;
    /** The confirmed financial transaction. */
    readonly paymentId: string;
    readonly status: 'COMPLETED';
  };
};

/** The payment ended and no money was taken. Sent once. */
export type PaymentFailedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'payment.failed';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** Rubles: an exact decimal string with two decimal places. */
    readonly amount: string;
    readonly currency: 'RUB';
    readonly paymentMethod: 'CARD' | 'QR';
    readonly bankOperationId: string | null;
    readonly occurredAt: string;
    readonly paymentId: null;
    readonly status: FailedStatus;
    readonly failureCode: FailureCode;
    /** Human-readable; may be absent. */
    readonly statusReason?: string;
    /** For a charge of a saved card: whether it may be retried. */
    readonly retryAdvice?: RetryAdvice;
  };
};

/** Confirmed refunds have reached the full amount, with the refund named here. */
export type PaymentRefundedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'payment.refunded';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** The amount of the payment. */
    readonly amount: string;
    readonly currency: 'RUB';
    readonly paymentMethod: 'CARD' | 'QR';
    /** The id of the refund at the bank; null until the bank has reported it. */
    readonly bankOperationId: string | null;
    readonly occurredAt: string;
    /** The confirmed financial transaction of the payment. */
    readonly paymentId: string;
    readonly refundId: string;
    /** The partner's unique refund number. At most 64 characters. */
    readonly merchantRefundId?: string;
    /** The total of confirmed refunds of the payment. */
    readonly refundedAmount: string;
    readonly status: 'REFUNDED';
  };
};

/** The refund is confirmed for this amount. */
export type RefundCompletedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'refund.completed';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** The amount of this refund. */
    readonly amount: string;
    readonly currency: 'RUB';
    readonly paymentMethod: 'CARD' | 'QR';
    /** The id of the refund at the bank; null until the bank has reported it. */
    readonly bankOperationId: string | null;
    readonly occurredAt: string;
    /** The confirmed financial transaction of the payment. */
    readonly paymentId: string;
    readonly refundId: string;
    /** The partner's unique refund number. At most 64 characters. */
    readonly merchantRefundId?: string;
    /** The total of confirmed refunds of the payment. */
    readonly refundedAmount: string;
    readonly status: 'COMPLETED';
  };
};

/** No money was returned; the amount can be refunded again. */
export type RefundFailedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'refund.failed';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** The amount of this refund. */
    readonly amount: string;
    readonly currency: 'RUB';
    readonly paymentMethod: 'CARD' | 'QR';
    /** The id of the refund at the bank; null until the bank has reported it. */
    readonly bankOperationId: string | null;
    readonly occurredAt: string;
    /** The confirmed financial transaction of the payment. */
    readonly paymentId: string;
    readonly refundId: string;
    /** The partner's unique refund number. At most 64 characters. */
    readonly merchantRefundId?: string;
    /** The total of confirmed refunds of the payment. */
    readonly refundedAmount: string;
    readonly status: 'FAILED';
    readonly failureCode: RefundFailureCode;
    /** Human-readable; may be absent. */
    readonly statusReason?: string;
  };
};

/** The refund request is saved; its result is pending. */
export type RefundPendingEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'refund.pending';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** The amount of this refund. */
    readonly amount: string;
    readonly currency: 'RUB';
    readonly paymentMethod: 'CARD' | 'QR';
    /** The id of the refund at the bank; null until the bank has reported it. */
    readonly bankOperationId: string | null;
    readonly occurredAt: string;
    /** The confirmed financial transaction of the payment. */
    readonly paymentId: string;
    readonly refundId: string;
    /** The partner's unique refund number. At most 64 characters. */
    readonly merchantRefundId?: string;
    /** The total of confirmed refunds of the payment. */
    readonly refundedAmount: string;
    readonly status: 'PENDING';
  };
};

/** Sent if enabled in extraEvents. A day is closed, and its register is available. */
export type RegisterReadyEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'register.ready';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly registerId: string;
    readonly currency: 'RUB';
    /** The day, in UTC. */
    readonly date: string;
    /** Rubles: an exact decimal string with two decimal places and a leading minus if negative. */
    readonly openingBalance: string;
    /** Rubles: an exact decimal string with two decimal places and a leading minus if negative. */
    readonly closingBalance: string;
    readonly lines: number;
    readonly statusUrl: string;
    readonly occurredAt: string;
  };
};

/** Sent if enabled in extraEvents. The current status of a payout request. */
export type WithdrawalApprovedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'withdrawal.approved';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly withdrawalRequestId: string;
    readonly storeId: string;
    /** USDT: an exact decimal string with six decimal places. */
    readonly amountUsdt: string;
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled or failed. */
    readonly statusReason?: string;
    /** The reference of the manual transfer. */
    readonly transferReference?: string;
    readonly occurredAt: string;
    readonly status: 'APPROVED';
  };
};

/** Sent if enabled in extraEvents. The current status of a payout request. */
export type WithdrawalCancelledEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'withdrawal.cancelled';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly withdrawalRequestId: string;
    readonly storeId: string;
    /** USDT: an exact decimal string with six decimal places. */
    readonly amountUsdt: string;
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled or failed. */
    readonly statusReason?: string;
    /** The reference of the manual transfer. */
    readonly transferReference?: string;
    readonly occurredAt: string;
    readonly status: 'CANCELLED';
  };
};

/** Sent if enabled in extraEvents. The current status of a payout request. */
export type WithdrawalCompletedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'withdrawal.completed';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly withdrawalRequestId: string;
    readonly storeId: string;
    /** USDT: an exact decimal string with six decimal places. */
    readonly amountUsdt: string;
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled or failed. */
    readonly statusReason?: string;
    /** The reference of the manual transfer. */
    readonly transferReference?: string;
    readonly occurredAt: string;
    readonly status: 'COMPLETED';
  };
};

/** Sent if enabled in extraEvents. The current status of a payout request. */
export type WithdrawalFailedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'withdrawal.failed';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly withdrawalRequestId: string;
    readonly storeId: string;
    /** USDT: an exact decimal string with six decimal places. */
    readonly amountUsdt: string;
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled or failed. */
    readonly statusReason?: string;
    /** The reference of the manual transfer. */
    readonly transferReference?: string;
    readonly occurredAt: string;
    readonly status: 'FAILED';
  };
};

/** Sent if enabled in extraEvents. The current status of a payout request. */
export type WithdrawalInReviewEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'withdrawal.in_review';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly withdrawalRequestId: string;
    readonly storeId: string;
    /** USDT: an exact decimal string with six decimal places. */
    readonly amountUsdt: string;
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled or failed. */
    readonly statusReason?: string;
    /** The reference of the manual transfer. */
    readonly transferReference?: string;
    readonly occurredAt: string;
    readonly status: 'IN_REVIEW';
  };
};

/** Sent if enabled in extraEvents. A day in USDT is closed, and its register is available. */
export type WithdrawalRegisterReadyEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'withdrawal-register.ready';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly registerId: string;
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
    readonly lines: number;
    readonly statusUrl: string;
    readonly occurredAt: string;
  };
};

/** Sent if enabled in extraEvents. The current status of a payout request. */
export type WithdrawalRejectedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'withdrawal.rejected';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly withdrawalRequestId: string;
    readonly storeId: string;
    /** USDT: an exact decimal string with six decimal places. */
    readonly amountUsdt: string;
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled or failed. */
    readonly statusReason?: string;
    /** The reference of the manual transfer. */
    readonly transferReference?: string;
    readonly occurredAt: string;
    readonly status: 'REJECTED';
  };
};

/** Sent if enabled in extraEvents. The current status of a payout request. */
export type WithdrawalRequestedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'withdrawal.requested';
  /**
   * Increases by one with every event of the same payment, binding or payout request. Events that are not enabled
   * count, too.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly withdrawalRequestId: string;
    readonly storeId: string;
    /** USDT: an exact decimal string with six decimal places. */
    readonly amountUsdt: string;
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled or failed. */
    readonly statusReason?: string;
    /** The reference of the manual transfer. */
    readonly transferReference?: string;
    readonly occurredAt: string;
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
