"""Where a receiver records the events that it has applied."""

from __future__ import annotations

import threading
from typing import Any, Callable, Literal, NamedTuple, Protocol, Sequence, TypeVar

#: `repeat`: this event was applied before. `older`: one with a higher version was.
Receipt = Literal["applied", "repeat", "older"]


class EventReceipt(NamedTuple):
    """What a store needs to know about an event."""

    #: Unique: a second event with this id is a repeat.
    event_id: str
    #: The payment, binding or payout request that the event is about.
    aggregate_id: str
    #: Increases by one with every event of the same aggregate.
    aggregate_version: int


Given = TypeVar("Given", covariant=True)


class EventStore(Protocol[Given]):
    """Write your own for a database without DB-API."""

    def receive(self, receipt: EventReceipt, apply: Callable[[Given], None]) -> Receipt:
        """In one transaction: record the event under a unique constraint, compare its version with the highest one of its
        aggregate, and run `apply`, unless it is a repeat or older. If `apply` raises, nothing may be recorded."""


class MemoryEventStore:
    """For tests and trials: everything is lost when the process ends. Events are applied one at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: set[str] = set()
        self._versions: dict[str, int] = {}

    def receive(self, receipt: EventReceipt, apply: Callable[[None], None]) -> Receipt:
        event_id, aggregate_id, version = receipt
        with self._lock:
            if event_id in self._seen:
                return "repeat"
            is_older = version < self._versions.get(aggregate_id, 0)
            if not is_older:
                apply(None)
                self._versions[aggregate_id] = version
            self._seen.add(event_id)
            return "older" if is_older else "applied"


class _Cursor(Protocol):
    @property
    def rowcount(self) -> int: ...

    def execute(self, sql: str, values: Sequence[Any], /) -> Any: ...

    def fetchone(self) -> Any: ...


class DatabaseConnection(Protocol):
    """A connection of the DB-API (PEP 249) that has its exceptions as attributes. Tested: sqlite3 and psycopg2."""

    @property
    def IntegrityError(self) -> Any: ...

    def cursor(self) -> _Cursor: ...

    def commit(self) -> None: ...

    def rollback(self) -> None: ...

    def close(self) -> None: ...


Connection = TypeVar("Connection", bound=DatabaseConnection)

#: The tables, in the database of your orders.
CALLBACK_EVENTS_SQL = """create table callback_events (
  event_id varchar(64) primary key,
  received_at timestamp not null default current_timestamp
);
create table callback_aggregates (
  aggregate_id varchar(160) primary key,
  version integer not null
);"""


class _Behind(Exception):
    """Another transaction has recorded an event of this aggregate meanwhile: its row is not locked here."""


class DatabaseEventStore(EventStore[Connection]):
    """Records events in your database, in one transaction with what `apply` does on the same connection.

    `connect` returns a connection, not in autocommit mode, which is closed afterwards; `placeholder` is `?` for sqlite3 and
    `%s` for psycopg2: no other driver is tested. Events of one aggregate are applied one at a time, across any number of connections.
    """

    def __init__(self, connect: Callable[[], Connection], placeholder: Literal["?", "%s"] = "?") -> None:
        self._connect = connect
        self._placeholder = placeholder

    def receive(self, receipt: EventReceipt, apply: Callable[[Connection], None]) -> Receipt:
        while True:
            connection = self._connect()
            try:
                answer = self._receive_with(connection, receipt, apply)
                connection.commit()
                return answer
            except _Behind:
                connection.rollback()
            except BaseException:
                connection.rollback()
                raise
            finally:
                connection.close()

    def _receive_with(self, connection: Connection, receipt: EventReceipt, apply: Callable[[Connection], None]) -> Receipt:
        has_none = hasattr(connection, "in_transaction") and getattr(connection, "isolation_level", "") is None
        if has_none or getattr(connection, "autocommit", False) is True:
            raise ValueError("connect() returned a connection in autocommit mode: the event and your change would not be one")
        cursor = connection.cursor()
        try:
            self._execute(cursor, "insert into callback_events (event_id) values (?)", receipt.event_id)
        except connection.IntegrityError:
            connection.rollback()
            return "repeat"
        if not self._is_newest(connection, cursor, receipt):
            return "older"
        apply(connection)
        return "applied"

    def _is_newest(self, connection: Connection, cursor: _Cursor, receipt: EventReceipt) -> bool:
        """If so, the row stays locked until the transaction ends: other events of this aggregate wait."""
        _event_id, aggregate_id, version = receipt
        moved = "update callback_aggregates set version = ? where aggregate_id = ? and version <= ?"
        self._execute(cursor, moved, version, aggregate_id, version)
        if cursor.rowcount > 0:
            return True
        self._execute(cursor, "select version from callback_aggregates where aggregate_id = ?", aggregate_id)
        found = cursor.fetchone()
        if found is not None and found[0] < version:
            raise _Behind
        if found is not None:
            return bool(found[0] == version)
        try:
            added = "insert into callback_aggregates (aggregate_id, version) values (?, ?)"
            self._execute(cursor, added, aggregate_id, version)
        except connection.IntegrityError:
            raise _Behind from None
        return True

    def _execute(self, cursor: _Cursor, sql: str, *values: str | int) -> None:
        cursor.execute(sql.replace("?", self._placeholder), values)
