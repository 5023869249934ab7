// Made from packages/contract by `node packages/contract/src/write-sdk-types.ts`: change it there.

/**
 * The records of the API as this client hands them over: as on the wire, but every amount is a decimal string, because
 * a JavaScript number cannot hold every amount. Moments are ISO 8601 UTC strings.
 */

/** How a payment stands. */
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

/** The ends of a payment in which no money was taken. */
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

/** Why a payment ended without money. A newer service may know more. */
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

/**
 * Whether a declined charge may be tried again: not with this card, later (schemes limit how often), or at any time.
 */
export const RETRY_ADVICE = [
  'DO_NOT_RETRY',
  'RETRY_LATER',
  'RETRY_ANY_TIME',
] as const;
export type RetryAdvice = (typeof RETRY_ADVICE)[number];

/** How a refund stands. */
export const REFUND_STATUSES = [
  'PENDING',
  'COMPLETED',
  'FAILED',
] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** Why a refund failed: the words of payments, and one of its own. */
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

/** How a payment point stands. */
export const POINT_STATUSES = [
  'ACTIVE',
  'SUSPENDED',
  'CLOSED',
] as const;
export type PointStatus = (typeof POINT_STATUSES)[number];

/** What a payment point takes: charges of saved cards come through CARD. */
export const POINT_METHODS = [
  'CARD',
  'SBP_DYNAMIC_QR',
] as const;
export type PointMethod = (typeof POINT_METHODS)[number];

/** How a saved card stands. */
export const BINDING_STATUSES = [
  'ACTIVE',
  'REVOKED',
  'EXPIRED',
] as const;
export type BindingStatus = (typeof BINDING_STATUSES)[number];

/** How often a saved card may be charged at most. */
export const CHARGE_PERIODS = [
  'PT1M',
  'PT1H',
  'P1D',
  'P1W',
  'P1M',
  'P1Y',
] as const;
export type ChargePeriod = (typeof CHARGE_PERIODS)[number];

/** How a payout request stands. */
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

/** Where an event stands. NOT_CONFIGURED: kept and not sent, until a replay asks for it. */
export const EVENT_STATUSES = [
  'WAITING',
  'DELIVERED',
  'REFUSED',
  'EXHAUSTED',
  'NOT_CONFIGURED',
] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** Events that are sent to those who switched them on. */
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

/** What a refusal is called. A newer service may know more. */
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

/** A page of a list, the newest first. */
export type ListPage<Item> = {
  readonly items: readonly Item[];
  /** Pass it as `pageToken` of the next call; null on the last page. */
  readonly nextPageToken: string | null;
};

/** Which page of a list. */
export type PageOptions = {
  /** 1 to 100. */
  readonly limit?: number;
  /** nextPageToken of the page before. */
  readonly pageToken?: string;
};

/** Which card payments and charges of saved cards. */
export type CardListOptions = {
  /** 1 to 100. */
  readonly limit?: number;
  /** nextPageToken of the page before. */
  readonly pageToken?: string;
  /** The one with this orderID or merchantOrderId: none or one. */
  readonly orderID?: string;
  /** Identifier of the buyer in the partner's system. At most 128 characters. */
  readonly customerID?: string;
  /** At most 128 characters. */
  readonly paymentPointID?: string;
  /** Created at this moment or later. */
  readonly from?: string;
  /** Created before this moment. */
  readonly to?: string;
  readonly status?: PaymentStatus;
};

/** Which QR payments of a point. */
export type QrHistoryOptions = {
  /** 1 to 100. */
  readonly limit?: number;
  /** nextPageToken of the page before. */
  readonly pageToken?: string;
  /** Created at this moment or later. */
  readonly from?: string;
  /** Created before this moment. */
  readonly to?: string;
  readonly status?: PaymentStatus;
};

/** Whose saved cards, and which. */
export type BindingFilter = {
  /** 1 to 100. */
  readonly limit?: number;
  /** nextPageToken of the page before. */
  readonly pageToken?: string;
  /** The buyer. At most 128 characters. */
  readonly customerId: string;
  readonly status?: BindingStatus;
};

/** Which events; what is left out does not narrow. */
export type EventFilter = {
  /** 1 to 100. */
  readonly limit?: number;
  /** nextPageToken of the page before. */
  readonly pageToken?: string;
  /** Of this payment, binding or payout request. */
  readonly objectId?: string;
  readonly type?: string;
  /**
   * WAITING: an attempt is due, running or planned; DELIVERED: answered 200; REFUSED: another 4xx; EXHAUSTED: the plan
   * is used up; NOT_CONFIGURED: kept and not sent, since there was no address or secret yet, or the event was not
   * switched on.
   */
  readonly status?: EventStatus;
  /** Recorded at this moment or later. */
  readonly from?: string;
  /** Recorded before this moment. */
  readonly to?: string;
};

/** Which registers. */
export type RegisterListOptions = {
  /** 1 to 100. */
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
  /** 1 to 100. */
  readonly limit?: number;
  /** nextPageToken of the page before. */
  readonly pageToken?: string;
  /** At most 128 characters. */
  readonly storeId?: string;
  readonly status?: WithdrawalStatus;
};

/** A saved card that its buyer agreed to be charged, not more often than once in a period. */
export type Binding = {
  readonly bindingId: string;
  /** Identifier of the buyer in the partner's system. At most 128 characters. */
  readonly customerId: string;
  readonly status: BindingStatus;
  readonly consentId: string;
  readonly period: ChargePeriod;
  readonly lastChargedAt: string;
  /** The earliest moment at which a new charge is accepted. */
  readonly nextChargeAt: string;
  readonly createdAt: string;
  /** Absent when the payment channel did not confirm it. */
  readonly cardMask?: string;
  /** Absent when the payment channel did not confirm it. */
  readonly cardExpiry?: string;
  readonly revokedAt?: string;
};

/** An event of the partner, and what became of it. */
export type CallbackEvent = {
  readonly eventId: string;
  readonly type: string;
  /** The payment (orderId in the event), binding or payout request. */
  readonly objectId: string;
  readonly aggregateVersion: number;
  /**
   * WAITING: an attempt is due, running or planned; DELIVERED: answered 200; REFUSED: another 4xx; EXHAUSTED: the plan
   * is used up; NOT_CONFIGURED: kept and not sent, since there was no address or secret yet, or the event was not
   * switched on.
   */
  readonly status: EventStatus;
  /** Of the present round: a replay begins a new one. */
  readonly attemptCount: number;
  /** When it was noted down; from and to of the list measure it. */
  readonly recordedAt: string;
  /** Null once it ended. */
  readonly nextAttemptAt: string | null;
  readonly endedAt: string | null;
};

/** One attempt at your address. */
export type CallbackAttempt = {
  /** Within its round, from 1. */
  readonly number: number;
  /** The callbackUrl of that moment. */
  readonly url: string;
  /** The keys it was signed with. */
  readonly keyIds: readonly string[];
  readonly startedAt: string;
  readonly durationMs: number;
  /** Null when there was no answer. */
  readonly httpStatus: number | null;
  /** Why there was no answer. */
  readonly failure: string | null;
  /** FLAGGED: an answer that confirms nothing, such as 204 or a redirect; tried again like RETRY. */
  readonly outcome: 'DELIVERED' | 'REFUSED' | 'RETRY' | 'FLAGGED';
  /** The first 16 KiB that your address answered with, base64; null beside a 200 and where nothing came. */
  readonly answerBase64: string | null;
  readonly nextAttemptAt: string | null;
  /** Made because a replay was asked for. */
  readonly isReplay: boolean;
};

/** An event with what was sent and its newest hundred attempts, the oldest of them first. */
export type CallbackEventStory = {
  readonly eventId: string;
  readonly type: string;
  /** The payment (orderId in the event), binding or payout request. */
  readonly objectId: string;
  readonly aggregateVersion: number;
  /**
   * WAITING: an attempt is due, running or planned; DELIVERED: answered 200; REFUSED: another 4xx; EXHAUSTED: the plan
   * is used up; NOT_CONFIGURED: kept and not sent, since there was no address or secret yet, or the event was not
   * switched on.
   */
  readonly status: EventStatus;
  /** Of the present round: a replay begins a new one. */
  readonly attemptCount: number;
  /** When it was noted down; from and to of the list measure it. */
  readonly recordedAt: string;
  /** Null once it ended. */
  readonly nextAttemptAt: string | null;
  readonly endedAt: string | null;
  /** What is sent, byte for byte: UTF-8. */
  readonly body: string;
  readonly attempts: readonly CallbackAttempt[];
};

/** The callback secret. It is not shown again after replayUntil. */
export type CallbackSecret = {
  /** Base64 of 32 bytes. */
  readonly secret: string;
  /** Named in the signature header. */
  readonly keyId: string;
  readonly algorithm: 'HMAC-SHA256';
  readonly signatureHeader: 'X-Service-Signature';
  readonly issuedAt: string;
  /** Until then a repeat with the same Idempotency-Key gives the same answer. */
  readonly replayUntil: string;
};

/** How a card payment stands. */
export type CardPayment = {
  /** The payment; events call it orderId. */
  readonly id: string;
  /** The partner's unique order number. */
  readonly orderID: string;
  /** Rubles, a decimal string such as `'10.50'`; on the wire the JSON number with exactly these digits. */
  readonly amount: string;
  readonly currency: 'RUB';
  readonly status: PaymentStatus;
  /** The hosted payment page; absent when it cannot be used. */
  readonly paymentUrl?: string;
  /** End of the payment session. */
  readonly expiresAt: string;
  readonly statusUrl: string;
  readonly paymentPointID: string;
  /** Identifier of the buyer in the partner's system. At most 128 characters. */
  readonly customerID: string;
  /** Payment purpose. At most 140 characters. */
  readonly description: string;
  readonly paymentMethod: 'CARD' | 'CARD_BINDING';
  /** From the moment the payment that saves the card is COMPLETED; of a charge, the one charged. */
  readonly bindingId?: string;
  readonly failureCode?: FailureCode;
  /** For people; may be absent. */
  readonly statusReason?: string;
  /** Of a failed charge of a saved card: whether it may be tried again. */
  readonly retryAdvice?: RetryAdvice;
  readonly bankOperationId: string | null;
  /** Rubles: an exact decimal string with two digits after the point. */
  readonly refundedAmount: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** A new card payment. Card details are typed on the hosted payment page only. */
export type NewCardPayment = {
  /** May be left out with exactly one active point. At most 128 characters. */
  readonly paymentPointID?: string;
  /** The partner's unique order number. */
  readonly orderID: string;
  /** Rubles, a decimal string such as `'10.50'`; on the wire the JSON number with exactly these digits. */
  readonly amount: string;
  readonly currency: 'RUB';
  /** Payment purpose. At most 140 characters. */
  readonly description: string;
  /** Identifier of the buyer in the partner's system. At most 128 characters. */
  readonly customerID: string;
  /** Only path and query may differ from the saved returnUrl. */
  readonly returnUrl?: string;
  /** true: save the card, if the buyer agrees on the form; the payment stays CREATED until then. */
  readonly savePaymentMethod?: boolean;
  readonly recurringConsent?: RecurringConsent;
  readonly receipt?: Receipt;
};

/** A new SBP payment that the buyer pays by a code. It has no order number: match it by its id. */
export type NewQrPayment = {
  /** May be left out with exactly one active point. At most 128 characters. */
  readonly paymentPointID?: string;
  /** Rubles, a decimal string such as `'10.50'`; on the wire the JSON number with exactly these digits. */
  readonly amount: string;
  readonly currency?: 'RUB';
  /** Payment purpose. At most 140 characters. */
  readonly description?: string;
  /** Only path and query may differ from the saved returnUrl. */
  readonly returnUrl?: string;
  readonly receipt?: Receipt;
};

/** Charges a saved card without its buyer. */
export type NewRecurringPayment = {
  /** The partner's unique order number. */
  readonly merchantOrderId: string;
  /** Rubles: an exact decimal string with two digits after the point. */
  readonly amount: string;
  readonly currency: 'RUB';
  readonly bindingId: string;
  /** Payment purpose. At most 140 characters. */
  readonly description: string;
  readonly receipt?: Receipt;
};

/** Money back to the buyer: a part, or all that remains. */
export type NewRefund = {
  /** Left out: all that remains. */
  readonly amount?: string;
  /** At most 140 characters. */
  readonly reason?: string;
  /** The partner's unique number of the refund. At most 64 characters. */
  readonly merchantRefundId?: string;
  /** What is given back. Needed for a part of a payment that was made with one. */
  readonly receipt?: Receipt;
};

/** Asks for a payout, which people check and transfer by hand. */
export type NewWithdrawalRequest = {
  /** At most 128 characters. */
  readonly storeId: string;
  /** USDT: a decimal string with up to six digits after the point, at least 0.000001. */
  readonly amountUsdt: string;
  /** An agreed recipient, by the reference that the service issued: never a wallet address. At most 128 characters. */
  readonly beneficiaryRef: string;
};

/** The answer to a created card payment, and to its repeat. */
export type CreatedCardPayment = {
  /** The payment; events call it orderId. */
  readonly id: string;
  /** The partner's unique order number. */
  readonly orderID: string;
  /** Rubles, a decimal string such as `'10.50'`; on the wire the JSON number with exactly these digits. */
  readonly amount: string;
  readonly currency: 'RUB';
  readonly status: PaymentStatus;
  /** The hosted payment page; absent when it cannot be used. */
  readonly paymentUrl?: string;
  /** End of the payment session. */
  readonly expiresAt: string;
  readonly statusUrl: string;
};

/** The answer to a created QR payment, and to its repeat. */
export type CreatedQrPayment = {
  /** The payment; events call it orderId. */
  readonly id: string;
  readonly status: PaymentStatus;
  /** Rubles, a decimal string such as `'10.50'`; on the wire the JSON number with exactly these digits. */
  readonly amount: string;
  readonly currency: 'RUB';
  readonly paymentMethod: 'SBP_DYNAMIC_QR';
  readonly paymentPointID: string;
  /** The link behind the code; opens the buyer's bank. Comes together with qrImage, while the payment is open. */
  readonly nspkurl?: string;
  /**
   * The code as a PNG data URI; absent, as nspkurl is, until the bank registered the payment, and while its partner,
   * point or route is suspended or closed.
   */
  readonly qrImage?: string;
  /** Our own page with the code, while it can be used. */
  readonly paymentUrl?: string;
  /** End of the payment session. */
  readonly expiresAt: string;
  readonly createdAt: string;
  readonly statusUrl: string;
};

/** The saved addresses; null before the first save. */
export type Endpoints = {
  /** An absolute public HTTPS address without fragment. */
  readonly callbackUrl: string | null;
  /** An absolute public HTTPS address without fragment. */
  readonly returnUrl: string | null;
  /** What is switched on; absent when nothing is. */
  readonly extraEvents?: readonly ExtraEvent[];
  readonly updatedAt: string | null;
};

/** Asks for the callback secret, once, after the addresses are saved. */
export type IssueCallbackSecret = {
  readonly confirmSecureStorage: true;
};

/** A place where payments are taken. The bank and the route behind it are never chosen by the client. */
export type PaymentPoint = {
  readonly paymentPointID: string;
  readonly storeID: string;
  readonly name: string;
  readonly status: PointStatus;
  readonly paymentMethods: readonly PointMethod[];
};

/** How a QR payment stands. */
export type QrPayment = {
  /** The payment; events call it orderId. */
  readonly id: string;
  readonly status: PaymentStatus;
  /** Rubles, a decimal string such as `'10.50'`; on the wire the JSON number with exactly these digits. */
  readonly amount: string;
  readonly currency: 'RUB';
  readonly paymentMethod: 'SBP_DYNAMIC_QR';
  readonly paymentPointID: string;
  /** The link behind the code; opens the buyer's bank. Comes together with qrImage, while the payment is open. */
  readonly nspkurl?: string;
  /**
   * The code as a PNG data URI; absent, as nspkurl is, until the bank registered the payment, and while its partner,
   * point or route is suspended or closed.
   */
  readonly qrImage?: string;
  /** Our own page with the code, while it can be used. */
  readonly paymentUrl?: string;
  /** End of the payment session. */
  readonly expiresAt: string;
  readonly createdAt: string;
  readonly statusUrl: string;
  /** Payment purpose. At most 140 characters. */
  readonly description?: string;
  readonly failureCode?: FailureCode;
  /** For people; may be absent. */
  readonly statusReason?: string;
  readonly bankOperationId: string | null;
  /** Rubles: an exact decimal string with two digits after the point. */
  readonly refundedAmount: string;
  readonly updatedAt: string;
};

/** One line of a receipt. */
export type ReceiptItem = {
  /** At most 128 characters. */
  readonly name: string;
  /** Rubles for one, with discounts: an exact decimal string. */
  readonly price: string;
  /** A decimal string such as "1" or "0.250", at most 8 characters. */
  readonly quantity: string;
  /** Rubles for all: price times quantity, to the kopeck, a part of one rounded either way. */
  readonly amount: string;
  readonly vat: 'NONE' | 'VAT0' | 'VAT5' | 'VAT7' | 'VAT10' | 'VAT20' | 'VAT22' | 'VAT105' | 'VAT107' | 'VAT110' | 'VAT120' | 'VAT122';
  /** How it is paid for. */
  readonly paymentMethod: 'FULL_PREPAYMENT' | 'PREPAYMENT' | 'ADVANCE' | 'FULL_PAYMENT' | 'PARTIAL_PAYMENT' | 'CREDIT' | 'CREDIT_PAYMENT';
  /** What it is; COMPOSITE is of FFD 1.05 only. */
  readonly paymentObject: 'COMMODITY' | 'EXCISE' | 'JOB' | 'SERVICE' | 'GAMBLING_BET' | 'GAMBLING_PRIZE' | 'LOTTERY' | 'LOTTERY_PRIZE' | 'INTELLECTUAL_ACTIVITY' | 'PAYMENT' | 'AGENT_COMMISSION' | 'COMPOSITE' | 'ANOTHER';
  /** Of FFD 1.2, and only there. */
  readonly measurementUnit?: 'PIECE' | 'GRAM' | 'KILOGRAM' | 'TON' | 'CENTIMETER' | 'DECIMETER' | 'METER' | 'SQUARE_CENTIMETER' | 'SQUARE_DECIMETER' | 'SQUARE_METER' | 'MILLILITER' | 'LITER' | 'CUBIC_METER' | 'KILOWATT_HOUR' | 'GIGACALORIE' | 'DAY' | 'HOUR' | 'MINUTE' | 'SECOND' | 'KILOBYTE' | 'MEGABYTE' | 'GIGABYTE' | 'TERABYTE' | 'OTHER';
};

/**
 * What the receipt of 54-FZ says. The amounts of its items sum to the amount of the payment or refund. email or phone,
 * or both, of the buyer: where the receipt goes.
 */
export type Receipt = {
  /** As the cash register has it; 1.05 when left out. */
  readonly ffdVersion?: '1.05' | '1.2';
  readonly taxation: 'OSN' | 'USN_INCOME' | 'USN_INCOME_OUTCOME' | 'ESN' | 'PATENT';
  /** At most 64 characters. */
  readonly email?: string;
  readonly phone?: string;
  readonly items: readonly ReceiptItem[];
};

/** The buyer's consent to later charges. With capture MERCHANT the partner showed it, and says what and when. */
export type RecurringConsent = {
  /** Not more often than this; for the whole binding. */
  readonly period: ChargePeriod;
} | {
  /** Not more often than this; for the whole binding. */
  readonly period: ChargePeriod;
  readonly capture: 'MERCHANT';
  /** At most 128 characters. */
  readonly reference: string;
  /** At most 128 characters. */
  readonly version: string;
  readonly acceptedAt: string;
  /** SHA-256, lowercase hex, of the exact UTF-8 text and terms shown to the buyer. */
  readonly evidenceHash: string;
};

/** The accepted charge, and its repeat. */
export type RecurringPayment = {
  readonly paymentId: string;
  /** The partner's unique order number. */
  readonly merchantOrderId: string;
  readonly status: PaymentStatus;
  /** Rubles: an exact decimal string with two digits after the point. */
  readonly amount: string;
  readonly currency: 'RUB';
  readonly paymentMethod: 'CARD_BINDING';
  readonly experience: 'OFF_SESSION';
  readonly bindingId: string;
  readonly createdAt: string;
  readonly statusUrl: string;
};

/** How a refund stands. */
export type Refund = {
  readonly refundId: string;
  /** The id of the payment. */
  readonly orderId: string;
  /** The partner's order number; empty for QR. */
  readonly merchantOrderId: string;
  /** The partner's unique number of the refund. At most 64 characters. */
  readonly merchantRefundId?: string;
  /** Of this refund. */
  readonly amount: string;
  /** Confirmed refunds of the payment in all. */
  readonly refundedAmount: string;
  readonly currency: 'RUB';
  readonly status: RefundStatus;
  readonly reason?: string;
  readonly failureCode?: RefundFailureCode;
  /** For people; may be absent. */
  readonly statusReason?: string;
  readonly bankOperationId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly completedAt?: string;
  readonly statusUrl: string;
};

/** A closed day: what moved your balance in rubles. */
export type Register = {
  /** A day in UTC, such as 2026-11-22. */
  readonly date: string;
  readonly currency: 'RUB';
  /** What we owed you when the day before was closed. */
  readonly openingBalance: string;
  /** Payments of buyers, before our fees. */
  readonly payments: string;
  /** Charges of saved cards, before our fees. */
  readonly recurringCharges: string;
  /** Set aside for refunds, less what came back from refunds that failed. */
  readonly refunds: string;
  /** Rubles: an exact decimal string with two digits after the point, negative with a minus. */
  readonly fees: string;
  /** openingBalance + payments + recurringCharges + refunds + fees, to the kopeck. */
  readonly closingBalance: string;
  /** Bookings of the day. */
  readonly lines: number;
  /** A part has 5,000 lines at most. */
  readonly parts: number;
  /** Nothing of it changes afterwards. */
  readonly madeAt: string;
};

/** One booking of a register. */
export type RegisterLine = {
  /** From 1 through all parts. */
  readonly line: number;
  /** Before the day where it was booked too late for the register of its own day. */
  readonly bookedAt: string;
  /** REFUND: asked for, its amount is set aside; REFUND_FAILED: the amount is back. */
  readonly type: 'PAYMENT' | 'RECURRING_CHARGE' | 'REFUND' | 'REFUND_FAILED';
  /** The payment. */
  readonly orderId: string;
  /** Your order number; empty for QR. */
  readonly merchantOrderId: string;
  readonly refundId: string | null;
  readonly merchantRefundId: string | null;
  readonly paymentPointID: string;
  readonly paymentMethod: PaymentMethod;
  /** Before our fee; negative where it goes back. */
  readonly amount: string;
  /** Negative or zero. */
  readonly fee: string;
  /** amount + fee. */
  readonly net: string;
  /** After this line. */
  readonly balance: string;
};

/** A closed day with the lines of one of its parts. */
export type RegisterPart = {
  /** A day in UTC, such as 2026-11-22. */
  readonly date: string;
  readonly currency: 'RUB';
  /** What we owed you when the day before was closed. */
  readonly openingBalance: string;
  /** Payments of buyers, before our fees. */
  readonly payments: string;
  /** Charges of saved cards, before our fees. */
  readonly recurringCharges: string;
  /** Set aside for refunds, less what came back from refunds that failed. */
  readonly refunds: string;
  /** Rubles: an exact decimal string with two digits after the point, negative with a minus. */
  readonly fees: string;
  /** openingBalance + payments + recurringCharges + refunds + fees, to the kopeck. */
  readonly closingBalance: string;
  /** Bookings of the day. */
  readonly lines: number;
  /** A part has 5,000 lines at most. */
  readonly parts: number;
  /** Nothing of it changes afterwards. */
  readonly madeAt: string;
  readonly part: number;
  readonly items: readonly RegisterLine[];
};

/** Where events go, and where buyers go back to. */
export type NewEndpoints = {
  /** One for all payment methods; must not answer with a redirect. */
  readonly callbackUrl: string;
  /** The default for all payments. */
  readonly returnUrl: string;
  /** Events to be sent beside the eight; stays as it is where it is left out, [] switches all off. */
  readonly extraEvents?: readonly ExtraEvent[];
};

/** The event that is sent again: the newest payment.completed of the partner. */
export type TestCallback = {
  readonly eventId: string;
  readonly type: 'payment.completed';
  /** The payment, as the event names it. */
  readonly orderId: string;
};

/** A closed day: what moved your USDT. */
export type UsdtRegister = {
  /** A day in UTC, such as 2026-11-22. */
  readonly date: string;
  readonly currency: 'USDT';
  /** What was available when the day before was closed, over all your stores. */
  readonly openingAvailable: string;
  /** What payout requests had reserved then. */
  readonly openingReserved: string;
  /** Credited to your stores. */
  readonly funded: string;
  /** Reserved by new payout requests. */
  readonly requested: string;
  /** Available again: requests that were rejected, cancelled or failed. */
  readonly released: string;
  /** Paid out. */
  readonly completed: string;
  /** openingAvailable + funded - requested + released, to the millionth. */
  readonly closingAvailable: string;
  /** openingReserved + requested - released - completed, to the millionth. */
  readonly closingReserved: string;
  /** Bookings of the day. */
  readonly lines: number;
  /** A part has 5,000 lines at most. */
  readonly parts: number;
  /** Nothing of it changes afterwards. */
  readonly madeAt: string;
};

/** One booking of a register in USDT. */
export type UsdtRegisterLine = {
  /** From 1 through all parts. */
  readonly line: number;
  /** Before the day where it was booked too late for the register of its own day. */
  readonly bookedAt: string;
  readonly type: 'FUNDING' | 'WITHDRAWAL_REQUESTED' | 'WITHDRAWAL_REJECTED' | 'WITHDRAWAL_CANCELLED' | 'WITHDRAWAL_FAILED' | 'WITHDRAWAL_COMPLETED';
  readonly storeId: string;
  readonly withdrawalRequestId: string | null;
  readonly fundingId: string | null;
  readonly beneficiaryRef: string | null;
  /** Of the transfer that was made by hand; WITHDRAWAL_COMPLETED only. */
  readonly transferReference: string | null;
  /** Positive, whatever the type. */
  readonly amount: string;
  /** USDT: an exact decimal string with six digits after the point, negative with a minus. */
  readonly availableChange: string;
  /** USDT: an exact decimal string with six digits after the point, negative with a minus. */
  readonly reservedChange: string;
  /** After this line, over all your stores. */
  readonly available: string;
  /** After this line, over all your stores. */
  readonly reserved: string;
};

/** A closed day in USDT with the lines of one of its parts. */
export type UsdtRegisterPart = {
  /** A day in UTC, such as 2026-11-22. */
  readonly date: string;
  readonly currency: 'USDT';
  /** What was available when the day before was closed, over all your stores. */
  readonly openingAvailable: string;
  /** What payout requests had reserved then. */
  readonly openingReserved: string;
  /** Credited to your stores. */
  readonly funded: string;
  /** Reserved by new payout requests. */
  readonly requested: string;
  /** Available again: requests that were rejected, cancelled or failed. */
  readonly released: string;
  /** Paid out. */
  readonly completed: string;
  /** openingAvailable + funded - requested + released, to the millionth. */
  readonly closingAvailable: string;
  /** openingReserved + requested - released - completed, to the millionth. */
  readonly closingReserved: string;
  /** Bookings of the day. */
  readonly lines: number;
  /** A part has 5,000 lines at most. */
  readonly parts: number;
  /** Nothing of it changes afterwards. */
  readonly madeAt: string;
  readonly part: number;
  readonly items: readonly UsdtRegisterLine[];
};

/** What a store has in internal accounting. It is not the balance of a wallet. */
export type WithdrawalBalance = {
  /** At most 128 characters. */
  readonly storeId: string;
  readonly currency: 'USDT';
  /** USDT: an exact decimal string with six digits after the point. */
  readonly availableUsdt: string;
  /** USDT: an exact decimal string with six digits after the point. */
  readonly reservedUsdt: string;
};

/** A saved wish for a payout. REQUESTED confirms no transfer. */
export type WithdrawalRequest = {
  readonly withdrawalRequestId: string;
  /** At most 128 characters. */
  readonly storeId: string;
  /** USDT: an exact decimal string with six digits after the point. */
  readonly amountUsdt: string;
  /** An agreed recipient, by the reference that the service issued: never a wallet address. At most 128 characters. */
  readonly beneficiaryRef: string;
  readonly status: WithdrawalStatus;
  /** Why it was rejected, cancelled, or failed. */
  readonly statusReason?: string;
  readonly reviewedAt?: string;
  readonly completedAt?: string;
  /** Of the transfer that was made by hand. */
  readonly transferReference?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};
