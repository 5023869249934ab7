// Code generated from packages/contract by `node packages/contract/src/write-sdk-types.ts`. DO NOT EDIT.

package pay

import "time"

// A pointer to the empty data of a type, or nil for a type that this version does not know.
func newEventData(eventType EventType) any {
	switch eventType {
	case EventTypeBindingCreated:
		return new(BindingCreatedEventData)
	case EventTypeBindingExpired:
		return new(BindingExpiredEventData)
	case EventTypeBindingRevoked:
		return new(BindingRevokedEventData)
	case EventTypePaymentCompleted:
		return new(PaymentCompletedEventData)
	case EventTypePaymentFailed:
		return new(PaymentFailedEventData)
	case EventTypePaymentRefunded:
		return new(PaymentRefundedEventData)
	case EventTypeRefundCompleted:
		return new(RefundCompletedEventData)
	case EventTypeRefundFailed:
		return new(RefundFailedEventData)
	case EventTypeRefundPending:
		return new(RefundPendingEventData)
	case EventTypeRegisterReady:
		return new(RegisterReadyEventData)
	case EventTypeWithdrawalApproved:
		return new(WithdrawalApprovedEventData)
	case EventTypeWithdrawalCancelled:
		return new(WithdrawalCancelledEventData)
	case EventTypeWithdrawalCompleted:
		return new(WithdrawalCompletedEventData)
	case EventTypeWithdrawalFailed:
		return new(WithdrawalFailedEventData)
	case EventTypeWithdrawalInReview:
		return new(WithdrawalInReviewEventData)
	case EventTypeWithdrawalRegisterReady:
		return new(WithdrawalRegisterReadyEventData)
	case EventTypeWithdrawalRejected:
		return new(WithdrawalRejectedEventData)
	case EventTypeWithdrawalRequested:
		return new(WithdrawalRequestedEventData)
	}
	return nil
}

// BindingCreatedEventData is the data of binding.created. The binding exists after a successful first payment: store bindingId with your customerId.
type BindingCreatedEventData struct {
	// The id of the binding.
	BindingID string `json:"bindingId"`
	// Identifier of the buyer in the partner's system.
	CustomerID string `json:"customerId"`
	// The id of the consent.
	ConsentID string `json:"consentId"`
	// The card is charged at most this often.
	Period ChargePeriod `json:"period"`
	// The earliest time at which a new charge is accepted.
	NextChargeAt time.Time `json:"nextChargeAt"`
	// A binding is no operation of the bank.
	BankOperationID *string `json:"bankOperationId"`
	// When it happened.
	OccurredAt time.Time `json:"occurredAt"`
	// The status of the binding.
	Status string `json:"status"`
}

// BindingExpiredEventData is the data of binding.expired. Sent if enabled in extraEvents. A charge was requested after the card's expiry month: a new first payment is needed.
type BindingExpiredEventData struct {
	// The id of the binding.
	BindingID string `json:"bindingId"`
	// Identifier of the buyer in the partner's system.
	CustomerID string `json:"customerId"`
	// The id of the consent.
	ConsentID string `json:"consentId"`
	// The card is charged at most this often.
	Period ChargePeriod `json:"period"`
	// The earliest time at which a new charge is accepted.
	NextChargeAt time.Time `json:"nextChargeAt"`
	// A binding is no operation of the bank.
	BankOperationID *string `json:"bankOperationId"`
	// When it happened.
	OccurredAt time.Time `json:"occurredAt"`
	// The status of the binding.
	Status string `json:"status"`
}

// BindingRevokedEventData is the data of binding.revoked. The binding is revoked: new charges are forbidden.
type BindingRevokedEventData struct {
	// The id of the binding.
	BindingID string `json:"bindingId"`
	// Identifier of the buyer in the partner's system.
	CustomerID string `json:"customerId"`
	// The id of the consent.
	ConsentID string `json:"consentId"`
	// The card is charged at most this often.
	Period ChargePeriod `json:"period"`
	// The earliest time at which a new charge is accepted.
	NextChargeAt time.Time `json:"nextChargeAt"`
	// A binding is no operation of the bank.
	BankOperationID *string `json:"bankOperationId"`
	// When it happened.
	OccurredAt time.Time `json:"occurredAt"`
	// The status of the binding.
	Status string `json:"status"`
}

// PaymentCompletedEventData is the data of payment.completed. The payment is confirmed and recorded in the financial ledger: ship the order once.
type PaymentCompletedEventData struct {
	// The id of the payment.
	OrderID string `json:"orderId"`
	// The partner's order number; empty for QR.
	MerchantOrderID string `json:"merchantOrderId"`
	// Rubles: an exact decimal string with two decimal places.
	Amount Amount `json:"amount"`
	// Always RUB.
	Currency string `json:"currency"`
	// CARD for charges of saved cards, too. One of CARD, QR.
	PaymentMethod string `json:"paymentMethod"`
	// The id of the operation at the bank; null if there is none.
	BankOperationID *string `json:"bankOperationId"`
	// When it happened.
	OccurredAt time.Time `json:"occurredAt"`
	// The confirmed financial transaction.
	PaymentID string `json:"paymentId"`
	// The status of the payment.
	Status string `json:"status"`
}

// PaymentFailedEventData is the data of payment.failed. The payment ended and no money was taken. Sent once.
type PaymentFailedEventData struct {
	// The id of the payment.
	OrderID string `json:"orderId"`
	// The partner's order number; empty for QR.
	MerchantOrderID string `json:"merchantOrderId"`
	// Rubles: an exact decimal string with two decimal places.
	Amount Amount `json:"amount"`
	// Always RUB.
	Currency string `json:"currency"`
	// CARD for charges of saved cards, too. One of CARD, QR.
	PaymentMethod string `json:"paymentMethod"`
	// The id of the operation at the bank; null if there is none.
	BankOperationID *string `json:"bankOperationId"`
	// When it happened.
	OccurredAt time.Time `json:"occurredAt"`
	// There is no financial transaction.
	PaymentID *string `json:"paymentId"`
	// The final status of the payment.
	Status FailedStatus `json:"status"`
	// Why no money was taken.
	FailureCode FailureCode `json:"failureCode"`
	// Human-readable; may be absent.
	StatusReason string `json:"statusReason,omitempty"`
	// For a charge of a saved card: whether it may be retried.
	RetryAdvice RetryAdvice `json:"retryAdvice,omitempty"`
}

// PaymentRefundedEventData is the data of payment.refunded. Confirmed refunds have reached the full amount, with the refund named here.
type PaymentRefundedEventData struct {
	// The id of the payment.
	OrderID string `json:"orderId"`
	// The partner's order number; empty for QR.
	MerchantOrderID string `json:"merchantOrderId"`
	// The amount of the payment.
	Amount Amount `json:"amount"`
	// Always RUB.
	Currency string `json:"currency"`
	// CARD for charges of saved cards, too. One of CARD, QR.
	PaymentMethod string `json:"paymentMethod"`
	// The id of the refund at the bank; null until the bank has reported it.
	BankOperationID *string `json:"bankOperationId"`
	// When it happened.
	OccurredAt time.Time `json:"occurredAt"`
	// The confirmed financial transaction of the payment.
	PaymentID string `json:"paymentId"`
	// The id of the refund.
	RefundID string `json:"refundId"`
	// The partner's unique refund number.
	MerchantRefundID string `json:"merchantRefundId,omitempty"`
	// The total of confirmed refunds of the payment.
	RefundedAmount Amount `json:"refundedAmount"`
	// The status of the payment.
	Status string `json:"status"`
}

// RefundCompletedEventData is the data of refund.completed. The refund is confirmed for this amount.
type RefundCompletedEventData struct {
	// The id of the payment.
	OrderID string `json:"orderId"`
	// The partner's order number; empty for QR.
	MerchantOrderID string `json:"merchantOrderId"`
	// The amount of this refund.
	Amount Amount `json:"amount"`
	// Always RUB.
	Currency string `json:"currency"`
	// CARD for charges of saved cards, too. One of CARD, QR.
	PaymentMethod string `json:"paymentMethod"`
	// The id of the refund at the bank; null until the bank has reported it.
	BankOperationID *string `json:"bankOperationId"`
	// When it happened.
	OccurredAt time.Time `json:"occurredAt"`
	// The confirmed financial transaction of the payment.
	PaymentID string `json:"paymentId"`
	// The id of the refund.
	RefundID string `json:"refundId"`
	// The partner's unique refund number.
	MerchantRefundID string `json:"merchantRefundId,omitempty"`
	// The total of confirmed refunds of the payment.
	RefundedAmount Amount `json:"refundedAmount"`
	// The status of the refund.
	Status string `json:"status"`
}

// RefundFailedEventData is the data of refund.failed. No money was returned; the amount can be refunded again.
type RefundFailedEventData struct {
	// The id of the payment.
	OrderID string `json:"orderId"`
	// The partner's order number; empty for QR.
	MerchantOrderID string `json:"merchantOrderId"`
	// The amount of this refund.
	Amount Amount `json:"amount"`
	// Always RUB.
	Currency string `json:"currency"`
	// CARD for charges of saved cards, too. One of CARD, QR.
	PaymentMethod string `json:"paymentMethod"`
	// The id of the refund at the bank; null until the bank has reported it.
	BankOperationID *string `json:"bankOperationId"`
	// When it happened.
	OccurredAt time.Time `json:"occurredAt"`
	// The confirmed financial transaction of the payment.
	PaymentID string `json:"paymentId"`
	// The id of the refund.
	RefundID string `json:"refundId"`
	// The partner's unique refund number.
	MerchantRefundID string `json:"merchantRefundId,omitempty"`
	// The total of confirmed refunds of the payment.
	RefundedAmount Amount `json:"refundedAmount"`
	// The status of the refund.
	Status string `json:"status"`
	// Why no money was returned.
	FailureCode RefundFailureCode `json:"failureCode"`
	// Human-readable; may be absent.
	StatusReason string `json:"statusReason,omitempty"`
}

// RefundPendingEventData is the data of refund.pending. The refund request is saved; its result is pending.
type RefundPendingEventData struct {
	// The id of the payment.
	OrderID string `json:"orderId"`
	// The partner's order number; empty for QR.
	MerchantOrderID string `json:"merchantOrderId"`
	// The amount of this refund.
	Amount Amount `json:"amount"`
	// Always RUB.
	Currency string `json:"currency"`
	// CARD for charges of saved cards, too. One of CARD, QR.
	PaymentMethod string `json:"paymentMethod"`
	// The id of the refund at the bank; null until the bank has reported it.
	BankOperationID *string `json:"bankOperationId"`
	// When it happened.
	OccurredAt time.Time `json:"occurredAt"`
	// The confirmed financial transaction of the payment.
	PaymentID string `json:"paymentId"`
	// The id of the refund.
	RefundID string `json:"refundId"`
	// The partner's unique refund number.
	MerchantRefundID string `json:"merchantRefundId,omitempty"`
	// The total of confirmed refunds of the payment.
	RefundedAmount Amount `json:"refundedAmount"`
	// The status of the refund.
	Status string `json:"status"`
}

// RegisterReadyEventData is the data of register.ready. Sent if enabled in extraEvents. A day is closed, and its register is available.
type RegisterReadyEventData struct {
	// The id of the register.
	RegisterID string `json:"registerId"`
	// Always RUB.
	Currency string `json:"currency"`
	// The day, in UTC.
	Date string `json:"date"`
	// What we owed you at the close of the previous day.
	OpeningBalance Amount `json:"openingBalance"`
	// What we owe you at the close of this day.
	ClosingBalance Amount `json:"closingBalance"`
	// The number of entries of the day.
	Lines int `json:"lines"`
	// The path of the register.
	StatusURL string `json:"statusUrl"`
	// When the day was closed.
	OccurredAt time.Time `json:"occurredAt"`
}

// WithdrawalApprovedEventData is the data of withdrawal.approved. Sent if enabled in extraEvents. The current status of a payout request.
type WithdrawalApprovedEventData struct {
	// The id of the payout request.
	WithdrawalRequestID string `json:"withdrawalRequestId"`
	// The store that pays.
	StoreID string `json:"storeId"`
	// USDT: an exact decimal string with six decimal places.
	AmountUSDT USDT `json:"amountUsdt"`
	// The recipient.
	BeneficiaryRef string `json:"beneficiaryRef"`
	// Why it was rejected, cancelled or failed.
	StatusReason string `json:"statusReason,omitempty"`
	// The reference of the manual transfer.
	TransferReference string `json:"transferReference,omitempty"`
	// When it happened.
	OccurredAt time.Time `json:"occurredAt"`
	// The status of the payout request.
	Status string `json:"status"`
}

// WithdrawalCancelledEventData is the data of withdrawal.cancelled. Sent if enabled in extraEvents. The current status of a payout request.
type WithdrawalCancelledEventData struct {
	// The id of the payout request.
	WithdrawalRequestID string `json:"withdrawalRequestId"`
	// The store that pays.
	StoreID string `json:"storeId"`
	// USDT: an exact decimal string with six decimal places.
	AmountUSDT USDT `json:"amountUsdt"`
	// The recipient.
	BeneficiaryRef string `json:"beneficiaryRef"`
	// Why it was rejected, cancelled or failed.
	StatusReason string `json:"statusReason,omitempty"`
	// The reference of the manual transfer.
	TransferReference string `json:"transferReference,omitempty"`
	// When it happened.
	OccurredAt time.Time `json:"occurredAt"`
	// The status of the payout request.
	Status string `json:"status"`
}

// WithdrawalCompletedEventData is the data of withdrawal.completed. Sent if enabled in extraEvents. The current status of a payout request.
type WithdrawalCompletedEventData struct {
	// The id of the payout request.
	WithdrawalRequestID string `json:"withdrawalRequestId"`
	// The store that pays.
	StoreID string `json:"storeId"`
	// USDT: an exact decimal string with six decimal places.
	AmountUSDT USDT `json:"amountUsdt"`
	// The recipient.
	BeneficiaryRef string `json:"beneficiaryRef"`
	// Why it was rejected, cancelled or failed.
	StatusReason string `json:"statusReason,omitempty"`
	// The reference of the manual transfer.
	TransferReference string `json:"transferReference,omitempty"`
	// When it happened.
	OccurredAt time.Time `json:"occurredAt"`
	// The status of the payout request.
	Status string `json:"status"`
}

// WithdrawalFailedEventData is the data of withdrawal.failed. Sent if enabled in extraEvents. The current status of a payout request.
type WithdrawalFailedEventData struct {
	// The id of the payout request.
	WithdrawalRequestID string `json:"withdrawalRequestId"`
	// The store that pays.
	StoreID string `json:"storeId"`
	// USDT: an exact decimal string with six decimal places.
	AmountUSDT USDT `json:"amountUsdt"`
	// The recipient.
	BeneficiaryRef string `json:"beneficiaryRef"`
	// Why it was rejected, cancelled or failed.
	StatusReason string `json:"statusReason,omitempty"`
	// The reference of the manual transfer.
	TransferReference string `json:"transferReference,omitempty"`
	// When it happened.
	OccurredAt time.Time `json:"occurredAt"`
	// The status of the payout request.
	Status string `json:"status"`
}

// WithdrawalInReviewEventData is the data of withdrawal.in_review. Sent if enabled in extraEvents. The current status of a payout request.
type WithdrawalInReviewEventData struct {
	// The id of the payout request.
	WithdrawalRequestID string `json:"withdrawalRequestId"`
	// The store that pays.
	StoreID string `json:"storeId"`
	// USDT: an exact decimal string with six decimal places.
	AmountUSDT USDT `json:"amountUsdt"`
	// The recipient.
	BeneficiaryRef string `json:"beneficiaryRef"`
	// Why it was rejected, cancelled or failed.
	StatusReason string `json:"statusReason,omitempty"`
	// The reference of the manual transfer.
	TransferReference string `json:"transferReference,omitempty"`
	// When it happened.
	OccurredAt time.Time `json:"occurredAt"`
	// The status of the payout request.
	Status string `json:"status"`
}

// WithdrawalRegisterReadyEventData is the data of withdrawal-register.ready. Sent if enabled in extraEvents. A day in USDT is closed, and its register is available.
type WithdrawalRegisterReadyEventData struct {
	// The id of the register.
	RegisterID string `json:"registerId"`
	// Always USDT.
	Currency string `json:"currency"`
	// The day, in UTC.
	Date string `json:"date"`
	// USDT: an exact decimal string with six decimal places and a leading minus if negative.
	OpeningAvailable USDT `json:"openingAvailable"`
	// USDT: an exact decimal string with six decimal places and a leading minus if negative.
	OpeningReserved USDT `json:"openingReserved"`
	// USDT: an exact decimal string with six decimal places and a leading minus if negative.
	ClosingAvailable USDT `json:"closingAvailable"`
	// USDT: an exact decimal string with six decimal places and a leading minus if negative.
	ClosingReserved USDT `json:"closingReserved"`
	// The number of entries of the day.
	Lines int `json:"lines"`
	// The path of the register.
	StatusURL string `json:"statusUrl"`
	// When the day was closed.
	OccurredAt time.Time `json:"occurredAt"`
}

// WithdrawalRejectedEventData is the data of withdrawal.rejected. Sent if enabled in extraEvents. The current status of a payout request.
type WithdrawalRejectedEventData struct {
	// The id of the payout request.
	WithdrawalRequestID string `json:"withdrawalRequestId"`
	// The store that pays.
	StoreID string `json:"storeId"`
	// USDT: an exact decimal string with six decimal places.
	AmountUSDT USDT `json:"amountUsdt"`
	// The recipient.
	BeneficiaryRef string `json:"beneficiaryRef"`
	// Why it was rejected, cancelled or failed.
	StatusReason string `json:"statusReason,omitempty"`
	// The reference of the manual transfer.
	TransferReference string `json:"transferReference,omitempty"`
	// When it happened.
	OccurredAt time.Time `json:"occurredAt"`
	// The status of the payout request.
	Status string `json:"status"`
}

// WithdrawalRequestedEventData is the data of withdrawal.requested. Sent if enabled in extraEvents. The current status of a payout request.
type WithdrawalRequestedEventData struct {
	// The id of the payout request.
	WithdrawalRequestID string `json:"withdrawalRequestId"`
	// The store that pays.
	StoreID string `json:"storeId"`
	// USDT: an exact decimal string with six decimal places.
	AmountUSDT USDT `json:"amountUsdt"`
	// The recipient.
	BeneficiaryRef string `json:"beneficiaryRef"`
	// Why it was rejected, cancelled or failed.
	StatusReason string `json:"statusReason,omitempty"`
	// The reference of the manual transfer.
	TransferReference string `json:"transferReference,omitempty"`
	// When it happened.
	OccurredAt time.Time `json:"occurredAt"`
	// The status of the payout request.
	Status string `json:"status"`
}
