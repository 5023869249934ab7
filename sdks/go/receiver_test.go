package pay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func keyOf(t *testing.T, id, secret string) CallbackKey {
	t.Helper()
	key, err := NewCallbackKey(id, secret)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func eventText(id string, version int) string {
	return fmt.Sprintf(`{"schemaVersion":1,"eventId":%q,"type":"payment.completed","aggregateVersion":%d,"createdAt":"2026-11-22T10:00:00.000Z","data":{"orderId":"p-1","amount":"10.50"}}`, id, version)
}

func TestReceivesARepeatOnceNothingForgedAndAgainWhatFailed(t *testing.T) {
	old, young := keyOf(t, "k1", strings.Repeat("A", 43)+"="), keyOf(t, "k2", "B"+strings.Repeat("A", 42)+"=")
	var applied []string
	var refused []int
	var failure error
	receiver := &CallbackReceiver[NoTx]{
		Keys:  []CallbackKey{old, young},
		Store: &MemoryEventStore{},
		OnEvent: func(_ context.Context, event *Event, _ NoTx) error {
			if failure == nil {
				applied = append(applied, event.EventID+" "+event.Data.(*PaymentCompletedEventData).OrderID)
			}
			return failure
		},
		OnRefused: func(status int, _ string) { refused = append(refused, status) },
	}
	server := httptest.NewServer(receiver)
	defer server.Close()
	send := func(wanted string, method, body string, header http.Header) {
		t.Helper()
		request, err := http.NewRequest(method, server.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = header
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text := make([]byte, 100)
		count, _ := response.Body.Read(text)
		same(t, wanted, fmt.Sprint(response.StatusCode, " ", string(text[:count])))
	}
	post := func(wanted, body string, header http.Header) { t.Helper(); send(wanted, "POST", body, header) }
	signed := func(body string, late time.Duration, keys ...CallbackKey) http.Header {
		return SignedHeader([]byte(body), keys, time.Now().Add(-late))
	}
	first, second := eventText("e-1", 1), eventText("e-2", 2)
	post("200 ok\n", first, signed(first, 0, young))
	post("200 ok\n", first, signed(first, 290*time.Second, old))
	post("200 ok\n", first, signed(first, -290*time.Second, old, young))
	post("401 not authentic\n", first+" ", signed(first, 0, young))
	post("401 not authentic\n", first, http.Header{})
	post("401 not authentic\n", first, signed(first, 305*time.Second, young))
	post("401 not authentic\n", first, signed(first, -305*time.Second, young))
	post("401 not authentic\n", first, signed(first, 0, keyOf(t, "k3", strings.Repeat("A", 43)+"=")))
	post("400 not an event\n", "{}", signed("{}", 0, young))
	send("405 POST only\n", "GET", "", http.Header{})
	big := strings.Repeat("x", CallbackBytesMax+1)
	post("413 too large\n", big, signed(big, 0, young))
	failure = errors.New("the database is away")
	post("500 error\n", second, signed(second, 0, young))
	failure = nil
	post("200 ok\n", second, signed(second, 0, young))
	same(t, []string{"e-1 p-1", "e-2 p-1"}, applied)
	same(t, []int{401, 401, 401, 401, 401, 400, 405, 413, 500}, refused)
}

func TestSaysWhichKeyIsWrong(t *testing.T) {
	for _, secret := range []string{"short", "", strings.Repeat("A", 43), strings.Repeat("A", 42) + "B="} {
		if _, err := NewCallbackKey("k1", secret); err == nil || !strings.Contains(err.Error(), "callback key k1") {
			t.Error(secret, err)
		}
	}
}

func TestReadsTheDataOfEachType(t *testing.T) {
	key := keyOf(t, "k1", strings.Repeat("A", 43)+"=")
	verify := func(eventType, data string) (*Event, error) {
		body := fmt.Sprintf(`{"schemaVersion":1,"eventId":"e","type":%q,"aggregateVersion":1,"createdAt":"2026-11-22T10:00:00.000Z","data":%s}`, eventType, data)
		return VerifyCallback([]byte(body), SignedHeader([]byte(body), []CallbackKey{key}, time.Now()), []CallbackKey{key}, time.Now())
	}
	about := func(eventType, data, aggregateID string) *Event {
		t.Helper()
		event, err := verify(eventType, data)
		if err != nil {
			t.Fatal(err)
		}
		same(t, aggregateID, event.aggregateID)
		return event
	}
	failed := about("payment.failed", `{"orderId":"p-1","failureCode":"CARD_EXPIRED","paymentId":null}`, "payment:p-1").Data.(*PaymentFailedEventData)
	same(t, FailureCodeCardExpired, failed.FailureCode)
	binding := about("binding.created", `{"bindingId":"b-1","nextChargeAt":"2026-12-21T08:30:20.258Z"}`, "binding:b-1").Data.(*BindingCreatedEventData)
	same(t, 258*time.Millisecond, time.Duration(binding.NextChargeAt.Nanosecond()))
	payout := about("withdrawal.completed", `{"withdrawalRequestId":"w-1","amountUsdt":"1.000000"}`, "withdrawal:w-1").Data.(*WithdrawalCompletedEventData)
	same(t, USDT("1.000000"), payout.AmountUSDT)
	same(t, `{"newId": 1}`, string(about("new.type", `{"newId": 1}`, "e").Data.(json.RawMessage)))
	for _, data := range []string{"null", "[]", "1", `{"orderId":1}`} {
		if _, err := verify("payment.completed", data); err == nil {
			t.Errorf("%s was taken", data)
		}
	}
}

func TestKeepsWhatIsNewInMemory(t *testing.T) {
	store := &MemoryEventStore{}
	var outcomes []EventOutcome
	for _, receipt := range []EventReceipt{{"e-1", "p", 1}, {"e-1", "p", 1}, {"e-3", "p", 3}, {"e-2", "p", 2}, {"e-2", "p", 2}} {
		outcome, err := store.Receive(context.Background(), receipt, func(NoTx) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		outcomes = append(outcomes, outcome)
	}
	same(t, []EventOutcome{EventApplied, EventRepeat, EventApplied, EventOlder, EventRepeat}, outcomes)
}
