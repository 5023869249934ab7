"""The receiver rules, independent of the framework that reads the bytes: docs/partners/callbacks.md."""

from __future__ import annotations

from typing import Callable, Generic, Mapping, NamedTuple, Sequence, TypeVar

from .callbacks import CallbackKey, CallbackRefused, verify_callback
from .event_store import EventReceipt, EventStore
from .records import PartnerEvent

Connection = TypeVar("Connection")

#: Events are a few kilobytes. A framework reads at most one byte more.
CALLBACK_BYTES_MAX = 262_144


class Answer(NamedTuple):
    """The response: `text` is for the sender and says no more than a forger may know."""

    status: int
    text: str


_TEXTS = {200: "ok", 400: "not an event", 401: "not authentic", 405: "POST only", 413: "too large"}


class CallbackReceiver(Generic[Connection]):
    """Verifies a callback, and stores and applies its event in one transaction.

    `keys` are your callback keys, two during a rotation, or a function that returns them. `on_event` updates your order;
    it gets the event and the connection whose transaction stores the event. `on_refused` gets the status and the reason of
    every response other than 200, for your log.
    """

    def __init__(
        self,
        *,
        keys: Sequence[CallbackKey] | Callable[[], Sequence[CallbackKey]],
        store: EventStore[Connection],
        on_event: Callable[[PartnerEvent, Connection], None],
        on_refused: Callable[[int, str], None] = lambda _status, _reason: None,
    ) -> None:
        self._keys = keys
        self._store = store
        self._on_event = on_event
        self._on_refused = on_refused

    def receive(self, method: str, headers: Mapping[str, str], raw_body: bytes) -> Answer:
        """200, also for a repeat and for an event older than one applied; 401 if not authentic; 500 if `on_event` failed,
        so that the event is sent again."""
        try:
            status, reason = self._decide(method, headers, raw_body)
        except Exception as error:  # Whatever it is, the event was not applied, and is wanted again.
            status, reason = 500, f"{type(error).__name__}: {error}"
        if status != 200:
            self._on_refused(status, reason)
        return Answer(status, _TEXTS.get(status, "error") + "\n")

    def _decide(self, method: str, headers: Mapping[str, str], raw_body: bytes) -> tuple[int, str]:
        if method != "POST":
            return 405, f"{method} instead of POST"
        if len(raw_body) > CALLBACK_BYTES_MAX:
            return 413, "the body is too large"
        keys = self._keys() if callable(self._keys) else self._keys
        try:
            event = verify_callback(raw_body, headers, keys)
        except CallbackRefused as refused:
            return 400 if refused.reason == "malformed" else 401, f"{refused.reason}: {refused}"
        receipt = EventReceipt(event["eventId"], _aggregate_of(event), event["aggregateVersion"])
        self._store.receive(receipt, lambda connection: self._on_event(event, connection))
        return 200, "ok"


def _aggregate_of(event: PartnerEvent) -> str:
    """What an event is about: a payment, a binding or a payout request; of an unknown kind, itself."""
    data: Mapping[str, object] = event["data"]
    for name, kind in (("orderId", "payment"), ("bindingId", "binding"), ("withdrawalRequestId", "withdrawal")):
        if isinstance(data.get(name), str):
            return f"{kind}:{data[name]}"
    return event["eventId"]
