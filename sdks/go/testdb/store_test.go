// Package testdb tests the store on PostgreSQL, in DATABASE_URL; what is there is dropped. It is a module of its own,
// because the SDK depends on no driver.
package testdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sort"
	"sync"
	"sync/atomic"
	"testing"

	_ "github.com/lib/pq"
	"pay.example/pay"
)

func open(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("postgres", os.Getenv("DATABASE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	for _, statement := range []string{"drop table if exists orders, callback_events, callback_aggregates", pay.CallbackEventsSQL, "create table orders (paid_by text)"} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

func paid(t *testing.T, db *sql.DB) []string {
	t.Helper()
	rows, err := db.Query("select paid_by from orders order by paid_by")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

func same[T any](t *testing.T, wanted, given T) {
	t.Helper()
	if !reflect.DeepEqual(wanted, given) {
		t.Errorf("wanted %v, got %v", wanted, given)
	}
}

func pays(tx *sql.Tx, eventID string) error {
	_, err := tx.Exec("insert into orders (paid_by) values ($1)", eventID)
	return err
}

func receive(store *pay.DatabaseEventStore, version int, eventID string) (pay.EventOutcome, error) {
	receipt := pay.EventReceipt{EventID: eventID, AggregateID: "payment:p-1", AggregateVersion: version}
	return store.Receive(context.Background(), receipt, func(tx *sql.Tx) error { return pays(tx, eventID) })
}

func TestStoresAnEventInTheTransactionThatAppliesIt(t *testing.T) {
	db := open(t)
	var store pay.EventStore[*sql.Tx] = &pay.DatabaseEventStore{DB: db}
	own := &pay.DatabaseEventStore{DB: db}
	var outcomes []pay.EventOutcome
	for _, one := range []struct {
		id      string
		version int
	}{{"e-1", 1}, {"e-1", 1}, {"e-3", 3}, {"e-2", 2}, {"e-2", 2}} {
		outcome, err := receive(own, one.version, one.id)
		if err != nil {
			t.Fatal(err)
		}
		outcomes = append(outcomes, outcome)
	}
	same(t, []pay.EventOutcome{pay.EventApplied, pay.EventRepeat, pay.EventApplied, pay.EventOlder, pay.EventRepeat}, outcomes)
	same(t, []string{"e-1", "e-3"}, paid(t, db))

	failure := errors.New("no")
	fourth := pay.EventReceipt{EventID: "e-4", AggregateID: "payment:p-1", AggregateVersion: 4}
	_, err := store.Receive(context.Background(), fourth, func(tx *sql.Tx) error {
		if err := pays(tx, "half"); err != nil {
			t.Error(err)
		}
		return failure
	})
	if !errors.Is(err, failure) {
		t.Error(err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = store.Receive(context.Background(), fourth, func(tx *sql.Tx) error {
			_ = pays(tx, "half")
			panic("no")
		})
	}()
	outcome, err := receive(own, 4, "e-4")
	if outcome != pay.EventApplied || err != nil {
		t.Error(outcome, err)
	}
	same(t, []string{"e-1", "e-3", "e-4"}, paid(t, db))
}

// Calls for each number at once, and returns the outcomes by number.
func atOnce(t *testing.T, count int, call func(number int) (pay.EventOutcome, error)) []pay.EventOutcome {
	outcomes := make([]pay.EventOutcome, count)
	var all sync.WaitGroup
	for number := range outcomes {
		all.Add(1)
		go func(number int) {
			defer all.Done()
			var err error
			if outcomes[number], err = call(number); err != nil {
				t.Error(err)
			}
		}(number)
	}
	all.Wait()
	return outcomes
}

func TestAppliesAnEventOnceWhenItComesTenTimesAtOnce(t *testing.T) {
	db := open(t)
	store := &pay.DatabaseEventStore{DB: db}
	outcomes := atOnce(t, 10, func(int) (pay.EventOutcome, error) { return receive(store, 1, "e-1") })
	sort.Slice(outcomes, func(a, b int) bool { return outcomes[a] < outcomes[b] })
	same(t, pay.EventApplied, outcomes[0])
	same(t, pay.EventRepeat, outcomes[1])
	same(t, pay.EventRepeat, outcomes[9])
	same(t, []string{"e-1"}, paid(t, db))
}

func TestAppliesTheFirstEventsOfAPaymentOneAtATime(t *testing.T) {
	db := open(t)
	store := &pay.DatabaseEventStore{DB: db}
	var inside int32
	outcomes := atOnce(t, 8, func(number int) (pay.EventOutcome, error) {
		eventID := fmt.Sprint("e-", number)
		receipt := pay.EventReceipt{EventID: eventID, AggregateID: "payment:p-1", AggregateVersion: number}
		return store.Receive(context.Background(), receipt, func(tx *sql.Tx) error {
			if !atomic.CompareAndSwapInt32(&inside, 0, 1) {
				t.Error("another event of this payment is being applied")
			}
			defer atomic.StoreInt32(&inside, 0)
			return pays(tx, eventID)
		})
	})
	same(t, pay.EventApplied, outcomes[7]) // The newest is never too late.
	applied := 0
	for _, outcome := range outcomes {
		if outcome == pay.EventApplied {
			applied++
		} else {
			same(t, pay.EventOlder, outcome)
		}
	}
	same(t, applied, len(paid(t, db)))
}
