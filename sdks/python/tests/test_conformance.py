"""The cases that every SDK passes: sdks/conformance, and the signing vectors."""

import asyncio
import base64
import functools
import hmac
import json
import re
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import httpx
import pytest
from cryptography.hazmat.primitives.serialization import load_ssh_public_key

from pay_sdk import (
    ApiError,
    AsyncClient,
    CallbackKey,
    CallbackRefused,
    Client,
    Identity,
    NoAnswerError,
    every_item,
    every_item_async,
    sign_request,
    verify_callback,
)
from pay_sdk.retry_after import retry_after
from pay_sdk.signing import canonical_query, canonical_string

ROOT = Path(__file__).parents[3]
VECTORS = ROOT / "packages/signing/test/vectors"
CALLS = json.loads((ROOT / "sdks/conformance/calls.json").read_text())["cases"]
KEY_TEXTS = json.loads((ROOT / "sdks/conformance/keys.json").read_text())
SIGNING = json.loads((VECTORS / "request-signing.json").read_text())
RETRY_AFTER = json.loads((ROOT / "sdks/conformance/retry-after.json").read_text())
AMOUNTS = json.loads((ROOT / "sdks/conformance/amounts.json").read_text())["cases"]
SIGNATURES = json.loads((ROOT / "sdks/conformance/signatures.json").read_text())["cases"]
CALLBACKS = json.loads((VECTORS / "callback-signing.json").read_text())
KEYS = [CallbackKey(key_id, secret) for key_id, secret in CALLBACKS["keys"].items()]
PARTNER = {
    "partner_id": SIGNING["partnerID"],
    "public_key": SIGNING["publicKeyOpenSsh"],
    "private_key_pem": SIGNING["privateKeyPkcs8Pem"],
}


@pytest.mark.parametrize("case", SIGNING["cases"], ids=lambda case: case["name"])
def test_signs_as_the_vectors(case):
    parts = {
        "method": case["method"],
        "target": case["target"],
        "idempotency_key": case["idempotencyKey"],
        "body": case["body"].encode(),
        "timestamp": case["timestamp"],
        "nonce": case["nonce"],
    }
    assert canonical_query(case["target"].partition("?")[2]) == case["canonicalQuery"]
    assert canonical_string(**parts) == case["canonical"]
    assert json.loads(sign_request(Identity.read(**PARTNER), **parts))["sign"] == case["sign"]


@pytest.mark.parametrize(
    ("half", "field", "case"),
    [(half, field, case) for half, field in (("private", "private_key_pem"), ("public", "public_key")) for case in KEY_TEXTS[half]],
    ids=lambda one: one["name"] if isinstance(one, dict) else one,
)
def test_reads_the_text_of_a_key(half, field, case):
    """K5"""
    given = {**PARTNER, field: case["text"]}
    if case.get("taken"):
        assert Identity.read(**given).public_key == PARTNER["public_key"]
        return
    with pytest.raises(ValueError) as raised:
        Identity.read(**given)
    assert str(raised.value) == KEY_TEXTS["sentences"][half][case["says"]]


def test_says_that_the_keys_are_no_pair():
    """K5"""
    with pytest.raises(ValueError) as raised:
        Identity.read(**{**PARTNER, "public_key": PARTNER["public_key"][:-1] + "A"})
    assert str(raised.value) == KEY_TEXTS["sentences"]["noPair"]


@pytest.mark.parametrize("case", RETRY_AFTER["cases"], ids=lambda case: case["name"])
def test_reads_retry_after_in_every_form(case):
    """K2"""
    assert retry_after(case["values"], datetime.fromisoformat(RETRY_AFTER["now"])) == case["seconds"]


@pytest.mark.parametrize("case", SIGNATURES, ids=lambda case: case["name"])
def test_reads_eight_signatures_and_hashes_once_a_key(case, monkeypatch):
    """N14"""
    first = CALLBACKS["cases"][0]
    event_id = json.loads(first["body"])["eventId"]
    headers = {
        "X-Service-Timestamp": first["timestamp"],
        "X-Service-Signature": case["signature"],
        "X-Service-Event-ID": event_id,
    }
    hashed = []
    new = hmac.new
    monkeypatch.setattr(hmac, "new", lambda *given: hashed.append(given[0]) or new(*given))
    verify = functools.partial(verify_callback, first["body"].encode(), headers, KEYS, int(first["timestamp"]))
    if case["reason"] is None:
        assert verify()["eventId"] == event_id
    else:
        with pytest.raises(CallbackRefused) as refused:
            verify()
        assert refused.value.reason == case["reason"]
    assert len(hashed) == len(set(hashed))


@pytest.mark.parametrize("case", CALLBACKS["cases"], ids=lambda case: case["name"])
def test_verifies_as_the_vectors(case):
    now, body = int(case["timestamp"]), case["body"].encode()
    event_id = re.search(r'"eventId":"([^"]+)"', case["body"])
    headers = {
        "X-Service-Timestamp": case["timestamp"],
        "X-Service-Signature": case["signature"],
        "X-Service-Event-ID": event_id[1] if event_id else "",
    }
    reasons = {
        "bad signature": (body + b" ", headers, KEYS, now),
        "stale": (body, headers, KEYS, now + 301),
        "unknown key": (body, headers, [CallbackKey("other", KEYS[0].secret)], now),
        "unsigned": (body, {**headers, "X-Service-Timestamp": "soon"}, KEYS, now),
    }
    for reason, arguments in reasons.items():
        with pytest.raises(CallbackRefused) as refused:
            verify_callback(*arguments)
        assert refused.value.reason == reason
    if event_id is None:
        with pytest.raises(CallbackRefused) as refused:
            verify_callback(body, headers, KEYS, now)
        assert refused.value.reason == "malformed"
    else:
        assert verify_callback(body, headers, KEYS, now + 300)["eventId"] == event_id[1]


class Service:
    """The service's side: checks signatures and nonces, and replies as told; the last reply repeats."""

    def __init__(self, replies):
        self.replies, self.sent, self.nonces, self.keys = list(replies), [], set(), set()

    def __call__(self, request):
        target, body = request.url.raw_path.decode(), request.content
        key = request.headers.get("idempotency-key", "")
        given = json.loads(request.headers["authorization"])
        canonical = canonical_string(
            timestamp=given["timestamp"], nonce=given["nonce"], method=request.method, target=target,
            idempotency_key=key, body=body,
        )
        load_ssh_public_key(given["key"].encode()).verify(base64.b64decode(given["sign"]), canonical.encode())
        assert given["nonce"] not in self.nonces
        self.nonces.add(given["nonce"])
        self.keys.add((request.method, key))
        self.sent.append({"method": request.method, "target": target, "body": body.decode()})
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if reply.get("cut"):
            raise httpx.ReadError("cut")
        content = reply["text"].encode()
        body = {"stream": httpx.ByteStream(content)} if reply.get("withoutLength") else {"content": content}
        return httpx.Response(reply["status"], headers=reply.get("headers"), **body)


def python_name(name):
    return re.sub(r"([A-Z])", lambda found: f"_{found[1].lower()}", name)


def shown(value):
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, dict):
        return {name: shown(member) for name, member in value.items()}
    return [shown(one) for one in value] if isinstance(value, list) else value


def called(client, case):
    options = {"idempotency_key": case["idempotencyKey"]} if "idempotencyKey" in case else {}
    return getattr(client, python_name(case["call"]))(*case["arguments"], **options)


def paged(client, case):
    return lambda page: getattr(client, python_name(case["call"]))({**case["arguments"][0], **page})


def blocking(service, case):
    with Client(base_url="https://api.example", transport=httpx.MockTransport(service), backoff_seconds=0, **PARTNER) as client:
        return list(every_item(paged(client, case))) if case.get("everyItem") else called(client, case)


def awaited(service, case):
    async def run():
        transport = httpx.MockTransport(service)
        async with AsyncClient(base_url="https://api.example", transport=transport, backoff_seconds=0, **PARTNER) as client:
            if case.get("everyItem"):
                return [item async for item in every_item_async(paged(client, case))]
            return await called(client, case)

    return asyncio.run(run())


@pytest.mark.parametrize("run", [blocking, awaited])
@pytest.mark.parametrize("case", AMOUNTS, ids=lambda case: case["name"])
def test_takes_no_number_as_an_amount(case, run):
    """K10"""
    service = Service([{"status": 500, "text": "{}"}])
    with pytest.raises(ValueError):
        run(service, case)
    assert service.sent == []


@pytest.mark.parametrize("run", [blocking, awaited])
@pytest.mark.parametrize("case", CALLS, ids=lambda case: case["name"])
def test_calls_as_every_sdk(case, run):
    service = Service(case["replies"])
    if "error" in case:
        kinds = {"refused": ApiError, "no answer": NoAnswerError, "invalid": ValueError}
        with pytest.raises(kinds[case["error"]["kind"]]) as raised:
            run(service, case)
        for name, value in case["error"].items():
            if name == "says":
                assert value in str(raised.value)
            elif name != "kind":
                own = getattr(raised.value, python_name(name))
                assert (own.isoformat(timespec="milliseconds").replace("+00:00", "Z") if hasattr(own, "isoformat") else own) == value
    else:
        assert shown(run(service, case)) == case["result"]
    assert service.sent == case["sent"]
    for method, key in service.keys:
        assert (len(key) >= 16) == (method == "POST")
    if "everyItem" not in case:
        assert len(service.keys) <= 1


def test_sends_a_decimal_with_two_digits_and_refuses_what_has_more():
    service = Service([{"status": 201, "text": '{"amount":10}'}])
    with Client(base_url="https://api.example", transport=httpx.MockTransport(service), **PARTNER) as client:
        amounts = [Decimal("10.5"), Decimal("1E+2"), Decimal("0.10"), "10"]
        for amount in amounts:
            assert client.create_qr_payment({"amount": amount}) == {"amount": Decimal("10")}
        client.refund_qr_payment("p-1", {"amount": Decimal("10.5")})
        for amount in [Decimal("10.505"), Decimal("NaN"), Decimal("-1"), 10.5, 10]:
            with pytest.raises(ValueError):
                client.create_qr_payment({"amount": amount})
    bodies = ['{"amount":10.50}', '{"amount":100.00}', '{"amount":0.10}', '{"amount":10}', '{"amount":"10.50"}']
    assert [one["body"] for one in service.sent] == bodies


def test_says_that_a_response_is_not_from_this_api():
    page = {"status": 200, "headers": {"Content-Type": "text/html"}, "text": "<html>"}
    file = {"status": 200, "headers": {"Content-Type": "text/csv; charset=utf-8"}, "text": "line\r\n"}
    service = Service([page] * 9 + [file])
    with Client(base_url="https://api.example", transport=httpx.MockTransport(service), backoff_seconds=0, **PARTNER) as client:
        with pytest.raises(NoAnswerError, match="not from this API"):
            client.read_card_payment("p-1")
        with pytest.raises(NoAnswerError, match="not from this API"):
            client.read_register_csv("2026-11-22")
        assert client.read_register_csv("2026-11-22") == "line\r\n"


@pytest.mark.parametrize("base_url", ["api.example", "https://api.example/v1", "https://me@api.example", "ftp://api.example"])
def test_takes_an_origin_only(base_url):
    with pytest.raises(ValueError, match="origin"):
        Client(base_url=base_url, **PARTNER)
