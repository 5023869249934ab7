// Code generated from packages/contract by `node packages/contract/src/write-sdk-types.ts`. DO NOT EDIT.

package pay

import "context"

// CreateCardPayment creates a card payment; the buyer pays at paymentUrl.
func (c *Client) CreateCardPayment(ctx context.Context, body NewCardPayment, options ...CallOption) (*CreatedCardPayment, error) {
	return call[CreatedCardPayment](ctx, c, "POST", "/api/card", body, options)
}

// ListCardPayments lists the partner's card payments and charges of saved cards, newest first, or finds one by its order number.
func (c *Client) ListCardPayments(ctx context.Context, query CardListOptions) (*ListPage[CardPayment], error) {
	return call[ListPage[CardPayment]](ctx, c, "GET", "/api/card"+query.encode(), nil, nil)
}

// FindCardPayment finds the payment or charge with this order number. It returns nil if there is none.
func (c *Client) FindCardPayment(ctx context.Context, orderID string) (*CardPayment, error) {
	return first[CardPayment](ctx, c, "/api/card"+queryOf(parameter{"orderID", orderID}))
}

// ReadCardPayment gets a card payment and its current status.
func (c *Client) ReadCardPayment(ctx context.Context, id string) (*CardPayment, error) {
	return call[CardPayment](ctx, c, "GET", "/api/card/"+escape(id), nil, nil)
}

// CancelCardPayment cancels a payment that is unpaid and has no card being processed; it becomes CANCELLED.
func (c *Client) CancelCardPayment(ctx context.Context, id string, options ...CallOption) (*CardPayment, error) {
	return call[CardPayment](ctx, c, "POST", "/api/card/"+escape(id)+"/cancel", nil, options)
}

// RefundCardPayment refunds part of a payment, or all that remains.
func (c *Client) RefundCardPayment(ctx context.Context, id string, body NewRefund, options ...CallOption) (*Refund, error) {
	return call[Refund](ctx, c, "POST", "/api/card/"+escape(id)+"/refunds", body, options)
}

// ListCardRefunds lists the refunds of a payment, newest first.
func (c *Client) ListCardRefunds(ctx context.Context, id string, query PageOptions) (*ListPage[Refund], error) {
	return call[ListPage[Refund]](ctx, c, "GET", "/api/card/"+escape(id)+"/refunds"+query.encode(), nil, nil)
}

// CreateQRPayment creates a QR payment; the buyer pays by scanning the code.
func (c *Client) CreateQRPayment(ctx context.Context, body NewQRPayment, options ...CallOption) (*CreatedQRPayment, error) {
	return call[CreatedQRPayment](ctx, c, "POST", "/api/qr", body, options)
}

// ReadQRPayment gets a QR payment and its current status.
func (c *Client) ReadQRPayment(ctx context.Context, id string) (*QRPayment, error) {
	return call[QRPayment](ctx, c, "GET", "/api/qr/"+escape(id), nil, nil)
}

// CancelQRPayment cancels a payment that is unpaid and has no card being processed; it becomes CANCELLED.
func (c *Client) CancelQRPayment(ctx context.Context, id string, options ...CallOption) (*QRPayment, error) {
	return call[QRPayment](ctx, c, "POST", "/api/qr/"+escape(id)+"/cancel", nil, options)
}

// RefundQRPayment refunds part of a payment, or all that remains.
func (c *Client) RefundQRPayment(ctx context.Context, id string, body NewRefund, options ...CallOption) (*Refund, error) {
	return call[Refund](ctx, c, "POST", "/api/qr/"+escape(id)+"/refunds", body, options)
}

// ListQRRefunds lists the refunds of a payment, newest first.
func (c *Client) ListQRRefunds(ctx context.Context, id string, query PageOptions) (*ListPage[Refund], error) {
	return call[ListPage[Refund]](ctx, c, "GET", "/api/qr/"+escape(id)+"/refunds"+query.encode(), nil, nil)
}

// ListQRPayments lists the QR payments of a payment point, newest first.
func (c *Client) ListQRPayments(ctx context.Context, paymentPointID string, query QRHistoryOptions) (*ListPage[QRPayment], error) {
	return call[ListPage[QRPayment]](ctx, c, "GET", "/api/payments/"+escape(paymentPointID)+query.encode(), nil, nil)
}

// ReadRefund gets a refund and its current status.
func (c *Client) ReadRefund(ctx context.Context, refundID string) (*Refund, error) {
	return call[Refund](ctx, c, "GET", "/api/refunds/"+escape(refundID), nil, nil)
}

// ListPaymentPoints lists the partner's payment points.
func (c *Client) ListPaymentPoints(ctx context.Context) ([]PaymentPoint, error) {
	return items[PaymentPoint](ctx, c, "/api/integration/payment-points")
}

// SaveEndpoints saves callbackUrl and returnUrl.
func (c *Client) SaveEndpoints(ctx context.Context, body NewEndpoints) (*Endpoints, error) {
	return call[Endpoints](ctx, c, "PUT", "/api/integration/endpoints", body, nil)
}

// ReadEndpoints gets the saved addresses.
func (c *Client) ReadEndpoints(ctx context.Context) (*Endpoints, error) {
	return call[Endpoints](ctx, c, "GET", "/api/integration/endpoints", nil, nil)
}

// IssueCallbackSecret issues the callback secret, once.
func (c *Client) IssueCallbackSecret(ctx context.Context, body IssueCallbackSecret, options ...CallOption) (*CallbackSecret, error) {
	return call[CallbackSecret](ctx, c, "POST", "/api/integration/callback-secret", body, options)
}

// SendTestCallback sends the latest payment.completed again, to check the receiver.
func (c *Client) SendTestCallback(ctx context.Context) (*TestCallback, error) {
	return call[TestCallback](ctx, c, "POST", "/api/integration/test-callback", nil, nil)
}

// ListRegisters lists the closed days of the ruble balance, newest first.
func (c *Client) ListRegisters(ctx context.Context, query RegisterListOptions) (*ListPage[Register], error) {
	return call[ListPage[Register]](ctx, c, "GET", "/api/registers/RUB"+query.encode(), nil, nil)
}

// ReadRegister gets a closed day, entry by entry. Parts are numbered from 1.
func (c *Client) ReadRegister(ctx context.Context, date string, part int) (*RegisterPart, error) {
	return call[RegisterPart](ctx, c, "GET", "/api/registers/RUB/"+escape(date)+queryOf(parameter{"part", numberText(part)}), nil, nil)
}

// ReadRegisterCSV gets the same as the text of a CSV file.
func (c *Client) ReadRegisterCSV(ctx context.Context, date string, part int) (string, error) {
	return c.csv(ctx, "/api/registers/RUB/"+escape(date)+queryOf(parameter{"format", "csv"}, parameter{"part", numberText(part)}))
}

// ListUSDTRegisters lists the closed days in USDT, newest first.
func (c *Client) ListUSDTRegisters(ctx context.Context, query RegisterListOptions) (*ListPage[USDTRegister], error) {
	return call[ListPage[USDTRegister]](ctx, c, "GET", "/api/registers/USDT"+query.encode(), nil, nil)
}

// ReadUSDTRegister gets a closed day in USDT, entry by entry. Parts are numbered from 1.
func (c *Client) ReadUSDTRegister(ctx context.Context, date string, part int) (*USDTRegisterPart, error) {
	return call[USDTRegisterPart](ctx, c, "GET", "/api/registers/USDT/"+escape(date)+queryOf(parameter{"part", numberText(part)}), nil, nil)
}

// ReadUSDTRegisterCSV gets the same as the text of a CSV file.
func (c *Client) ReadUSDTRegisterCSV(ctx context.Context, date string, part int) (string, error) {
	return c.csv(ctx, "/api/registers/USDT/"+escape(date)+queryOf(parameter{"format", "csv"}, parameter{"part", numberText(part)}))
}

// ListEvents lists the partner's events of the last 30 days, newest first.
func (c *Client) ListEvents(ctx context.Context, query EventFilter) (*ListPage[CallbackEvent], error) {
	return call[ListPage[CallbackEvent]](ctx, c, "GET", "/api/events"+query.encode(), nil, nil)
}

// ReadEvent gets an event with its body and its delivery attempts.
func (c *Client) ReadEvent(ctx context.Context, eventID string) (*CallbackEventStory, error) {
	return call[CallbackEventStory](ctx, c, "GET", "/api/events/"+escape(eventID), nil, nil)
}

// ReplayEvent sends an event again, whatever its status; at most 60 per minute.
func (c *Client) ReplayEvent(ctx context.Context, eventID string, options ...CallOption) (*CallbackEvent, error) {
	return call[CallbackEvent](ctx, c, "POST", "/api/events/"+escape(eventID)+"/replay", nil, options)
}

// CreateRecurringPayment charges a saved card, at most once per period.
func (c *Client) CreateRecurringPayment(ctx context.Context, body NewRecurringPayment, options ...CallOption) (*RecurringPayment, error) {
	return call[RecurringPayment](ctx, c, "POST", "/v1/recurring-payments", body, options)
}

// ListBindings lists a buyer's saved cards, newest first.
func (c *Client) ListBindings(ctx context.Context, query BindingFilter) (*ListPage[Binding], error) {
	return call[ListPage[Binding]](ctx, c, "GET", "/v1/bindings"+query.encode(), nil, nil)
}

// ReadBinding gets a binding with its status and period.
func (c *Client) ReadBinding(ctx context.Context, bindingID string) (*Binding, error) {
	return call[Binding](ctx, c, "GET", "/v1/bindings/"+escape(bindingID), nil, nil)
}

// RevokeBinding revokes a binding: no further charges, immediately and permanently.
func (c *Client) RevokeBinding(ctx context.Context, bindingID string, options ...CallOption) (*Binding, error) {
	return call[Binding](ctx, c, "POST", "/v1/bindings/"+escape(bindingID)+"/revoke", nil, options)
}

// ReadWithdrawalBalance gets a store's USDT balance: available and reserved.
func (c *Client) ReadWithdrawalBalance(ctx context.Context, storeID string) (*WithdrawalBalance, error) {
	return call[WithdrawalBalance](ctx, c, "GET", "/api/withdrawal-balances/"+escape(storeID), nil, nil)
}

// CreateWithdrawalRequest requests a payout in USDT; the amount is reserved.
func (c *Client) CreateWithdrawalRequest(ctx context.Context, body NewWithdrawalRequest, options ...CallOption) (*WithdrawalRequest, error) {
	return call[WithdrawalRequest](ctx, c, "POST", "/api/withdrawal-requests", body, options)
}

// ListWithdrawalRequests lists the partner's payout requests, newest first.
func (c *Client) ListWithdrawalRequests(ctx context.Context, query WithdrawalFilter) (*ListPage[WithdrawalRequest], error) {
	return call[ListPage[WithdrawalRequest]](ctx, c, "GET", "/api/withdrawal-requests"+query.encode(), nil, nil)
}

// ReadWithdrawalRequest gets a payout request and its current status.
func (c *Client) ReadWithdrawalRequest(ctx context.Context, requestID string) (*WithdrawalRequest, error) {
	return call[WithdrawalRequest](ctx, c, "GET", "/api/withdrawal-requests/"+escape(requestID), nil, nil)
}

// CancelWithdrawalRequest cancels a payout request before an operator takes it; the amount becomes available again.
func (c *Client) CancelWithdrawalRequest(ctx context.Context, requestID string, options ...CallOption) (*WithdrawalRequest, error) {
	return call[WithdrawalRequest](ctx, c, "POST", "/api/withdrawal-requests/"+escape(requestID)+"/cancel", nil, options)
}
