"""Client of the payment integration service: signed calls, verified callbacks, exact amounts."""

from .callbacks import CallbackKey, CallbackRefused, verify_callback
from .client import AsyncClient, Client
from .errors import ApiError, NoAnswerError
from .paging import every_item, every_item_async
from .signing import Identity, sign_request

__all__ = [
    "ApiError",
    "AsyncClient",
    "CallbackKey",
    "CallbackRefused",
    "Client",
    "Identity",
    "NoAnswerError",
    "every_item",
    "every_item_async",
    "sign_request",
    "verify_callback",
]
