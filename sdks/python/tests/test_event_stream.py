"""Streams of events: that nothing is lost over a break, and nothing is believed that is not signed."""

import asyncio
import json
import time
from itertools import islice

import httpx
import pytest

from pay_sdk import ApiError, AsyncClient, CallbackKey, CallbackRefused, Client, NoAnswerError, stream_events, stream_events_async
from pay_sdk.callbacks import signed_headers

from test_conformance import PARTNER

KEY = CallbackKey("k1", "A" * 43 + "=")
OTHER = CallbackKey("k2", "B" + "A" * 42 + "=")


def message(place, key=KEY, age=0):
    members = {"schemaVersion": 1, "eventId": f"e-{place}", "type": "payment.completed", "aggregateVersion": 1}
    body = json.dumps({**members, "createdAt": "2026-11-20T10:00:00.000Z", "data": {"orderId": "p-1"}})
    headers = signed_headers(body.encode(), [key], int(time.time()) - age)
    data = json.dumps({"eventId": f"e-{place}", "type": "payment.completed", "headers": headers, "body": body})
    return f"id: {place}\nevent: payment.completed\ndata: {data}\n\n"


def begin(place):
    return f"retry: 500\n\n:\n\nid: {place}\n\n"


class Streams:
    """The service's side: each response sends its text, a few bytes at a time, and breaks off."""

    def __init__(self, *responses):
        self.responses, self.asked = list(responses), []

    def __call__(self, request):
        self.asked.append(request.url.raw_path.decode())
        text = self.responses.pop(0)
        if isinstance(text, httpx.Response):
            return text
        return httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=Cut(text.encode()))


class Cut(httpx.SyncByteStream, httpx.AsyncByteStream):
    def __init__(self, content):
        self.content = content

    def __iter__(self):
        for at in range(0, len(self.content), 7):
            yield self.content[at : at + 7]
        raise httpx.ReadError("cut")

    async def __aiter__(self):
        for at in range(0, len(self.content), 7):
            yield self.content[at : at + 7]
        raise httpx.ReadError("cut")


def take(service, count, **options):
    """The first events of a stream: for blocking code and for asyncio alike."""
    transport = httpx.MockTransport(service)
    with Client(base_url="https://api.example", transport=transport, **PARTNER) as client:
        stream = stream_events(client, [KEY], **options)
        return [(one.place, one.event and one.event["eventId"]) for one in islice(stream, count)]


def take_async(service, count, **options):
    async def run():
        taken = []
        async with AsyncClient(base_url="https://api.example", transport=httpx.MockTransport(service), **PARTNER) as client:
            async for one in stream_events_async(client, [KEY], **options):
                taken.append((one.place, one.event and one.event["eventId"]))
                if len(taken) == count:
                    return taken

    return asyncio.run(run())


both = pytest.mark.parametrize("taken", [take, take_async])


@both
def test_continues_behind_the_last_event_over_a_break(taken):
    service = Streams(begin(7) + message(8) + message(9)[:40], begin(8) + message(9) + message(10))
    assert taken(service, 4) == [("7", None), ("8", "e-8"), ("9", "e-9"), ("10", "e-10")]
    assert service.asked == ["/api/event-stream", "/api/event-stream?after=8"]


@both
def test_continues_behind_a_place_that_was_kept(taken):
    service = Streams(begin(5) + message(6))
    assert taken(service, 2, after="5") == [("5", None), ("6", "e-6")]
    assert service.asked == ["/api/event-stream?after=5"]


@both
def test_reads_an_event_anew_whose_signature_became_stale(taken):
    service = Streams(begin(1) + message(2, age=3600) + message(3), begin(1) + message(2))
    assert taken(service, 2) == [("1", None), ("2", "e-2")]
    assert service.asked == ["/api/event-stream", "/api/event-stream?after=1"]


@both
def test_ends_at_an_event_that_none_of_the_keys_has_signed(taken):
    with pytest.raises(CallbackRefused, match="unknown keys: k2"):
        taken(Streams(begin(1) + message(2, OTHER)), 2)


@both
def test_raises_what_the_service_answers_and_that_nobody_answers(taken):
    refused = httpx.Response(400, json={"error": "not valid", "code": "VALIDATION_FAILED"})
    with pytest.raises(ApiError) as error:
        taken(Streams(refused), 1)
    assert error.value.code == "VALIDATION_FAILED"

    def nobody(request):
        raise httpx.ConnectError("refused")

    page = httpx.Response(200, headers={"content-type": "text/html"}, text="<html>\n\n")
    for service in [nobody, Streams(page)]:
        with pytest.raises(NoAnswerError):
            taken(service, 1)


@both
def test_waits_while_the_service_is_busy(taken):
    busy = httpx.Response(429, json={"error": "too many", "code": "RATE_LIMITED"})
    assert taken(Streams(busy, begin(1) + message(2)), 2) == [("1", None), ("2", "e-2")]
