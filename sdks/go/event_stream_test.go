package pay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

var streamKey = "A" + strings.Repeat("A", 42) + "="

func streamed(t *testing.T, text string) reply {
	t.Helper()
	return reply{Status: 200, Headers: map[string]string{"Content-Type": "text/event-stream"}, Text: text}
}

func messageText(t *testing.T, place int, secret string, age time.Duration) string {
	t.Helper()
	body := eventText(fmt.Sprint("e-", place), 1)
	headers := map[string]string{}
	for name, values := range SignedHeader([]byte(body), []CallbackKey{keyOf(t, "k1", secret)}, time.Now().Add(-age)) {
		headers[name] = values[0]
	}
	data, err := json.Marshal(map[string]any{"headers": headers, "body": body})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("id: %d\nevent: payment.completed\ndata: %s\n\n", place, data)
}

func beginText(place int) string {
	return fmt.Sprintf("retry: 500\n\n:\n\nid: %d\n\n", place)
}

// The places and ids of the first events.
func taken(stream *EventStream, count int) []string {
	var found []string
	for len(found) < count && stream.Next() {
		id := "-"
		if stream.Event() != nil {
			id = stream.Event().EventID
		}
		found = append(found, stream.Place()+" "+id)
	}
	stream.Close()
	return found
}

func targets(service *service) []string {
	var found []string
	sent, _ := service.got()
	for _, one := range sent {
		found = append(found, one.Target)
	}
	return found
}

func TestStreamContinuesBehindTheLastEventOverABreak(t *testing.T) {
	half := messageText(t, 9, streamKey, 0)[:40]
	service, client := serve(t,
		streamed(t, beginText(7)+messageText(t, 8, streamKey, 0)+half),
		reply{Cut: true},
		reply{Status: 429, Text: `{"code":"RATE_LIMITED"}`},
		streamed(t, beginText(8)+messageText(t, 9, streamKey, 0)+messageText(t, 10, streamKey, 0)))
	stream := client.StreamEvents(context.Background(), []CallbackKey{keyOf(t, "k1", streamKey)}, "")
	same(t, []string{"7 -", "8 e-8", "9 e-9", "10 e-10"}, taken(stream, 4))
	again := "/api/event-stream?after=8"
	same(t, []string{"/api/event-stream", again, again, again}, targets(service))
}

func TestStreamReadsAnEventAnewWhoseSignatureBecameStale(t *testing.T) {
	service, client := serve(t,
		streamed(t, beginText(1)+messageText(t, 2, streamKey, time.Hour)),
		streamed(t, beginText(1)+messageText(t, 2, streamKey, 0)))
	stream := client.StreamEvents(context.Background(), []CallbackKey{keyOf(t, "k1", streamKey)}, "a b")
	same(t, []string{"1 -", "2 e-2"}, taken(stream, 2))
	same(t, []string{"/api/event-stream?after=a+b", "/api/event-stream?after=1"}, targets(service))
}

func TestStreamEndsAtWhatIsNotSignedAndWhatIsRefused(t *testing.T) {
	other := "B" + strings.Repeat("A", 42) + "="
	keys := []CallbackKey{keyOf(t, "k1", streamKey)}
	_, client := serve(t, streamed(t, beginText(1)+messageText(t, 2, other, 0)))
	stream := client.StreamEvents(context.Background(), keys, "")
	same(t, []string{"1 -"}, taken(stream, 2))
	var unsigned *CallbackRefusedError
	if !errors.As(stream.Err(), &unsigned) || unsigned.Reason != ReasonBadSignature {
		t.Error(stream.Err())
	}
	_, client = serve(t, reply{Status: 400, Text: `{"error":"not valid","code":"VALIDATION_FAILED"}`})
	stream = client.StreamEvents(context.Background(), keys, "")
	var refused *APIError
	if taken(stream, 1) != nil || !errors.As(stream.Err(), &refused) || refused.Code != ErrorCodeValidationFailed {
		t.Error(stream.Err())
	}
	for _, none := range []reply{{Cut: true}, {Status: 200, Headers: map[string]string{"Content-Type": "text/html"}, Text: "<html>\n\n"}} {
		_, client = serve(t, none)
		stream = client.StreamEvents(context.Background(), keys, "")
		var nobody *NoAnswerError
		if taken(stream, 1) != nil || !errors.As(stream.Err(), &nobody) {
			t.Error(stream.Err())
		}
	}
}

func TestStreamEndsWithItsContext(t *testing.T) {
	_, client := serve(t, streamed(t, beginText(1)))
	ctx, end := context.WithCancel(context.Background())
	stream := client.StreamEvents(ctx, nil, "")
	same(t, true, stream.Next())
	end()
	same(t, false, stream.Next())
	same(t, nil, stream.Err())
}
