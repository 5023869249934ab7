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

type streamMessageCase struct {
	Begin, Event, Type, Key string
	AgeSeconds, CutAfter    int
}

type streamCase struct {
	Name, After string
	Responses   []struct {
		reply
		Messages []streamMessageCase
	}
	Asked []string
	Taken [][2]*string
	Error *struct{ Kind, Code, Says string }
}

var streamSecrets = map[string]string{
	"k1": "A" + strings.Repeat("A", 42) + "=",
	"k2": "B" + strings.Repeat("A", 42) + "=",
}

func streamed(text string) reply {
	return reply{Status: 200, Headers: map[string]string{"Content-Type": "text/event-stream"}, Text: text}
}

// A message as the service writes it.
func messageText(t *testing.T, given streamMessageCase) string {
	t.Helper()
	if given.Event == "" {
		return fmt.Sprintf("retry: 500\n\n:\n\nid: %s\n\n", given.Begin)
	}
	body := eventText("e-"+given.Event, 1)
	if given.Type == "" {
		given.Type = "payment.completed"
	}
	body = strings.Replace(body, "payment.completed", given.Type, 1)
	if given.Key == "" {
		given.Key = "k1"
	}
	headers := map[string]string{}
	signedAt := time.Now().Add(-time.Duration(given.AgeSeconds) * time.Second)
	for name, values := range SignedHeader([]byte(body), []CallbackKey{keyOf(t, given.Key, streamSecrets[given.Key])}, signedAt) {
		headers[name] = values[0]
	}
	data, err := json.Marshal(map[string]any{"headers": headers, "body": body})
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("id: %s\nevent: %s\ndata: %s\n\n", given.Event, given.Type, data)
	if given.CutAfter > 0 {
		return text[:given.CutAfter]
	}
	return text
}

func TestStreamsAsEverySDK(t *testing.T) {
	suite := readJSON[struct{ Cases []streamCase }](t, "sdks/conformance/streams.json")
	if len(suite.Cases) < 11 {
		t.Fatalf("only %d cases", len(suite.Cases))
	}
	for _, one := range suite.Cases {
		t.Run(one.Name, func(t *testing.T) {
			var replies []reply
			for _, response := range one.Responses {
				if response.Messages == nil {
					replies = append(replies, response.reply)
					continue
				}
				text := ""
				for _, message := range response.Messages {
					text += messageText(t, message)
				}
				replies = append(replies, streamed(text))
			}
			service, client := serve(t, replies...)
			stream := client.StreamEvents(context.Background(), []CallbackKey{keyOf(t, "k1", streamSecrets["k1"])}, one.After)
			defer stream.Close()
			taken := [][2]*string{}
			for (one.Error != nil || len(taken) < len(one.Taken)) && stream.Next() {
				place := stream.Place()
				var id *string
				if stream.Event() != nil {
					id = &stream.Event().EventID
				}
				taken = append(taken, [2]*string{&place, id})
			}
			same(t, one.Taken, taken)
			var asked []string
			sent, _ := service.got()
			for _, request := range sent {
				asked = append(asked, request.Target)
			}
			same(t, one.Asked, asked)
			if one.Error == nil {
				same(t, nil, stream.Err())
				return
			}
			kind, code := "", ""
			var refused *APIError
			var nobody *NoAnswerError
			var unsigned *CallbackRefusedError
			switch err := stream.Err(); {
			case errors.As(err, &refused):
				kind, code = "refused", string(refused.Code)
			case errors.As(err, &nobody):
				kind = "no answer"
			case errors.As(err, &unsigned):
				kind = "not verified"
			}
			same(t, one.Error.Kind+" "+one.Error.Code, kind+" "+code)
			if !strings.Contains(stream.Err().Error(), one.Error.Says) {
				t.Error(stream.Err())
			}
		})
	}
}

func TestStreamEndsWithItsContext(t *testing.T) {
	_, client := serve(t, streamed(messageText(t, streamMessageCase{Begin: "1"})))
	ctx, end := context.WithCancel(context.Background())
	stream := client.StreamEvents(ctx, nil, "")
	same(t, true, stream.Next())
	end()
	same(t, false, stream.Next())
	same(t, nil, stream.Err())
}
