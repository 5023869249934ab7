"""Client of the payment integration service: signed calls, verified callbacks, exact amounts."""

from .callbacks import CallbackKey, CallbackRefused, verify_callback
from .client import AsyncClient, Client
from .errors import ApiError, ErrorDetail, NoAnswerError
from .event_store import CALLBACK_EVENTS_SQL, DatabaseEventStore, EventReceipt, EventStore, MemoryEventStore
from .event_stream import StreamedEvent, stream_events, stream_events_async
from .paging import every_item, every_item_async
from .receiver import CallbackReceiver
from .records import PartnerEvent
from .signing import Identity, sign_request

__all__ = [
    "CALLBACK_EVENTS_SQL",
    "ApiError",
    "AsyncClient",
    "CallbackKey",
    "CallbackReceiver",
    "CallbackRefused",
    "Client",
    "DatabaseEventStore",
    "ErrorDetail",
    "EventReceipt",
    "EventStore",
    "Identity",
    "MemoryEventStore",
    "NoAnswerError",
    "PartnerEvent",
    "StreamedEvent",
    "every_item",
    "every_item_async",
    "sign_request",
    "stream_events",
    "stream_events_async",
    "verify_callback",
]
