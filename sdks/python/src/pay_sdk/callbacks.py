"""Verification of callbacks: docs/partners/callbacks.md."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from typing import Mapping, Sequence, cast

from .records import PartnerEvent

TOLERANCE_SECONDS = 300
#: The most entries of X-Service-Signature that are read: the service sends one, two during a rotation.
SIGNATURES_MAX = 8
_ENTRY = re.compile(r"\s*([^:\s]+):v1=([0-9a-f]{64})\s*")


@dataclass(frozen=True)
class CallbackKey:
    """A callback key as issued: `secret` is the base64 text. During a rotation you have two."""

    key_id: str
    secret: str


class CallbackRefused(Exception):
    """Not authentic, or not an event. Answer 400 if `reason` is `malformed`, otherwise 401.

    `reason` is `unsigned`, `stale`, `unknown key`, `bad signature` or `malformed`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def verify_callback(
    raw_body: bytes, headers: Mapping[str, str], keys: Sequence[CallbackKey], now: float | None = None
) -> PartnerEvent:
    """The event of a callback: freshness is checked, then the signature over the exact bytes, then the envelope.

    `raw_body` is the body as received, before any parser; `now` is Unix time. Event types unknown to this version are
    verified like any other: add an else branch. Raises CallbackRefused, and ValueError if one of your keys is not base64
    of 32 bytes.
    """
    given = {name.lower(): value for name, value in headers.items()}
    secrets = {key.key_id: _decoded(key) for key in keys}
    timestamp = given.get("x-service-timestamp", "")
    if re.fullmatch(r"[0-9]{1,12}", timestamp) is None:
        raise CallbackRefused("unsigned", "X-Service-Timestamp is not a Unix time in seconds")
    signature = given.get("x-service-signature")
    if signature is None:
        raise CallbackRefused("unsigned", "X-Service-Signature is missing")
    if abs((now if now is not None else time.time()) - int(timestamp)) > TOLERANCE_SECONDS:
        raise CallbackRefused("stale", f"the timestamp is more than {TOLERANCE_SECONDS} s off")
    entries = signature.split(",", SIGNATURES_MAX)[:SIGNATURES_MAX]
    named = [entry.strip().split(":")[0] for entry in entries]
    if not any(name in secrets for name in named):
        raise CallbackRefused("unknown key", f"signed with unknown keys: {', '.join(named)}")
    known = ((key_id, secret) for key_id, secret in secrets.items() if key_id in named)
    if not any(_is_signed(entries, key_id, secret, timestamp, raw_body) for key_id, secret in known):
        raise CallbackRefused("bad signature", "the signature does not match the body: was it parsed or rewritten?")
    event = _event(raw_body)
    if event is None or given.get("x-service-event-id") != event["eventId"]:
        raise CallbackRefused("malformed", "the signed body is not an event of schemaVersion 1")
    return event


def _decoded(key: CallbackKey) -> bytes:
    try:
        secret = base64.b64decode(key.secret, validate=True)
    except binascii.Error:
        secret = b""
    if len(secret) != 32:
        raise ValueError(f"the secret of callback key {key.key_id} is not base64 of 32 bytes: pass it as it was issued")
    return secret


def _is_signed(entries: Sequence[str], key_id: str, secret: bytes, timestamp: str, raw_body: bytes) -> bool:
    found = [entry for entry in map(_ENTRY.fullmatch, entries) if entry is not None and entry[1] == key_id]
    expected = hmac.new(secret, timestamp.encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    return any([hmac.compare_digest(expected, entry[2]) for entry in found])


def _event(raw_body: bytes) -> PartnerEvent | None:
    try:
        value = json.loads(raw_body)
    except ValueError:
        return None
    kinds = {"eventId": str, "type": str, "aggregateVersion": int, "createdAt": str, "data": dict}
    if not isinstance(value, dict) or value.get("schemaVersion") != 1:
        return None
    is_event = all(isinstance(value.get(name), kind) for name, kind in kinds.items())
    return cast(PartnerEvent, value) if is_event else None


def signed_headers(raw_body: bytes, keys: Sequence[CallbackKey], now: int) -> dict[str, str]:
    """The headers that the service would send, for tests of your receiver."""
    prefix = f"{now}.".encode()
    entries = [
        f"{key.key_id}:v1={hmac.new(_decoded(key), prefix + raw_body, hashlib.sha256).hexdigest()}" for key in keys
    ]
    event = _event(raw_body)
    return {
        "X-Service-Timestamp": str(now),
        "X-Service-Signature": ",".join(entries),
        "X-Service-Event-ID": "" if event is None else event["eventId"],
    }
