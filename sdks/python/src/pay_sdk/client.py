"""The signed API of the service, for blocking code (`Client`) and for asyncio (`AsyncClient`)."""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from dataclasses import dataclass
from typing import Any, Callable, Generator

import httpx

from .amounts import read_json
from .calls import Calls
from .errors import ApiError, NoAnswerError
from .signing import Identity, sign_request

#: Attempts per call, including the first.
ATTEMPTS_MAX = 4
#: Pause before the second attempt; it doubles each time, and half of it is random.
BACKOFF_SECONDS = 0.25
#: The longest Retry-After to wait for; a longer one is reported in the error.
RETRY_AFTER_MAX_SECONDS = 30
#: Of one whole attempt; the service itself responds within a few seconds.
TIMEOUT_SECONDS = 30.0


@dataclass(frozen=True)
class _Call:
    method: str
    target: str
    body: bytes
    idempotency_key: str | None
    read: Callable[[httpx.Response], Any]


#: What a call does next: send this request, or pause for so many seconds.
_Step = httpx.Request | float
_Attempts = Generator[_Step, "httpx.Response | Exception | None", Any]


class _Signed(Calls):
    def __init__(
        self, base_url: str, partner_id: str, public_key: str, private_key_pem: str, backoff_seconds: float
    ) -> None:
        self._origin = httpx.URL(base_url)
        if self._origin.raw_path not in (b"", b"/") or self._origin.userinfo:
            raise ValueError("base_url must be an origin without a path, such as https://api.example")
        self._identity = Identity.read(partner_id, public_key, private_key_pem)
        self._backoff_seconds = backoff_seconds

    def _call(
        self,
        method: str,
        target: str,
        *,
        body: bytes = b"",
        idempotency_key: str | None = None,
        read: Callable[[Any], Any] | None = None,
    ) -> Any:
        key = idempotency_key if idempotency_key is not None else str(uuid.uuid4()) if method == "POST" else None
        reader = read if read is not None else (lambda record: record)
        return self._run(_Call(method, target, body, key, lambda response: reader(read_json(response.content))))

    def _text(self, target: str) -> Any:
        return self._run(_Call("GET", target, b"", None, lambda response: response.text))

    def _run(self, call: _Call) -> Any:
        raise NotImplementedError

    def _signed(self, call: _Call) -> httpx.Request:
        key = call.idempotency_key
        authorization = sign_request(
            self._identity, method=call.method, target=call.target, idempotency_key=key or "", body=call.body
        )
        headers = {"Authorization": authorization, "Accept": "application/json"}
        if key is not None:
            headers["Idempotency-Key"] = key
        if call.body:
            headers["Content-Type"] = "application/json"
        # The target is sent byte for byte, because exactly these bytes are signed.
        url = self._origin.copy_with(raw_path=call.target.encode("ascii"))
        return httpx.Request(call.method, url, headers=headers, content=call.body)

    def _attempts(self, call: _Call) -> _Attempts:
        """The same bytes and the same key each time, with a new timestamp, nonce and signature."""
        for attempt in range(1, ATTEMPTS_MAX + 1):
            outcome = yield self._signed(call)
            retry_after: int | None = None
            if isinstance(outcome, httpx.Response):
                if outcome.status_code < 300:
                    return call.read(outcome)
                retry_after = _retry_after(outcome)
                error: Exception = ApiError(
                    outcome.status_code,
                    read_json(outcome.content),
                    retry_after_seconds=retry_after,
                    request_id=outcome.headers.get("x-request-id"),
                    idempotency_key=call.idempotency_key,
                )
                if not _may_pass(error, retry_after):
                    raise error
            else:
                error = NoAnswerError(outcome or RuntimeError("no response"), call.idempotency_key)
            if attempt == ATTEMPTS_MAX:
                raise error
            base = self._backoff_seconds * 2 ** (attempt - 1)
            yield float(retry_after) if retry_after is not None else base / 2 + random.uniform(0, base / 2)
        raise AssertionError("a call ends within its attempts")


def _may_pass(error: Exception, retry_after: int | None) -> bool:
    if not isinstance(error, ApiError) or (retry_after or 0) > RETRY_AFTER_MAX_SECONDS:
        return False
    return error.status in (429, 503) or error.code == "IDEMPOTENCY_KEY_IN_PROGRESS"


def _retry_after(response: httpx.Response) -> int | None:
    text = response.headers.get("retry-after", "")
    return int(text) if text.isascii() and text.isdigit() else None


class Client(_Signed):
    """Blocking calls. Every method raises `ApiError` if the request is refused and `NoAnswerError` without a response."""

    def __init__(
        self,
        *,
        base_url: str,
        partner_id: str,
        public_key: str,
        private_key_pem: str,
        backoff_seconds: float = BACKOFF_SECONDS,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        super().__init__(base_url, partner_id, public_key, private_key_pem, backoff_seconds)
        self._http = httpx.Client(timeout=TIMEOUT_SECONDS, transport=transport, follow_redirects=False)

    def close(self) -> None:
        """Closes the kept-alive connections."""
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _run(self, call: _Call) -> Any:
        attempts = self._attempts(call)
        given: httpx.Response | Exception | None = None
        while True:
            try:
                step = attempts.send(given)
            except StopIteration as ended:
                return ended.value
            if isinstance(step, float):
                time.sleep(step)
                given = None
                continue
            try:
                given = self._http.send(step)
            except httpx.TransportError as error:
                given = error


class AsyncClient(_Signed):
    """The same calls for asyncio: every method is awaited."""

    def __init__(
        self,
        *,
        base_url: str,
        partner_id: str,
        public_key: str,
        private_key_pem: str,
        backoff_seconds: float = BACKOFF_SECONDS,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        super().__init__(base_url, partner_id, public_key, private_key_pem, backoff_seconds)
        self._http = httpx.AsyncClient(timeout=TIMEOUT_SECONDS, transport=transport, follow_redirects=False)

    async def aclose(self) -> None:
        """Closes the kept-alive connections."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()

    async def _run(self, call: _Call) -> Any:
        attempts = self._attempts(call)
        given: httpx.Response | Exception | None = None
        while True:
            try:
                step = attempts.send(given)
            except StopIteration as ended:
                return ended.value
            if isinstance(step, float):
                await asyncio.sleep(step)
                given = None
                continue
            try:
                given = await self._http.send(step)
            except httpx.TransportError as error:
                given = error
