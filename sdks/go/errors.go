package pay

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// ErrorCodeUnreadable is the code of an APIError whose body is not from the service: a proxy in between responded.
const ErrorCodeUnreadable ErrorCode = "UNREADABLE"

// ErrorDetail is one invalid field or, in TEST, one reason for a 401.
type ErrorDetail struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// APIError says that the service refused the request. Nothing was done, unless Code says otherwise.
type APIError struct {
	// Status of the response.
	Status int
	// What to branch on.
	Code ErrorCode
	// For people.
	Message string
	Details []ErrorDetail
	// Quote it when you contact support.
	RequestID string
	// With PERIOD_NOT_ELAPSED: the earliest time of the next charge.
	NextChargeAt *time.Time
	// With RETRY_NOT_ALLOWED: the earliest time of the next attempt; nil: never with this card.
	RetryNotBefore *time.Time
	// With DUPLICATE_ORDER: your payment that already uses the number; with PREVIOUS_CHARGE_NOT_FINISHED: the open charge.
	PaymentID string
	// With DUPLICATE_ORDER for a refund: your refund that already uses the number.
	RefundID string
	// How long to wait before the next attempt; nil if the service did not say.
	RetryAfter *time.Duration
	// Pass it again to repeat the same request. Empty for what is not a POST.
	IdempotencyKey string
	// As received.
	Body []byte
}

// Error returns the code, the status and what is wrong.
func (e *APIError) Error() string {
	sentences := []string{fmt.Sprintf("pay: %s (HTTP status %d)", e.Code, e.Status)}
	if e.Message != "" {
		sentences[0] += ": " + e.Message
	}
	for _, detail := range e.Details {
		sentences = append(sentences, detail.Field+": "+detail.Message)
	}
	return strings.Join(sentences, "; ")
}

// NoAnswerError says that an attempt got no response, or one that is not from the service, and no later one decided: the
// outcome is unknown. Repeat the call with the same body and this key.
type NoAnswerError struct {
	// Empty for what is not a POST.
	IdempotencyKey string
	// What happened to the last attempt: context.Canceled, for example.
	Err error
}

// Error returns what happened to the last attempt.
func (e *NoAnswerError) Error() string {
	return "pay: no answer from the service: " + e.Err.Error()
}

// Unwrap returns what happened to the last attempt.
func (e *NoAnswerError) Unwrap() error {
	return e.Err
}

var codePattern = regexp.MustCompile(`^[A-Z][A-Z_]+$`)

// The most that the service's clock and ours may differ.
const clockTolerance = 300 * time.Second

func clockFault(date string) string {
	moment, err := http.ParseTime(date)
	behind := time.Until(moment).Round(time.Second)
	switch {
	case err != nil || behind.Abs() <= clockTolerance:
		return ""
	case behind > 0:
		return fmt.Sprintf("; the clock of this machine is %.0f s behind the service's", behind.Seconds())
	default:
		return fmt.Sprintf("; the clock of this machine is %.0f s ahead of the service's", -behind.Seconds())
	}
}

// Whether a proxy responded, and the service may have got the request.
func (e *APIError) isOfProxy() bool {
	return e.Code == ErrorCodeUnreadable && e.Status >= 500 && e.Status != http.StatusServiceUnavailable
}

func apiErrorOf(status int, header http.Header, body []byte, key string) *APIError {
	var members struct {
		Code           ErrorCode     `json:"code"`
		Error          string        `json:"error"`
		Details        []ErrorDetail `json:"details"`
		RequestID      string        `json:"requestId"`
		NextChargeAt   string        `json:"nextChargeAt"`
		RetryNotBefore string        `json:"retryNotBefore"`
		PaymentID      string        `json:"paymentId"`
		RefundID       string        `json:"refundId"`
	}
	// What is not the service's leaves its members empty.
	_ = json.Unmarshal(body, &members)
	// Also a code that this version does not know: a newer service may send it.
	if !codePattern.MatchString(string(members.Code)) {
		members.Code = ErrorCodeUnreadable
	}
	if status == http.StatusUnauthorized {
		members.Error += clockFault(header.Get("Date"))
	}
	if members.RequestID == "" {
		members.RequestID = header.Get("X-Request-Id")
	}
	return &APIError{
		Status:         status,
		Code:           members.Code,
		Message:        members.Error,
		Details:        members.Details,
		RequestID:      members.RequestID,
		NextChargeAt:   momentOf(members.NextChargeAt),
		RetryNotBefore: momentOf(members.RetryNotBefore),
		PaymentID:      members.PaymentID,
		RefundID:       members.RefundID,
		RetryAfter:     retryAfter(header.Values("Retry-After"), time.Now()),
		IdempotencyKey: key,
		Body:           body,
	}
}

func momentOf(text string) *time.Time {
	moment, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return nil
	}
	return &moment
}
