# Generated from packages/contract by `node packages/contract/src/write-sdk-types.ts`: change it there.
"""The records of the API. ``amount`` of a card or QR payment is a Decimal, every other amount the text of one.

Timestamps are ISO 8601 UTC text.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Generic, Literal, NotRequired, TypedDict, TypeVar

Item = TypeVar("Item")


class ListPage(TypedDict, Generic[Item]):
    """A page of a list, newest first."""

    items: list[Item]
    #: Pass it as `pageToken` of the next call; None on the last page.
    nextPageToken: str | None


#: The status of a payment.
PaymentStatus = Literal[
    "CREATED",
    "SUBMITTED",
    "PENDING",
    "COMPLETED",
    "REJECTED",
    "EXPIRED",
    "FAILED",
    "CANCELLED",
    "REFUNDED",
]

#: The final statuses of a payment in which no money was taken.
FailedStatus = Literal[
    "REJECTED",
    "EXPIRED",
    "FAILED",
    "CANCELLED",
]

#: How a payment is made.
PaymentMethod = Literal[
    "CARD",
    "CARD_BINDING",
    "SBP_DYNAMIC_QR",
]

#: Why a payment ended with no money taken. A newer service may send others.
FailureCode = Literal[
    "INSUFFICIENT_FUNDS",
    "CARD_EXPIRED",
    "CARD_BLOCKED",
    "INVALID_CARD_DETAILS",
    "CARD_NOT_SUPPORTED",
    "LIMIT_EXCEEDED",
    "AUTHENTICATION_FAILED",
    "DECLINED_BY_ISSUER",
    "FRAUD_SUSPECTED",
    "CONSENT_REVOKED",
    "ISSUER_UNAVAILABLE",
    "PROCESSING_ERROR",
    "CANCELLED_BY_CUSTOMER",
    "CANCELLED_BY_PARTNER",
    "SESSION_EXPIRED",
]

#: Whether a declined charge may be retried: never with this card, later (schemes limit how often), or at any time.
RetryAdvice = Literal[
    "DO_NOT_RETRY",
    "RETRY_LATER",
    "RETRY_ANY_TIME",
]

#: The status of a refund.
RefundStatus = Literal[
    "PENDING",
    "COMPLETED",
    "FAILED",
]

#: Why a refund failed: the codes of payments, and one more.
RefundFailureCode = Literal[
    "INSUFFICIENT_FUNDS",
    "CARD_EXPIRED",
    "CARD_BLOCKED",
    "INVALID_CARD_DETAILS",
    "CARD_NOT_SUPPORTED",
    "LIMIT_EXCEEDED",
    "AUTHENTICATION_FAILED",
    "DECLINED_BY_ISSUER",
    "FRAUD_SUSPECTED",
    "CONSENT_REVOKED",
    "ISSUER_UNAVAILABLE",
    "PROCESSING_ERROR",
    "CANCELLED_BY_CUSTOMER",
    "CANCELLED_BY_PARTNER",
    "SESSION_EXPIRED",
    "REFUND_PERIOD_EXPIRED",
]

#: The status of a payment point.
PointStatus = Literal[
    "ACTIVE",
    "SUSPENDED",
    "CLOSED",
]

#: What a payment point accepts; charges of saved cards use CARD.
PointMethod = Literal[
    "CARD",
    "SBP_DYNAMIC_QR",
]

#: The status of a saved card.
BindingStatus = Literal[
    "ACTIVE",
    "REVOKED",
    "EXPIRED",
]

#: The maximum frequency at which a saved card may be charged.
ChargePeriod = Literal[
    "PT1M",
    "PT1H",
    "P1D",
    "P1W",
    "P1M",
    "P1Y",
]

#: The status of a payout request.
WithdrawalStatus = Literal[
    "REQUESTED",
    "IN_REVIEW",
    "APPROVED",
    "COMPLETED",
    "REJECTED",
    "CANCELLED",
    "FAILED",
]

#: The delivery status of an event. NOT_CONFIGURED: stored and not sent until a replay is requested.
EventStatus = Literal[
    "WAITING",
    "DELIVERED",
    "REFUSED",
    "EXHAUSTED",
    "NOT_CONFIGURED",
]

#: The type of an event. A newer service may send others.
EventType = Literal[
    "payment.completed",
    "payment.failed",
    "refund.pending",
    "refund.completed",
    "refund.failed",
    "payment.refunded",
    "binding.created",
    "binding.revoked",
    "binding.expired",
    "withdrawal.requested",
    "withdrawal.in_review",
    "withdrawal.approved",
    "withdrawal.completed",
    "withdrawal.rejected",
    "withdrawal.cancelled",
    "withdrawal.failed",
    "register.ready",
    "withdrawal-register.ready",
]

#: Events that are sent only if enabled.
ExtraEvent = Literal[
    "binding.expired",
    "withdrawal.requested",
    "withdrawal.in_review",
    "withdrawal.approved",
    "withdrawal.completed",
    "withdrawal.rejected",
    "withdrawal.cancelled",
    "withdrawal.failed",
    "register.ready",
    "withdrawal-register.ready",
]

#: The code of an error. A newer service may send others.
ErrorCode = Literal[
    "UNAUTHORIZED",
    "RATE_LIMITED",
    "PAYLOAD_TOO_LARGE",
    "METHOD_NOT_ALLOWED",
    "UNSUPPORTED_MEDIA_TYPE",
    "VALIDATION_FAILED",
    "IDEMPOTENCY_KEY_REUSED",
    "IDEMPOTENCY_KEY_IN_PROGRESS",
    "PAYMENT_POINT_REQUIRED",
    "NOT_FOUND",
    "DUPLICATE_ORDER",
    "ENDPOINTS_NOT_CONFIGURED",
    "SECRET_ALREADY_ISSUED",
    "BINDING_REVOKED",
    "BINDING_EXPIRED",
    "PREVIOUS_CHARGE_NOT_FINISHED",
    "PERIOD_NOT_ELAPSED",
    "RETRY_NOT_ALLOWED",
    "CANCEL_NOT_ALLOWED",
    "REFUND_NOT_ALLOWED",
    "REFUND_AMOUNT_EXCEEDED",
    "INSUFFICIENT_BALANCE",
    "ROUTE_UNAVAILABLE",
    "SERVICE_UNAVAILABLE",
    "OUTCOME_UNKNOWN",
    "INTERNAL_ERROR",
]


class PageOptions(TypedDict):
    """Which page of a list."""

    #: The number of items on a page.
    limit: NotRequired[int]
    #: nextPageToken of the page before.
    pageToken: NotRequired[str]

#: Which card payments and charges of saved cards.
CardListOptions = TypedDict(
    "CardListOptions",
    {
        "limit": "NotRequired[int]",
        "pageToken": "NotRequired[str]",
        "orderID": "NotRequired[str]",
        "customerID": "NotRequired[str]",
        "paymentPointID": "NotRequired[str]",
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
        "status": "NotRequired[PaymentStatus]",
    },
)

#: Which QR payments of a point.
QrHistoryOptions = TypedDict(
    "QrHistoryOptions",
    {
        "limit": "NotRequired[int]",
        "pageToken": "NotRequired[str]",
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
        "status": "NotRequired[PaymentStatus]",
    },
)


class BindingFilter(TypedDict):
    """Whose saved cards, and which."""

    #: The number of items on a page.
    limit: NotRequired[int]
    #: nextPageToken of the page before.
    pageToken: NotRequired[str]
    #: The buyer.
    customerId: str
    #: Only bindings with this status.
    status: NotRequired[BindingStatus]

#: Which events; an omitted field does not filter.
EventFilter = TypedDict(
    "EventFilter",
    {
        "limit": "NotRequired[int]",
        "pageToken": "NotRequired[str]",
        "objectId": "NotRequired[str]",
        "type": "NotRequired[str]",
        "status": "NotRequired[EventStatus]",
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
    },
)

#: Which registers.
RegisterListOptions = TypedDict(
    "RegisterListOptions",
    {
        "limit": "NotRequired[int]",
        "pageToken": "NotRequired[str]",
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
    },
)


class WithdrawalFilter(TypedDict):
    """Which payout requests."""

    #: The number of items on a page.
    limit: NotRequired[int]
    #: nextPageToken of the page before.
    pageToken: NotRequired[str]
    #: Only requests of this store.
    storeId: NotRequired[str]
    #: Only requests with this status.
    status: NotRequired[WithdrawalStatus]


class Binding(TypedDict):
    """A saved card that its buyer has agreed to have charged, at most once per period."""

    #: The id of the binding.
    bindingId: str
    #: Identifier of the buyer in the partner's system.
    customerId: str
    #: The status of the binding.
    status: BindingStatus
    #: The id of the consent.
    consentId: str
    #: The card is charged at most this often.
    period: ChargePeriod
    #: When the card was last charged; the first payment counts.
    lastChargedAt: str
    #: The earliest time at which a new charge is accepted.
    nextChargeAt: str
    #: When the card was saved.
    createdAt: str
    #: Absent when the payment channel did not confirm it.
    cardMask: NotRequired[str]
    #: Absent when the payment channel did not confirm it.
    cardExpiry: NotRequired[str]
    #: When it was revoked.
    revokedAt: NotRequired[str]


class CallbackEvent(TypedDict):
    """An event for the partner and the state of its delivery."""

    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: The type of the event.
    type: str
    #: The payment (orderId in the event), binding or payout request.
    objectId: str
    #: Increases by one with every event of the same object.
    aggregateVersion: int
    #: WAITING: an attempt is due, running or scheduled; DELIVERED: your server answered 200; REFUSED: it answered with a permanent 4xx; EXHAUSTED: all attempts have been made; NOT_CONFIGURED: stored but not sent, because there was no address or secret yet, or the event was not enabled.
    status: EventStatus
    #: In the current round: a replay starts a new round.
    attemptCount: int
    #: When the event was stored; from and to of the list filter by it.
    recordedAt: str
    #: Null once delivery has ended.
    nextAttemptAt: str | None
    #: When delivery ended; null while it goes on.
    endedAt: str | None


class CallbackAttempt(TypedDict):
    """One delivery attempt to your address."""

    #: Within its round, starting at 1.
    number: int
    #: The callbackUrl at the time of the attempt.
    url: str
    #: The keys that signed it.
    keyIds: list[str]
    #: When it was sent.
    startedAt: str
    #: How long it took, in milliseconds.
    durationMs: int
    #: Null if there was no response.
    httpStatus: int | None
    #: Why there was no response.
    failure: str | None
    #: FLAGGED: a response that does not confirm receipt, such as 204 or a redirect; retried like RETRY.
    outcome: Literal["DELIVERED", "REFUSED", "RETRY", "FLAGGED"]
    #: The first KiB of the response, base64; null for a 200, if there was no response, once 10 MiB of the day are stored, and in TEST from a private address.
    answerBase64: str | None
    #: When the next attempt was planned for; null after the last one.
    nextAttemptAt: str | None
    #: Made because a replay was requested.
    isReplay: bool


class CallbackEventStory(TypedDict):
    """An event with the body that is sent and its latest 100 attempts, oldest first."""

    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: The type of the event.
    type: str
    #: The payment (orderId in the event), binding or payout request.
    objectId: str
    #: Increases by one with every event of the same object.
    aggregateVersion: int
    #: WAITING: an attempt is due, running or scheduled; DELIVERED: your server answered 200; REFUSED: it answered with a permanent 4xx; EXHAUSTED: all attempts have been made; NOT_CONFIGURED: stored but not sent, because there was no address or secret yet, or the event was not enabled.
    status: EventStatus
    #: In the current round: a replay starts a new round.
    attemptCount: int
    #: When the event was stored; from and to of the list filter by it.
    recordedAt: str
    #: Null once delivery has ended.
    nextAttemptAt: str | None
    #: When delivery ended; null while it goes on.
    endedAt: str | None
    #: The exact bytes that are sent, as UTF-8.
    body: str
    #: The latest 100, oldest first.
    attempts: list[CallbackAttempt]


class CallbackSecret(TypedDict):
    """The callback secret. It is not shown again after replayUntil."""

    #: Base64 of 32 bytes.
    secret: str
    #: Appears in the signature header.
    keyId: str
    #: How callbacks are signed with it.
    algorithm: Literal["HMAC-SHA256"]
    #: The header that has the signature.
    signatureHeader: Literal["X-Service-Signature"]
    #: When it was issued.
    issuedAt: str
    #: Until then, a repeat with the same Idempotency-Key gets the same response.
    replayUntil: str


class CardPayment(TypedDict):
    """A card payment and its current status."""

    #: The id of the payment; called orderId in events.
    id: str
    #: The partner's unique order number.
    orderID: str
    #: Rubles; on the wire the JSON number with exactly these digits.
    amount: Decimal
    #: Always RUB.
    currency: Literal["RUB"]
    #: The status of the payment.
    status: PaymentStatus
    #: The hosted payment page; absent while it cannot be used.
    paymentUrl: NotRequired[str]
    #: When the payment session ends.
    expiresAt: str
    #: The path of its current status.
    statusUrl: str
    #: The payment point.
    paymentPointID: str
    #: Identifier of the buyer in the partner's system.
    customerID: str
    #: Payment purpose.
    description: str
    #: CARD: typed in by the buyer; CARD_BINDING: a charge of a saved card.
    paymentMethod: Literal["CARD", "CARD_BINDING"]
    #: For a payment that saves the card: present once it is COMPLETED. For a charge: the binding that was charged.
    bindingId: NotRequired[str]
    #: Why no money was taken.
    failureCode: NotRequired[FailureCode]
    #: Human-readable; may be absent.
    statusReason: NotRequired[str]
    #: For a failed charge of a saved card: whether it may be retried.
    retryAdvice: NotRequired[RetryAdvice]
    #: The id of the operation at the bank; null if there is none.
    bankOperationId: str | None
    #: The total of confirmed refunds.
    refundedAmount: str
    #: When it was created.
    createdAt: str
    #: When it last changed.
    updatedAt: str


class NewCardPayment(TypedDict):
    """A new card payment. Card details are entered on the hosted payment page only."""

    #: May be omitted if exactly one point is active.
    paymentPointID: NotRequired[str]
    #: The partner's unique order number.
    orderID: str
    #: Rubles; on the wire the JSON number with exactly these digits.
    amount: Decimal | str
    #: Always RUB.
    currency: Literal["RUB"]
    #: Payment purpose.
    description: str
    #: Identifier of the buyer in the partner's system.
    customerID: str
    #: May differ from the saved returnUrl in path and query only.
    returnUrl: NotRequired[str]
    #: true: save the card if the buyer agrees on the payment page; the payment stays CREATED until the buyer decides.
    savePaymentMethod: NotRequired[bool]
    recurringConsent: NotRequired[RecurringConsent]
    receipt: NotRequired[Receipt]


class NewQrPayment(TypedDict):
    """A new SBP payment that the buyer pays by QR code. It has no order number: match it by its id."""

    #: May be omitted if exactly one point is active.
    paymentPointID: NotRequired[str]
    #: Rubles; on the wire the JSON number with exactly these digits.
    amount: Decimal | str
    #: Always RUB.
    currency: NotRequired[Literal["RUB"]]
    #: Payment purpose.
    description: NotRequired[str]
    #: May differ from the saved returnUrl in path and query only.
    returnUrl: NotRequired[str]
    receipt: NotRequired[Receipt]


class NewRecurringPayment(TypedDict):
    """Charges a saved card without the buyer being present."""

    #: The partner's unique order number.
    merchantOrderId: str
    #: Rubles: an exact decimal string with two decimal places.
    amount: Decimal | str
    #: Always RUB.
    currency: Literal["RUB"]
    #: The binding to charge.
    bindingId: str
    #: Payment purpose.
    description: str
    receipt: NotRequired[Receipt]


class NewRefund(TypedDict):
    """Refunds the buyer: part of the payment, or all that remains."""

    #: If omitted: all that remains.
    amount: NotRequired[Decimal | str]
    #: Why, in your words.
    reason: NotRequired[str]
    #: The partner's unique refund number.
    merchantRefundId: NotRequired[str]
    #: The items refunded. Required for a partial refund of a payment that was created with a receipt.
    receipt: NotRequired[Receipt]


class NewWithdrawalRequest(TypedDict):
    """Requests a payout, which people review and transfer manually."""

    #: The store that pays.
    storeId: str
    #: USDT: a decimal string with up to six decimal places, at least 0.000001.
    amountUsdt: str
    #: An agreed recipient, by the reference that the service issued: never a wallet address.
    beneficiaryRef: str


class CreatedCardPayment(TypedDict):
    """The response to a created card payment, and to a repeat of the request."""

    #: The id of the payment; called orderId in events.
    id: str
    #: The partner's unique order number.
    orderID: str
    #: Rubles; on the wire the JSON number with exactly these digits.
    amount: Decimal
    #: Always RUB.
    currency: Literal["RUB"]
    #: The status of the payment.
    status: PaymentStatus
    #: The hosted payment page; absent while it cannot be used.
    paymentUrl: NotRequired[str]
    #: When the payment session ends.
    expiresAt: str
    #: The path of its current status.
    statusUrl: str


class CreatedQrPayment(TypedDict):
    """The response to a created QR payment, and to a repeat of the request."""

    #: The id of the payment; called orderId in events.
    id: str
    #: The status of the payment.
    status: PaymentStatus
    #: Rubles; on the wire the JSON number with exactly these digits.
    amount: Decimal
    #: Always RUB.
    currency: Literal["RUB"]
    #: How the buyer pays.
    paymentMethod: Literal["SBP_DYNAMIC_QR"]
    #: The payment point.
    paymentPointID: str
    #: The link that the code contains; leads to the buyer's bank. Present together with qrImage, while the payment is open.
    nspkurl: NotRequired[str]
    #: The code as a PNG data URI. Like nspkurl, absent until the bank has registered the payment, and while its partner, point or route is suspended or closed.
    qrImage: NotRequired[str]
    #: Our hosted page with the code; absent while it cannot be used.
    paymentUrl: NotRequired[str]
    #: When the payment session ends.
    expiresAt: str
    #: When it was created.
    createdAt: str
    #: The path of its current status.
    statusUrl: str


class Endpoints(TypedDict):
    """The saved addresses; null until first saved."""

    #: Where events are sent; null until first saved.
    callbackUrl: str | None
    #: Where buyers return to; null until first saved.
    returnUrl: str | None
    #: The enabled events; absent if none are.
    extraEvents: NotRequired[list[ExtraEvent]]
    #: When they were last saved.
    updatedAt: str | None


class IssueCallbackSecret(TypedDict):
    """Requests the callback secret, once, after the addresses are saved."""

    #: The response goes straight into secret storage.
    confirmSecureStorage: Literal[True]


class PaymentPoint(TypedDict):
    """A place where payments are accepted. The client never chooses the bank or the acquiring route behind it."""

    #: The id to pass when a payment is created.
    paymentPointID: str
    #: The store that it belongs to.
    storeID: str
    #: For people.
    name: str
    #: Payments are created at ACTIVE points only.
    status: PointStatus
    #: What it accepts; charges of saved cards use CARD.
    paymentMethods: list[PointMethod]


class QrPayment(TypedDict):
    """A QR payment and its current status."""

    #: The id of the payment; called orderId in events.
    id: str
    #: The status of the payment.
    status: PaymentStatus
    #: Rubles; on the wire the JSON number with exactly these digits.
    amount: Decimal
    #: Always RUB.
    currency: Literal["RUB"]
    #: How the buyer pays.
    paymentMethod: Literal["SBP_DYNAMIC_QR"]
    #: The payment point.
    paymentPointID: str
    #: The link that the code contains; leads to the buyer's bank. Present together with qrImage, while the payment is open.
    nspkurl: NotRequired[str]
    #: The code as a PNG data URI. Like nspkurl, absent until the bank has registered the payment, and while its partner, point or route is suspended or closed.
    qrImage: NotRequired[str]
    #: Our hosted page with the code; absent while it cannot be used.
    paymentUrl: NotRequired[str]
    #: When the payment session ends.
    expiresAt: str
    #: When it was created.
    createdAt: str
    #: The path of its current status.
    statusUrl: str
    #: Payment purpose.
    description: NotRequired[str]
    #: Why no money was taken.
    failureCode: NotRequired[FailureCode]
    #: Human-readable; may be absent.
    statusReason: NotRequired[str]
    #: The id of the operation at the bank; null if there is none.
    bankOperationId: str | None
    #: The total of confirmed refunds.
    refundedAmount: str
    #: When it last changed.
    updatedAt: str


class ReceiptItem(TypedDict):
    """One line of a receipt."""

    #: What the receipt calls it.
    name: str
    #: Unit price in rubles after discounts: an exact decimal string.
    price: str
    #: A decimal string such as "1" or "0.250", greater than zero, at most 8 characters.
    quantity: str
    #: Total in rubles: price times quantity, to the kopeck; a fraction of a kopeck may be rounded up or down.
    amount: str
    #: The rate of VAT (tag 1199); NONE: not subject to it.
    vat: Literal["NONE", "VAT0", "VAT5", "VAT7", "VAT10", "VAT20", "VAT22", "VAT105", "VAT107", "VAT110", "VAT120", "VAT122"]
    #: How it is paid for.
    paymentMethod: Literal["FULL_PREPAYMENT", "PREPAYMENT", "ADVANCE", "FULL_PAYMENT", "PARTIAL_PAYMENT", "CREDIT", "CREDIT_PAYMENT"]
    #: What it is; COMPOSITE is allowed in FFD 1.05 only.
    paymentObject: Literal["COMMODITY", "EXCISE", "JOB", "SERVICE", "GAMBLING_BET", "GAMBLING_PRIZE", "LOTTERY", "LOTTERY_PRIZE", "INTELLECTUAL_ACTIVITY", "PAYMENT", "AGENT_COMMISSION", "COMPOSITE", "ANOTHER"]
    #: Required in FFD 1.2, not allowed in FFD 1.05.
    measurementUnit: NotRequired[Literal["PIECE", "GRAM", "KILOGRAM", "TON", "CENTIMETER", "DECIMETER", "METER", "SQUARE_CENTIMETER", "SQUARE_DECIMETER", "SQUARE_METER", "MILLILITER", "LITER", "CUBIC_METER", "KILOWATT_HOUR", "GIGACALORIE", "DAY", "HOUR", "MINUTE", "SECOND", "KILOBYTE", "MEGABYTE", "GIGABYTE", "TERABYTE", "OTHER"]]


class Receipt(TypedDict):
    """The contents of the 54-FZ receipt. The amounts of its items add up to the amount of the payment or refund. The receipt is sent to the buyer's email or phone: one is required, both are allowed."""

    #: The format version of the cash register; 1.05 if omitted.
    ffdVersion: NotRequired[Literal["1.05", "1.2"]]
    #: The tax system of the seller (tag 1055).
    taxation: Literal["OSN", "USN_INCOME", "USN_INCOME_OUTCOME", "ESN", "PATENT"]
    #: Where the buyer gets the receipt.
    email: NotRequired[str]
    #: Where the buyer gets the receipt.
    phone: NotRequired[str]
    #: What was sold.
    items: list[ReceiptItem]


class RecurringConsent(TypedDict):
    """The buyer's consent to later charges. With capture MERCHANT the partner collected it, and states what was shown and when."""

    #: Charges are made at most this often; fixed for the life of the binding.
    period: ChargePeriod
    #: You showed the consent on your own page, which has to be agreed with us. Left out: the payment page asks.
    capture: NotRequired[Literal["MERCHANT"]]
    #: Your number of the consent.
    reference: NotRequired[str]
    #: The version of the text that was shown.
    version: NotRequired[str]
    #: When the buyer agreed: ISO 8601 UTC, after 2014 and not in the future.
    acceptedAt: NotRequired[str]
    #: SHA-256, lowercase hex, of the exact UTF-8 text and terms shown to the buyer.
    evidenceHash: NotRequired[str]


class RecurringPayment(TypedDict):
    """The response to an accepted charge, and to a repeat of the request."""

    #: The id of the payment; called orderId in events.
    paymentId: str
    #: The partner's unique order number.
    merchantOrderId: str
    #: The status of the payment.
    status: PaymentStatus
    #: Rubles: an exact decimal string with two decimal places.
    amount: str
    #: Always RUB.
    currency: Literal["RUB"]
    #: A charge of a saved card.
    paymentMethod: Literal["CARD_BINDING"]
    #: The buyer is not present.
    experience: Literal["OFF_SESSION"]
    #: The binding that is charged.
    bindingId: str
    #: When the charge was accepted.
    createdAt: str
    #: The path of its current status.
    statusUrl: str


class Refund(TypedDict):
    """A refund and its current status."""

    #: The id of the refund.
    refundId: str
    #: The id of the payment.
    orderId: str
    #: The partner's order number; empty for QR.
    merchantOrderId: str
    #: The partner's unique refund number.
    merchantRefundId: NotRequired[str]
    #: The amount of this refund.
    amount: str
    #: The total of confirmed refunds of the payment.
    refundedAmount: str
    #: Always RUB.
    currency: Literal["RUB"]
    #: PENDING: the bank has not decided.
    status: RefundStatus
    #: As it was requested.
    reason: NotRequired[str]
    #: Why no money was returned.
    failureCode: NotRequired[RefundFailureCode]
    #: Human-readable; may be absent.
    statusReason: NotRequired[str]
    #: The id of the operation at the bank; null if there is none.
    bankOperationId: str | None
    #: When it was requested.
    createdAt: str
    #: When it last changed.
    updatedAt: str
    #: When the bank confirmed it.
    completedAt: NotRequired[str]
    #: The path of its current status.
    statusUrl: str


class Register(TypedDict):
    """A closed day: what changed your ruble balance."""

    #: A day in UTC, such as 2026-11-22.
    date: str
    #: Always RUB.
    currency: Literal["RUB"]
    #: What we owed you at the close of the previous day.
    openingBalance: str
    #: Payments by buyers, before our fees.
    payments: str
    #: Charges of saved cards, before our fees.
    recurringCharges: str
    #: Reserved for refunds, less what was released by failed refunds.
    refunds: str
    #: Our fees of the day: negative or zero.
    fees: str
    #: openingBalance + payments + recurringCharges + refunds + fees, to the kopeck.
    closingBalance: str
    #: The number of entries of the day.
    lines: int
    #: The number of parts; each has at most 5,000 lines.
    parts: int
    #: When the register was made; it never changes afterwards.
    madeAt: str


class RegisterLine(TypedDict):
    """One entry of a register."""

    #: Numbered from 1 across all parts.
    line: int
    #: Earlier than the day of the register if the entry missed the register of its own day.
    bookedAt: str
    #: REFUND: requested, its amount is reserved; REFUND_FAILED: the amount is returned to the balance.
    type: Literal["PAYMENT", "RECURRING_CHARGE", "REFUND", "REFUND_FAILED"]
    #: The payment.
    orderId: str
    #: Your order number; empty for QR.
    merchantOrderId: str
    #: The refund; null for a payment.
    refundId: str | None
    #: Your refund number; null if there is none.
    merchantRefundId: str | None
    #: The payment point.
    paymentPointID: str
    #: How the buyer paid.
    paymentMethod: PaymentMethod
    #: Before our fee; negative for a refund.
    amount: str
    #: Negative or zero.
    fee: str
    #: amount + fee.
    net: str
    #: The balance after this line.
    balance: str


class RegisterPart(TypedDict):
    """A closed day with the lines of one of its parts."""

    #: A day in UTC, such as 2026-11-22.
    date: str
    #: Always RUB.
    currency: Literal["RUB"]
    #: What we owed you at the close of the previous day.
    openingBalance: str
    #: Payments by buyers, before our fees.
    payments: str
    #: Charges of saved cards, before our fees.
    recurringCharges: str
    #: Reserved for refunds, less what was released by failed refunds.
    refunds: str
    #: Our fees of the day: negative or zero.
    fees: str
    #: openingBalance + payments + recurringCharges + refunds + fees, to the kopeck.
    closingBalance: str
    #: The number of entries of the day.
    lines: int
    #: The number of parts; each has at most 5,000 lines.
    parts: int
    #: When the register was made; it never changes afterwards.
    madeAt: str
    #: Which part this is, from 1.
    part: int
    #: The lines of this part.
    items: list[RegisterLine]


class NewEndpoints(TypedDict):
    """Where events are sent, and where buyers return to."""

    #: Used for all payment methods; must not respond with a redirect.
    callbackUrl: str
    #: The default for all payments.
    returnUrl: str
    #: Events to send in addition to the standard eight. Omitted: no change; []: none.
    extraEvents: NotRequired[list[ExtraEvent]]


class TestCallback(TypedDict):
    """The event that is sent again: the partner's latest payment.completed."""

    #: The event that is sent again.
    eventId: str
    #: Its type.
    type: Literal["payment.completed"]
    #: The id of the payment, called orderId in the event.
    orderId: str


class UsdtRegister(TypedDict):
    """A closed day: what changed your USDT balance."""

    #: A day in UTC, such as 2026-11-22.
    date: str
    #: Always USDT.
    currency: Literal["USDT"]
    #: What was available at the close of the previous day, across all your stores.
    openingAvailable: str
    #: What payout requests had reserved at that time.
    openingReserved: str
    #: Credited to your stores.
    funded: str
    #: Reserved by new payout requests.
    requested: str
    #: Released by requests that were rejected, cancelled or failed.
    released: str
    #: Paid out.
    completed: str
    #: openingAvailable + funded - requested + released, to the millionth.
    closingAvailable: str
    #: openingReserved + requested - released - completed, to the millionth.
    closingReserved: str
    #: The number of entries of the day.
    lines: int
    #: The number of parts; each has at most 5,000 lines.
    parts: int
    #: When the register was made; it never changes afterwards.
    madeAt: str


class UsdtRegisterLine(TypedDict):
    """One entry of a USDT register."""

    #: Numbered from 1 across all parts.
    line: int
    #: Earlier than the day of the register if the entry missed the register of its own day.
    bookedAt: str
    #: What happened.
    type: Literal["FUNDING", "WITHDRAWAL_REQUESTED", "WITHDRAWAL_REJECTED", "WITHDRAWAL_CANCELLED", "WITHDRAWAL_FAILED", "WITHDRAWAL_COMPLETED"]
    #: The store whose balance changed.
    storeId: str
    #: The payout request; null for a funding.
    withdrawalRequestId: str | None
    #: The funding; null for a payout request.
    fundingId: str | None
    #: The recipient; null for a funding.
    beneficiaryRef: str | None
    #: The reference of the manual transfer; WITHDRAWAL_COMPLETED only.
    transferReference: str | None
    #: Always positive, whatever the type.
    amount: str
    #: The change of what is available.
    availableChange: str
    #: The change of what is reserved.
    reservedChange: str
    #: After this line, across all your stores.
    available: str
    #: After this line, across all your stores.
    reserved: str


class UsdtRegisterPart(TypedDict):
    """A closed day in USDT with the lines of one of its parts."""

    #: A day in UTC, such as 2026-11-22.
    date: str
    #: Always USDT.
    currency: Literal["USDT"]
    #: What was available at the close of the previous day, across all your stores.
    openingAvailable: str
    #: What payout requests had reserved at that time.
    openingReserved: str
    #: Credited to your stores.
    funded: str
    #: Reserved by new payout requests.
    requested: str
    #: Released by requests that were rejected, cancelled or failed.
    released: str
    #: Paid out.
    completed: str
    #: openingAvailable + funded - requested + released, to the millionth.
    closingAvailable: str
    #: openingReserved + requested - released - completed, to the millionth.
    closingReserved: str
    #: The number of entries of the day.
    lines: int
    #: The number of parts; each has at most 5,000 lines.
    parts: int
    #: When the register was made; it never changes afterwards.
    madeAt: str
    #: Which part this is, from 1.
    part: int
    #: The lines of this part.
    items: list[UsdtRegisterLine]


class WithdrawalBalance(TypedDict):
    """A store's balance in our internal accounting. It is not the balance of a wallet."""

    #: The store whose balance it is.
    storeId: str
    #: Always USDT.
    currency: Literal["USDT"]
    #: What can be requested: an exact decimal string with six decimal places.
    availableUsdt: str
    #: What open payout requests hold: an exact decimal string with six decimal places.
    reservedUsdt: str


class WithdrawalRequest(TypedDict):
    """A payout request. REQUESTED does not confirm a transfer."""

    #: The id of the payout request.
    withdrawalRequestId: str
    #: The store whose balance it is.
    storeId: str
    #: USDT: an exact decimal string with six decimal places.
    amountUsdt: str
    #: An agreed recipient, by the reference that the service issued: never a wallet address.
    beneficiaryRef: str
    #: The status of the payout request.
    status: WithdrawalStatus
    #: Why it was rejected, cancelled or failed.
    statusReason: NotRequired[str]
    #: When it was approved or rejected.
    reviewedAt: NotRequired[str]
    #: When the transfer was confirmed.
    completedAt: NotRequired[str]
    #: The reference of the manual transfer.
    transferReference: NotRequired[str]
    #: When it was requested.
    createdAt: str
    #: When it last changed.
    updatedAt: str


class BindingCreatedEventData(TypedDict):
    #: The id of the binding.
    bindingId: str
    #: Identifier of the buyer in the partner's system.
    customerId: str
    #: The id of the consent.
    consentId: str
    #: The card is charged at most this often.
    period: ChargePeriod
    #: The earliest time at which a new charge is accepted.
    nextChargeAt: str
    #: A binding is no operation of the bank.
    bankOperationId: None
    #: When it happened.
    occurredAt: str
    #: The status of the binding.
    status: Literal["ACTIVE"]


class BindingCreatedEvent(TypedDict):
    """The binding exists after a successful first payment: store bindingId with your customerId."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["binding.created"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: BindingCreatedEventData


class BindingExpiredEventData(TypedDict):
    #: The id of the binding.
    bindingId: str
    #: Identifier of the buyer in the partner's system.
    customerId: str
    #: The id of the consent.
    consentId: str
    #: The card is charged at most this often.
    period: ChargePeriod
    #: The earliest time at which a new charge is accepted.
    nextChargeAt: str
    #: A binding is no operation of the bank.
    bankOperationId: None
    #: When it happened.
    occurredAt: str
    #: The status of the binding.
    status: Literal["EXPIRED"]


class BindingExpiredEvent(TypedDict):
    """Sent if enabled in extraEvents. A charge was requested after the card's expiry month: a new first payment is needed."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["binding.expired"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: BindingExpiredEventData


class BindingRevokedEventData(TypedDict):
    #: The id of the binding.
    bindingId: str
    #: Identifier of the buyer in the partner's system.
    customerId: str
    #: The id of the consent.
    consentId: str
    #: The card is charged at most this often.
    period: ChargePeriod
    #: The earliest time at which a new charge is accepted.
    nextChargeAt: str
    #: A binding is no operation of the bank.
    bankOperationId: None
    #: When it happened.
    occurredAt: str
    #: The status of the binding.
    status: Literal["REVOKED"]


class BindingRevokedEvent(TypedDict):
    """The binding is revoked: new charges are forbidden."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["binding.revoked"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: BindingRevokedEventData


class PaymentCompletedEventData(TypedDict):
    #: The id of the payment.
    orderId: str
    #: The partner's order number; empty for QR.
    merchantOrderId: str
    #: Rubles: an exact decimal string with two decimal places.
    amount: str
    #: Always RUB.
    currency: Literal["RUB"]
    #: CARD for charges of saved cards, too.
    paymentMethod: Literal["CARD", "QR"]
    #: The id of the operation at the bank; null if there is none.
    bankOperationId: str | None
    #: When it happened.
    occurredAt: str
    #: The confirmed financial transaction.
    paymentId: str
    #: The status of the payment.
    status: Literal["COMPLETED"]


class PaymentCompletedEvent(TypedDict):
    """The payment is confirmed and recorded in the financial ledger: ship the order once."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["payment.completed"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: PaymentCompletedEventData


class PaymentFailedEventData(TypedDict):
    #: The id of the payment.
    orderId: str
    #: The partner's order number; empty for QR.
    merchantOrderId: str
    #: Rubles: an exact decimal string with two decimal places.
    amount: str
    #: Always RUB.
    currency: Literal["RUB"]
    #: CARD for charges of saved cards, too.
    paymentMethod: Literal["CARD", "QR"]
    #: The id of the operation at the bank; null if there is none.
    bankOperationId: str | None
    #: When it happened.
    occurredAt: str
    #: There is no financial transaction.
    paymentId: None
    #: The final status of the payment.
    status: FailedStatus
    #: Why no money was taken.
    failureCode: FailureCode
    #: Human-readable; may be absent.
    statusReason: NotRequired[str]
    #: For a charge of a saved card: whether it may be retried.
    retryAdvice: NotRequired[RetryAdvice]


class PaymentFailedEvent(TypedDict):
    """The payment ended and no money was taken. Sent once."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["payment.failed"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: PaymentFailedEventData


class PaymentRefundedEventData(TypedDict):
    #: The id of the payment.
    orderId: str
    #: The partner's order number; empty for QR.
    merchantOrderId: str
    #: The amount of the payment.
    amount: str
    #: Always RUB.
    currency: Literal["RUB"]
    #: CARD for charges of saved cards, too.
    paymentMethod: Literal["CARD", "QR"]
    #: The id of the refund at the bank; null until the bank has reported it.
    bankOperationId: str | None
    #: When it happened.
    occurredAt: str
    #: The confirmed financial transaction of the payment.
    paymentId: str
    #: The id of the refund.
    refundId: str
    #: The partner's unique refund number.
    merchantRefundId: NotRequired[str]
    #: The total of confirmed refunds of the payment.
    refundedAmount: str
    #: The status of the payment.
    status: Literal["REFUNDED"]


class PaymentRefundedEvent(TypedDict):
    """Confirmed refunds have reached the full amount, with the refund named here."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["payment.refunded"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: PaymentRefundedEventData


class RefundCompletedEventData(TypedDict):
    #: The id of the payment.
    orderId: str
    #: The partner's order number; empty for QR.
    merchantOrderId: str
    #: The amount of this refund.
    amount: str
    #: Always RUB.
    currency: Literal["RUB"]
    #: CARD for charges of saved cards, too.
    paymentMethod: Literal["CARD", "QR"]
    #: The id of the refund at the bank; null until the bank has reported it.
    bankOperationId: str | None
    #: When it happened.
    occurredAt: str
    #: The confirmed financial transaction of the payment.
    paymentId: str
    #: The id of the refund.
    refundId: str
    #: The partner's unique refund number.
    merchantRefundId: NotRequired[str]
    #: The total of confirmed refunds of the payment.
    refundedAmount: str
    #: The status of the refund.
    status: Literal["COMPLETED"]


class RefundCompletedEvent(TypedDict):
    """The refund is confirmed for this amount."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["refund.completed"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: RefundCompletedEventData


class RefundFailedEventData(TypedDict):
    #: The id of the payment.
    orderId: str
    #: The partner's order number; empty for QR.
    merchantOrderId: str
    #: The amount of this refund.
    amount: str
    #: Always RUB.
    currency: Literal["RUB"]
    #: CARD for charges of saved cards, too.
    paymentMethod: Literal["CARD", "QR"]
    #: The id of the refund at the bank; null until the bank has reported it.
    bankOperationId: str | None
    #: When it happened.
    occurredAt: str
    #: The confirmed financial transaction of the payment.
    paymentId: str
    #: The id of the refund.
    refundId: str
    #: The partner's unique refund number.
    merchantRefundId: NotRequired[str]
    #: The total of confirmed refunds of the payment.
    refundedAmount: str
    #: The status of the refund.
    status: Literal["FAILED"]
    #: Why no money was returned.
    failureCode: RefundFailureCode
    #: Human-readable; may be absent.
    statusReason: NotRequired[str]


class RefundFailedEvent(TypedDict):
    """No money was returned; the amount can be refunded again."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["refund.failed"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: RefundFailedEventData


class RefundPendingEventData(TypedDict):
    #: The id of the payment.
    orderId: str
    #: The partner's order number; empty for QR.
    merchantOrderId: str
    #: The amount of this refund.
    amount: str
    #: Always RUB.
    currency: Literal["RUB"]
    #: CARD for charges of saved cards, too.
    paymentMethod: Literal["CARD", "QR"]
    #: The id of the refund at the bank; null until the bank has reported it.
    bankOperationId: str | None
    #: When it happened.
    occurredAt: str
    #: The confirmed financial transaction of the payment.
    paymentId: str
    #: The id of the refund.
    refundId: str
    #: The partner's unique refund number.
    merchantRefundId: NotRequired[str]
    #: The total of confirmed refunds of the payment.
    refundedAmount: str
    #: The status of the refund.
    status: Literal["PENDING"]


class RefundPendingEvent(TypedDict):
    """The refund request is saved; its result is pending."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["refund.pending"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: RefundPendingEventData


class RegisterReadyEventData(TypedDict):
    #: The id of the register.
    registerId: str
    #: Always RUB.
    currency: Literal["RUB"]
    #: The day, in UTC.
    date: str
    #: What we owed you at the close of the previous day.
    openingBalance: str
    #: What we owe you at the close of this day.
    closingBalance: str
    #: The number of entries of the day.
    lines: int
    #: The path of the register.
    statusUrl: str
    #: When the day was closed.
    occurredAt: str


class RegisterReadyEvent(TypedDict):
    """Sent if enabled in extraEvents. A day is closed, and its register is available."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["register.ready"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: RegisterReadyEventData


class WithdrawalApprovedEventData(TypedDict):
    #: The id of the payout request.
    withdrawalRequestId: str
    #: The store that pays.
    storeId: str
    #: USDT: an exact decimal string with six decimal places.
    amountUsdt: str
    #: The recipient.
    beneficiaryRef: str
    #: Why it was rejected, cancelled or failed.
    statusReason: NotRequired[str]
    #: The reference of the manual transfer.
    transferReference: NotRequired[str]
    #: When it happened.
    occurredAt: str
    #: The status of the payout request.
    status: Literal["APPROVED"]


class WithdrawalApprovedEvent(TypedDict):
    """Sent if enabled in extraEvents. The current status of a payout request."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["withdrawal.approved"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: WithdrawalApprovedEventData


class WithdrawalCancelledEventData(TypedDict):
    #: The id of the payout request.
    withdrawalRequestId: str
    #: The store that pays.
    storeId: str
    #: USDT: an exact decimal string with six decimal places.
    amountUsdt: str
    #: The recipient.
    beneficiaryRef: str
    #: Why it was rejected, cancelled or failed.
    statusReason: NotRequired[str]
    #: The reference of the manual transfer.
    transferReference: NotRequired[str]
    #: When it happened.
    occurredAt: str
    #: The status of the payout request.
    status: Literal["CANCELLED"]


class WithdrawalCancelledEvent(TypedDict):
    """Sent if enabled in extraEvents. The current status of a payout request."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["withdrawal.cancelled"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: WithdrawalCancelledEventData


class WithdrawalCompletedEventData(TypedDict):
    #: The id of the payout request.
    withdrawalRequestId: str
    #: The store that pays.
    storeId: str
    #: USDT: an exact decimal string with six decimal places.
    amountUsdt: str
    #: The recipient.
    beneficiaryRef: str
    #: Why it was rejected, cancelled or failed.
    statusReason: NotRequired[str]
    #: The reference of the manual transfer.
    transferReference: NotRequired[str]
    #: When it happened.
    occurredAt: str
    #: The status of the payout request.
    status: Literal["COMPLETED"]


class WithdrawalCompletedEvent(TypedDict):
    """Sent if enabled in extraEvents. The current status of a payout request."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["withdrawal.completed"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: WithdrawalCompletedEventData


class WithdrawalFailedEventData(TypedDict):
    #: The id of the payout request.
    withdrawalRequestId: str
    #: The store that pays.
    storeId: str
    #: USDT: an exact decimal string with six decimal places.
    amountUsdt: str
    #: The recipient.
    beneficiaryRef: str
    #: Why it was rejected, cancelled or failed.
    statusReason: NotRequired[str]
    #: The reference of the manual transfer.
    transferReference: NotRequired[str]
    #: When it happened.
    occurredAt: str
    #: The status of the payout request.
    status: Literal["FAILED"]


class WithdrawalFailedEvent(TypedDict):
    """Sent if enabled in extraEvents. The current status of a payout request."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["withdrawal.failed"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: WithdrawalFailedEventData


class WithdrawalInReviewEventData(TypedDict):
    #: The id of the payout request.
    withdrawalRequestId: str
    #: The store that pays.
    storeId: str
    #: USDT: an exact decimal string with six decimal places.
    amountUsdt: str
    #: The recipient.
    beneficiaryRef: str
    #: Why it was rejected, cancelled or failed.
    statusReason: NotRequired[str]
    #: The reference of the manual transfer.
    transferReference: NotRequired[str]
    #: When it happened.
    occurredAt: str
    #: The status of the payout request.
    status: Literal["IN_REVIEW"]


class WithdrawalInReviewEvent(TypedDict):
    """Sent if enabled in extraEvents. The current status of a payout request."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["withdrawal.in_review"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: WithdrawalInReviewEventData


class WithdrawalRegisterReadyEventData(TypedDict):
    #: The id of the register.
    registerId: str
    #: Always USDT.
    currency: Literal["USDT"]
    #: The day, in UTC.
    date: str
    #: USDT: an exact decimal string with six decimal places and a leading minus if negative.
    openingAvailable: str
    #: USDT: an exact decimal string with six decimal places and a leading minus if negative.
    openingReserved: str
    #: USDT: an exact decimal string with six decimal places and a leading minus if negative.
    closingAvailable: str
    #: USDT: an exact decimal string with six decimal places and a leading minus if negative.
    closingReserved: str
    #: The number of entries of the day.
    lines: int
    #: The path of the register.
    statusUrl: str
    #: When the day was closed.
    occurredAt: str


class WithdrawalRegisterReadyEvent(TypedDict):
    """Sent if enabled in extraEvents. A day in USDT is closed, and its register is available."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["withdrawal-register.ready"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: WithdrawalRegisterReadyEventData


class WithdrawalRejectedEventData(TypedDict):
    #: The id of the payout request.
    withdrawalRequestId: str
    #: The store that pays.
    storeId: str
    #: USDT: an exact decimal string with six decimal places.
    amountUsdt: str
    #: The recipient.
    beneficiaryRef: str
    #: Why it was rejected, cancelled or failed.
    statusReason: NotRequired[str]
    #: The reference of the manual transfer.
    transferReference: NotRequired[str]
    #: When it happened.
    occurredAt: str
    #: The status of the payout request.
    status: Literal["REJECTED"]


class WithdrawalRejectedEvent(TypedDict):
    """Sent if enabled in extraEvents. The current status of a payout request."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["withdrawal.rejected"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: WithdrawalRejectedEventData


class WithdrawalRequestedEventData(TypedDict):
    #: The id of the payout request.
    withdrawalRequestId: str
    #: The store that pays.
    storeId: str
    #: USDT: an exact decimal string with six decimal places.
    amountUsdt: str
    #: The recipient.
    beneficiaryRef: str
    #: Why it was rejected, cancelled or failed.
    statusReason: NotRequired[str]
    #: The reference of the manual transfer.
    transferReference: NotRequired[str]
    #: When it happened.
    occurredAt: str
    #: The status of the payout request.
    status: Literal["REQUESTED"]


class WithdrawalRequestedEvent(TypedDict):
    """Sent if enabled in extraEvents. The current status of a payout request."""

    #: The version of this format.
    schemaVersion: Literal[1]
    #: The same in every delivery; also in X-Service-Event-ID.
    eventId: str
    #: Also in X-Service-Event-Type.
    type: Literal["withdrawal.requested"]
    #: Increases by one with every event of the same payment, binding or payout request. Events that are not enabled count, too.
    aggregateVersion: int
    #: When the event was made.
    createdAt: str
    #: What it is about.
    data: WithdrawalRequestedEventData

#: Every event that this version knows. A newer service may send others.
PartnerEvent = (
    PaymentCompletedEvent
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
    | WithdrawalRegisterReadyEvent
)
