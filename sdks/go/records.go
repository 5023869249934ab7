// Code generated from packages/contract by `node packages/contract/src/write-sdk-types.ts`. DO NOT EDIT.

package pay

import "time"

// PaymentStatus is the status of a payment.
type PaymentStatus string

// The values of PaymentStatus that this version knows.
const (
	PaymentStatusCreated   PaymentStatus = "CREATED"
	PaymentStatusSubmitted PaymentStatus = "SUBMITTED"
	PaymentStatusPending   PaymentStatus = "PENDING"
	PaymentStatusCompleted PaymentStatus = "COMPLETED"
	PaymentStatusRejected  PaymentStatus = "REJECTED"
	PaymentStatusExpired   PaymentStatus = "EXPIRED"
	PaymentStatusFailed    PaymentStatus = "FAILED"
	PaymentStatusCancelled PaymentStatus = "CANCELLED"
	PaymentStatusRefunded  PaymentStatus = "REFUNDED"
)

// FailedStatus is one of the final statuses of a payment in which no money was taken.
type FailedStatus string

// The values of FailedStatus that this version knows.
const (
	FailedStatusRejected  FailedStatus = "REJECTED"
	FailedStatusExpired   FailedStatus = "EXPIRED"
	FailedStatusFailed    FailedStatus = "FAILED"
	FailedStatusCancelled FailedStatus = "CANCELLED"
)

// PaymentMethod says how a payment is made.
type PaymentMethod string

// The values of PaymentMethod that this version knows.
const (
	PaymentMethodCard         PaymentMethod = "CARD"
	PaymentMethodCardBinding  PaymentMethod = "CARD_BINDING"
	PaymentMethodSBPDynamicQR PaymentMethod = "SBP_DYNAMIC_QR"
)

// FailureCode says why a payment ended with no money taken. A newer service may send others.
type FailureCode string

// The values of FailureCode that this version knows.
const (
	FailureCodeInsufficientFunds    FailureCode = "INSUFFICIENT_FUNDS"
	FailureCodeCardExpired          FailureCode = "CARD_EXPIRED"
	FailureCodeCardBlocked          FailureCode = "CARD_BLOCKED"
	FailureCodeInvalidCardDetails   FailureCode = "INVALID_CARD_DETAILS"
	FailureCodeCardNotSupported     FailureCode = "CARD_NOT_SUPPORTED"
	FailureCodeLimitExceeded        FailureCode = "LIMIT_EXCEEDED"
	FailureCodeAuthenticationFailed FailureCode = "AUTHENTICATION_FAILED"
	FailureCodeDeclinedByIssuer     FailureCode = "DECLINED_BY_ISSUER"
	FailureCodeFraudSuspected       FailureCode = "FRAUD_SUSPECTED"
	FailureCodeConsentRevoked       FailureCode = "CONSENT_REVOKED"
	FailureCodeIssuerUnavailable    FailureCode = "ISSUER_UNAVAILABLE"
	FailureCodeProcessingError      FailureCode = "PROCESSING_ERROR"
	FailureCodeCancelledByCustomer  FailureCode = "CANCELLED_BY_CUSTOMER"
	FailureCodeCancelledByPartner   FailureCode = "CANCELLED_BY_PARTNER"
	FailureCodeSessionExpired       FailureCode = "SESSION_EXPIRED"
)

// RetryAdvice says whether a declined charge may be retried: never with this card, later (schemes limit how often), or at any time.
type RetryAdvice string

// The values of RetryAdvice that this version knows.
const (
	RetryAdviceDoNotRetry   RetryAdvice = "DO_NOT_RETRY"
	RetryAdviceRetryLater   RetryAdvice = "RETRY_LATER"
	RetryAdviceRetryAnyTime RetryAdvice = "RETRY_ANY_TIME"
)

// RefundStatus is the status of a refund.
type RefundStatus string

// The values of RefundStatus that this version knows.
const (
	RefundStatusPending   RefundStatus = "PENDING"
	RefundStatusCompleted RefundStatus = "COMPLETED"
	RefundStatusFailed    RefundStatus = "FAILED"
)

// RefundFailureCode says why a refund failed: the codes of payments, and one more.
type RefundFailureCode string

// The values of RefundFailureCode that this version knows.
const (
	RefundFailureCodeInsufficientFunds    RefundFailureCode = "INSUFFICIENT_FUNDS"
	RefundFailureCodeCardExpired          RefundFailureCode = "CARD_EXPIRED"
	RefundFailureCodeCardBlocked          RefundFailureCode = "CARD_BLOCKED"
	RefundFailureCodeInvalidCardDetails   RefundFailureCode = "INVALID_CARD_DETAILS"
	RefundFailureCodeCardNotSupported     RefundFailureCode = "CARD_NOT_SUPPORTED"
	RefundFailureCodeLimitExceeded        RefundFailureCode = "LIMIT_EXCEEDED"
	RefundFailureCodeAuthenticationFailed RefundFailureCode = "AUTHENTICATION_FAILED"
	RefundFailureCodeDeclinedByIssuer     RefundFailureCode = "DECLINED_BY_ISSUER"
	RefundFailureCodeFraudSuspected       RefundFailureCode = "FRAUD_SUSPECTED"
	RefundFailureCodeConsentRevoked       RefundFailureCode = "CONSENT_REVOKED"
	RefundFailureCodeIssuerUnavailable    RefundFailureCode = "ISSUER_UNAVAILABLE"
	RefundFailureCodeProcessingError      RefundFailureCode = "PROCESSING_ERROR"
	RefundFailureCodeCancelledByCustomer  RefundFailureCode = "CANCELLED_BY_CUSTOMER"
	RefundFailureCodeCancelledByPartner   RefundFailureCode = "CANCELLED_BY_PARTNER"
	RefundFailureCodeSessionExpired       RefundFailureCode = "SESSION_EXPIRED"
	RefundFailureCodeRefundPeriodExpired  RefundFailureCode = "REFUND_PERIOD_EXPIRED"
)

// PointStatus is the status of a payment point.
type PointStatus string

// The values of PointStatus that this version knows.
const (
	PointStatusActive    PointStatus = "ACTIVE"
	PointStatusSuspended PointStatus = "SUSPENDED"
	PointStatusClosed    PointStatus = "CLOSED"
)

// PointMethod says what a payment point accepts; charges of saved cards use CARD.
type PointMethod string

// The values of PointMethod that this version knows.
const (
	PointMethodCard         PointMethod = "CARD"
	PointMethodSBPDynamicQR PointMethod = "SBP_DYNAMIC_QR"
)

// BindingStatus is the status of a saved card.
type BindingStatus string

// The values of BindingStatus that this version knows.
const (
	BindingStatusActive  BindingStatus = "ACTIVE"
	BindingStatusRevoked BindingStatus = "REVOKED"
	BindingStatusExpired BindingStatus = "EXPIRED"
)

// ChargePeriod is the maximum frequency at which a saved card may be charged.
type ChargePeriod string

// The values of ChargePeriod that this version knows.
const (
	ChargePeriodPT1M ChargePeriod = "PT1M"
	ChargePeriodPT1H ChargePeriod = "PT1H"
	ChargePeriodP1D  ChargePeriod = "P1D"
	ChargePeriodP1W  ChargePeriod = "P1W"
	ChargePeriodP1M  ChargePeriod = "P1M"
	ChargePeriodP1Y  ChargePeriod = "P1Y"
)

// WithdrawalStatus is the status of a payout request.
type WithdrawalStatus string

// The values of WithdrawalStatus that this version knows.
const (
	WithdrawalStatusRequested WithdrawalStatus = "REQUESTED"
	WithdrawalStatusInReview  WithdrawalStatus = "IN_REVIEW"
	WithdrawalStatusApproved  WithdrawalStatus = "APPROVED"
	WithdrawalStatusCompleted WithdrawalStatus = "COMPLETED"
	WithdrawalStatusRejected  WithdrawalStatus = "REJECTED"
	WithdrawalStatusCancelled WithdrawalStatus = "CANCELLED"
	WithdrawalStatusFailed    WithdrawalStatus = "FAILED"
)

// EventStatus is the delivery status of an event. NOT_CONFIGURED: stored and not sent until a replay is requested.
type EventStatus string

// The values of EventStatus that this version knows.
const (
	EventStatusWaiting       EventStatus = "WAITING"
	EventStatusDelivered     EventStatus = "DELIVERED"
	EventStatusRefused       EventStatus = "REFUSED"
	EventStatusExhausted     EventStatus = "EXHAUSTED"
	EventStatusNotConfigured EventStatus = "NOT_CONFIGURED"
)

// EventType is the type of an event. A newer service may send others.
type EventType string

// The values of EventType that this version knows.
const (
	EventTypePaymentCompleted        EventType = "payment.completed"
	EventTypePaymentFailed           EventType = "payment.failed"
	EventTypeRefundPending           EventType = "refund.pending"
	EventTypeRefundCompleted         EventType = "refund.completed"
	EventTypeRefundFailed            EventType = "refund.failed"
	EventTypePaymentRefunded         EventType = "payment.refunded"
	EventTypeBindingCreated          EventType = "binding.created"
	EventTypeBindingRevoked          EventType = "binding.revoked"
	EventTypeBindingExpired          EventType = "binding.expired"
	EventTypeWithdrawalRequested     EventType = "withdrawal.requested"
	EventTypeWithdrawalInReview      EventType = "withdrawal.in_review"
	EventTypeWithdrawalApproved      EventType = "withdrawal.approved"
	EventTypeWithdrawalCompleted     EventType = "withdrawal.completed"
	EventTypeWithdrawalRejected      EventType = "withdrawal.rejected"
	EventTypeWithdrawalCancelled     EventType = "withdrawal.cancelled"
	EventTypeWithdrawalFailed        EventType = "withdrawal.failed"
	EventTypeRegisterReady           EventType = "register.ready"
	EventTypeWithdrawalRegisterReady EventType = "withdrawal-register.ready"
)

// ExtraEvent is among the events that are sent only if enabled.
type ExtraEvent string

// The values of ExtraEvent that this version knows.
const (
	ExtraEventBindingExpired          ExtraEvent = "binding.expired"
	ExtraEventWithdrawalRequested     ExtraEvent = "withdrawal.requested"
	ExtraEventWithdrawalInReview      ExtraEvent = "withdrawal.in_review"
	ExtraEventWithdrawalApproved      ExtraEvent = "withdrawal.approved"
	ExtraEventWithdrawalCompleted     ExtraEvent = "withdrawal.completed"
	ExtraEventWithdrawalRejected      ExtraEvent = "withdrawal.rejected"
	ExtraEventWithdrawalCancelled     ExtraEvent = "withdrawal.cancelled"
	ExtraEventWithdrawalFailed        ExtraEvent = "withdrawal.failed"
	ExtraEventRegisterReady           ExtraEvent = "register.ready"
	ExtraEventWithdrawalRegisterReady ExtraEvent = "withdrawal-register.ready"
)

// ErrorCode is the code of an error. A newer service may send others.
type ErrorCode string

// The values of ErrorCode that this version knows.
const (
	ErrorCodeUnauthorized              ErrorCode = "UNAUTHORIZED"
	ErrorCodeRateLimited               ErrorCode = "RATE_LIMITED"
	ErrorCodePayloadTooLarge           ErrorCode = "PAYLOAD_TOO_LARGE"
	ErrorCodeMethodNotAllowed          ErrorCode = "METHOD_NOT_ALLOWED"
	ErrorCodeUnsupportedMediaType      ErrorCode = "UNSUPPORTED_MEDIA_TYPE"
	ErrorCodeValidationFailed          ErrorCode = "VALIDATION_FAILED"
	ErrorCodeIdempotencyKeyReused      ErrorCode = "IDEMPOTENCY_KEY_REUSED"
	ErrorCodeIdempotencyKeyInProgress  ErrorCode = "IDEMPOTENCY_KEY_IN_PROGRESS"
	ErrorCodePaymentPointRequired      ErrorCode = "PAYMENT_POINT_REQUIRED"
	ErrorCodeNotFound                  ErrorCode = "NOT_FOUND"
	ErrorCodeDuplicateOrder            ErrorCode = "DUPLICATE_ORDER"
	ErrorCodeEndpointsNotConfigured    ErrorCode = "ENDPOINTS_NOT_CONFIGURED"
	ErrorCodeSecretAlreadyIssued       ErrorCode = "SECRET_ALREADY_ISSUED"
	ErrorCodeBindingRevoked            ErrorCode = "BINDING_REVOKED"
	ErrorCodeBindingExpired            ErrorCode = "BINDING_EXPIRED"
	ErrorCodePreviousChargeNotFinished ErrorCode = "PREVIOUS_CHARGE_NOT_FINISHED"
	ErrorCodePeriodNotElapsed          ErrorCode = "PERIOD_NOT_ELAPSED"
	ErrorCodeRetryNotAllowed           ErrorCode = "RETRY_NOT_ALLOWED"
	ErrorCodeCancelNotAllowed          ErrorCode = "CANCEL_NOT_ALLOWED"
	ErrorCodeRefundNotAllowed          ErrorCode = "REFUND_NOT_ALLOWED"
	ErrorCodeRefundAmountExceeded      ErrorCode = "REFUND_AMOUNT_EXCEEDED"
	ErrorCodeInsufficientBalance       ErrorCode = "INSUFFICIENT_BALANCE"
	ErrorCodeRouteUnavailable          ErrorCode = "ROUTE_UNAVAILABLE"
	ErrorCodeServiceUnavailable        ErrorCode = "SERVICE_UNAVAILABLE"
	ErrorCodeOutcomeUnknown            ErrorCode = "OUTCOME_UNKNOWN"
	ErrorCodeInternalError             ErrorCode = "INTERNAL_ERROR"
)

// PageOptions says which page of a list.
type PageOptions struct {
	// The number of items on a page.
	Limit int
	// nextPageToken of the page before.
	PageToken string
}

func (q PageOptions) encode() string {
	return queryOf(
		parameter{"limit", numberText(q.Limit)},
		parameter{"pageToken", q.PageToken},
	)
}

// CardListOptions says which card payments and charges of saved cards.
type CardListOptions struct {
	// Only the payment with this orderID or merchantOrderId: none or one.
	OrderID string
	// Only payments of this buyer.
	CustomerID string
	// Only payments of this payment point.
	PaymentPointID string
	// Created at or after this time.
	From time.Time
	// Created before this time.
	To time.Time
	// Only payments with this status.
	Status PaymentStatus
	// The number of items on a page.
	Limit int
	// nextPageToken of the page before.
	PageToken string
}

func (q CardListOptions) encode() string {
	return queryOf(
		parameter{"orderID", q.OrderID},
		parameter{"customerID", q.CustomerID},
		parameter{"paymentPointID", q.PaymentPointID},
		parameter{"from", momentText(q.From)},
		parameter{"to", momentText(q.To)},
		parameter{"status", string(q.Status)},
		parameter{"limit", numberText(q.Limit)},
		parameter{"pageToken", q.PageToken},
	)
}

// QRHistoryOptions says which QR payments of a point.
type QRHistoryOptions struct {
	// Created at or after this time.
	From time.Time
	// Created before this time.
	To time.Time
	// Only payments with this status.
	Status PaymentStatus
	// The number of items on a page.
	Limit int
	// nextPageToken of the page before.
	PageToken string
}

func (q QRHistoryOptions) encode() string {
	return queryOf(
		parameter{"from", momentText(q.From)},
		parameter{"to", momentText(q.To)},
		parameter{"status", string(q.Status)},
		parameter{"limit", numberText(q.Limit)},
		parameter{"pageToken", q.PageToken},
	)
}

// BindingFilter says whose saved cards, and which.
type BindingFilter struct {
	// The buyer.
	CustomerID string
	// Only bindings with this status.
	Status BindingStatus
	// The number of items on a page.
	Limit int
	// nextPageToken of the page before.
	PageToken string
}

func (q BindingFilter) encode() string {
	return queryOf(
		parameter{"customerId", q.CustomerID},
		parameter{"status", string(q.Status)},
		parameter{"limit", numberText(q.Limit)},
		parameter{"pageToken", q.PageToken},
	)
}

// EventFilter says which events; an omitted field does not filter.
type EventFilter struct {
	// Only events of this payment, binding or payout request.
	ObjectID string
	// Only events of this type.
	Type EventType
	// WAITING: an attempt is due, running or scheduled; DELIVERED: your server answered 200; REFUSED: it answered with a permanent 4xx; EXHAUSTED: all attempts have been made; NOT_CONFIGURED: stored but not sent, because there was no address or secret yet, or the event was not enabled.
	Status EventStatus
	// Recorded at or after this time.
	From time.Time
	// Recorded before this time.
	To time.Time
	// The number of items on a page.
	Limit int
	// nextPageToken of the page before.
	PageToken string
}

func (q EventFilter) encode() string {
	return queryOf(
		parameter{"objectId", q.ObjectID},
		parameter{"type", string(q.Type)},
		parameter{"status", string(q.Status)},
		parameter{"from", momentText(q.From)},
		parameter{"to", momentText(q.To)},
		parameter{"limit", numberText(q.Limit)},
		parameter{"pageToken", q.PageToken},
	)
}

// RegisterListOptions says which registers.
type RegisterListOptions struct {
	// This day or later.
	From string
	// Before this day.
	To string
	// The number of items on a page.
	Limit int
	// nextPageToken of the page before.
	PageToken string
}

func (q RegisterListOptions) encode() string {
	return queryOf(
		parameter{"from", q.From},
		parameter{"to", q.To},
		parameter{"limit", numberText(q.Limit)},
		parameter{"pageToken", q.PageToken},
	)
}

// WithdrawalFilter says which payout requests.
type WithdrawalFilter struct {
	// Only requests of this store.
	StoreID string
	// Only requests with this status.
	Status WithdrawalStatus
	// The number of items on a page.
	Limit int
	// nextPageToken of the page before.
	PageToken string
}

func (q WithdrawalFilter) encode() string {
	return queryOf(
		parameter{"storeId", q.StoreID},
		parameter{"status", string(q.Status)},
		parameter{"limit", numberText(q.Limit)},
		parameter{"pageToken", q.PageToken},
	)
}

// Binding is a saved card that its buyer has agreed to have charged, at most once per period.
type Binding struct {
	// The id of the binding.
	BindingID string `json:"bindingId"`
	// Identifier of the buyer in the partner's system.
	CustomerID string `json:"customerId"`
	// The status of the binding.
	Status BindingStatus `json:"status"`
	// The id of the consent.
	ConsentID string `json:"consentId"`
	// The card is charged at most this often.
	Period ChargePeriod `json:"period"`
	// When the card was last charged; the first payment counts.
	LastChargedAt time.Time `json:"lastChargedAt"`
	// The earliest time at which a new charge is accepted.
	NextChargeAt time.Time `json:"nextChargeAt"`
	// When the card was saved.
	CreatedAt time.Time `json:"createdAt"`
	// Absent when the payment channel did not confirm it.
	CardMask string `json:"cardMask,omitempty"`
	// Absent when the payment channel did not confirm it.
	CardExpiry string `json:"cardExpiry,omitempty"`
	// When it was revoked.
	RevokedAt *time.Time `json:"revokedAt,omitempty"`
}

// CallbackEvent is an event for the partner and the state of its delivery.
type CallbackEvent struct {
	// The same in every delivery; also in X-Service-Event-ID.
	EventID string `json:"eventId"`
	// The type of the event.
	Type EventType `json:"type"`
	// The payment (orderId in the event), binding or payout request.
	ObjectID string `json:"objectId"`
	// Increases by one with every event of the same object.
	AggregateVersion int `json:"aggregateVersion"`
	// WAITING: an attempt is due, running or scheduled; DELIVERED: your server answered 200; REFUSED: it answered with a permanent 4xx; EXHAUSTED: all attempts have been made; NOT_CONFIGURED: stored but not sent, because there was no address or secret yet, or the event was not enabled.
	Status EventStatus `json:"status"`
	// In the current round: a replay starts a new round.
	AttemptCount int `json:"attemptCount"`
	// When the event was stored; from and to of the list filter by it.
	RecordedAt time.Time `json:"recordedAt"`
	// Null once delivery has ended.
	NextAttemptAt *time.Time `json:"nextAttemptAt"`
	// When delivery ended; null while it goes on.
	EndedAt *time.Time `json:"endedAt"`
}

// CallbackAttempt is one delivery attempt to your address.
type CallbackAttempt struct {
	// Within its round, starting at 1.
	Number int `json:"number"`
	// The callbackUrl at the time of the attempt.
	URL string `json:"url"`
	// The keys that signed it.
	KeyIDs []string `json:"keyIds"`
	// When it was sent.
	StartedAt time.Time `json:"startedAt"`
	// How long it took, in milliseconds.
	DurationMs int `json:"durationMs"`
	// Null if there was no response.
	HTTPStatus *int `json:"httpStatus"`
	// Why there was no response. One of TIMEOUT, CONNECTION_REFUSED, CONNECTION_RESET, NAME_NOT_RESOLVED, ADDRESS_NOT_PUBLIC, TLS_FAILED, INVALID_HTTP, HEADERS_TOO_LARGE, NETWORK_ERROR.
	Failure *string `json:"failure"`
	// FLAGGED: a response that does not confirm receipt, such as 204 or a redirect; retried like RETRY. One of DELIVERED, REFUSED, RETRY, FLAGGED.
	Outcome string `json:"outcome"`
	// The first KiB of the response, base64; null for a 200, if there was no response, once 10 MiB of the day are stored, and in TEST from a private address.
	AnswerBase64 *string `json:"answerBase64"`
	// When the next attempt was planned for; null after the last one.
	NextAttemptAt *time.Time `json:"nextAttemptAt"`
	// Made because a replay was requested.
	IsReplay bool `json:"isReplay"`
}

// CallbackEventStory is an event with the body that is sent and its latest 100 attempts, oldest first.
type CallbackEventStory struct {
	// The same in every delivery; also in X-Service-Event-ID.
	EventID string `json:"eventId"`
	// The type of the event.
	Type EventType `json:"type"`
	// The payment (orderId in the event), binding or payout request.
	ObjectID string `json:"objectId"`
	// Increases by one with every event of the same object.
	AggregateVersion int `json:"aggregateVersion"`
	// WAITING: an attempt is due, running or scheduled; DELIVERED: your server answered 200; REFUSED: it answered with a permanent 4xx; EXHAUSTED: all attempts have been made; NOT_CONFIGURED: stored but not sent, because there was no address or secret yet, or the event was not enabled.
	Status EventStatus `json:"status"`
	// In the current round: a replay starts a new round.
	AttemptCount int `json:"attemptCount"`
	// When the event was stored; from and to of the list filter by it.
	RecordedAt time.Time `json:"recordedAt"`
	// Null once delivery has ended.
	NextAttemptAt *time.Time `json:"nextAttemptAt"`
	// When delivery ended; null while it goes on.
	EndedAt *time.Time `json:"endedAt"`
	// The exact bytes that are sent, as UTF-8.
	Body string `json:"body"`
	// The latest 100, oldest first.
	Attempts []CallbackAttempt `json:"attempts"`
}

// CallbackSecret is the callback secret. It is not shown again after replayUntil.
type CallbackSecret struct {
	// Base64 of 32 bytes.
	Secret string `json:"secret"`
	// Appears in the signature header.
	KeyID string `json:"keyId"`
	// How callbacks are signed with it.
	Algorithm string `json:"algorithm"`
	// The header that has the signature.
	SignatureHeader string `json:"signatureHeader"`
	// When it was issued.
	IssuedAt time.Time `json:"issuedAt"`
	// Until then, a repeat with the same Idempotency-Key gets the same response.
	ReplayUntil time.Time `json:"replayUntil"`
}

// CardPayment is a card payment and its current status.
type CardPayment struct {
	// The id of the payment; called orderId in events.
	ID string `json:"id"`
	// The partner's unique order number.
	OrderID string `json:"orderID"`
	// Rubles; on the wire the JSON number with exactly these digits.
	Amount Amount `json:"amount"`
	// Always RUB.
	Currency string `json:"currency"`
	// The status of the payment.
	Status PaymentStatus `json:"status"`
	// The hosted payment page; absent while it cannot be used.
	PaymentURL string `json:"paymentUrl,omitempty"`
	// When the payment session ends.
	ExpiresAt time.Time `json:"expiresAt"`
	// The path of its current status.
	StatusURL string `json:"statusUrl"`
	// The payment point.
	PaymentPointID string `json:"paymentPointID"`
	// Identifier of the buyer in the partner's system.
	CustomerID string `json:"customerID"`
	// Payment purpose.
	Description string `json:"description"`
	// CARD: typed in by the buyer; CARD_BINDING: a charge of a saved card. One of CARD, CARD_BINDING.
	PaymentMethod string `json:"paymentMethod"`
	// For a payment that saves the card: present once it is COMPLETED. For a charge: the binding that was charged.
	BindingID string `json:"bindingId,omitempty"`
	// Why no money was taken.
	FailureCode FailureCode `json:"failureCode,omitempty"`
	// Human-readable; may be absent.
	StatusReason string `json:"statusReason,omitempty"`
	// For a failed charge of a saved card: whether it may be retried.
	RetryAdvice RetryAdvice `json:"retryAdvice,omitempty"`
	// The id of the operation at the bank; null if there is none.
	BankOperationID *string `json:"bankOperationId"`
	// The total of confirmed refunds.
	RefundedAmount Amount `json:"refundedAmount"`
	// When it was created.
	CreatedAt time.Time `json:"createdAt"`
	// When it last changed.
	UpdatedAt time.Time `json:"updatedAt"`
}

// NewCardPayment is a new card payment. Card details are entered on the hosted payment page only.
type NewCardPayment struct {
	// Optional. May be omitted if exactly one point is active.
	PaymentPointID string `json:"paymentPointID,omitempty"`
	// The partner's unique order number.
	OrderID string `json:"orderID"`
	// Rubles; on the wire the JSON number with exactly these digits.
	Amount NumberAmount `json:"amount"`
	// Always RUB.
	Currency string `json:"currency"`
	// Payment purpose.
	Description string `json:"description"`
	// Identifier of the buyer in the partner's system.
	CustomerID string `json:"customerID"`
	// Optional. May differ from the saved returnUrl in path and query only.
	ReturnURL string `json:"returnUrl,omitempty"`
	// Optional. true: save the card if the buyer agrees on the payment page; the payment stays CREATED until the buyer decides.
	SavePaymentMethod bool `json:"savePaymentMethod,omitempty"`
	// Optional. The buyer's consent to later charges. With capture MERCHANT the partner collected it, and states what was shown and when.
	RecurringConsent *RecurringConsent `json:"recurringConsent,omitempty"`
	// Optional. The contents of the 54-FZ receipt. The amounts of its items add up to the amount of the payment or refund. The receipt is sent to the buyer's email or phone: one is required, both are allowed.
	Receipt *Receipt `json:"receipt,omitempty"`
}

// NewQRPayment is a new SBP payment that the buyer pays by QR code. It has no order number: match it by its id.
type NewQRPayment struct {
	// Optional. May be omitted if exactly one point is active.
	PaymentPointID string `json:"paymentPointID,omitempty"`
	// Rubles; on the wire the JSON number with exactly these digits.
	Amount NumberAmount `json:"amount"`
	// Optional. Always RUB.
	Currency string `json:"currency,omitempty"`
	// Optional. Payment purpose.
	Description string `json:"description,omitempty"`
	// Optional. May differ from the saved returnUrl in path and query only.
	ReturnURL string `json:"returnUrl,omitempty"`
	// Optional. The contents of the 54-FZ receipt. The amounts of its items add up to the amount of the payment or refund. The receipt is sent to the buyer's email or phone: one is required, both are allowed.
	Receipt *Receipt `json:"receipt,omitempty"`
}

// NewRecurringPayment charges a saved card without the buyer being present.
type NewRecurringPayment struct {
	// The partner's unique order number.
	MerchantOrderID string `json:"merchantOrderId"`
	// Rubles: an exact decimal string with two decimal places.
	Amount Amount `json:"amount"`
	// Always RUB.
	Currency string `json:"currency"`
	// The binding to charge.
	BindingID string `json:"bindingId"`
	// Payment purpose.
	Description string `json:"description"`
	// Optional. The contents of the 54-FZ receipt. The amounts of its items add up to the amount of the payment or refund. The receipt is sent to the buyer's email or phone: one is required, both are allowed.
	Receipt *Receipt `json:"receipt,omitempty"`
}

// NewRefund refunds the buyer: part of the payment, or all that remains.
type NewRefund struct {
	// Optional. If omitted: all that remains.
	Amount Amount `json:"amount,omitempty"`
	// Optional. Why, in your words.
	Reason string `json:"reason,omitempty"`
	// Optional. The partner's unique refund number.
	MerchantRefundID string `json:"merchantRefundId,omitempty"`
	// Optional. The items refunded. Required for a partial refund of a payment that was created with a receipt.
	Receipt *Receipt `json:"receipt,omitempty"`
}

// NewWithdrawalRequest requests a payout, which people review and transfer manually.
type NewWithdrawalRequest struct {
	// The store that pays.
	StoreID string `json:"storeId"`
	// USDT: a decimal string with up to six decimal places, at least 0.000001.
	AmountUSDT USDT `json:"amountUsdt"`
	// An agreed recipient, by the reference that the service issued: never a wallet address.
	BeneficiaryRef string `json:"beneficiaryRef"`
}

// CreatedCardPayment is the response to a created card payment, and to a repeat of the request.
type CreatedCardPayment struct {
	// The id of the payment; called orderId in events.
	ID string `json:"id"`
	// The partner's unique order number.
	OrderID string `json:"orderID"`
	// Rubles; on the wire the JSON number with exactly these digits.
	Amount Amount `json:"amount"`
	// Always RUB.
	Currency string `json:"currency"`
	// The status of the payment.
	Status PaymentStatus `json:"status"`
	// The hosted payment page; absent while it cannot be used.
	PaymentURL string `json:"paymentUrl,omitempty"`
	// When the payment session ends.
	ExpiresAt time.Time `json:"expiresAt"`
	// The path of its current status.
	StatusURL string `json:"statusUrl"`
}

// CreatedQRPayment is the response to a created QR payment, and to a repeat of the request.
type CreatedQRPayment struct {
	// The id of the payment; called orderId in events.
	ID string `json:"id"`
	// The status of the payment.
	Status PaymentStatus `json:"status"`
	// Rubles; on the wire the JSON number with exactly these digits.
	Amount Amount `json:"amount"`
	// Always RUB.
	Currency string `json:"currency"`
	// How the buyer pays.
	PaymentMethod string `json:"paymentMethod"`
	// The payment point.
	PaymentPointID string `json:"paymentPointID"`
	// The link that the code contains; leads to the buyer's bank. Present together with qrImage, while the payment is open.
	NSPKURL string `json:"nspkurl,omitempty"`
	// The code as a PNG data URI. Like nspkurl, absent until the bank has registered the payment, and while its partner, point or route is suspended or closed.
	QRImage string `json:"qrImage,omitempty"`
	// Our hosted page with the code; absent while it cannot be used.
	PaymentURL string `json:"paymentUrl,omitempty"`
	// When the payment session ends.
	ExpiresAt time.Time `json:"expiresAt"`
	// When it was created.
	CreatedAt time.Time `json:"createdAt"`
	// The path of its current status.
	StatusURL string `json:"statusUrl"`
}

// Endpoints are the saved addresses; null until first saved.
type Endpoints struct {
	// Where events are sent; null until first saved.
	CallbackURL *string `json:"callbackUrl"`
	// Where buyers return to; null until first saved.
	ReturnURL *string `json:"returnUrl"`
	// The enabled events; absent if none are.
	ExtraEvents []ExtraEvent `json:"extraEvents,omitempty"`
	// When they were last saved.
	UpdatedAt *time.Time `json:"updatedAt"`
}

// IssueCallbackSecret requests the callback secret, once, after the addresses are saved.
type IssueCallbackSecret struct {
	// The response goes straight into secret storage.
	ConfirmSecureStorage bool `json:"confirmSecureStorage"`
}

// PaymentPoint is a place where payments are accepted. The client never chooses the bank or the acquiring route behind it.
type PaymentPoint struct {
	// The id to pass when a payment is created.
	PaymentPointID string `json:"paymentPointID"`
	// The store that it belongs to.
	StoreID string `json:"storeID"`
	// For people.
	Name string `json:"name"`
	// Payments are created at ACTIVE points only.
	Status PointStatus `json:"status"`
	// What it accepts; charges of saved cards use CARD.
	PaymentMethods []PointMethod `json:"paymentMethods"`
}

// QRPayment is a QR payment and its current status.
type QRPayment struct {
	// The id of the payment; called orderId in events.
	ID string `json:"id"`
	// The status of the payment.
	Status PaymentStatus `json:"status"`
	// Rubles; on the wire the JSON number with exactly these digits.
	Amount Amount `json:"amount"`
	// Always RUB.
	Currency string `json:"currency"`
	// How the buyer pays.
	PaymentMethod string `json:"paymentMethod"`
	// The payment point.
	PaymentPointID string `json:"paymentPointID"`
	// The link that the code contains; leads to the buyer's bank. Present together with qrImage, while the payment is open.
	NSPKURL string `json:"nspkurl,omitempty"`
	// The code as a PNG data URI. Like nspkurl, absent until the bank has registered the payment, and while its partner, point or route is suspended or closed.
	QRImage string `json:"qrImage,omitempty"`
	// Our hosted page with the code; absent while it cannot be used.
	PaymentURL string `json:"paymentUrl,omitempty"`
	// When the payment session ends.
	ExpiresAt time.Time `json:"expiresAt"`
	// When it was created.
	CreatedAt time.Time `json:"createdAt"`
	// The path of its current status.
	StatusURL string `json:"statusUrl"`
	// Payment purpose.
	Description string `json:"description,omitempty"`
	// Why no money was taken.
	FailureCode FailureCode `json:"failureCode,omitempty"`
	// Human-readable; may be absent.
	StatusReason string `json:"statusReason,omitempty"`
	// The id of the operation at the bank; null if there is none.
	BankOperationID *string `json:"bankOperationId"`
	// The total of confirmed refunds.
	RefundedAmount Amount `json:"refundedAmount"`
	// When it last changed.
	UpdatedAt time.Time `json:"updatedAt"`
}

// ReceiptItem is one line of a receipt.
type ReceiptItem struct {
	// What the receipt calls it.
	Name string `json:"name"`
	// Unit price in rubles after discounts: an exact decimal string.
	Price Amount `json:"price"`
	// A decimal string such as "1" or "0.250", greater than zero, at most 8 characters.
	Quantity string `json:"quantity"`
	// Total in rubles: price times quantity, to the kopeck; a fraction of a kopeck may be rounded up or down.
	Amount Amount `json:"amount"`
	// The rate of VAT (tag 1199); NONE: not subject to it. One of NONE, VAT0, VAT5, VAT7, VAT10, VAT20, VAT22, VAT105, VAT107, VAT110, VAT120, VAT122.
	VAT string `json:"vat"`
	// How it is paid for. One of FULL_PREPAYMENT, PREPAYMENT, ADVANCE, FULL_PAYMENT, PARTIAL_PAYMENT, CREDIT, CREDIT_PAYMENT.
	PaymentMethod string `json:"paymentMethod"`
	// What it is; COMPOSITE is allowed in FFD 1.05 only. One of COMMODITY, EXCISE, JOB, SERVICE, GAMBLING_BET, GAMBLING_PRIZE, LOTTERY, LOTTERY_PRIZE, INTELLECTUAL_ACTIVITY, PAYMENT, AGENT_COMMISSION, COMPOSITE, ANOTHER.
	PaymentObject string `json:"paymentObject"`
	// Required in FFD 1.2, not allowed in FFD 1.05. One of PIECE, GRAM, KILOGRAM, TON, CENTIMETER, DECIMETER, METER, SQUARE_CENTIMETER, SQUARE_DECIMETER, SQUARE_METER, MILLILITER, LITER, CUBIC_METER, KILOWATT_HOUR, GIGACALORIE, DAY, HOUR, MINUTE, SECOND, KILOBYTE, MEGABYTE, GIGABYTE, TERABYTE, OTHER.
	MeasurementUnit string `json:"measurementUnit,omitempty"`
}

// Receipt is the contents of the 54-FZ receipt. The amounts of its items add up to the amount of the payment or refund. The receipt is sent to the buyer's email or phone: one is required, both are allowed.
type Receipt struct {
	// The format version of the cash register; 1.05 if omitted. One of 1.05, 1.2.
	FFDVersion string `json:"ffdVersion,omitempty"`
	// The tax system of the seller (tag 1055). One of OSN, USN_INCOME, USN_INCOME_OUTCOME, ESN, PATENT.
	Taxation string `json:"taxation"`
	// Where the buyer gets the receipt.
	Email string `json:"email,omitempty"`
	// Where the buyer gets the receipt.
	Phone string `json:"phone,omitempty"`
	// What was sold.
	Items []ReceiptItem `json:"items"`
}

// RecurringConsent is the buyer's consent to later charges. With capture MERCHANT the partner collected it, and states what was shown and when.
type RecurringConsent struct {
	// Charges are made at most this often; fixed for the life of the binding.
	Period ChargePeriod `json:"period"`
	// You showed the consent on your own page, which has to be agreed with us. Left out: the payment page asks.
	Capture string `json:"capture,omitempty"`
	// Your number of the consent.
	Reference string `json:"reference,omitempty"`
	// The version of the text that was shown.
	Version string `json:"version,omitempty"`
	// When the buyer agreed: ISO 8601 UTC, after 2014 and not in the future.
	AcceptedAt *time.Time `json:"acceptedAt,omitempty"`
	// SHA-256, lowercase hex, of the exact UTF-8 text and terms shown to the buyer.
	EvidenceHash string `json:"evidenceHash,omitempty"`
}

// RecurringPayment is the response to an accepted charge, and to a repeat of the request.
type RecurringPayment struct {
	// The id of the payment; called orderId in events.
	PaymentID string `json:"paymentId"`
	// The partner's unique order number.
	MerchantOrderID string `json:"merchantOrderId"`
	// The status of the payment.
	Status PaymentStatus `json:"status"`
	// Rubles: an exact decimal string with two decimal places.
	Amount Amount `json:"amount"`
	// Always RUB.
	Currency string `json:"currency"`
	// A charge of a saved card.
	PaymentMethod string `json:"paymentMethod"`
	// The buyer is not present.
	Experience string `json:"experience"`
	// The binding that is charged.
	BindingID string `json:"bindingId"`
	// When the charge was accepted.
	CreatedAt time.Time `json:"createdAt"`
	// The path of its current status.
	StatusURL string `json:"statusUrl"`
}

// Refund is a refund and its current status.
type Refund struct {
	// The id of the refund.
	RefundID string `json:"refundId"`
	// The id of the payment.
	OrderID string `json:"orderId"`
	// The partner's order number; empty for QR.
	MerchantOrderID string `json:"merchantOrderId"`
	// The partner's unique refund number.
	MerchantRefundID string `json:"merchantRefundId,omitempty"`
	// The amount of this refund.
	Amount Amount `json:"amount"`
	// The total of confirmed refunds of the payment.
	RefundedAmount Amount `json:"refundedAmount"`
	// Always RUB.
	Currency string `json:"currency"`
	// PENDING: the bank has not decided.
	Status RefundStatus `json:"status"`
	// As it was requested.
	Reason string `json:"reason,omitempty"`
	// Why no money was returned.
	FailureCode RefundFailureCode `json:"failureCode,omitempty"`
	// Human-readable; may be absent.
	StatusReason string `json:"statusReason,omitempty"`
	// The id of the operation at the bank; null if there is none.
	BankOperationID *string `json:"bankOperationId"`
	// When it was requested.
	CreatedAt time.Time `json:"createdAt"`
	// When it last changed.
	UpdatedAt time.Time `json:"updatedAt"`
	// When the bank confirmed it.
	CompletedAt *time.Time `json:"completedAt,omitempty"`
	// The path of its current status.
	StatusURL string `json:"statusUrl"`
}

// Register is a closed day: what changed your ruble balance.
type Register struct {
	// A day in UTC, such as 2026-11-22.
	Date string `json:"date"`
	// Always RUB.
	Currency string `json:"currency"`
	// What we owed you at the close of the previous day.
	OpeningBalance Amount `json:"openingBalance"`
	// Payments by buyers, before our fees.
	Payments Amount `json:"payments"`
	// Charges of saved cards, before our fees.
	RecurringCharges Amount `json:"recurringCharges"`
	// Reserved for refunds, less what was released by failed refunds.
	Refunds Amount `json:"refunds"`
	// Our fees of the day: negative or zero.
	Fees Amount `json:"fees"`
	// openingBalance + payments + recurringCharges + refunds + fees, to the kopeck.
	ClosingBalance Amount `json:"closingBalance"`
	// The number of entries of the day.
	Lines int `json:"lines"`
	// The number of parts; each has at most 5,000 lines.
	Parts int `json:"parts"`
	// When the register was made; it never changes afterwards.
	MadeAt time.Time `json:"madeAt"`
}

// RegisterLine is one entry of a register.
type RegisterLine struct {
	// Numbered from 1 across all parts.
	Line int `json:"line"`
	// Earlier than the day of the register if the entry missed the register of its own day.
	BookedAt time.Time `json:"bookedAt"`
	// REFUND: requested, its amount is reserved; REFUND_FAILED: the amount is returned to the balance. One of PAYMENT, RECURRING_CHARGE, REFUND, REFUND_FAILED.
	Type string `json:"type"`
	// The payment.
	OrderID string `json:"orderId"`
	// Your order number; empty for QR.
	MerchantOrderID string `json:"merchantOrderId"`
	// The refund; null for a payment.
	RefundID *string `json:"refundId"`
	// Your refund number; null if there is none.
	MerchantRefundID *string `json:"merchantRefundId"`
	// The payment point.
	PaymentPointID string `json:"paymentPointID"`
	// How the buyer paid.
	PaymentMethod PaymentMethod `json:"paymentMethod"`
	// Before our fee; negative for a refund.
	Amount Amount `json:"amount"`
	// Negative or zero.
	Fee Amount `json:"fee"`
	// amount + fee.
	Net Amount `json:"net"`
	// The balance after this line.
	Balance Amount `json:"balance"`
}

// RegisterPart is a closed day with the lines of one of its parts.
type RegisterPart struct {
	// A day in UTC, such as 2026-11-22.
	Date string `json:"date"`
	// Always RUB.
	Currency string `json:"currency"`
	// What we owed you at the close of the previous day.
	OpeningBalance Amount `json:"openingBalance"`
	// Payments by buyers, before our fees.
	Payments Amount `json:"payments"`
	// Charges of saved cards, before our fees.
	RecurringCharges Amount `json:"recurringCharges"`
	// Reserved for refunds, less what was released by failed refunds.
	Refunds Amount `json:"refunds"`
	// Our fees of the day: negative or zero.
	Fees Amount `json:"fees"`
	// openingBalance + payments + recurringCharges + refunds + fees, to the kopeck.
	ClosingBalance Amount `json:"closingBalance"`
	// The number of entries of the day.
	Lines int `json:"lines"`
	// The number of parts; each has at most 5,000 lines.
	Parts int `json:"parts"`
	// When the register was made; it never changes afterwards.
	MadeAt time.Time `json:"madeAt"`
	// Which part this is, from 1.
	Part int `json:"part"`
	// The lines of this part.
	Items []RegisterLine `json:"items"`
}

// NewEndpoints is where events are sent, and where buyers return to.
type NewEndpoints struct {
	// Used for all payment methods; must not respond with a redirect.
	CallbackURL string `json:"callbackUrl"`
	// The default for all payments.
	ReturnURL string `json:"returnUrl"`
	// Optional. Events to send in addition to the standard eight. Omitted: no change; []: none.
	ExtraEvents *[]ExtraEvent `json:"extraEvents,omitempty"`
}

// TestCallback is the event that is sent again: the partner's latest payment.completed.
type TestCallback struct {
	// The event that is sent again.
	EventID string `json:"eventId"`
	// Its type.
	Type string `json:"type"`
	// The id of the payment, called orderId in the event.
	OrderID string `json:"orderId"`
}

// USDTRegister is a closed day: what changed your USDT balance.
type USDTRegister struct {
	// A day in UTC, such as 2026-11-22.
	Date string `json:"date"`
	// Always USDT.
	Currency string `json:"currency"`
	// What was available at the close of the previous day, across all your stores.
	OpeningAvailable USDT `json:"openingAvailable"`
	// What payout requests had reserved at that time.
	OpeningReserved USDT `json:"openingReserved"`
	// Credited to your stores.
	Funded USDT `json:"funded"`
	// Reserved by new payout requests.
	Requested USDT `json:"requested"`
	// Released by requests that were rejected, cancelled or failed.
	Released USDT `json:"released"`
	// Paid out.
	Completed USDT `json:"completed"`
	// openingAvailable + funded - requested + released, to the millionth.
	ClosingAvailable USDT `json:"closingAvailable"`
	// openingReserved + requested - released - completed, to the millionth.
	ClosingReserved USDT `json:"closingReserved"`
	// The number of entries of the day.
	Lines int `json:"lines"`
	// The number of parts; each has at most 5,000 lines.
	Parts int `json:"parts"`
	// When the register was made; it never changes afterwards.
	MadeAt time.Time `json:"madeAt"`
}

// USDTRegisterLine is one entry of a USDT register.
type USDTRegisterLine struct {
	// Numbered from 1 across all parts.
	Line int `json:"line"`
	// Earlier than the day of the register if the entry missed the register of its own day.
	BookedAt time.Time `json:"bookedAt"`
	// What happened. One of FUNDING, WITHDRAWAL_REQUESTED, WITHDRAWAL_REJECTED, WITHDRAWAL_CANCELLED, WITHDRAWAL_FAILED, WITHDRAWAL_COMPLETED.
	Type string `json:"type"`
	// The store whose balance changed.
	StoreID string `json:"storeId"`
	// The payout request; null for a funding.
	WithdrawalRequestID *string `json:"withdrawalRequestId"`
	// The funding; null for a payout request.
	FundingID *string `json:"fundingId"`
	// The recipient; null for a funding.
	BeneficiaryRef *string `json:"beneficiaryRef"`
	// The reference of the manual transfer; WITHDRAWAL_COMPLETED only.
	TransferReference *string `json:"transferReference"`
	// Always positive, whatever the type.
	Amount USDT `json:"amount"`
	// The change of what is available.
	AvailableChange USDT `json:"availableChange"`
	// The change of what is reserved.
	ReservedChange USDT `json:"reservedChange"`
	// After this line, across all your stores.
	Available USDT `json:"available"`
	// After this line, across all your stores.
	Reserved USDT `json:"reserved"`
}

// USDTRegisterPart is a closed day in USDT with the lines of one of its parts.
type USDTRegisterPart struct {
	// A day in UTC, such as 2026-11-22.
	Date string `json:"date"`
	// Always USDT.
	Currency string `json:"currency"`
	// What was available at the close of the previous day, across all your stores.
	OpeningAvailable USDT `json:"openingAvailable"`
	// What payout requests had reserved at that time.
	OpeningReserved USDT `json:"openingReserved"`
	// Credited to your stores.
	Funded USDT `json:"funded"`
	// Reserved by new payout requests.
	Requested USDT `json:"requested"`
	// Released by requests that were rejected, cancelled or failed.
	Released USDT `json:"released"`
	// Paid out.
	Completed USDT `json:"completed"`
	// openingAvailable + funded - requested + released, to the millionth.
	ClosingAvailable USDT `json:"closingAvailable"`
	// openingReserved + requested - released - completed, to the millionth.
	ClosingReserved USDT `json:"closingReserved"`
	// The number of entries of the day.
	Lines int `json:"lines"`
	// The number of parts; each has at most 5,000 lines.
	Parts int `json:"parts"`
	// When the register was made; it never changes afterwards.
	MadeAt time.Time `json:"madeAt"`
	// Which part this is, from 1.
	Part int `json:"part"`
	// The lines of this part.
	Items []USDTRegisterLine `json:"items"`
}

// WithdrawalBalance is a store's balance in our internal accounting. It is not the balance of a wallet.
type WithdrawalBalance struct {
	// The store whose balance it is.
	StoreID string `json:"storeId"`
	// Always USDT.
	Currency string `json:"currency"`
	// What can be requested: an exact decimal string with six decimal places.
	AvailableUSDT USDT `json:"availableUsdt"`
	// What open payout requests hold: an exact decimal string with six decimal places.
	ReservedUSDT USDT `json:"reservedUsdt"`
}

// WithdrawalRequest is a payout request. REQUESTED does not confirm a transfer.
type WithdrawalRequest struct {
	// The id of the payout request.
	WithdrawalRequestID string `json:"withdrawalRequestId"`
	// The store whose balance it is.
	StoreID string `json:"storeId"`
	// USDT: an exact decimal string with six decimal places.
	AmountUSDT USDT `json:"amountUsdt"`
	// An agreed recipient, by the reference that the service issued: never a wallet address.
	BeneficiaryRef string `json:"beneficiaryRef"`
	// The status of the payout request.
	Status WithdrawalStatus `json:"status"`
	// Why it was rejected, cancelled or failed.
	StatusReason string `json:"statusReason,omitempty"`
	// When it was approved or rejected.
	ReviewedAt *time.Time `json:"reviewedAt,omitempty"`
	// When the transfer was confirmed.
	CompletedAt *time.Time `json:"completedAt,omitempty"`
	// The reference of the manual transfer.
	TransferReference string `json:"transferReference,omitempty"`
	// When it was requested.
	CreatedAt time.Time `json:"createdAt"`
	// When it last changed.
	UpdatedAt time.Time `json:"updatedAt"`
}
