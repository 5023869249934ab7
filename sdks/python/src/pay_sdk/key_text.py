"""Keys as people paste them. What is taken, and what each refusal says, is sdks/conformance/keys.json."""

from __future__ import annotations

import base64
import binascii
import re

_TYPE = "ssh-ed25519"
#: DER of an Ed25519 key, up to its 32 bytes. The length of PKCS#8 and its version may differ. Source: RFC 8410 and 5958.
_PKCS8 = re.compile(rb"\x30.\x02\x01.\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20", re.DOTALL)
_SPKI = bytes.fromhex("302a300506032b6570032100")
#: The blob of an OpenSSH line, up to its 32 bytes. Source: RFC 8709, section 4.
_BLOB = b"\0\0\0\x0bssh-ed25519\0\0\0\x20"
#: What keys of SSH begin with.
_OPENSSH_TYPE = re.compile(r"ssh-(ed25519|rsa|dss)|ecdsa-sha2-|sk-(ssh|ecdsa)-")
_BLANKS = " \t\r\n\f\v"

_GIVE = {
    "private": "give the whole text of the private key file, from BEGIN to END",
    "public": "give the whole line that begins with ssh-ed25519",
}
_MAKE = "make one with `pay keys generate` or `openssl genpkey -algorithm ed25519`"
_ENCRYPTED = (
    "the private key is encrypted: remove the passphrase of a copy with "
    '`openssl pkey -in COPY -out NEW` or `ssh-keygen -p -N "" -f COPY`'
)
#: Both keys are readable.
NO_PAIR = "the public and the private key do not match: give the two of one pair"


def secret_of(given: str) -> bytes:
    """The 32 secret bytes of a private key: PKCS#8 PEM, or OpenSSH's own format. Text around it is left out; a line feed may be
    written as a backslash and an n. Raises ValueError with the sentence for whoever pasted it."""
    text = _plain(given)
    block = _block_of(text)
    if block is None:
        words = _words_of(text)
        if any(_OPENSSH_TYPE.match(word) and blob.startswith("AAAA") for word, blob in zip(words, words[1:])):
            raise _wrong_half("private", "public")
        raise _unframed("private", text)
    label, encoded = block
    if label == "ENCRYPTED PRIVATE KEY":
        raise ValueError(_ENCRYPTED)
    if label.endswith("PUBLIC KEY"):
        raise _wrong_half("private", "public")
    if not label.endswith("PRIVATE KEY"):
        raise _none("private")
    if label not in ("PRIVATE KEY", "OPENSSH PRIVATE KEY"):
        raise _other_algorithm("private")
    decoded = _decoded(encoded)
    if decoded is None:
        raise _cut("private")
    if label == "OPENSSH PRIVATE KEY":
        return _Ssh(decoded).secret()
    if not _is_der(decoded):
        raise _cut("private")
    if _PKCS8.match(decoded) is None:
        raise _other_algorithm("private")
    return decoded[16:48]


def public_line_of(given: str) -> str:
    """The OpenSSH line of a public key without its comment, as requests carry it. An SPKI PEM is taken as well. Raises ValueError
    with the sentence for whoever pasted it."""
    text = _plain(given)
    words = _words_of(text)
    for word, blob in zip(words, words[1:]):
        if word == _TYPE and blob.startswith("AAAA"):
            decoded = _decoded(blob)
            if decoded is None or len(decoded) != len(_BLOB) + 32 or not decoded.startswith(_BLOB):
                raise _cut("public")
            return f"{_TYPE} {blob}"
    block = _block_of(text)
    if block is None:
        if _TYPE in words:
            raise _cut("public")
        if any(_OPENSSH_TYPE.match(word) for word in words):
            raise _other_algorithm("public")
        raise _unframed("public", text)
    label, encoded = block
    if label.endswith("PRIVATE KEY"):
        raise _wrong_half("public", "private")
    if not label.endswith("PUBLIC KEY"):
        raise _none("public")
    if label != "PUBLIC KEY":
        raise _other_algorithm("public")
    decoded = _decoded(encoded)
    if decoded is None or not _is_der(decoded):
        raise _cut("public")
    if not decoded.startswith(_SPKI):
        raise _other_algorithm("public")
    return f"{_TYPE} {base64.b64encode(_BLOB + decoded[len(_SPKI) :]).decode()}"


def _wrong_half(half: str, given: str) -> ValueError:
    return ValueError(f"this is a {given} key, not the {half} one: {_GIVE[half]}")


def _cut(half: str) -> ValueError:
    return ValueError(f"the {half} key is cut or damaged: {_GIVE[half]}")


def _none(half: str) -> ValueError:
    return ValueError(f"this is no {half} key: {_GIVE[half]}")


def _other_algorithm(half: str) -> ValueError:
    return ValueError(f"the {half} key is not an Ed25519 key: {_MAKE}")


def _unframed(half: str, text: str) -> ValueError:
    """Why a text without the frame of a key is none."""
    words = _words_of(text)
    if not words:
        return ValueError(f"the {half} key is empty: {_GIVE[half]}")
    if "-----BEGIN " in text or "-----END " in text:
        return _cut(half)
    if re.fullmatch(r"[A-Za-z0-9+/]{43,}={0,2}", "".join(words)):
        return ValueError(f"the {half} key has lost its frame: {_GIVE[half]}")
    return _none(half)


def _plain(text: str | None) -> str:
    """Editors put a byte order mark before a file, chats put no-break and zero-width spaces into it."""
    text = re.sub(r"\\+[nr]", "\n", text or "")
    return text.replace("\ufeff", "").replace("\u200b", "").replace("\u00a0", " ")


def _words_of(text: str) -> list[str]:
    return [word for word in re.split(rf"[{_BLANKS}\"'`]+", text) if word]


def _block_of(text: str) -> tuple[str, str | None] | None:
    """Label and base64 of the PEM block, that of a private key if there are several; no base64 if its end is missing."""
    begins = list(re.finditer(r"-----BEGIN ([A-Z0-9 ]+)-----", text))
    if not begins:
        return None
    begin = next((one for one in begins if one[1].endswith("PRIVATE KEY")), begins[0])
    end = text.find(f"-----END {begin[1]}-----", begin.end())
    return begin[1], None if end < 0 else re.sub(rf"[{_BLANKS}]+", "", text[begin.end() : end])


def _decoded(text: str | None) -> bytes | None:
    """The bytes of standard, padded base64; None for any other text."""
    try:
        decoded = base64.b64decode(text or "", validate=True)
    except (binascii.Error, ValueError):
        return None
    return decoded if decoded and base64.b64encode(decoded).decode() == text else None


def _is_der(decoded: bytes) -> bool:
    """Whether it is one whole DER sequence: a key that was cut is none."""
    if len(decoded) < 2 or decoded[0] != 0x30:
        return False
    first = decoded[1]
    if first < 0x80:
        return len(decoded) == first + 2
    size = first - 0x80
    return size in (1, 2) and len(decoded) == int.from_bytes(decoded[2 : 2 + size], "big") + 2 + size


class _Ssh:
    """SSH's wire format: texts prefixed with their length in four bytes. Source: OpenSSH, PROTOCOL.key."""

    def __init__(self, rest: bytes) -> None:
        self._rest = rest

    def secret(self) -> bytes:
        if self._take(15) != b"openssh-key-v1\0":
            raise _cut("private")
        if self._text() != b"none":
            raise ValueError(_ENCRYPTED)
        self._text()  # The key derivation function and its options: none, because the cipher is none.
        self._text()
        if self._take(4) != b"\0\0\0\x01":  # One key.
            raise _cut("private")
        self._text()  # The public key, which is repeated below.
        inner = _Ssh(self._text())
        if inner._take(4) != inner._take(4):
            raise _cut("private")
        if inner._text() != _TYPE.encode():
            raise _other_algorithm("private")
        public, secret = inner._text(), inner._text()
        if len(secret) != 64 or secret[32:] != public:
            raise _cut("private")
        return secret[:32]

    def _take(self, length: int) -> bytes:
        if length > len(self._rest):
            raise _cut("private")
        taken, self._rest = self._rest[:length], self._rest[length:]
        return taken

    def _text(self) -> bytes:
        return self._take(int.from_bytes(self._take(4), "big"))
