package pay

import (
	"context"
	"database/sql"
	"sync"
)

// EventOutcome is what a store did with an event.
type EventOutcome string

// What a store did with an event.
const (
	EventApplied EventOutcome = "applied"
	// This event was applied before.
	EventRepeat EventOutcome = "repeat"
	// One with a higher version was applied before.
	EventOlder EventOutcome = "older"
)

// EventReceipt is what a store needs to know about an event.
type EventReceipt struct {
	// Unique: a second event with this id is a repeat.
	EventID string
	// The payment, binding or payout request that the event is about.
	AggregateID string
	// Increases by one with every event of the same aggregate.
	AggregateVersion int
}

// EventStore is where a receiver records the events that it has applied. Write your own for another kind of database.
type EventStore[Tx any] interface {
	// Receive does this in one transaction: it records the event under a unique constraint, compares its version with the
	// highest one of its aggregate, and calls apply, unless the event is a repeat or older. If apply fails, nothing is
	// recorded.
	Receive(ctx context.Context, receipt EventReceipt, apply func(tx Tx) error) (EventOutcome, error)
}

// CallbackEventsSQL creates the tables of a DatabaseEventStore, in the database of your orders.
const CallbackEventsSQL = `create table callback_events (
  event_id varchar(64) primary key,
  received_at timestamp not null default current_timestamp
);
create table callback_aggregates (
  aggregate_id varchar(160) primary key,
  version integer not null
);`

// DatabaseEventStore records events in your database, in one transaction with what OnEvent does in it. Events of one
// payment are applied one at a time, across any number of processes. Tested on PostgreSQL with lib/pq, and on nothing
// else; its statements have $1 and "on conflict".
type DatabaseEventStore struct {
	DB *sql.DB
}

// Receive records the event and applies it, in one transaction.
func (s *DatabaseEventStore) Receive(ctx context.Context, receipt EventReceipt, apply func(tx *sql.Tx) error) (EventOutcome, error) {
	tx, err := s.DB.BeginTx(ctx, nil)
	if err != nil {
		return "", err
	}
	defer func() { _ = tx.Rollback() }() // After a commit it does nothing.
	isNew, err := hasChanged(ctx, tx, "insert into callback_events (event_id) values ($1) on conflict do nothing", receipt.EventID)
	if err != nil {
		return "", err
	}
	if !isNew {
		return EventRepeat, nil
	}
	// The row stays locked until the transaction ends: other events of this aggregate wait.
	isNewest, err := hasChanged(ctx, tx, `insert into callback_aggregates (aggregate_id, version) values ($1, $2)
		on conflict (aggregate_id) do update set version = excluded.version where callback_aggregates.version <= excluded.version`,
		receipt.AggregateID, receipt.AggregateVersion)
	if err != nil {
		return "", err
	}
	if !isNewest {
		return EventOlder, tx.Commit()
	}
	if err := apply(tx); err != nil {
		return "", err
	}
	return EventApplied, tx.Commit()
}

func hasChanged(ctx context.Context, tx *sql.Tx, statement string, values ...any) (bool, error) {
	result, err := tx.ExecContext(ctx, statement, values...)
	if err != nil {
		return false, err
	}
	count, err := result.RowsAffected()
	return count > 0, err
}

// NoTx is what a MemoryEventStore has instead of a transaction.
type NoTx struct{}

// MemoryEventStore is for tests and trials: everything is lost when the process ends. Events are applied one at a time.
// The zero value is an empty store.
type MemoryEventStore struct {
	mutex    sync.Mutex
	seen     map[string]bool
	versions map[string]int
}

// Receive records the event and applies it.
func (s *MemoryEventStore) Receive(_ context.Context, receipt EventReceipt, apply func(tx NoTx) error) (EventOutcome, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.seen == nil {
		s.seen, s.versions = map[string]bool{}, map[string]int{}
	}
	if s.seen[receipt.EventID] {
		return EventRepeat, nil
	}
	isOlder := receipt.AggregateVersion < s.versions[receipt.AggregateID]
	if !isOlder {
		if err := apply(NoTx{}); err != nil {
			return "", err
		}
		s.versions[receipt.AggregateID] = receipt.AggregateVersion
	}
	s.seen[receipt.EventID] = true
	if isOlder {
		return EventOlder, nil
	}
	return EventApplied, nil
}
