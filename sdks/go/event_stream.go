package pay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// The service sends something every ten seconds: after this time the connection leads nowhere.
const streamSilence = 30 * time.Second

// Doubles with each break in a row.
const streamPause = 50 * time.Millisecond
const streamPauseMax = 5 * time.Second

// EventStream are the partner's events as they are stored, verified. Call Next until it is false, then look at Err. Close it when you leave early.
type EventStream struct {
	client      *Client
	ctx         context.Context
	keys        []CallbackKey
	place       string
	isOpen      bool
	wasReadAnew bool
	breaks      int
	messages    *streamMessages
	current     streamMessage
	event       *Event
	err         error
}

// StreamEvents follows the events for programs without an address: development, tests, a tool of your own. Callbacks are sent all
// the same. It continues through every break where it was, and begins behind the place after, or, if that is empty, with
// what happens now. Events may come out of order, and again after a restart: compare EventID and AggregateVersion, as with
// callbacks. keys are those of your receiver.
func (c *Client) StreamEvents(ctx context.Context, keys []CallbackKey, after string) *EventStream {
	return &EventStream{client: c, ctx: ctx, keys: keys, place: after}
}

// Next moves to the next event: the one before it counts as taken. It is false when ctx has ended, and after an error.
func (s *EventStream) Next() bool {
	if s.current.id != "" {
		s.place = s.current.id
		s.wasReadAnew = false
	}
	for s.err == nil && s.ctx.Err() == nil {
		if s.messages == nil {
			if s.messages, s.err = s.client.openStream(s.ctx, s.place); s.err != nil {
				s.breakOff(s.err)
				continue
			}
		}
		message, err := s.messages.next()
		if err != nil {
			s.breakOff(nil)
			continue
		}
		s.breaks = 0
		if s.take(message) {
			return true
		}
	}
	s.Close()
	return false
}

// Whether there is something to return: an event, or where the stream begins.
func (s *EventStream) take(message streamMessage) bool {
	if message.data == "" {
		if s.isOpen {
			s.place = message.id
			return false
		}
		s.isOpen, s.current, s.event = true, message, nil
		return true
	}
	event, err := message.verified(s.keys)
	if err == nil {
		s.current, s.event = message, event
		return true
	}
	if s.wasReadAnew {
		s.err = err
		return false
	}
	// It may have waited here until its signature was stale: it is read once more.
	s.wasReadAnew = true
	s.breakOff(nil)
	return false
}

// Closes the response and waits before the next one, unless err ends the stream.
func (s *EventStream) breakOff(err error) {
	s.Close()
	var refused *APIError
	isBusy := errors.As(err, &refused) && (refused.Status == http.StatusTooManyRequests || refused.Status >= 500)
	if err != nil && !isBusy && (refused != nil || !s.isOpen) {
		s.err = err
		return
	}
	s.err = nil
	pause := streamPause << s.breaks
	if s.breaks < 8 {
		s.breaks++
	}
	if pause > streamPauseMax {
		pause = streamPauseMax
	}
	_ = wait(s.ctx, pause) // Next sees when ctx ends.
}

// Event returns the event that Next moved to: nil for the first one, which only says where the stream begins.
func (s *EventStream) Event() *Event {
	return s.event
}

// Place returns where the stream is: pass it as after to continue behind this event, also after a restart.
func (s *EventStream) Place() string {
	return s.current.id
}

// Err returns what ended the stream, if it was not ctx: an *APIError if it is refused, a *NoAnswerError if nobody answers
// at first, a *CallbackRefusedError at an event that none of the keys has signed.
func (s *EventStream) Err() error {
	return s.err
}

// Close closes the connection. Next would open another one.
func (s *EventStream) Close() {
	if s.messages != nil {
		s.messages.close()
		s.messages = nil
	}
}

type streamMessage struct{ id, data string }

func (m streamMessage) verified(keys []CallbackKey) (*Event, error) {
	var sent struct {
		Headers map[string]string `json:"headers"`
		Body    string            `json:"body"`
	}
	if err := json.Unmarshal([]byte(m.data), &sent); err != nil {
		return nil, err
	}
	header := http.Header{}
	for name, value := range sent.Headers {
		header.Set(name, value)
	}
	return VerifyCallback([]byte(sent.Body), header, keys, time.Now())
}

// A response: its messages, as the service writes them.
type streamMessages struct {
	body   io.Closer
	reader *bufio.Reader
	cancel context.CancelFunc
	silent *time.Timer
}

func (m *streamMessages) next() (streamMessage, error) {
	var message streamMessage
	for {
		line, err := m.reader.ReadString('\n')
		if err != nil {
			return message, err // What was cut is no message.
		}
		m.silent.Reset(streamSilence)
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "id":
			message.id = value
		case "data":
			message.data = value
		case "":
			if message.id != "" {
				return message, nil
			}
			message = streamMessage{}
		}
	}
}

func (m *streamMessages) close() {
	m.silent.Stop()
	m.cancel()
	_ = m.body.Close() // It is of no use any more.
}

func (c *Client) openStream(ctx context.Context, after string) (*streamMessages, error) {
	target := "/api/event-stream"
	if after != "" {
		target += "?after=" + url.QueryEscape(after)
	}
	ctx, cancel := context.WithCancel(ctx)
	silent := time.AfterFunc(streamSilence, cancel)
	fail := func(err error) (*streamMessages, error) {
		silent.Stop()
		cancel()
		return nil, err
	}
	signed, err := c.signed(ctx, &request{method: http.MethodGet, target: target})
	if err != nil {
		return fail(err)
	}
	own := *c.http
	own.Timeout = 0 // Of a whole response: this one lasts a minute.
	response, err := own.Do(signed)
	if err != nil {
		return fail(&NoAnswerError{"", err})
	}
	if response.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(io.LimitReader(response.Body, 1<<20)) // What cannot be read leaves the error without details.
		_ = response.Body.Close()
		return fail(apiErrorOf(response.StatusCode, response.Header, body, ""))
	}
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		_ = response.Body.Close()
		return fail(&NoAnswerError{"", errNotFromAPI})
	}
	return &streamMessages{response.Body, bufio.NewReader(response.Body), cancel, silent}, nil
}
