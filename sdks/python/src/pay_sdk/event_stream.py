"""Events as they are stored, for programs without an address: development, tests, a tool of your own."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from typing import Any, AsyncIterator, Iterator, Sequence

import httpx

from .call import Call, query_of
from .callbacks import CallbackKey, CallbackRefused, verify_callback
from .client import AsyncClient, Client
from .errors import ApiError, NoAnswerError
from .records import PartnerEvent

PATH = "/api/event-stream"
#: Doubles with each break in a row.
PAUSE_SECONDS = 0.05
LONGEST_PAUSE_SECONDS = 5.0


@dataclass(frozen=True)
class StreamedEvent:
    """An event of the stream. The first one that arrives has no event: it says where the stream begins."""

    #: Where the stream is now: pass it as `after` to continue behind this event, also after a restart.
    place: str
    event: PartnerEvent | None


class _Anew(Exception):
    """An event waited here until its signature was stale, or its key replaced: it is read once more."""


class _Follower:
    """Where a stream is, and what its text says. Who reads and waits is the function below that uses it."""

    def __init__(self, keys: Sequence[CallbackKey], after: str | None) -> None:
        self._keys = keys
        self._place = after
        self._breaks = 0
        self._was_open = False
        self._has_begun = False
        self._was_read_anew = False

    def call(self) -> Call[Any]:
        return Call("GET", PATH + query_of({"after": self._place}))

    def opened(self) -> None:
        self._was_open = True
        self._text = ""

    def read(self, text: str) -> Iterator[StreamedEvent]:
        """The events of some more text. One counts as taken when the next one is asked for."""
        self._breaks = 0
        *blocks, self._text = (self._text + text).split("\n\n")
        for block in blocks:
            fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
            if "id" not in fields:
                continue
            if "data" in fields:
                yield StreamedEvent(fields["id"], self._verified(json.loads(fields["data"])))
                self._was_read_anew = False
            elif not self._has_begun:
                yield StreamedEvent(fields["id"], None)
                self._has_begun = True
            self._place = fields["id"]

    def _verified(self, message: dict[str, Any]) -> PartnerEvent:
        try:
            return verify_callback(message["body"].encode(), message["headers"], self._keys)
        except CallbackRefused as refused:
            if self._was_read_anew:
                raise
            self._was_read_anew = True
            raise _Anew from refused

    def pause_after(self, error: Exception | None) -> float:
        """How long to wait before the next response. Raises what ends the stream."""
        if isinstance(error, ApiError) and error.status != 429 and error.status < 500:
            raise error
        if isinstance(error, httpx.HTTPError) and not self._was_open:
            raise NoAnswerError(error, None) from error
        self._breaks += 1
        return min(PAUSE_SECONDS * 2.0**self._breaks, LONGEST_PAUSE_SECONDS)


def stream_events(client: Client, keys: Sequence[CallbackKey], *, after: str | None = None) -> Iterator[StreamedEvent]:
    """Your events as they are stored, each verified with the keys of your receiver: `for one in stream_events(client, keys)`.

    Begins behind the place `after`, or with what happens now. It continues through every break where it was; callbacks are sent all
    the same. Events may come out of order, and again after a restart: compare `eventId` and `aggregateVersion`, as with callbacks.
    Raises ApiError if the stream is refused, NoAnswerError if nobody answers at first, and CallbackRefused at an event that none
    of the keys has signed.
    """
    follower = _Follower(keys, after)
    while True:
        error: Exception | None = None
        try:
            response = client.open_stream(follower.call())
            follower.opened()
            try:
                for text in response.iter_text():
                    yield from follower.read(text)
            finally:
                response.close()
        except (ApiError, httpx.HTTPError, _Anew) as broken:
            error = broken
        time.sleep(follower.pause_after(error))


async def stream_events_async(
    client: AsyncClient, keys: Sequence[CallbackKey], *, after: str | None = None
) -> AsyncIterator[StreamedEvent]:
    """The same for an `AsyncClient`: `async for`."""
    follower = _Follower(keys, after)
    while True:
        error: Exception | None = None
        try:
            response = await client.open_stream(follower.call())
            follower.opened()
            try:
                async for text in response.aiter_text():
                    for one in follower.read(text):
                        yield one
            finally:
                await response.aclose()
        except (ApiError, httpx.HTTPError, _Anew) as broken:
            error = broken
        await asyncio.sleep(follower.pause_after(error))
