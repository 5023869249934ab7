package pay

// The cases that every SDK passes: sdks/conformance, and the signing vectors.

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

func readJSON[T any](t *testing.T, path string) T {
	t.Helper()
	var value T
	text, err := os.ReadFile(filepath.Join("..", "..", path))
	if err == nil {
		err = json.Unmarshal(text, &value)
	}
	if err != nil {
		t.Fatal(err)
	}
	return value
}

type signingVectors struct {
	PartnerID          string
	PublicKeyOpenSSH   string
	PrivateKeyPkcs8Pem string
	Cases              []struct{ Name, Timestamp, Nonce, Method, Target, IdempotencyKey, Body, CanonicalQuery, Canonical, Sign string }
}

func partner(t *testing.T) signingVectors {
	return readJSON[signingVectors](t, "packages/signing/test/vectors/request-signing.json")
}

func TestSignsAsTheVectors(t *testing.T) {
	given := partner(t)
	identity, err := NewIdentity(given.PartnerID, given.PublicKeyOpenSSH, given.PrivateKeyPkcs8Pem)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range given.Cases {
		t.Run(one.Name, func(t *testing.T) {
			_, query, _ := strings.Cut(one.Target, "?")
			same(t, one.CanonicalQuery, canonicalQuery(query))
			same(t, one.Canonical, canonicalString(one.Timestamp, one.Nonce, one.Method, one.Target, one.IdempotencyKey, []byte(one.Body)))
			var members struct{ Sign string }
			text := identity.signAt(one.Timestamp, one.Nonce, one.Method, one.Target, one.IdempotencyKey, []byte(one.Body))
			if err := json.Unmarshal([]byte(text), &members); err != nil {
				t.Fatal(err)
			}
			same(t, one.Sign, members.Sign)
		})
	}
}

func same[T any](t *testing.T, wanted, given T) {
	t.Helper()
	if !reflect.DeepEqual(wanted, given) {
		t.Errorf("wanted %#v, got %#v", wanted, given)
	}
}

type reply struct {
	Status  int
	Cut     bool
	Headers map[string]string
	Text    string
	// The end of the response is that of the connection.
	WithoutLength bool
}

type sent struct{ Method, Target, Body string }

// The service's side: checks signatures and nonces, and replies as told; the last reply repeats.
type service struct {
	t       *testing.T
	mutex   sync.Mutex
	replies []reply
	sent    []sent
	nonces  map[string]bool
	keys    []string
}

func (s *service) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	body, err := io.ReadAll(request.Body)
	if err != nil {
		s.t.Error(err)
	}
	var given struct{ Key, Sign, Timestamp, Nonce string }
	if err := json.Unmarshal([]byte(request.Header.Get("Authorization")), &given); err != nil {
		s.t.Error(err)
	}
	key := request.Header.Get("Idempotency-Key")
	canonical := canonicalString(given.Timestamp, given.Nonce, request.Method, request.RequestURI, key, body)
	blob, _ := base64.StdEncoding.DecodeString(strings.Split(given.Key, " ")[1])
	signature, _ := base64.StdEncoding.DecodeString(given.Sign)
	if !ed25519.Verify(ed25519.PublicKey(blob[len(blob)-ed25519.PublicKeySize:]), []byte(canonical), signature) {
		s.t.Error("the signature does not match")
	}
	if s.nonces[given.Nonce] {
		s.t.Error("a nonce was used twice")
	}
	if (len(key) >= 16) != (request.Method == "POST") {
		s.t.Errorf("%s with the key %q", request.Method, key)
	}
	s.nonces[given.Nonce] = true
	s.keys = append(s.keys, key)
	s.sent = append(s.sent, sent{request.Method, request.RequestURI, string(body)})
	now := s.replies[0]
	if len(s.replies) > 1 {
		s.replies = s.replies[1:]
	}
	if now.Cut {
		panic(http.ErrAbortHandler)
	}
	for name, value := range now.Headers {
		response.Header().Set(name, value)
	}
	if now.WithoutLength {
		connection, _, err := response.(http.Hijacker).Hijack()
		if err != nil {
			s.t.Error(err)
			return
		}
		defer connection.Close()
		_, _ = fmt.Fprintf(connection, "HTTP/1.1 %d OK\r\nContent-Type: %s\r\n\r\n%s", now.Status, now.Headers["Content-Type"], now.Text)
		return
	}
	response.WriteHeader(now.Status)
	_, _ = io.WriteString(response, now.Text)
}

// What the service got.
func (s *service) got() ([]sent, []string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.sent, s.keys
}

// A client of a service that replies like this.
func serve(t *testing.T, replies ...reply) (*service, *Client) {
	t.Helper()
	own := &service{t: t, replies: replies, nonces: map[string]bool{}}
	server := httptest.NewServer(own)
	t.Cleanup(server.Close)
	given := partner(t)
	client, err := NewClient(Options{
		BaseURL:    server.URL,
		PartnerID:  given.PartnerID,
		PublicKey:  given.PublicKeyOpenSSH,
		PrivateKey: given.PrivateKeyPkcs8Pem,
	})
	if err != nil {
		t.Fatal(err)
	}
	client.backoff = 0
	return own, client
}

type callCase struct {
	Name           string
	Call           string
	Arguments      []json.RawMessage
	IdempotencyKey string
	EveryItem      bool
	Replies        []reply
	Sent           []sent
	Result         any
	Error          map[string]any
}

func TestCallsAsEverySDK(t *testing.T) {
	suite := readJSON[struct{ Cases []callCase }](t, "sdks/conformance/calls.json")
	if len(suite.Cases) < 18 {
		t.Fatalf("only %d cases", len(suite.Cases))
	}
	for _, one := range suite.Cases {
		t.Run(one.Name, func(t *testing.T) {
			service, client := serve(t, one.Replies...)
			result, err := called(t, client, one)
			if one.Error == nil {
				if err != nil {
					t.Fatal(err)
				}
				expectPart(t, one.Result, shown(t, result), "result")
			} else {
				if says, _ := one.Error["says"].(string); err == nil || !strings.Contains(err.Error(), says) {
					t.Errorf("%v does not say %s", err, says)
				}
				delete(one.Error, "says")
				expectPart(t, any(one.Error), errorMembers(err), "error")
			}
			sent, keys := service.got()
			if len(one.Sent)+len(sent) > 0 {
				same(t, one.Sent, sent)
			}
			for _, key := range keys {
				if !one.EveryItem && key != keys[0] {
					t.Error("another key")
				}
			}
		})
	}
}

func TestReadsTheTextOfAKey(t *testing.T) {
	type keyText struct{ Name, Text, Says string }
	suite := readJSON[struct {
		Sentences struct {
			Private, Public map[string]string
			NoPair          string
		}
		Private, Public []keyText
	}](t, "sdks/conformance/keys.json")
	given := partner(t)
	told := func(publicKey, privateKey string) string {
		identity, err := NewIdentity(given.PartnerID, publicKey, privateKey)
		if err != nil {
			return strings.TrimPrefix(err.Error(), "pay: ")
		}
		return identity.publicKey
	}
	wanted := func(says string, sentences map[string]string) string {
		if says == "" {
			return given.PublicKeyOpenSSH
		}
		return sentences[says]
	}
	for _, one := range suite.Private {
		t.Run("private: "+one.Name+" (K5)", func(t *testing.T) {
			same(t, wanted(one.Says, suite.Sentences.Private), told(given.PublicKeyOpenSSH, one.Text))
		})
	}
	for _, one := range suite.Public {
		t.Run("public: "+one.Name+" (K5)", func(t *testing.T) {
			same(t, wanted(one.Says, suite.Sentences.Public), told(one.Text, given.PrivateKeyPkcs8Pem))
		})
	}
	same(t, suite.Sentences.NoPair, told(openSSHLine(make([]byte, 32)), given.PrivateKeyPkcs8Pem))
	if len(suite.Private) < 50 || len(suite.Public) < 45 {
		t.Fatal("a part of the table is missing")
	}
}

// Calls the method of this name, with the arguments as JSON.
func called(t *testing.T, client *Client, one callCase) (any, error) {
	if one.EveryItem {
		var filter EventFilter
		decode(t, one.Arguments[0], &filter)
		items := EveryItem(func(pageToken string) (*ListPage[CallbackEvent], error) {
			filter.PageToken = pageToken
			return client.ListEvents(context.Background(), filter)
		})
		var all []CallbackEvent
		for items.Next() {
			all = append(all, items.Item())
		}
		return all, items.Err()
	}
	var name string
	for at := 0; at < reflect.TypeOf(client).NumMethod(); at++ {
		if method := reflect.TypeOf(client).Method(at); strings.EqualFold(method.Name, one.Call) {
			name = method.Name
		}
	}
	method := reflect.ValueOf(client).MethodByName(name)
	arguments := []reflect.Value{reflect.ValueOf(context.Background())}
	for at, given := range one.Arguments {
		argument := reflect.New(method.Type().In(at + 1))
		decode(t, given, argument.Interface())
		arguments = append(arguments, argument.Elem())
	}
	if one.IdempotencyKey != "" {
		arguments = append(arguments, reflect.ValueOf(WithIdempotencyKey(one.IdempotencyKey)))
	}
	results := method.Call(arguments)
	err, _ := results[1].Interface().(error)
	return results[0].Interface(), err
}

func decode(t *testing.T, text []byte, value any) {
	t.Helper()
	if err := json.Unmarshal(text, value); err != nil {
		t.Fatal(err)
	}
}

func shown(t *testing.T, value any) any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var members any
	decode(t, text, &members)
	return members
}

func errorMembers(err error) any {
	var refused *APIError
	var none *NoAnswerError
	switch {
	case err == nil:
		return map[string]any{}
	case errors.As(err, &refused):
		members := map[string]any{"kind": "refused", "status": float64(refused.Status), "code": string(refused.Code), "requestId": refused.RequestID, "paymentId": refused.PaymentID}
		if refused.RetryAfter != nil {
			members["retryAfterSeconds"] = refused.RetryAfter.Seconds()
		}
		if refused.NextChargeAt != nil {
			members["nextChargeAt"] = refused.NextChargeAt.Format("2006-01-02T15:04:05.000Z")
		}
		return members
	case errors.As(err, &none):
		return map[string]any{"kind": "no answer", "idempotencyKey": none.IdempotencyKey}
	}
	return map[string]any{"kind": "invalid"}
}

// Whatever the case says is there. What a struct has besides is empty.
func expectPart(t *testing.T, wanted, given any, path string) {
	t.Helper()
	switch wanted := wanted.(type) {
	case map[string]any:
		members, _ := given.(map[string]any)
		for name, value := range wanted {
			expectPart(t, value, members[name], path+"."+name)
		}
	case []any:
		items, _ := given.([]any)
		if len(items) != len(wanted) {
			t.Errorf("%s: wanted %d items, got %v", path, len(wanted), given)
			return
		}
		for at, value := range wanted {
			expectPart(t, value, items[at], fmt.Sprintf("%s[%d]", path, at))
		}
	case nil:
		if given != "" { // A page without a successor.
			t.Errorf("%s: wanted nothing, got %v", path, given)
		}
	default:
		if wanted != given {
			t.Errorf("%s: wanted %v, got %v", path, wanted, given)
		}
	}
}

func TestReadsRetryAfterInEveryForm(t *testing.T) {
	suite := readJSON[struct {
		Now   time.Time
		Cases []struct {
			Name    string
			Values  []string
			Seconds *float64
		}
	}](t, "sdks/conformance/retry-after.json")
	for _, one := range suite.Cases {
		t.Run(one.Name+" (K2)", func(t *testing.T) {
			wait := retryAfter(one.Values, suite.Now)
			if (wait == nil) != (one.Seconds == nil) || wait != nil && wait.Seconds() != *one.Seconds {
				t.Errorf("got %v", wait)
			}
		})
	}
}

func TestReadsEightSignatures(t *testing.T) {
	vectors := readJSON[struct {
		Keys  map[string]string
		Cases []struct{ Timestamp, Body string }
	}](t, "packages/signing/test/vectors/callback-signing.json")
	var keys []CallbackKey
	for id, secret := range vectors.Keys {
		key, err := NewCallbackKey(id, secret)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	first := vectors.Cases[0]
	var event struct{ EventID string }
	decode(t, []byte(first.Body), &event)
	var seconds int64
	if _, err := fmt.Sscan(first.Timestamp, &seconds); err != nil {
		t.Fatal(err)
	}
	suite := readJSON[struct {
		Cases []struct {
			Name, Signature string
			Reason          *string
		}
	}](t, "sdks/conformance/signatures.json")
	for _, one := range suite.Cases {
		t.Run(one.Name+" (N14)", func(t *testing.T) {
			header := http.Header{}
			header.Set("X-Service-Timestamp", first.Timestamp)
			header.Set("X-Service-Signature", one.Signature)
			header.Set("X-Service-Event-ID", event.EventID)
			_, err := VerifyCallback([]byte(first.Body), header, keys, time.Unix(seconds, 0))
			var refused *CallbackRefusedError
			if one.Reason == nil && err != nil || one.Reason != nil && (!errors.As(err, &refused) || refused.Reason != *one.Reason) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestVerifiesAsTheVectors(t *testing.T) {
	vectors := readJSON[struct {
		Keys  map[string]string
		Cases []struct{ Name, Timestamp, Body, Signature string }
	}](t, "packages/signing/test/vectors/callback-signing.json")
	var keys []CallbackKey
	for id, secret := range vectors.Keys {
		key, err := NewCallbackKey(id, secret)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	for _, one := range vectors.Cases {
		t.Run(one.Name, func(t *testing.T) {
			var event struct{ EventID string }
			decode(t, []byte(one.Body), &event)
			var seconds int64
			if _, err := fmt.Sscan(one.Timestamp, &seconds); err != nil {
				t.Fatal(err)
			}
			now := time.Unix(seconds, 0)
			header := func(timestamp string) http.Header {
				header := http.Header{}
				header.Set("X-Service-Timestamp", timestamp)
				header.Set("X-Service-Signature", one.Signature)
				header.Set("X-Service-Event-ID", event.EventID)
				return header
			}
			refused := func(reason, body string, header http.Header, keys []CallbackKey, now time.Time) {
				t.Helper()
				_, err := VerifyCallback([]byte(body), header, keys, now)
				var own *CallbackRefusedError
				if !errors.As(err, &own) || own.Reason != reason {
					t.Errorf("wanted %s, got %v", reason, err)
				}
			}
			own := header(one.Timestamp)
			refused(ReasonBadSignature, one.Body+" ", own, keys, now)
			refused(ReasonStale, one.Body, own, keys, now.Add(301*time.Second))
			refused(ReasonStale, one.Body, own, keys, now.Add(-301*time.Second))
			refused(ReasonUnknownKey, one.Body, own, []CallbackKey{{"other", keys[0].secret}}, now)
			refused(ReasonUnsigned, one.Body, header("soon"), keys, now)
			if event.EventID == "" {
				refused(ReasonMalformed, one.Body, own, keys, now)
				return
			}
			own.Set("X-Service-Event-ID", "another")
			refused(ReasonMalformed, one.Body, own, keys, now)
			verified, err := VerifyCallback([]byte(one.Body), header(one.Timestamp), keys, now.Add(300*time.Second))
			if err != nil {
				t.Fatal(err)
			}
			same(t, event.EventID, verified.EventID)
		})
	}
}
