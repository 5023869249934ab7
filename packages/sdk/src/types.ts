// Generated from packages/contract by `node packages/contract/src/write-sdk-types.ts`: change it there.

/**
 * The records of the API as this client returns them: as on the wire, except that every amount is a decimal string,
 * because a JavaScript number cannot represent every amount. Timestamps are ISO 8601 UTC strings.
 */

/** The status of a payment. */
export const PAYMENT_STATUSES = [
  'CREATED',
  'SUBMITTED',
  'PENDING',
  'COMPLETED',
  'REJECTED',
  'EXPIRED',
  'FAILED',
  'CANCELLED',
  'REFUNDED',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** The final statuses of a payment in which no money was taken. */
export const FAILED_STATUSES = [
  'REJECTED',
  'EXPIRED',
  'FAILED',
  'CANCELLED',
] as const;
export type FailedStatus = (typeof FAILED_STATUSES)[number];

/** How a payment is made. */
export const PAYMENT_METHODS = [
  'CARD',
  'CARD_BINDING',
  'SBP_DYNAMIC_QR',
] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Why a payment ended with no money taken. A newer service may send others. */
export const FAILURE_CODES = [
  'INSUFFICIENT_FUNDS',
  'CARD_EXPIRED',
  'CARD_BLOCKED',
  'INVALID_CARD_DETAILS',
  'CARD_NOT_SUPPORTED',
  'LIMIT_EXCEEDED',
  'AUTHENTICATION_FAILED',
  'DECLINED_BY_ISSUER',
  'FRAUD_SUSPECTED',
  'CONSENT_REVOKED',
  'ISSUER_UNAVAILABLE',
  'PROCESSING_ERROR',
  'CANCELLED_BY_CUSTOMER',
  'CANCELLED_BY_PARTNER',
  'SESSION_EXPIRED',
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** Whether a declined charge may be retried: never with this card, later (schemes limit how often), or at any time. */
export const RETRY_ADVICE = [
  'DO_NOT_RETRY',
  'RETRY_LATER',
  'RETRY_ANY_TIME',
] as const;
export type RetryAdvice = (typeof RETRY_ADVICE)[number];

/** The status of a refund. */
export const REFUND_STATUSES = [
  'PENDING',
  'COMPLETED',
  'FAILED',
] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** Why a refund failed: the codes of payments, and one more. */
export const REFUND_FAILURE_CODES = [
  'INSUFFICIENT_FUNDS',
  'CARD_EXPIRED',
  'CARD_BLOCKED',
  'INVALID_CARD_DETAILS',
  'CARD_NOT_SUPPORTED',
  'LIMIT_EXCEEDED',
  'AUTHENTICATION_FAILED',
  'DECLINED_BY_ISSUER',
  'FRAUD_SUSPECTED',
  'CONSENT_REVOKED',
  'ISSUER_UNAVAILABLE',
  'PROCESSING_ERROR',
  'CANCELLED_BY_CUSTOMER',
  'CANCELLED_BY_PARTNER',
  'SESSION_EXPIRED',
  'REFUND_PERIOD_EXPIRED',
] as const;
export type RefundFailureCode = (typeof REFUND_FAILURE_CODES)[number];

/** The status of a payment point. */
export const POINT_STATUSES = [
  'ACTIVE',
  'SUSPENDED',
  'CLOSED',
] as const;
export type PointStatus = (typeof POINT_STATUSES)[number];

/** What a payment point accepts; charges of saved cards use CARD. */
export const POINT_METHODS = [
  'CARD',
  'SBP_DYNAMIC_QR',
] as const;
export type PointMethod = (typeof POINT_METHODS)[number];

/** The status of a saved card. */
export const BINDING_STATUSES = [
  'ACTIVE',
  'REVOKED',
  'EXPIRED',
] as const;
export type BindingStatus = (typeof BINDING_STATUSES)[number];

/** The maximum frequency at which a saved card may be charged. */
export const CHARGE_PERIODS = [
  'PT1M',
  'PT1H',
  'P1D',
  'P1W',
  'P1M',
  'P1Y',
] as const;
export type ChargePeriod = (typeof CHARGE_PERIODS)[number];

/** The status of a payout request. */
export const WITHDRAWAL_STATUSES = [
  'REQUESTED',
  'IN_REVIEW',
  'APPROVED',
  'COMPLETED',
  'REJECTED',
  'CANCELLED',
  'FAILED',
] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** The delivery status of an event. NOT_CONFIGURED: stored and not sent until a replay is requested. */
export const EVENT_STATUSES = [
  'WAITING',
  'DELIVERED',
  'REFUSED',
  'EXHAUSTED',
  'NOT_CONFIGURED',
] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** The type of an event. A newer service may send others. */
export const EVENT_TYPES = [
  'payment.completed',
  'payment.failed',
  'refund.pending',
  'refund.completed',
  'refund.failed',
  'payment.refunded',
  'binding.created',
  'binding.revoked',
  'binding.expired',
  'withdrawal.requested',
  'withdrawal.in_review',
  'withdrawal.approved',
  'withdrawal.completed',
  'withdrawal.rejected',
  'withdrawal.cancelled',
  'withdrawal.failed',
  'register.ready',
  'withdrawal-register.ready',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Events that are sent only if enabled. */
export const EXTRA_EVENTS = [
  'binding.expired',
  'withdrawal.requested',
  'withdrawal.in_review',
  'withdrawal.approved',
  'withdrawal.completed',
  'withdrawal.rejected',
  'withdrawal.cancelled',
  'withdrawal.failed',
  'register.ready',
  'withdrawal-register.ready',
] as const;
export type ExtraEvent = (typeof EXTRA_EVENTS)[number];

/** The code of an error. A newer service may send others. */
export const ERROR_CODES = [
  'UNAUTHORIZED',
  'RATE_LIMITED',
  'PAYLOAD_TOO_LARGE',
  'METHOD_NOT_ALLOWED',
  'UNSUPPORTED_MEDIA_TYPE',
  'VALIDATION_FAILED',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_PROGRESS',
  'PAYMENT_POINT_REQUIRED',
  'NOT_FOUND',
  'DUPLICATE_ORDER',
  'ENDPOINTS_NOT_CONFIGURED',
  'SECRET_ALREADY_ISSUED',
  'BINDING_REVOKED',
  'BINDING_EXPIRED',
  'PREVIOUS_CHARGE_NOT_FINISHED',
  'PERIOD_NOT_ELAPSED',
  'RETRY_NOT_ALLOWED',
  'CANCEL_NOT_ALLOWED',
  'REFUND_NOT_ALLOWED',
  'REFUND_AMOUNT_EXCEEDED',
  'INSUFFICIENT_BALANCE',
  'ROUTE_UNAVAILABLE',
  'SERVICE_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
  'INTERNAL_ERROR',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** A page of a list, newest first. */
export type ListPage<Item> = {
  readonly items: readonly Item[];
  /** Pass it as `pageToken` of the next call; null on the last page. */
  readonly nextPageToken: string | null;
};

/** Which page of a list. */
export type PageOptions = {
  /** The number of items on a page. 1 to 100. */
  readonly limit?: number;
  /** nextPageToken of the page before. */
  readonly pageToken?: string;
};

/** Which card payments and charges of saved cards. */
export type CardListOptions = {
  /** The number of items on a page. 1 to 100. */
  readonly limit?: number;
  /** nextPageToken of the page before. */
  readonly pageToken?: string;
  /** Only the payment with this orderID or merchantOrderId: none or one. */
  readonly orderID?: string;
  /** Only payments of this buyer. At most 128 characters. */
  readonly customerID?: string;
  /** Only payments of this payment point. At most 128 characters. */
  readonly paymentPointID?: string;
  /** Created at or after this time. */
  readonly from?: string;
  /** Created before this time. */
  readonly to?: string;
  /** Only payments with this status. */
  readonly status?: PaymentStatus;
};

/** Which QR payments of a point. */
export type QrHistoryOptions = {
  /** The number of items on a page. 1 to 100. */
  readonly limit?: number;
  /** nextPageToken of the page before. */
  readonly pageToken?: string;
  /** Created at or after this time. */
  readonly from?: string;
  /** Created before this time. */
  readonly to?: string;
  /** Only payments with this status. */
  readonly status?: PaymentStatus;
};

/** Whose saved cards, and which. */
export type BindingFilter = {
  /** The number of items on a page. 1 to 100. */
  readonly limit?: number;
  /** nextPageToken of the page before. */
  readonly pageToken?: string;
  /** The buyer. At most 128 characters. */
  readonly customerId: string;
  /** Only bindings with this status. */
  readonly status?: BindingStatus;
};

/** Which events; an omitted field does not filter. */
export type EventFilter = {
  /** The number of items on a page. 1 to 100. */
  readonly limit?: number;
  /** nextPageToken of the page before. */
  readonly pageToken?: string;
  /** Only events of this payment, binding or payout request. */
  readonly objectId?: string;
  /** Only events of this type. */
  readonly type?: string;
  /**
   * WAITING: an attempt is due, running or scheduled; DELIVERED: your server answered 200; REFUSED: it answered with a
   * permanent 4xx; EXHAUSTED: all attempts have been made; NOT_CONFIGURED: stored but not sent, because there was no
   * address or secret yet, or the event was not enabled.
   */
  readonly status?: EventStatus;
  /** Recorded at or after this time. */
  readonly from?: string;
  /** Recorded before this time. */
  readonly to?: string;
};

/** Which registers. */
export type RegisterListOptions = {
  /** The number of items on a page. 1 to 100. */
  readonly limit?: number;
  /** nextPageToken of the page before. */
  readonly pageToken?: string;
  /** This day or later. */
  readonly from?: string;
  /** Before this day. */
  readonly to?: string;
};

/** Which payout requests. */
export type WithdrawalFilter = {
  /** The number of items on a page. 1 to 100. */
  readonly limit?: number;
  /** nextPageToken of the page before. */
  readonly pageToken?: string;
  /** Only requests of this store. At most 128 characters. */
  readonly storeId?: string;
  /** Only requests with this status. */
  readonly status?: WithdrawalStatus;
};

/** A saved card that its buyer has agreed to have charged, at most once per period. */
export type Binding = {
  /** The id of the binding. */
  readonly bindingId: string;
  /** Identifier of the buyer in the partner's system. At most 128 characters. */
  readonly customerId: string;
  /** The status of the binding. */
  readonly status: BindingStatus;
  /** The id of the consent. */
  readonly consentId: string;
  /** The card is charged at most this often. */
  readonly period: ChargePeriod;
  /** When the card was last charged; the first payment counts. */
  readonly lastChargedAt: string;
  /** The earliest time at which a new charge is accepted. */
  readonly nextChargeAt: string;
  /** When the card was saved. */
  readonly createdAt: string;
  /** Absent when the payment channel did not confirm it. */
  readonly cardMask?: string;
  /** Absent when the payment channel did not confirm it. */
  readonly cardExpiry?: string;
  /** When it was revoked. */
  readonly revokedAt?: string;
};

/** An event for the partner and the state of its delivery. */
export type CallbackEvent = {
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** The type of the event. */
  readonly type: string;
  /** The payment (orderId in the event), binding or payout request. */
  readonly objectId: string;
  /** Increases by one with every event of the same object. */
  readonly aggregateVersion: number;
  /**
   * WAITING: an attempt is due, running or scheduled; DELIVERED: your server answered 200; REFUSED: it answered with a
   * permanent 4xx; EXHAUSTED: all attempts have been made; NOT_CONFIGURED: stored but not sent, because there was no
   * address or secret yet, or the event was not enabled.
   */
  readonly status: EventStatus;
  /** In the current round: a replay starts a new round. */
  readonly attemptCount: number;
  /** When the event was stored; from and to of the list filter by it. */
  readonly recordedAt: string;
  /** Null once delivery has ended. */
  readonly nextAttemptAt: string | null;
  /** When delivery ended; null while it goes on. */
  readonly endedAt: string | null;
};

/** One delivery attempt to your address. */
export type CallbackAttempt = {
  /** Within its round, starting at 1. */
  readonly number: number;
  /** The callbackUrl at the time of the attempt. */
  readonly url: string;
  /** The keys that signed it. */
  readonly keyIds: readonly string[];
  /** When it was sent. */
  readonly startedAt: string;
  /** How long it took, in milliseconds. */
  readonly durationMs: number;
  /** Null if there was no response. */
  readonly httpStatus: number | null;
  /** Why there was no response. */
  readonly failure: string | null;
  /** FLAGGED: a response that does not confirm receipt, such as 204 or a redirect; retried like RETRY. */
  readonly outcome: 'DELIVERED' | 'REFUSED' | 'RETRY' | 'FLAGGED';
  /**
   * The first KiB of the response, base64; null for a 200, if there was no response, once 10 MiB of the day are stored,
   * and in TEST from a private address.
   */
  readonly answerBase64: string | null;
  /** When the next attempt was planned for; null after the last one. */
  readonly nextAttemptAt: string | null;
  /** Made because a replay was requested. */
  readonly isReplay: boolean;
};

/** An event with the body that is sent and its latest 100 attempts, oldest first. */
export type CallbackEventStory = {
  /** The same in every delivery; also in X-Service-Event-ID. */
  readonly eventId: string;
  /** The type of the event. */
  readonly type: string;
  /** The payment (orderId in the event), binding or payout request. */
  readonly objectId: string;
  /** Increases by one with every event of the same object. */
  readonly aggregateVersion: number;
  /**
   * WAITING: an attempt is due, running or scheduled; DELIVERED: your server answered 200; REFUSED: it answered with a
   * permanent 4xx; EXHAUSTED: all attempts have been made; NOT_CONFIGURED: stored but not sent, because there was no
   * address or secret yet, or the event was not enabled.
   */
  readonly status: EventStatus;
  /** In the current round: a replay starts a new round. */
  readonly attemptCount: number;
  /** When the event was stored; from and to of the list filter by it. */
  readonly recordedAt: string;
  /** Null once delivery has ended. */
  readonly nextAttemptAt: string | null;
  /** When delivery ended; null while it goes on. */
  readonly endedAt: string | null;
  /** The exact bytes that are sent, as UTF-8. */
  readonly body: string;
  /** The latest 100, oldest first. */
  readonly attempts: readonly CallbackAttempt[];
};

/** The callback secret. It is not shown again after replayUntil. */
export type CallbackSecret = {
  /** Base64 of 32 bytes. */
  readonly secret: string;
  /** Appears in the signature header. */
  readonly keyId: string;
  /** How callbacks are signed with it. */
  readonly algorithm: 'HMAC-SHA256';
  /** The header that has the signature. */
  readonly signatureHeader: 'X-Service-Signature';
  /** When it was issued. */
  readonly issuedAt: string;
  /** Until then, a repeat with the same Idempotency-Key gets the same response. */
  readonly replayUntil: string;
};

/** A card payment and its current status. */
export type CardPayment = {
  /** The id of the payment; called orderId in events. */
  readonly id: string;
  /** The partner's unique order number. */
  readonly orderID: string;
  /** Rubles, a decimal string such as `'10.50'`; on the wire the JSON number with exactly these digits. */
  readonly amount: string;
  /** Always RUB. */
  readonly currency: 'RUB';
  /** The status of the payment. */
  readonly status: PaymentStatus;
  /** The hosted payment page; absent while it cannot be used. */
  readonly paymentUrl?: string;
  /** When the payment session ends. */
  readonly expiresAt: string;
  /** The path of its current status. */
  readonly statusUrl: string;
  /** The payment point. */
  readonly paymentPointID: string;
  /** Identifier of the buyer in the partner's system. At most 128 characters. */
  readonly customerID: string;
  /** Payment purpose. At most 140 characters. */
  readonly description: string;
  /** CARD: typed in by the buyer; CARD_BINDING: a charge of a saved card. */
  readonly paymentMethod: 'CARD' | 'CARD_BINDING';
  /** For a payment that saves the card: present once it is COMPLETED. For a charge: the binding that was charged. */
  readonly bindingId?: string;
  /** Why no money was taken. */
  readonly failureCode?: FailureCode;
  /** Human-readable; may be absent. */
  readonly statusReason?: string;
  /** For a failed charge of a saved card: whether it may be retried. */
  readonly retryAdvice?: RetryAdvice;
  /** The id of the operation at the bank; null if there is none. */
  readonly bankOperationId: string | null;
  /** The total of confirmed refunds. */
  readonly refundedAmount: string;
  /** When it was created. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
};

/** A new card payment. Card details are entered on the hosted payment page only. */
export type NewCardPayment = {
  /** May be omitted if exactly one point is active. At most 128 characters. */
  readonly paymentPointID?: string;
  /** The partner's unique order number. */
  readonly orderID: string;
  /** Rubles, a decimal string such as `'10.50'`; on the wire the JSON number with exactly these digits. */
  readonly amount: string;
  /** Always RUB. */
  readonly currency: 'RUB';
  /** Payment purpose. At most 140 characters. */
  readonly description: string;
  /** Identifier of the buyer in the partner's system. At most 128 characters. */
  readonly customerID: string;
  /** May differ from the saved returnUrl in path and query only. */
  readonly returnUrl?: string;
  /** true: save the card if the buyer agrees on the payment page; the payment stays CREATED until the buyer decides. */
  readonly savePaymentMethod?: boolean;
  readonly recurringConsent?: RecurringConsent;
  readonly receipt?: Receipt;
};

/** A new SBP payment that the buyer pays by QR code. It has no order number: match it by its id. */
export type NewQrPayment = {
  /** May be omitted if exactly one point is active. At most 128 characters. */
  readonly paymentPointID?: string;
  /** Rubles, a decimal string such as `'10.50'`; on the wire the JSON number with exactly these digits. */
  readonly amount: string;
  /** Always RUB. */
  readonly currency?: 'RUB';
  /** Payment purpose. At most 140 characters. */
  readonly description?: string;
  /** May differ from the saved returnUrl in path and query only. */
  readonly returnUrl?: string;
  readonly receipt?: Receipt;
};

/** Charges a saved card without the buyer being present. */
export type NewRecurringPayment = {
  /** The partner's unique order number. */
  readonly merchantOrderId: string;
  /** Rubles: an exact decimal string with two decimal places. */
  readonly amount: string;
  /** Always RUB. */
  readonly currency: 'RUB';
  /** The binding to charge. */
  readonly bindingId: string;
  /** Payment purpose. At most 140 characters. */
  readonly description: string;
  readonly receipt?: Receipt;
};

/** Refunds the buyer: part of the payment, or all that remains. */
export type NewRefund = {
  /** If omitted: all that remains. */
  readonly amount?: string;
  /** Why, in your words. At most 140 characters. */
  readonly reason?: string;
  /** The partner's unique refund number. At most 64 characters. */
  readonly merchantRefundId?: string;
  /** The items refunded. Required for a partial refund of a payment that was created with a receipt. */
  readonly receipt?: Receipt;
};

/** Requests a payout, which people review and transfer manually. */
export type NewWithdrawalRequest = {
  /** The store that pays. At most 128 characters. */
  readonly storeId: string;
  /** USDT: a decimal string with up to six decimal places, at least 0.000001. */
  readonly amountUsdt: string;
  /** An agreed recipient, by the reference that the service issued: never a wallet address. At most 128 characters. */
  readonly beneficiaryRef: string;
};

/** The response to a created card payment, and to a repeat of the request. */
export type CreatedCardPayment = {
  /** The id of the payment; called orderId in events. */
  readonly id: string;
  /** The partner's unique order number. */
  readonly orderID: string;
  /** Rubles, a decimal string such as `'10.50'`; on the wire the JSON number with exactly these digits. */
  readonly amount: string;
  /** Always RUB. */
  readonly currency: 'RUB';
  /** The status of the payment. */
  readonly status: PaymentStatus;
  /** The hosted payment page; absent while it cannot be used. */
  readonly paymentUrl?: string;
  /** When the payment session ends. */
  readonly expiresAt: string;
  /** The path of its current status. */
  readonly statusUrl: string;
};

/** The response to a created QR payment, and to a repeat of the request. */
export type CreatedQrPayment = {
  /** The id of the payment; called orderId in events. */
  readonly id: string;
  /** The status of the payment. */
  readonly status: PaymentStatus;
  /** Rubles, a decimal string such as `'10.50'`; on the wire the JSON number with exactly these digits. */
  readonly amount: string;
  /** Always RUB. */
  readonly currency: 'RUB';
  /** How the buyer pays. */
  readonly paymentMethod: 'SBP_DYNAMIC_QR';
  /** The payment point. */
  readonly paymentPointID: string;
  /**
   * The link that the code contains; leads to the buyer's bank. Present together with qrImage, while the payment is
   * open.
   */
  readonly nspkurl?: string;
  /**
   * The code as a PNG data URI. Like nspkurl, absent until the bank has registered the payment, and while its partner,
   * point or route is suspended or closed.
   */
  readonly qrImage?: string;
  /** Our hosted page with the code; absent while it cannot be used. */
  readonly paymentUrl?: string;
  /** When the payment session ends. */
  readonly expiresAt: string;
  /** When it was created. */
  readonly createdAt: string;
  /** The path of its current status. */
  readonly statusUrl: string;
};

/** The saved addresses; null until first saved. */
export type Endpoints = {
  /** Where events are sent; null until first saved. */
  readonly callbackUrl: string | null;
  /** Where buyers return to; null until first saved. */
  readonly returnUrl: string | null;
  /** The enabled events; absent if none are. */
  readonly extraEvents?: readonly ExtraEvent[];
  /** When they were last saved. */
  readonly updatedAt: string | null;
};

/** Requests the callback secret, once, after the addresses are saved. */
export type IssueCallbackSecret = {
  /** The response goes straight into secret storage. */
  readonly confirmSecureStorage: true;
};

/** A place where payments are accepted. The client never chooses the bank or the acquiring route behind it. */
export type PaymentPoint = {
  /** The id to pass when a payment is created. */
  readonly paymentPointID: string;
  /** The store that it belongs to. */
  readonly storeID: string;
  /** For people. */
  readonly name: string;
  /** Payments are created at ACTIVE points only. */
  readonly status: PointStatus;
  /** What it accepts; charges of saved cards use CARD. */
  readonly paymentMethods: readonly PointMethod[];
};

/** A QR payment and its current status. */
export type QrPayment = {
  /** The id of the payment; called orderId in events. */
  readonly id: string;
  /** The status of the payment. */
  readonly status: PaymentStatus;
  /** Rubles, a decimal string such as `'10.50'`; on the wire the JSON number with exactly these digits. */
  readonly amount: string;
  /** Always RUB. */
  readonly currency: 'RUB';
  /** How the buyer pays. */
  readonly paymentMethod: 'SBP_DYNAMIC_QR';
  /** The payment point. */
  readonly paymentPointID: string;
  /**
   * The link that the code contains; leads to the buyer's bank. Present together with qrImage, while the payment is
   * open.
   */
  readonly nspkurl?: string;
  /**
   * The code as a PNG data URI. Like nspkurl, absent until the bank has registered the payment, and while its partner,
   * point or route is suspended or closed.
   */
  readonly qrImage?: string;
  /** Our hosted page with the code; absent while it cannot be used. */
  readonly paymentUrl?: string;
  /** When the payment session ends. */
  readonly expiresAt: string;
  /** When it was created. */
  readonly createdAt: string;
  /** The path of its current status. */
  readonly statusUrl: string;
  /** Payment purpose. At most 140 characters. */
  readonly description?: string;
  /** Why no money was taken. */
  readonly failureCode?: FailureCode;
  /** Human-readable; may be absent. */
  readonly statusReason?: string;
  /** The id of the operation at the bank; null if there is none. */
  readonly bankOperationId: string | null;
  /** The total of confirmed refunds. */
  readonly refundedAmount: string;
  /** When it last changed. */
  readonly updatedAt: string;
};

/** One line of a receipt. */
export type ReceiptItem = {
  /** What the receipt calls it. At most 128 characters. */
  readonly name: string;
  /** Unit price in rubles after discounts: an exact decimal string. */
  readonly price: string;
  /** A decimal string such as "1" or "0.250", greater than zero, at most 8 characters. At most 8 characters. */
  readonly quantity: string;
  /** Total in rubles: price times quantity, to the kopeck; a fraction of a kopeck may be rounded up or down. */
  readonly amount: string;
  /** The rate of VAT (tag 1199); NONE: not subject to it. */
  readonly vat: 'NONE' | 'VAT0' | 'VAT5' | 'VAT7' | 'VAT10' | 'VAT20' | 'VAT22' | 'VAT105' | 'VAT107' | 'VAT110' | 'VAT120' | 'VAT122';
  /** How it is paid for. */
  readonly paymentMethod: 'FULL_PREPAYMENT' | 'PREPAYMENT' | 'ADVANCE' | 'FULL_PAYMENT' | 'PARTIAL_PAYMENT' | 'CREDIT' | 'CREDIT_PAYMENT';
  /** What it is; COMPOSITE is allowed in FFD 1.05 only. */
  readonly paymentObject: 'COMMODITY' | 'EXCISE' | 'JOB' | 'SERVICE' | 'GAMBLING_BET' | 'GAMBLING_PRIZE' | 'LOTTERY' | 'LOTTERY_PRIZE' | 'INTELLECTUAL_ACTIVITY' | 'PAYMENT' | 'AGENT_COMMISSION' | 'COMPOSITE' | 'ANOTHER';
  /** Required in FFD 1.2, not allowed in FFD 1.05. */
  readonly measurementUnit?: 'PIECE' | 'GRAM' | 'KILOGRAM' | 'TON' | 'CENTIMETER' | 'DECIMETER' | 'METER' | 'SQUARE_CENTIMETER' | 'SQUARE_DECIMETER' | 'SQUARE_METER' | 'MILLILITER' | 'LITER' | 'CUBIC_METER' | 'KILOWATT_HOUR' | 'GIGACALORIE' | 'DAY' | 'HOUR' | 'MINUTE' | 'SECOND' | 'KILOBYTE' | 'MEGABYTE' | 'GIGABYTE' | 'TERABYTE' | 'OTHER';
};

/**
 * The contents of the 54-FZ receipt. The amounts of its items add up to the amount of the payment or refund. The
 * receipt is sent to the buyer's email or phone: one is required, both are allowed.
 */
export type Receipt = {
  /** The format version of the cash register; 1.05 if omitted. */
  readonly ffdVersion?: '1.05' | '1.2';
  /** The tax system of the seller (tag 1055). */
  readonly taxation: 'OSN' | 'USN_INCOME' | 'USN_INCOME_OUTCOME' | 'ESN' | 'PATENT';
  /** Where the buyer gets the receipt. At most 64 characters. */
  readonly email?: string;
  /** Where the buyer gets the receipt. */
  readonly phone?: string;
  /** What was sold. */
  readonly items: readonly ReceiptItem[];
};

/**
 * The buyer's consent to later charges. With capture MERCHANT the partner collected it, and states what was shown and
 * when.
 */
export type RecurringConsent = {
  /** Charges are made at most this often; fixed for the life of the binding. */
  readonly period: ChargePeriod;
} | {
  /** Charges are made at most this often; fixed for the life of the binding. */
  readonly period: ChargePeriod;
  /** You showed the consent on your own page, which has to be agreed with us. Left out: the payment page asks. */
  readonly capture: 'MERCHANT';
  /** Your number of the consent. At most 128 characters. */
  readonly reference: string;
  /** The version of the text that was shown. At most 128 characters. */
  readonly version: string;
  /** When the buyer agreed: ISO 8601 UTC, after 2014 and not in the future. */
  readonly acceptedAt: string;
  /** SHA-256, lowercase hex, of the exact UTF-8 text and terms shown to the buyer. */
  readonly evidenceHash: string;
};

/** The response to an accepted charge, and to a repeat of the request. */
export type RecurringPayment = {
  /** The id of the payment; called orderId in events. */
  readonly paymentId: string;
  /** The partner's unique order number. */
  readonly merchantOrderId: string;
  /** The status of the payment. */
  readonly status: PaymentStatus;
  /** Rubles: an exact decimal string with two decimal places. */
  readonly amount: string;
  /** Always RUB. */
  readonly currency: 'RUB';
  /** A charge of a saved card. */
  readonly paymentMethod: 'CARD_BINDING';
  /** The buyer is not present. */
  readonly experience: 'OFF_SESSION';
  /** The binding that is charged. */
  readonly bindingId: string;
  /** When the charge was accepted. */
  readonly createdAt: string;
  /** The path of its current status. */
  readonly statusUrl: string;
};

/** A refund and its current status. */
export type Refund = {
  /** The id of the refund. */
  readonly refundId: string;
  /** The id of the payment. */
  readonly orderId: string;
  /** The partner's order number; empty for QR. */
  readonly merchantOrderId: string;
  /** The partner's unique refund number. At most 64 characters. */
  readonly merchantRefundId?: string;
  /** The amount of this refund. */
  readonly amount: string;
  /** The total of confirmed refunds of the payment. */
  readonly refundedAmount: string;
  /** Always RUB. */
  readonly currency: 'RUB';
  /** PENDING: the bank has not decided. */
  readonly status: RefundStatus;
  /** As it was requested. */
  readonly reason?: string;
  /** Why no money was returned. */
  readonly failureCode?: RefundFailureCode;
  /** Human-readable; may be absent. */
  readonly statusReason?: string;
  /** The id of the operation at the bank; null if there is none. */
  readonly bankOperationId: string | null;
  /** When it was requested. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
  /** When the bank confirmed it. */
  readonly completedAt?: string;
  /** The path of its current status. */
  readonly statusUrl: string;
};

/** A closed day: what changed your ruble balance. */
export type Register = {
  /** A day in UTC, such as 2026-11-22. */
  readonly date: string;
  /** Always RUB. */
  readonly currency: 'RUB';
  /** What we owed you at the close of the previous day. */
  readonly openingBalance: string;
  /** Payments by buyers, before our fees. */
  readonly payments: string;
  /** Charges of saved cards, before our fees. */
  readonly recurringCharges: string;
  /** Reserved for refunds, less what was released by failed refunds. */
  readonly refunds: string;
  /** Our fees of the day: negative or zero. */
  readonly fees: string;
  /** openingBalance + payments + recurringCharges + refunds + fees, to the kopeck. */
  readonly closingBalance: string;
  /** The number of entries of the day. */
  readonly lines: number;
  /** The number of parts; each has at most 5,000 lines. */
  readonly parts: number;
  /** When the register was made; it never changes afterwards. */
  readonly madeAt: string;
};

/** One entry of a register. */
export type RegisterLine = {
  /** Numbered from 1 across all parts. */
  readonly line: number;
  /** Earlier than the day of the register if the entry missed the register of its own day. */
  readonly bookedAt: string;
  /** REFUND: requested, its amount is reserved; REFUND_FAILED: the amount is returned to the balance. */
  readonly type: 'PAYMENT' | 'RECURRING_CHARGE' | 'REFUND' | 'REFUND_FAILED';
  /** The payment. */
  readonly orderId: string;
  /** Your order number; empty for QR. */
  readonly merchantOrderId: string;
  /** The refund; null for a payment. */
  readonly refundId: string | null;
  /** Your refund number; null if there is none. */
  readonly merchantRefundId: string | null;
  /** The payment point. */
  readonly paymentPointID: string;
  /** How the buyer paid. */
  readonly paymentMethod: PaymentMethod;
  /** Before our fee; negative for a refund. */
  readonly amount: string;
  /** Negative or zero. */
  readonly fee: string;
  /** amount + fee. */
  readonly net: string;
  /** The balance after this line. */
  readonly balance: string;
};

/** A closed day with the lines of one of its parts. */
export type RegisterPart = {
  /** A day in UTC, such as 2026-11-22. */
  readonly date: string;
  /** Always RUB. */
  readonly currency: 'RUB';
  /** What we owed you at the close of the previous day. */
  readonly openingBalance: string;
  /** Payments by buyers, before our fees. */
  readonly payments: string;
  /** Charges of saved cards, before our fees. */
  readonly recurringCharges: string;
  /** Reserved for refunds, less what was released by failed refunds. */
  readonly refunds: string;
  /** Our fees of the day: negative or zero. */
  readonly fees: string;
  /** openingBalance + payments + recurringCharges + refunds + fees, to the kopeck. */
  readonly closingBalance: string;
  /** The number of entries of the day. */
  readonly lines: number;
  /** The number of parts; each has at most 5,000 lines. */
  readonly parts: number;
  /** When the register was made; it never changes afterwards. */
  readonly madeAt: string;
  /** Which part this is, from 1. */
  readonly part: number;
  /** The lines of this part. */
  readonly items: readonly RegisterLine[];
};

/** Where events are sent, and where buyers return to. */
export type NewEndpoints = {
  /** Used for all payment methods; must not respond with a redirect. */
  readonly callbackUrl: string;
  /** The default for all payments. */
  readonly returnUrl: string;
  /** Events to send in addition to the standard eight. Omitted: no change; []: none. */
  readonly extraEvents?: readonly ExtraEvent[];
};

/** The event that is sent again: the partner's latest payment.completed. */
export type TestCallback = {
  /** The event that is sent again. */
  readonly eventId: string;
  /** Its type. */
  readonly type: 'payment.completed';
  /** The id of the payment, called orderId in the event. */
  readonly orderId: string;
};

/** A closed day: what changed your USDT balance. */
export type UsdtRegister = {
  /** A day in UTC, such as 2026-11-22. */
  readonly date: string;
  /** Always USDT. */
  readonly currency: 'USDT';
  /** What was available at the close of the previous day, across all your stores. */
  readonly openingAvailable: string;
  /** What payout requests had reserved at that time. */
  readonly openingReserved: string;
  /** Credited to your stores. */
  readonly funded: string;
  /** Reserved by new payout requests. */
  readonly requested: string;
  /** Released by requests that were rejected, cancelled or failed. */
  readonly released: string;
  /** Paid out. */
  readonly completed: string;
  /** openingAvailable + funded - requested + released, to the millionth. */
  readonly closingAvailable: string;
  /** openingReserved + requested - released - completed, to the millionth. */
  readonly closingReserved: string;
  /** The number of entries of the day. */
  readonly lines: number;
  /** The number of parts; each has at most 5,000 lines. */
  readonly parts: number;
  /** When the register was made; it never changes afterwards. */
  readonly madeAt: string;
};

/** One entry of a USDT register. */
export type UsdtRegisterLine = {
  /** Numbered from 1 across all parts. */
  readonly line: number;
  /** Earlier than the day of the register if the entry missed the register of its own day. */
  readonly bookedAt: string;
  /** What happened. */
  readonly type: 'FUNDING' | 'WITHDRAWAL_REQUESTED' | 'WITHDRAWAL_REJECTED' | 'WITHDRAWAL_CANCELLED' | 'WITHDRAWAL_FAILED' | 'WITHDRAWAL_COMPLETED';
  /** The store whose balance changed. */
  readonly storeId: string;
  /** The payout request; null for a funding. */
  readonly withdrawalRequestId: string | null;
  /** The funding; null for a payout request. */
  readonly fundingId: string | null;
  /** The recipient; null for a funding. */
  readonly beneficiaryRef: string | null;
  /** The reference of the manual transfer; WITHDRAWAL_COMPLETED only. */
  readonly transferReference: string | null;
  /** Always positive, whatever the type. */
  readonly amount: string;
  /** The change of what is available. */
  readonly availableChange: string;
  /** The change of what is reserved. */
  readonly reservedChange: string;
  /** After this line, across all your stores. */
  readonly available: string;
  /** After this line, across all your stores. */
  readonly reserved: string;
};

/** A closed day in USDT with the lines of one of its parts. */
export type UsdtRegisterPart = {
  /** A day in UTC, such as 2026-11-22. */
  readonly date: string;
  /** Always USDT. */
  readonly currency: 'USDT';
  /** What was available at the close of the previous day, across all your stores. */
  readonly openingAvailable: string;
  /** What payout requests had reserved at that time. */
  readonly openingReserved: string;
  /** Credited to your stores. */
  readonly funded: string;
  /** Reserved by new payout requests. */
  readonly requested: string;
  /** Released by requests that were rejected, cancelled or failed. */
  readonly released: string;
  /** Paid out. */
  readonly completed: string;
  /** openingAvailable + funded - requested + released, to the millionth. */
  readonly closingAvailable: string;
  /** openingReserved + requested - released - completed, to the millionth. */
  readonly closingReserved: string;
  /** The number of entries of the day. */
  readonly lines: number;
  /** The number of parts; each has at most 5,000 lines. */
  readonly parts: number;
  /** When the register was made; it never changes afterwards. */
  readonly madeAt: string;
  /** Which part this is, from 1. */
  readonly part: number;
  /** The lines of this part. */
  readonly items: readonly UsdtRegisterLine[];
};

/** A store's balance in our internal accounting. It is not the balance of a wallet. */
export type WithdrawalBalance = {
  /** The store whose balance it is. At most 128 characters. */
  readonly storeId: string;
  /** Always USDT. */
  readonly currency: 'USDT';
  /** What can be requested: an exact decimal string with six decimal places. */
  readonly availableUsdt: string;
  /** What open payout requests hold: an exact decimal string with six decimal places. */
  readonly reservedUsdt: string;
};

/** A payout request. REQUESTED does not confirm a transfer. */
export type WithdrawalRequest = {
  /** The id of the payout request. */
  readonly withdrawalRequestId: string;
  /** The store whose balance it is. At most 128 characters. */
  readonly storeId: string;
  /** USDT: an exact decimal string with six decimal places. */
  readonly amountUsdt: string;
  /** An agreed recipient, by the reference that the service issued: never a wallet address. At most 128 characters. */
  readonly beneficiaryRef: string;
  /** The status of the payout request. */
  readonly status: WithdrawalStatus;
  /** Why it was rejected, cancelled or failed. */
  readonly statusReason?: string;
  /** When it was approved or rejected. */
  readonly reviewedAt?: string;
  /** When the transfer was confirmed. */
  readonly completedAt?: string;
  /** The reference of the manual transfer. */
  readonly transferReference?: string;
  /** When it was requested. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
};
