package pay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// CallbackBytesMax bounds the body of a callback. Events are a few kilobytes.
const CallbackBytesMax = 262_144

// CallbackReceiver is the http.Handler of your callbackUrl. It verifies a callback, and stores and applies its event in
// one transaction. Tx is the transaction of the store: *sql.Tx for a DatabaseEventStore.
//
// It answers 200, also to a repeat and to an event older than one applied; 401 to what is not authentic; and 500 if
// OnEvent or the store failed, so that the event is sent again.
type CallbackReceiver[Tx any] struct {
	// Your callback keys, two during a rotation.
	Keys  []CallbackKey
	Store EventStore[Tx]
	// Updates your order, in the transaction that stores the event.
	OnEvent func(ctx context.Context, event *Event, tx Tx) error
	// Optional: gets the status and the reason of every response other than 200, for your log.
	OnRefused func(status int, reason string)
}

var answerTexts = map[int]string{200: "ok", 400: "not an event", 401: "not authentic", 405: "POST only", 413: "too large", 500: "error"}

// ServeHTTP answers one callback.
func (r *CallbackReceiver[Tx]) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	status, reason := r.decide(request)
	if status != http.StatusOK && r.OnRefused != nil {
		r.OnRefused(status, reason)
	}
	response.Header().Set("Content-Type", "text/plain; charset=utf-8")
	response.WriteHeader(status)
	// The text is for the sender, and says no more than a forger may know.
	_, _ = io.WriteString(response, answerTexts[status]+"\n")
}

func (r *CallbackReceiver[Tx]) decide(request *http.Request) (status int, reason string) {
	if request.Method != http.MethodPost {
		return http.StatusMethodNotAllowed, request.Method + " instead of POST"
	}
	rawBody, err := io.ReadAll(io.LimitReader(request.Body, CallbackBytesMax+1))
	if err != nil {
		return http.StatusInternalServerError, "the body was cut: " + err.Error()
	}
	if len(rawBody) > CallbackBytesMax {
		return http.StatusRequestEntityTooLarge, "the body is too large"
	}
	event, err := VerifyCallback(rawBody, request.Header, r.Keys, time.Now())
	var refused *CallbackRefusedError
	if errors.As(err, &refused) {
		status := http.StatusUnauthorized
		if refused.Reason == ReasonMalformed {
			status = http.StatusBadRequest
		}
		return status, fmt.Sprintf("%s: %s", refused.Reason, refused.Message)
	}
	ctx := request.Context()
	receipt := EventReceipt{event.EventID, event.aggregateID, event.AggregateVersion}
	_, err = r.Store.Receive(ctx, receipt, func(tx Tx) error { return r.OnEvent(ctx, event, tx) })
	if err != nil {
		return http.StatusInternalServerError, err.Error()
	}
	return http.StatusOK, "ok"
}
