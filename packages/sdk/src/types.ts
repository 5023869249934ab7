/**
 * The records of the API as this client hands them over: as on the wire, but every amount is a decimal string, because
 * a JavaScript number cannot hold every amount. Moments are ISO 8601 UTC strings.
 */

/** How often a saved card may be charged at most. See spec/service-contract#charge-periods. */
export type ChargePeriod = 'PT1M' | 'PT1H' | 'P1D' | 'P1W' | 'P1M' | 'P1Y';

/** The buyer's consent to later charges. With `capture: 'MERCHANT'` you showed it, and say what and when. */
export type RecurringConsent =
  | { readonly period: ChargePeriod }
  | {
      readonly period: ChargePeriod;
      readonly capture: 'MERCHANT';
      readonly reference: string;
      readonly version: string;
      readonly acceptedAt: string;
      /** SHA-256, lowercase hex, of the exact UTF-8 text and terms shown. */
      readonly evidenceHash: string;
    };

/** What the receipt of 54-FZ says. Every number is a decimal string. */
export type Receipt = {
  /** As the cash register has it. Left out: 1.05. */
  readonly ffdVersion?: '1.05' | '1.2';
  readonly taxation: 'OSN' | 'USN_INCOME' | 'USN_INCOME_OUTCOME' | 'ESN' | 'PATENT';
  /** Of the buyer: this, or `phone`, or both. */
  readonly email?: string;
  /** `'+79031234567'`. */
  readonly phone?: string;
  /** 1 to 100. Their amounts sum to the amount of the payment or refund. */
  readonly items: readonly ReceiptItem[];
};

/** One line of a receipt. */
export type ReceiptItem = {
  /** Up to 128 characters. */
  readonly name: string;
  /** Rubles for one, with discounts: `'10.50'`. */
  readonly price: string;
  /** `'1'`, `'0.250'`: at most three digits after the point, 8 characters in all. */
  readonly quantity: string;
  /** Rubles for all: price times quantity, to the kopeck. */
  readonly amount: string;
  readonly vat:
    | 'NONE'
    | 'VAT0'
    | 'VAT5'
    | 'VAT7'
    | 'VAT10'
    | 'VAT20'
    | 'VAT22'
    | 'VAT105'
    | 'VAT107'
    | 'VAT110'
    | 'VAT120'
    | 'VAT122';
  readonly paymentMethod:
    'FULL_PREPAYMENT' | 'PREPAYMENT' | 'ADVANCE' | 'FULL_PAYMENT' | 'PARTIAL_PAYMENT' | 'CREDIT' | 'CREDIT_PAYMENT';
  readonly paymentObject:
    | 'COMMODITY'
    | 'EXCISE'
    | 'JOB'
    | 'SERVICE'
    | 'GAMBLING_BET'
    | 'GAMBLING_PRIZE'
    | 'LOTTERY'
    | 'LOTTERY_PRIZE'
    | 'INTELLECTUAL_ACTIVITY'
    | 'PAYMENT'
    | 'AGENT_COMMISSION'
    | 'COMPOSITE'
    | 'ANOTHER';
  /** Of FFD 1.2, and only there. */
  readonly measurementUnit?:
    | 'PIECE'
    | 'GRAM'
    | 'KILOGRAM'
    | 'TON'
    | 'CENTIMETER'
    | 'DECIMETER'
    | 'METER'
    | 'SQUARE_CENTIMETER'
    | 'SQUARE_DECIMETER'
    | 'SQUARE_METER'
    | 'MILLILITER'
    | 'LITER'
    | 'CUBIC_METER'
    | 'KILOWATT_HOUR'
    | 'GIGACALORIE'
    | 'DAY'
    | 'HOUR'
    | 'MINUTE'
    | 'SECOND'
    | 'KILOBYTE'
    | 'MEGABYTE'
    | 'GIGABYTE'
    | 'TERABYTE'
    | 'OTHER';
};

/** A new card payment. */
export type NewCardPayment = {
  /** May be left out when you have exactly one active point. */
  readonly paymentPointID?: string;
  /** Yours, unique; Latin letters, digits and `._:-`, up to 64. */
  readonly orderID: string;
  /** Rubles as a decimal string: `'10'`, `'10.5'`, `'10.50'`. It goes on the wire as exactly this JSON number. */
  readonly amount: string;
  readonly currency: 'RUB';
  readonly description: string;
  readonly customerID: string;
  readonly returnUrl?: string;
  readonly savePaymentMethod?: boolean;
  readonly recurringConsent?: RecurringConsent;
  readonly receipt?: Receipt;
};

/** See spec/service-contract#payment-states. */
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

/** Why a payment ended without money. See spec/decisions#failure-codes; a newer service may know more. */
export type FailureCode =
  | 'INSUFFICIENT_FUNDS'
  | 'CARD_EXPIRED'
  | 'CARD_BLOCKED'
  | 'INVALID_CARD_DETAILS'
  | 'CARD_NOT_SUPPORTED'
  | 'LIMIT_EXCEEDED'
  | 'AUTHENTICATION_FAILED'
  | 'DECLINED_BY_ISSUER'
  | 'FRAUD_SUSPECTED'
  | 'CONSENT_REVOKED'
  | 'ISSUER_UNAVAILABLE'
  | 'PROCESSING_ERROR'
  | 'CANCELLED_BY_CUSTOMER'
  | 'CANCELLED_BY_PARTNER'
  | 'SESSION_EXPIRED';

/** Whether a declined charge may be tried again: not with this card, later (schemes limit how often), or at any time. */
export type RetryAdvice = 'DO_NOT_RETRY' | 'RETRY_LATER' | 'RETRY_ANY_TIME';

/** Why a refund failed: the same words, and one of its own. */
export type RefundFailureCode = FailureCode | 'REFUND_PERIOD_EXPIRED';

/** See spec/service-contract#binding-states. */
export type BindingStatus = 'ACTIVE' | 'REVOKED' | 'EXPIRED';

/** A saved card that its buyer agreed to be charged, not more often than once in `period`. */
export type Binding = {
  readonly bindingId: string;
  readonly customerId: string;
  readonly status: BindingStatus;
  readonly consentId: string;
  readonly period: ChargePeriod;
  readonly lastChargedAt: string;
  /** The earliest moment at which a new charge is accepted. */
  readonly nextChargeAt: string;
  readonly createdAt: string;
  /** `220070******1234`; absent when the payment channel did not confirm it, as `cardExpiry`. */
  readonly cardMask?: string;
  /** `2028-09`. */
  readonly cardExpiry?: string;
  readonly revokedAt?: string;
};

/** Whose bindings, and which. */
export type BindingFilter = PageOptions & { readonly customerId: string; readonly status?: BindingStatus };

/** A charge of a saved card. */
export type NewRecurringPayment = {
  /** Yours, new for every charge; Latin letters, digits and `._:-`, up to 64. */
  readonly merchantOrderId: string;
  /** Two decimals: `'990.00'`. */
  readonly amount: string;
  readonly currency: 'RUB';
  readonly bindingId: string;
  readonly description: string;
  readonly receipt?: Receipt;
};

/** What `POST /v1/recurring-payments` answers. How it ends is told by a callback, and by `readCardPayment`. */
export type RecurringPayment = {
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly status: PaymentStatus;
  readonly amount: string;
  readonly currency: 'RUB';
  readonly paymentMethod: 'CARD_BINDING';
  readonly experience: 'OFF_SESSION';
  readonly bindingId: string;
  readonly createdAt: string;
  readonly statusUrl: string;
};

/** A refund: money back to the buyer. */
export type NewRefund = {
  /** Two decimals: `'10.50'`. Left out: all that remains. */
  readonly amount?: string;
  /** Up to 140 characters. */
  readonly reason?: string;
  /** Yours, unique; up to 64 characters. */
  readonly merchantRefundId?: string;
  /** What is given back. Needed for a part of a payment that was made with a receipt. */
  readonly receipt?: Receipt;
};

/** How a refund stands. */
export type Refund = {
  readonly refundId: string;
  /** The id of the payment. */
  readonly orderId: string;
  readonly merchantOrderId: string;
  readonly merchantRefundId?: string;
  /** Of this refund. */
  readonly amount: string;
  /** Confirmed refunds of the payment in all. */
  readonly refundedAmount: string;
  readonly currency: 'RUB';
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED';
  readonly reason?: string;
  readonly failureCode?: RefundFailureCode;
  readonly statusReason?: string;
  readonly bankOperationId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly completedAt?: string;
  readonly statusUrl: string;
};

/** A new QR payment. It has no order number: keep its `id`. */
export type NewQrPayment = {
  /** May be left out when you have exactly one active point. */
  readonly paymentPointID?: string;
  /** Rubles as a decimal string: `'10'`, `'10.5'`, `'10.50'`. It goes on the wire as exactly this JSON number. */
  readonly amount: string;
  readonly currency?: 'RUB';
  readonly description?: string;
  readonly returnUrl?: string;
  readonly receipt?: Receipt;
};

/** What `POST /api/qr` answers. */
export type CreatedQrPayment = {
  readonly id: string;
  readonly status: PaymentStatus;
  /** As the service wrote it. */
  readonly amount: string;
  readonly currency: 'RUB';
  readonly paymentMethod: 'SBP_DYNAMIC_QR';
  readonly paymentPointID: string;
  /** The link behind the code. Comes together with `qrImage`, once the bank registered the payment. */
  readonly nspkurl?: string;
  /** The code as a PNG data URI. */
  readonly qrImage?: string;
  /** The service's own page with the code, while it can be used. */
  readonly paymentUrl?: string;
  readonly expiresAt: string;
  readonly createdAt: string;
  readonly statusUrl: string;
};

/** What `GET /api/qr/{id}` answers, and an item of the history of a payment point. */
export type QrPayment = CreatedQrPayment & {
  readonly description?: string;
  readonly failureCode?: FailureCode;
  readonly statusReason?: string;
  readonly bankOperationId: string | null;
  readonly refundedAmount: string;
  readonly updatedAt: string;
};

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
  readonly pageToken?: string;
};

/** What `POST /api/card` answers. */
export type CreatedCardPayment = {
  readonly id: string;
  readonly orderID: string;
  /** As the service wrote it. */
  readonly amount: string;
  readonly currency: 'RUB';
  readonly status: PaymentStatus;
  /** Send the buyer there. Absent while the payment is CREATED without a form, and once it cannot be used any more. */
  readonly paymentUrl?: string;
  readonly expiresAt: string;
  readonly statusUrl: string;
};

/** What `GET /api/card/{id}` answers. */
export type CardPayment = CreatedCardPayment & {
  readonly paymentPointID: string;
  readonly customerID: string;
  readonly description: string;
  readonly paymentMethod: 'CARD' | 'CARD_BINDING';
  readonly bindingId?: string;
  readonly failureCode?: FailureCode;
  readonly statusReason?: string;
  /** Of a failed charge of a saved card, and only there. */
  readonly retryAdvice?: RetryAdvice;
  readonly bankOperationId: string | null;
  readonly refundedAmount: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Which QR payments of a point. */
export type QrHistoryOptions = PageOptions & {
  /** Created at this moment or later. */
  readonly from?: string;
  /** Created before this moment. */
  readonly to?: string;
  readonly status?: PaymentStatus;
};

/** Where an event stands. NOT_CONFIGURED: kept and not sent, until a replay asks for it. */
export const EVENT_STATUSES = ['WAITING', 'DELIVERED', 'REFUSED', 'EXHAUSTED', 'NOT_CONFIGURED'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** An event of yours, and what became of it. */
export type CallbackEvent = {
  readonly eventId: string;
  /** Such as `payment.completed`; a newer service may know more. */
  readonly type: string;
  /** The payment (`orderId` in the event), binding or payout request. */
  readonly objectId: string;
  readonly aggregateVersion: number;
  readonly status: EventStatus;
  /** Of the present round: a replay begins a new one. */
  readonly attemptCount: number;
  readonly recordedAt: string;
  /** Null once it ended. */
  readonly nextAttemptAt: string | null;
  readonly endedAt: string | null;
};

/** One attempt at your address. */
export type CallbackAttempt = {
  /** Within its round, from 1. */
  readonly number: number;
  readonly url: string;
  readonly keyIds: readonly string[];
  readonly startedAt: string;
  readonly durationMs: number;
  /** Null when there was no answer; `failure` says why. */
  readonly httpStatus: number | null;
  readonly failure: string | null;
  readonly outcome: 'DELIVERED' | 'REFUSED' | 'RETRY' | 'FLAGGED';
  /** The first 16 KiB of your answer; null beside a 200 and where nothing came. */
  readonly answerBase64: string | null;
  readonly nextAttemptAt: string | null;
  readonly isReplay: boolean;
};

/** What `GET /api/events/{eventId}` answers: the newest hundred attempts, the oldest of them first. */
export type CallbackEventStory = CallbackEvent & {
  /** What is sent, byte for byte. */
  readonly body: string;
  readonly attempts: readonly CallbackAttempt[];
};

/** Which events; what is left out does not narrow. */
export type EventFilter = PageOptions & {
  /** A payment, binding or payout request. */
  readonly objectId?: string;
  readonly type?: string;
  readonly status?: EventStatus;
  /** Recorded at this moment or later. */
  readonly from?: string;
  /** Recorded before this moment. */
  readonly to?: string;
};

/** Which card payments and charges; `orderID` is your `orderID` or `merchantOrderId`. */
export type CardListOptions = QrHistoryOptions & {
  readonly orderID?: string;
  readonly customerID?: string;
  readonly paymentPointID?: string;
};
