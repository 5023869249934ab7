// Made from packages/contract by `node packages/contract/src/write-sdk-types.ts`: change it there.

import type { FailedStatus, FailureCode, RetryAdvice, RefundFailureCode, ChargePeriod } from './types.ts';

/** After a successful first payment the binding exists: store bindingId with your customerId. */
export type BindingCreatedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'binding.created';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly bindingId: string;
    /** Identifier of the buyer in the partner's system. At most 128 characters. */
    readonly customerId: string;
    readonly consentId: string;
    readonly period: ChargePeriod;
    /** The earliest moment at which a new charge is accepted. */
    readonly nextChargeAt: string;
    readonly bankOperationId: null;
    readonly occurredAt: string;
    readonly status: 'ACTIVE';
  };
};

/**
 * Sent when it is switched on in extraEvents. A charge came after the last month of the card: a new first payment is
 * needed.
 */
export type BindingExpiredEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'binding.expired';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly bindingId: string;
    /** Identifier of the buyer in the partner's system. At most 128 characters. */
    readonly customerId: string;
    readonly consentId: string;
    readonly period: ChargePeriod;
    /** The earliest moment at which a new charge is accepted. */
    readonly nextChargeAt: string;
    readonly bankOperationId: null;
    readonly occurredAt: string;
    readonly status: 'EXPIRED';
  };
};

/** The binding is revoked: new charges are forbidden. */
export type BindingRevokedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'binding.revoked';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly bindingId: string;
    /** Identifier of the buyer in the partner's system. At most 128 characters. */
    readonly customerId: string;
    readonly consentId: string;
    readonly period: ChargePeriod;
    /** The earliest moment at which a new charge is accepted. */
    readonly nextChargeAt: string;
    readonly bankOperationId: null;
    readonly occurredAt: string;
    readonly status: 'REVOKED';
  };
};

/** The payment is confirmed and recorded in the financial ledger: ship the order once. */
export type PaymentCompletedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'payment.completed';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** Rubles: an exact decimal string with two digits after the point. */
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

/** The payment ended without money. Sent once. */
export type PaymentFailedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'payment.failed';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** Rubles: an exact decimal string with two digits after the point. */
    readonly amount: string;
    readonly currency: 'RUB';
    readonly paymentMethod: 'CARD' | 'QR';
    readonly bankOperationId: string | null;
    readonly occurredAt: string;
    readonly paymentId: null;
    readonly status: FailedStatus;
    readonly failureCode: FailureCode;
    /** For people; may be absent. */
    readonly statusReason?: string;
    /** Of a charge of a saved card: whether it may be tried again. */
    readonly retryAdvice?: RetryAdvice;
  };
};

/** Confirmed refunds reached the full amount, by the refund that is named. */
export type PaymentRefundedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'payment.refunded';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** Of the payment. */
    readonly amount: string;
    readonly currency: 'RUB';
    readonly paymentMethod: 'CARD' | 'QR';
    /** Of the refund; null while the bank has not told one. */
    readonly bankOperationId: string | null;
    readonly occurredAt: string;
    /** The confirmed financial transaction of the payment. */
    readonly paymentId: string;
    readonly refundId: string;
    /** The partner's unique number of the refund. At most 64 characters. */
    readonly merchantRefundId?: string;
    /** Confirmed refunds of the payment in all. */
    readonly refundedAmount: string;
    readonly status: 'REFUNDED';
  };
};

/** The refund amount named here is confirmed. */
export type RefundCompletedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'refund.completed';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** Of this refund. */
    readonly amount: string;
    readonly currency: 'RUB';
    readonly paymentMethod: 'CARD' | 'QR';
    /** Of the refund; null while the bank has not told one. */
    readonly bankOperationId: string | null;
    readonly occurredAt: string;
    /** The confirmed financial transaction of the payment. */
    readonly paymentId: string;
    readonly refundId: string;
    /** The partner's unique number of the refund. At most 64 characters. */
    readonly merchantRefundId?: string;
    /** Confirmed refunds of the payment in all. */
    readonly refundedAmount: string;
    readonly status: 'COMPLETED';
  };
};

/** No money went back; the amount may be refunded anew. */
export type RefundFailedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'refund.failed';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** Of this refund. */
    readonly amount: string;
    readonly currency: 'RUB';
    readonly paymentMethod: 'CARD' | 'QR';
    /** Of the refund; null while the bank has not told one. */
    readonly bankOperationId: string | null;
    readonly occurredAt: string;
    /** The confirmed financial transaction of the payment. */
    readonly paymentId: string;
    readonly refundId: string;
    /** The partner's unique number of the refund. At most 64 characters. */
    readonly merchantRefundId?: string;
    /** Confirmed refunds of the payment in all. */
    readonly refundedAmount: string;
    readonly status: 'FAILED';
    readonly failureCode: RefundFailureCode;
    /** For people; may be absent. */
    readonly statusReason?: string;
  };
};

/** The refund command is saved, its result awaited. */
export type RefundPendingEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'refund.pending';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    /** The id of the payment. */
    readonly orderId: string;
    /** The partner's order number; empty for QR. */
    readonly merchantOrderId: string;
    /** Of this refund. */
    readonly amount: string;
    readonly currency: 'RUB';
    readonly paymentMethod: 'CARD' | 'QR';
    /** Of the refund; null while the bank has not told one. */
    readonly bankOperationId: string | null;
    readonly occurredAt: string;
    /** The confirmed financial transaction of the payment. */
    readonly paymentId: string;
    readonly refundId: string;
    /** The partner's unique number of the refund. At most 64 characters. */
    readonly merchantRefundId?: string;
    /** Confirmed refunds of the payment in all. */
    readonly refundedAmount: string;
    readonly status: 'PENDING';
  };
};

/** Sent when it is switched on in extraEvents. A day is closed, and its register can be read. */
export type RegisterReadyEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'register.ready';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly registerId: string;
    readonly currency: 'RUB';
    /** The day, in UTC. */
    readonly date: string;
    /** Rubles: an exact decimal string with two digits after the point, negative with a minus. */
    readonly openingBalance: string;
    /** Rubles: an exact decimal string with two digits after the point, negative with a minus. */
    readonly closingBalance: string;
    readonly lines: number;
    readonly statusUrl: string;
    readonly occurredAt: string;
  };
};

/** Sent when it is switched on in extraEvents. How a payout request stands. */
export type WithdrawalApprovedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'withdrawal.approved';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly withdrawalRequestId: string;
    readonly storeId: string;
    /** USDT: an exact decimal string with six digits after the point. */
    readonly amountUsdt: string;
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled, or failed. */
    readonly statusReason?: string;
    /** Of the transfer that was made by hand. */
    readonly transferReference?: string;
    readonly occurredAt: string;
    readonly status: 'APPROVED';
  };
};

/** Sent when it is switched on in extraEvents. How a payout request stands. */
export type WithdrawalCancelledEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'withdrawal.cancelled';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly withdrawalRequestId: string;
    readonly storeId: string;
    /** USDT: an exact decimal string with six digits after the point. */
    readonly amountUsdt: string;
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled, or failed. */
    readonly statusReason?: string;
    /** Of the transfer that was made by hand. */
    readonly transferReference?: string;
    readonly occurredAt: string;
    readonly status: 'CANCELLED';
  };
};

/** Sent when it is switched on in extraEvents. How a payout request stands. */
export type WithdrawalCompletedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'withdrawal.completed';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly withdrawalRequestId: string;
    readonly storeId: string;
    /** USDT: an exact decimal string with six digits after the point. */
    readonly amountUsdt: string;
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled, or failed. */
    readonly statusReason?: string;
    /** Of the transfer that was made by hand. */
    readonly transferReference?: string;
    readonly occurredAt: string;
    readonly status: 'COMPLETED';
  };
};

/** Sent when it is switched on in extraEvents. How a payout request stands. */
export type WithdrawalFailedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'withdrawal.failed';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly withdrawalRequestId: string;
    readonly storeId: string;
    /** USDT: an exact decimal string with six digits after the point. */
    readonly amountUsdt: string;
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled, or failed. */
    readonly statusReason?: string;
    /** Of the transfer that was made by hand. */
    readonly transferReference?: string;
    readonly occurredAt: string;
    readonly status: 'FAILED';
  };
};

/** Sent when it is switched on in extraEvents. How a payout request stands. */
export type WithdrawalInReviewEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'withdrawal.in_review';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly withdrawalRequestId: string;
    readonly storeId: string;
    /** USDT: an exact decimal string with six digits after the point. */
    readonly amountUsdt: string;
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled, or failed. */
    readonly statusReason?: string;
    /** Of the transfer that was made by hand. */
    readonly transferReference?: string;
    readonly occurredAt: string;
    readonly status: 'IN_REVIEW';
  };
};

/** Sent when it is switched on in extraEvents. A day in USDT is closed, and its register can be read. */
export type WithdrawalRegisterReadyEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'withdrawal-register.ready';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly registerId: string;
    readonly currency: 'USDT';
    /** The day, in UTC. */
    readonly date: string;
    /** USDT: an exact decimal string with six digits after the point, negative with a minus. */
    readonly openingAvailable: string;
    /** USDT: an exact decimal string with six digits after the point, negative with a minus. */
    readonly openingReserved: string;
    /** USDT: an exact decimal string with six digits after the point, negative with a minus. */
    readonly closingAvailable: string;
    /** USDT: an exact decimal string with six digits after the point, negative with a minus. */
    readonly closingReserved: string;
    readonly lines: number;
    readonly statusUrl: string;
    readonly occurredAt: string;
  };
};

/** Sent when it is switched on in extraEvents. How a payout request stands. */
export type WithdrawalRejectedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'withdrawal.rejected';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly withdrawalRequestId: string;
    readonly storeId: string;
    /** USDT: an exact decimal string with six digits after the point. */
    readonly amountUsdt: string;
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled, or failed. */
    readonly statusReason?: string;
    /** Of the transfer that was made by hand. */
    readonly transferReference?: string;
    readonly occurredAt: string;
    readonly status: 'REJECTED';
  };
};

/** Sent when it is switched on in extraEvents. How a payout request stands. */
export type WithdrawalRequestedEvent = {
  readonly schemaVersion: 1;
  /** The same in every delivery, and in X-Service-Event-ID. */
  readonly eventId: string;
  readonly type: 'withdrawal.requested';
  /**
   * Rises by one with every event of one payment, binding or payout request; those that are not switched on are left
   * out.
   */
  readonly aggregateVersion: number;
  readonly createdAt: string;
  readonly data: {
    readonly withdrawalRequestId: string;
    readonly storeId: string;
    /** USDT: an exact decimal string with six digits after the point. */
    readonly amountUsdt: string;
    readonly beneficiaryRef: string;
    /** Why it was rejected, cancelled, or failed. */
    readonly statusReason?: string;
    /** Of the transfer that was made by hand. */
    readonly transferReference?: string;
    readonly occurredAt: string;
    readonly status: 'REQUESTED';
  };
};

/** How a payout request stands. Sent when it is switched on in `extraEvents`. */
export type WithdrawalEvent =
  | WithdrawalRequestedEvent
  | WithdrawalInReviewEvent
  | WithdrawalApprovedEvent
  | WithdrawalCompletedEvent
  | WithdrawalRejectedEvent
  | WithdrawalCancelledEvent
  | WithdrawalFailedEvent;

/** Every event that this version knows. A newer service may send others: have a default branch. */
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
