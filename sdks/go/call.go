package pay

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// One call: what all of its attempts have in common.
type request struct {
	method string
	target string
	body   []byte
	key    string
	hasKey bool
}

// Whether a repeat does nothing that the first request has not done.
func (r *request) isRepeatable() bool {
	return r.key != "" || r.method == http.MethodGet || r.method == http.MethodHead || r.method == http.MethodPut
}

func (r *request) isCommand() bool {
	return r.method != http.MethodGet && r.method != http.MethodHead
}

// A response below 300.
type answer struct {
	header http.Header
	body   []byte
	// Whether a response that was cut can be told from a whole one.
	hasEnd bool
}

var errNotFromAPI = errors.New("the response is not from this API")

func call[T any](ctx context.Context, c *Client, method, target string, body any, options []CallOption) (*T, error) {
	result := new(T)
	if err := c.Request(ctx, method, target, body, result, options...); err != nil {
		return nil, err
	}
	return result, nil
}

// The items of a list that has no pages.
func items[T any](ctx context.Context, c *Client, target string) ([]T, error) {
	page, err := call[ListPage[T]](ctx, c, "GET", target, nil, nil)
	if err != nil {
		return nil, err
	}
	return page.Items, nil
}

// The first item of a list, or nil.
func first[T any](ctx context.Context, c *Client, target string) (*T, error) {
	list, err := items[T](ctx, c, target)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// The text of a CSV file.
func (c *Client) csv(ctx context.Context, target string) (string, error) {
	var text string
	err := c.call(ctx, "GET", target, nil, nil, func(answer *answer) error {
		if !answer.hasEnd || !strings.HasPrefix(answer.header.Get("Content-Type"), "text/csv") {
			return errNotFromAPI
		}
		text = string(answer.body)
		return nil
	})
	return text, err
}

// Reads a JSON object. A page of a proxy, or a body that was cut, is none: what the service did is unknown.
func (a *answer) readInto(result any) error {
	if text := bytes.TrimLeft(a.body, " \t\r\n"); len(text) == 0 || text[0] != '{' {
		return errNotFromAPI
	}
	if err := json.Unmarshal(a.body, result); err != nil {
		return fmt.Errorf("%w: %v", errNotFromAPI, err)
	}
	return nil
}

// The same bytes and the same key in each attempt, with a new timestamp, nonce and signature.
func (c *Client) call(ctx context.Context, method, target string, body any, options []CallOption, read func(*answer) error) error {
	call := request{method: method, target: target}
	for _, option := range options {
		option(&call)
	}
	if err := call.prepare(body); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err // Nothing was sent: there is nothing to repeat.
	}
	mayBeDone := false
	for attempt := 1; ; attempt++ {
		err := c.attempt(ctx, &call, read)
		if err == nil || attempt == attemptsMax || !call.isRepeatable() || ctx.Err() != nil || !mayPass(err) {
			var last *APIError
			if mayBeDone && errors.As(err, &last) && !last.decides() {
				// Not wrapped: who looks for an APIError would find a refusal.
				return &NoAnswerError{call.key, fmt.Errorf("an earlier attempt got none, the last one %d %s: %s", last.Status, last.Code, last.Message)}
			}
			return err
		}
		var none *NoAnswerError
		if call.isCommand() && errors.As(err, &none) {
			mayBeDone = true
		}
		if err := wait(ctx, c.pauseAfter(attempt, err)); err != nil {
			return &NoAnswerError{call.key, err}
		}
	}
}

func (r *request) prepare(body any) error {
	if r.hasKey && !isKey(r.key) {
		return errors.New("pay: an idempotency key has 16 to 128 visible ASCII characters")
	}
	if !r.hasKey && r.method == http.MethodPost {
		r.key = randomText()
	}
	if body == nil {
		return nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		return fmt.Errorf("pay: the request has no JSON form: %w", err)
	}
	r.body = bytes.TrimSuffix(text.Bytes(), []byte("\n"))
	return nil
}

func isKey(key string) bool {
	isHidden := func(letter rune) bool { return letter < '!' || letter > '~' }
	return len(key) >= 16 && len(key) <= 128 && strings.IndexFunc(key, isHidden) < 0
}

func (c *Client) attempt(ctx context.Context, call *request, read func(*answer) error) error {
	signed, err := c.signed(ctx, call)
	if err != nil {
		return err
	}
	response, err := c.http.Do(signed)
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err // Without the address, which names buyers.
	}
	if err != nil {
		return &NoAnswerError{call.key, err}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return &NoAnswerError{call.key, err}
	}
	if response.StatusCode >= 300 {
		refused := apiErrorOf(response.StatusCode, response.Header, body, call.key)
		if refused.isOfProxy() {
			return &NoAnswerError{call.key, fmt.Errorf("HTTP status %d of a proxy: the service may have got the request", refused.Status)}
		}
		return refused
	}
	hasEnd := response.ContentLength >= 0 || len(response.TransferEncoding) > 0 || response.Uncompressed || response.ProtoMajor > 1
	if err := read(&answer{response.Header, body, hasEnd}); err != nil {
		return &NoAnswerError{call.key, err}
	}
	return nil
}

func (c *Client) signed(ctx context.Context, call *request) (*http.Request, error) {
	signed, err := http.NewRequestWithContext(ctx, call.method, c.origin+call.target, nil)
	if err != nil || signed.URL.RequestURI() != call.target {
		return nil, fmt.Errorf("pay: %q is not an escaped path", call.target)
	}
	// Go's transport repeats a request by itself, with the nonce that was used, if a kept connection breaks: but neither one
	// with a body that cannot be read again, nor a POST without the header Idempotency-Key in this very spelling.
	if len(call.body) > 0 || call.method == http.MethodGet || call.method == http.MethodHead {
		signed.Body = io.NopCloser(bytes.NewBuffer(call.body))
		signed.ContentLength = int64(len(call.body))
	}
	if call.key != "" {
		signed.Header["idempotency-key"] = []string{call.key}
	}
	if len(call.body) > 0 {
		signed.Header.Set("Content-Type", "application/json")
	}
	signed.Header.Set("Accept", "application/json")
	signed.Header.Set("Authorization", c.identity.Sign(call.method, call.target, call.key, call.body))
	return signed, nil
}

// Whether a repeat may succeed: no readable response, or a temporary refusal that does not ask to wait too long.
func mayPass(err error) bool {
	var none *NoAnswerError
	if errors.As(err, &none) {
		return true
	}
	var refused *APIError
	if !errors.As(err, &refused) || refused.RetryAfter != nil && *refused.RetryAfter > retryAfterMax {
		return false
	}
	return refused.Status == http.StatusTooManyRequests || refused.Status == http.StatusServiceUnavailable ||
		refused.Code == ErrorCodeIdempotencyKeyInProgress
}

// Whether a refusal says that an earlier attempt, which got no response, did nothing either. "Not now" and a page of a proxy
// don't, nor does 401: the key may have been revoked in between.
func (e *APIError) decides() bool {
	isOfCommand := e.Status >= 400 && e.Status < 500 && e.Status != http.StatusUnauthorized && e.Status != http.StatusTooManyRequests
	return isOfCommand && e.Code != ErrorCodeUnreadable && e.Code != ErrorCodeIdempotencyKeyInProgress
}

func (c *Client) pauseAfter(attempt int, err error) time.Duration {
	var refused *APIError
	if errors.As(err, &refused) && refused.RetryAfter != nil {
		return *refused.RetryAfter
	}
	// Half of it is random, so that clients that failed together do not retry together.
	half := c.backoff << (attempt - 1) / 2
	random, err := rand.Int(rand.Reader, big.NewInt(int64(half)+1))
	if err != nil {
		return 2 * half
	}
	return half + time.Duration(random.Int64())
}

func wait(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// A parameter of a query; without a value it is left out.
type parameter struct {
	name  string
	value string
}

// The query with its question mark.
func queryOf(parameters ...parameter) string {
	var pairs []string
	for _, one := range parameters {
		if one.value != "" {
			pairs = append(pairs, escape(one.name)+"="+escape(one.value))
		}
	}
	if len(pairs) == 0 {
		return ""
	}
	return "?" + strings.Join(pairs, "&")
}

func numberText(number int) string {
	if number == 0 {
		return ""
	}
	return strconv.Itoa(number)
}

func momentText(moment time.Time) string {
	if moment.IsZero() {
		return ""
	}
	return moment.UTC().Format(time.RFC3339Nano)
}
