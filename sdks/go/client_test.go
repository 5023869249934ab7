package pay

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestTakesAnOriginAndAPairOnly(t *testing.T) {
	given := partner(t)
	good := Options{BaseURL: "https://api.example/", PartnerID: "p", PublicKey: given.PublicKeyOpenSSH, PrivateKey: given.PrivateKeyPkcs8Pem}
	if _, err := NewClient(good); err != nil {
		t.Fatal(err)
	}
	for _, baseURL := range []string{"api.example", "https://api.example/v1", "https://me@api.example", "ftp://api.example", "https://api.example?a", "https:// a"} {
		bad := good
		bad.BaseURL = baseURL
		if _, err := NewClient(bad); err == nil || !strings.Contains(err.Error(), "origin") {
			t.Errorf("%s: %v", baseURL, err)
		}
	}
	bad := good
	bad.PublicKey = openSSHLine(make([]byte, 32))
	if _, err := NewClient(bad); err == nil || !strings.Contains(err.Error(), "do not match") {
		t.Error(err)
	}
}

func TestSaysThatAResponseIsNotFromThisAPI(t *testing.T) {
	ctx := context.Background()
	page := reply{Status: 200, Headers: map[string]string{"Content-Type": "text/html"}, Text: "<html>"}
	file := reply{Status: 200, Headers: map[string]string{"Content-Type": "text/csv; charset=utf-8"}, Text: "line\r\n"}
	for name, call := range map[string]func(*Client) error{
		"a record": func(c *Client) error { _, err := c.ReadCardPayment(ctx, "p-1"); return err },
		"a file":   func(c *Client) error { _, err := c.ReadRegisterCSV(ctx, "2026-11-22", 0); return err },
	} {
		service, client := serve(t, page)
		var none *NoAnswerError
		if err := call(client); !errors.As(err, &none) || !strings.Contains(err.Error(), "not from this API") {
			t.Errorf("%s: %v", name, err)
		}
		same(t, 4, len(service.sent))
	}
	_, client := serve(t, reply{Status: 200, Text: "null"})
	if _, err := client.ReadCardPayment(ctx, "p-1"); err == nil {
		t.Error("null was taken for a record")
	}
	_, client = serve(t, page, file)
	text, err := client.ReadRegisterCSV(ctx, "2026-11-22", 0)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "line\r\n", text)
	service, client := serve(t, reply{Status: 200, Text: "{}"})
	if _, err := client.ListPaymentPoints(ctx); err == nil {
		t.Error("a list without items was taken for an empty one")
	}
	if _, err := client.FindCardPayment(ctx, "A-1"); err == nil {
		t.Error("a page without items was taken for an empty one")
	}
	same(t, "/api/card?orderID=A-1", service.sent[4].Target)
}

func TestFindsAPaymentOrNone(t *testing.T) {
	_, client := serve(t, reply{Status: 200, Text: `{"items":[],"nextPageToken":null}`}, reply{Status: 200, Text: `{"items":[{"id":"x","amount":1e2}],"nextPageToken":null}`})
	none, err := client.FindCardPayment(context.Background(), "A-1")
	if none != nil || err != nil {
		t.Error(none, err)
	}
	found, err := client.FindCardPayment(context.Background(), "A-1")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "x", found.ID)
}

func TestSendsNothingOnceTheContextHasEnded(t *testing.T) {
	service, client := serve(t, reply{Status: 200, Text: "{}"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := client.CancelCardPayment(ctx, "p-1")
	var none *NoAnswerError
	if !errors.Is(err, context.Canceled) || errors.As(err, &none) {
		t.Error(err)
	}
	same(t, 0, len(service.sent))
}

func TestGivesTheKeyBackWhenTheContextEnds(t *testing.T) {
	// During an attempt, and during the pause after one.
	for name, header := range map[string]string{"attempt": "", "pause": "20"} {
		ctx, cancel := context.WithCancel(context.Background())
		server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
			if header == "" {
				cancel()
				<-request.Context().Done()
				return
			}
			response.Header().Set("Retry-After", header)
			response.WriteHeader(503)
			time.AfterFunc(10*time.Millisecond, cancel)
		}))
		_, client := serve(t, reply{})
		client.origin = server.URL
		_, err := client.CancelCardPayment(ctx, "p-1", WithIdempotencyKey("order-key-0000000001"))
		var none *NoAnswerError
		if !errors.As(err, &none) || none.IdempotencyKey != "order-key-0000000001" || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(err.Error(), "/api/card") {
			t.Error("the error names the address")
		}
		server.Close()
	}
}

// Go's transport repeats what it takes for safe when a kept connection breaks: with the nonce that was used.
func TestSignsAgainWhenAKeptConnectionBreaks(t *testing.T) {
	ctx := context.Background()
	for name, call := range map[string]func(*Client) error{
		"GET":               func(c *Client) error { _, err := c.ReadCardPayment(ctx, "p-1"); return err },
		"PUT":               func(c *Client) error { _, err := c.SaveEndpoints(ctx, NewEndpoints{}); return err },
		"POST":              func(c *Client) error { _, err := c.RefundCardPayment(ctx, "p-1", NewRefund{}); return err },
		"POST without body": func(c *Client) error { _, err := c.CancelCardPayment(ctx, "p-1"); return err },
	} {
		t.Run(name, func(t *testing.T) {
			whole := reply{Status: 200, Text: "{}"}
			service, client := serve(t, whole, reply{Cut: true}, whole)
			for count := 0; count < 2; count++ {
				if err := call(client); err != nil {
					t.Fatal(err)
				}
			}
			sent, keys := service.got()
			same(t, 3, len(sent))
			same(t, keys[1], keys[2])
		})
	}
}

func TestSendsALengthAndNoChunks(t *testing.T) {
	var heads []string
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		heads = append(heads, fmt.Sprint(request.Method, " ", request.TransferEncoding, request.ContentLength))
		_, _ = io.WriteString(response, "{}")
	}))
	defer server.Close()
	_, client := serve(t, reply{})
	client.origin = server.URL
	ctx := context.Background()
	_, _ = client.ReadRefund(ctx, "r-1")
	_, _ = client.CancelCardPayment(ctx, "p-1")
	_, _ = client.RefundCardPayment(ctx, "p-1", NewRefund{})
	same(t, []string{"GET [] 0", "POST [] 0", "POST [] 2"}, heads)
}

func TestFollowsNoRedirect(t *testing.T) {
	service, client := serve(t, reply{Status: 307, Headers: map[string]string{"Location": "/elsewhere"}})
	_, err := client.CancelCardPayment(context.Background(), "p-1")
	var refused *APIError
	if !errors.As(err, &refused) || refused.Status != 307 || refused.Code != ErrorCodeUnreadable {
		t.Error(err)
	}
	same(t, 1, len(service.sent))
}

// Sends one request to a server that answers with these bytes and closes the connection.
func sentTo(t *testing.T, bytes string, call func(*Client) error) error {
	t.Helper()
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	go func() {
		for {
			connection, err := server.Accept()
			if err != nil {
				return
			}
			_, _ = http.ReadRequest(bufio.NewReader(connection))
			_, _ = io.WriteString(connection, bytes)
			_ = connection.Close()
		}
	}()
	_, client := serve(t, reply{})
	client.origin = "http://" + server.Addr().String()
	return call(client)
}

func TestTakesAResponseThatWasCutForNone(t *testing.T) {
	ctx := context.Background()
	record := func(c *Client) error { _, err := c.ReadCardPayment(ctx, "p-1"); return err }
	file := func(c *Client) error { _, err := c.ReadRegisterCSV(ctx, "2026-11-22", 1); return err }
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\n"
	for _, bytes := range []string{"", head + "Content-Length: 20\r\n\r\n{\"id\":", head + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"id\"\r\n", head + "\r\n{\"id\":"} {
		for _, call := range []func(*Client) error{record, file} {
			var none *NoAnswerError
			if err := sentTo(t, bytes, call); !errors.As(err, &none) {
				t.Errorf("%q: %v", bytes, err)
			}
		}
	}
	if err := sentTo(t, head+"Transfer-Encoding: chunked\r\n\r\n5\r\nline\n\r\n0\r\n\r\n", file); err != nil {
		t.Error(err)
	}
}

func TestRefusesAKeyThatIsNone(t *testing.T) {
	service, client := serve(t, reply{Status: 200, Text: "{}"})
	for _, key := range []string{"", "short", "order key 0000000001", "order-key-000000001\n", strings.Repeat("k", 129)} {
		if _, err := client.CancelCardPayment(context.Background(), "p-1", WithIdempotencyKey(key)); err == nil {
			t.Errorf("%q was taken", key)
		}
	}
	same(t, 0, len(service.sent))
}

func TestMakesAnyOtherCall(t *testing.T) {
	service, client := serve(t, reply{Status: 200, Text: `{"id":"x"}`}, reply{Status: 503, Text: "{}"})
	ctx := context.Background()
	var result map[string]string
	if err := client.Request(ctx, "POST", "/api/new%2Fcall?b=%20&a", map[string]string{"text": "<Чай>"}, &result); err != nil {
		t.Fatal(err)
	}
	same(t, "x", result["id"])
	// Nobody knows whether a repeat would be safe.
	if err := client.Request(ctx, "PATCH", "/api/new", nil, &result); err == nil {
		t.Error("no error")
	}
	same(t, []sent{{"POST", "/api/new%2Fcall?b=%20&a", `{"text":"<Чай>"}`}, {"PATCH", "/api/new", ""}}, service.sent)
	for _, target := range []string{"api", "/a b", "/a#b", "@other.example/", ".other.example/a"} {
		if err := client.Request(ctx, "GET", target, nil, &result); err == nil {
			t.Errorf("%s was taken", target)
		}
	}
	same(t, 2, len(service.sent))
}

func TestTellsLeftOutFromEmpty(t *testing.T) {
	service, client := serve(t, reply{Status: 200, Text: "{}"})
	agreed := time.Date(2026, 11, 21, 3, 0, 0, 0, time.FixedZone("Moscow", 3*60*60))
	ctx := context.Background()
	_, _ = client.SaveEndpoints(ctx, NewEndpoints{CallbackURL: "a", ReturnURL: "b"})
	_, _ = client.SaveEndpoints(ctx, NewEndpoints{CallbackURL: "a", ReturnURL: "b", ExtraEvents: &[]ExtraEvent{}})
	_, _ = client.CreateCardPayment(ctx, NewCardPayment{Amount: "1", RecurringConsent: &RecurringConsent{Period: ChargePeriodP1M, AcceptedAt: &agreed}})
	_, _ = client.ListEvents(ctx, EventFilter{From: agreed, Limit: 3, Type: EventTypePaymentCompleted})
	same(t, `{"callbackUrl":"a","returnUrl":"b"}`, service.sent[0].Body)
	same(t, `{"callbackUrl":"a","returnUrl":"b","extraEvents":[]}`, service.sent[1].Body)
	same(t, `{"orderID":"","amount":1,"currency":"","description":"","customerID":"","recurringConsent":{"period":"P1M","acceptedAt":"2026-11-21T00:00:00Z"}}`, service.sent[2].Body)
	same(t, "/api/events?type=payment.completed&from=2026-11-21T00%3A00%3A00Z&limit=3", service.sent[3].Target)
}
