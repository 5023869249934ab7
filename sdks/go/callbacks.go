package pay

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const toleranceSeconds = 300

// The most entries of X-Service-Signature that are read: the service sends one, two during a rotation.
const signaturesMax = 8

// CallbackKey is a callback key as issued. During a rotation you have two.
type CallbackKey struct {
	id     string
	secret []byte
}

// NewCallbackKey fails if secret is not the base64 of 32 bytes.
func NewCallbackKey(keyID, secret string) (CallbackKey, error) {
	decoded, err := base64.StdEncoding.Strict().DecodeString(secret)
	if err != nil || len(decoded) != 32 {
		return CallbackKey{}, fmt.Errorf("pay: the secret of callback key %s is not base64 of 32 bytes: pass it as it was issued", keyID)
	}
	return CallbackKey{keyID, decoded}, nil
}

// Event is a verified callback.
type Event struct {
	// The same in every delivery.
	EventID string
	// A newer service may send types that this version does not know.
	Type EventType
	// Increases by one with every event of the same payment, binding or payout request.
	AggregateVersion int
	CreatedAt        time.Time
	// A pointer to the data of the type, such as *PaymentCompletedEventData; a json.RawMessage if this version does not
	// know the type.
	Data any

	aggregateID string
}

// Reasons of a CallbackRefusedError.
const (
	ReasonUnsigned     = "unsigned"
	ReasonStale        = "stale"
	ReasonUnknownKey   = "unknown key"
	ReasonBadSignature = "bad signature"
	ReasonMalformed    = "malformed"
)

// CallbackRefusedError says that a callback is not authentic or, with ReasonMalformed, not an event. Answer 400 to the
// second, and 401 to everything else.
type CallbackRefusedError struct {
	Reason  string
	Message string
}

// Error returns the reason and what was found.
func (e *CallbackRefusedError) Error() string {
	return "pay: " + e.Reason + ": " + e.Message
}

var timestampPattern = regexp.MustCompile(`^[0-9]{1,12}$`)

// VerifyCallback checks freshness, then the signature over the exact bytes, then the envelope. rawBody is the body as
// received, before any parser. The error is a *CallbackRefusedError.
func VerifyCallback(rawBody []byte, header http.Header, keys []CallbackKey, now time.Time) (*Event, error) {
	timestamp := header.Get("X-Service-Timestamp")
	if !timestampPattern.MatchString(timestamp) {
		return nil, &CallbackRefusedError{ReasonUnsigned, "X-Service-Timestamp is not a Unix time in seconds"}
	}
	signature := header.Get("X-Service-Signature")
	if signature == "" {
		return nil, &CallbackRefusedError{ReasonUnsigned, "X-Service-Signature is missing"}
	}
	seconds, _ := strconv.ParseInt(timestamp, 10, 64) // At most twelve digits: they fit.
	if age := now.Unix() - seconds; age > toleranceSeconds || age < -toleranceSeconds {
		return nil, &CallbackRefusedError{ReasonStale, fmt.Sprintf("the timestamp is more than %d s off", toleranceSeconds)}
	}
	if refused := checkSignature(rawBody, timestamp, signature, keys); refused != nil {
		return nil, refused
	}
	event, err := readEvent(rawBody)
	if err == nil && event.EventID != header.Get("X-Service-Event-ID") {
		err = fmt.Errorf("X-Service-Event-ID is another")
	}
	if err != nil {
		return nil, &CallbackRefusedError{ReasonMalformed, "the signed body is not an event of schemaVersion 1: " + err.Error()}
	}
	return event, nil
}

func checkSignature(rawBody []byte, timestamp, signature string, keys []CallbackKey) *CallbackRefusedError {
	entries := strings.SplitN(signature, ",", signaturesMax+1)
	if len(entries) > signaturesMax {
		entries = entries[:signaturesMax]
	}
	named := make([]string, len(entries))
	for i, entry := range entries {
		entries[i] = strings.TrimSpace(entry)
		named[i], _, _ = strings.Cut(entries[i], ":")
	}
	isKnown, isSigned := false, false
	for _, key := range keys {
		isNamed := false
		for _, name := range named {
			isNamed = isNamed || name == key.id
		}
		if !isNamed {
			continue
		}
		isKnown = true
		expected := []byte(key.entry(timestamp, rawBody))
		for _, entry := range entries {
			isSigned = hmac.Equal(expected, []byte(entry)) || isSigned
		}
	}
	if !isKnown {
		return &CallbackRefusedError{ReasonUnknownKey, "signed with unknown keys: " + strings.Join(named, ", ")}
	}
	if !isSigned {
		return &CallbackRefusedError{ReasonBadSignature, "the signature does not match the body: was it parsed or rewritten?"}
	}
	return nil
}

func (k CallbackKey) entry(timestamp string, rawBody []byte) string {
	code := hmac.New(sha256.New, k.secret)
	code.Write([]byte(timestamp + "."))
	code.Write(rawBody)
	return k.id + ":v1=" + hex.EncodeToString(code.Sum(nil))
}

// SignedHeader returns the header that the service would send, for tests of your receiver.
func SignedHeader(rawBody []byte, keys []CallbackKey, now time.Time) http.Header {
	timestamp := strconv.FormatInt(now.Unix(), 10)
	var entries []string
	for _, key := range keys {
		entries = append(entries, key.entry(timestamp, rawBody))
	}
	var event struct {
		EventID string `json:"eventId"`
	}
	_ = json.Unmarshal(rawBody, &event) // A body that is no event has no id.
	header := http.Header{}
	header.Set("X-Service-Timestamp", timestamp)
	header.Set("X-Service-Signature", strings.Join(entries, ","))
	header.Set("X-Service-Event-ID", event.EventID)
	return header
}

func readEvent(rawBody []byte) (*Event, error) {
	var envelope struct {
		SchemaVersion    int             `json:"schemaVersion"`
		EventID          string          `json:"eventId"`
		Type             EventType       `json:"type"`
		AggregateVersion *int            `json:"aggregateVersion"`
		CreatedAt        *time.Time      `json:"createdAt"`
		Data             json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(rawBody, &envelope); err != nil {
		return nil, err
	}
	isWhole := envelope.SchemaVersion == 1 && envelope.EventID != "" && envelope.Type != "" &&
		envelope.AggregateVersion != nil && envelope.CreatedAt != nil && bytes.HasPrefix(envelope.Data, []byte("{"))
	if !isWhole {
		return nil, fmt.Errorf("a member is missing")
	}
	event := &Event{
		EventID:          envelope.EventID,
		Type:             envelope.Type,
		AggregateVersion: *envelope.AggregateVersion,
		CreatedAt:        *envelope.CreatedAt,
		Data:             envelope.Data,
		aggregateID:      aggregateOf(envelope.EventID, envelope.Data),
	}
	if data := newEventData(envelope.Type); data != nil {
		if err := json.Unmarshal(envelope.Data, data); err != nil {
			return nil, err
		}
		event.Data = data
	}
	return event, nil
}

// What an event is about: a payment, a binding or a payout request; of an unknown kind, itself.
func aggregateOf(eventID string, data []byte) string {
	var members struct {
		OrderID             string `json:"orderId"`
		BindingID           string `json:"bindingId"`
		WithdrawalRequestID string `json:"withdrawalRequestId"`
	}
	_ = json.Unmarshal(data, &members) // A member of another type is as good as none.
	switch {
	case members.OrderID != "":
		return "payment:" + members.OrderID
	case members.BindingID != "":
		return "binding:" + members.BindingID
	case members.WithdrawalRequestID != "":
		return "withdrawal:" + members.WithdrawalRequestID
	}
	return eventID
}
