"""Streams of events: the cases that every SDK passes."""

import asyncio
import json
import time

import httpx
import pytest

from pay_sdk import ApiError, AsyncClient, CallbackKey, CallbackRefused, Client, NoAnswerError, stream_events, stream_events_async
from pay_sdk.callbacks import signed_headers

from test_conformance import PARTNER, ROOT

CASES = json.loads((ROOT / "sdks/conformance/streams.json").read_text())["cases"]
KEYS = {"k1": CallbackKey("k1", "A" * 43 + "="), "k2": CallbackKey("k2", "B" + "A" * 42 + "=")}


def written(message):
    """A message as the service writes it."""
    if "begin" in message:
        return f"retry: 500\n\n:\n\nid: {message['begin']}\n\n"
    place, type = message["event"], message.get("type", "payment.completed")
    members = {"schemaVersion": 1, "eventId": f"e-{place}", "type": type, "aggregateVersion": 1}
    body = json.dumps({**members, "createdAt": "2026-11-20T10:00:00.000Z", "data": {"orderId": "p-1"}})
    signed_at = int(time.time()) - message.get("ageSeconds", 0)
    headers = signed_headers(body.encode(), [KEYS[message.get("key", "k1")]], signed_at)
    data = json.dumps({"eventId": f"e-{place}", "type": type, "headers": headers, "body": body})
    return f"id: {place}\nevent: {type}\ndata: {data}\n\n"[: message.get("cutAfter")]


class Streams:
    """The service's side: each response sends its text, a few bytes at a time, and breaks off."""

    def __init__(self, responses):
        self.responses, self.asked = list(responses), []

    def __call__(self, request):
        self.asked.append(request.url.raw_path.decode())
        response = self.responses.pop(0)
        if response.get("cut"):
            raise httpx.ReadError("cut")
        if "messages" not in response:
            return httpx.Response(response["status"], headers=response.get("headers"), text=response["text"])
        text = "".join(written(message) for message in response["messages"])
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


def take(service, after, taken, count):
    """Until there are `count` events of the stream: for blocking code and for asyncio alike."""
    with Client(base_url="https://api.example", transport=httpx.MockTransport(service), **PARTNER) as client:
        for one in stream_events(client, [KEYS["k1"]], after=after):
            taken.append([one.place, one.event and one.event["eventId"]])
            if len(taken) == count:
                return


def take_async(service, after, taken, count):
    async def run():
        async with AsyncClient(base_url="https://api.example", transport=httpx.MockTransport(service), **PARTNER) as client:
            async for one in stream_events_async(client, [KEYS["k1"]], after=after):
                taken.append([one.place, one.event and one.event["eventId"]])
                if len(taken) == count:
                    return

    asyncio.run(run())


@pytest.mark.parametrize("run", [take, take_async])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_streams_as_every_sdk(case, run):
    service, taken = Streams(case["responses"]), []
    if "error" in case:
        kinds = {"refused": ApiError, "no answer": NoAnswerError, "not verified": CallbackRefused}
        with pytest.raises(kinds[case["error"]["kind"]]) as raised:
            run(service, case.get("after"), taken, None)
        assert case["error"].get("says", "") in str(raised.value)
        assert case["error"].get("code") == getattr(raised.value, "code", None)
    else:
        run(service, case.get("after"), taken, len(case["taken"]))
    assert taken == case["taken"]
    assert service.asked == case["asked"]
