// Package pay is the client of the payment integration service: signed calls, safe repeats, verified callbacks, exact
// amounts. It depends on the standard library only.
//
// Every call returns an *APIError if the service refuses the request, and a *NoAnswerError without a readable response.
package pay

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// Attempts per call, including the first.
const attemptsMax = 4

// The longest Retry-After to wait for; a longer one is reported in the error.
const retryAfterMax = 30 * time.Second

// Options say where the service is, and who calls.
type Options struct {
	// The origin, such as https://api.example: a signature covers the whole path.
	BaseURL   string
	PartnerID string
	// The OpenSSH line, as registered.
	PublicKey string
	// The text of an Ed25519 key without a passphrase: PKCS#8 PEM, or as ssh-keygen writes it.
	PrivateKey string
	// Optional: your proxy or certificates, and a Timeout for each attempt. Without it, an attempt may take 30 s.
	HTTPClient *http.Client
}

// Client makes the calls of the API. Goroutines may share it.
type Client struct {
	origin   string
	identity *Identity
	http     *http.Client
	// Pause before the second attempt; it doubles each time, and half of it is random.
	backoff time.Duration
}

var originPattern = regexp.MustCompile(`^https?://[^/?#@\s]+/?$`)

// NewClient fails if BaseURL is not an origin, or if the keys are not an Ed25519 pair.
func NewClient(options Options) (*Client, error) {
	if !originPattern.MatchString(options.BaseURL) {
		return nil, errors.New("pay: BaseURL must be an origin without a path, such as https://api.example")
	}
	identity, err := NewIdentity(options.PartnerID, options.PublicKey, options.PrivateKey)
	if err != nil {
		return nil, err
	}
	own := http.Client{Timeout: 30 * time.Second}
	if options.HTTPClient != nil {
		own = *options.HTTPClient
	}
	// A redirect would repeat the request with a signature for another path.
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{
		origin:   strings.TrimSuffix(options.BaseURL, "/"),
		identity: identity,
		http:     &own,
		backoff:  250 * time.Millisecond,
	}, nil
}

// CallOption changes one call.
type CallOption func(*request)

// WithIdempotencyKey sends this key instead of a new one: 16 to 128 visible ASCII characters. If your process might die
// between call and response, make the key first, save it with the order, and pass it.
func WithIdempotencyKey(key string) CallOption {
	return func(r *request) {
		r.key = key
		r.hasKey = true
	}
}

// Request makes any other call, signed and repeated as all are. target is the path with its escaped query. body is
// written as JSON unless it is nil; the response is read into result, a pointer to a struct or a map.
func (c *Client) Request(ctx context.Context, method, target string, body, result any, options ...CallOption) error {
	return c.call(ctx, method, target, body, options, func(answer *answer) error { return answer.readInto(result) })
}
