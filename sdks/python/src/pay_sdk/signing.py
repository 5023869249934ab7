"""The signature of a request: docs/partners/signing.md."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from dataclasses import dataclass
from urllib.parse import quote_from_bytes, unquote_to_bytes

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from .key_text import NO_PAIR, public_line_of, secret_of


@dataclass(frozen=True)
class Identity:
    """Who signs. `public_key` is the OpenSSH line without a comment, as registered."""

    partner_id: str
    public_key: str
    private_key: Ed25519PrivateKey

    @staticmethod
    def read(partner_id: str, public_key: str, private_key_pem: str) -> Identity:
        """Raises ValueError that says what a text is and what to give instead, or that the keys do not match."""
        private_key = Ed25519PrivateKey.from_private_bytes(secret_of(private_key_pem))
        public_key = public_line_of(public_key)
        own = private_key.public_key().public_bytes(
            serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH
        )
        if own.decode() != public_key:
            raise ValueError(NO_PAIR)
        return Identity(partner_id, public_key, private_key)


def canonical_query(query: str) -> str:
    """Names and values decoded, encoded again by RFC 3986 and sorted by encoded name."""
    pairs = [piece.partition("=") for piece in query.split("&") if piece != ""]
    return "&".join(f"{name}={value}" for name, value in sorted((_again(name), _again(value)) for name, _, value in pairs))


def _again(text: str) -> str:
    return quote_from_bytes(unquote_to_bytes(text.replace("+", " ")), safe="-._~")


def canonical_string(
    *, timestamp: str, nonce: str, method: str, target: str, idempotency_key: str, body: bytes
) -> str:
    """The seven signed parts, joined by line feeds, with none at the end."""
    path, _, query = target.partition("?")
    digest = hashlib.sha256(body).hexdigest()
    return "\n".join([timestamp, nonce, method.upper(), path, canonical_query(query), idempotency_key, digest])


def sign_request(
    identity: Identity,
    *,
    method: str,
    target: str,
    idempotency_key: str = "",
    body: bytes = b"",
    timestamp: str | None = None,
    nonce: str | None = None,
) -> str:
    """The value of the Authorization header of one attempt."""
    timestamp = timestamp if timestamp is not None else str(int(time.time()))
    nonce = nonce if nonce is not None else secrets.token_hex(16)
    canonical = canonical_string(
        timestamp=timestamp, nonce=nonce, method=method, target=target, idempotency_key=idempotency_key, body=body
    )
    sign = base64.b64encode(identity.private_key.sign(canonical.encode("latin-1"))).decode()
    members = {
        "partnerID": identity.partner_id,
        "key": identity.public_key,
        "sign": sign,
        "timestamp": timestamp,
        "nonce": nonce,
    }
    return json.dumps(members, separators=(",", ":"))
