"""The signed API of the service, for blocking code (`Client`) and for asyncio (`AsyncClient`)."""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any, Protocol, TypeVar

import httpx

from .amounts import body_of, read_json
from .call import Call
from .calls import AwaitedCalls, BlockingCalls
from .errors import ApiError, NoAnswerError
from .retry_after import retry_after
from .signing import Identity, sign_request

T = TypeVar("T")

#: Attempts per call, including the first.
ATTEMPTS_MAX = 4
#: Pause before the second attempt; it doubles each time, and half of it is random.
BACKOFF_SECONDS = 0.25
#: The longest Retry-After to wait for; a longer one is reported in the error.
RETRY_AFTER_MAX_SECONDS = 30
#: To connect, and for each wait for bytes: a whole attempt may take longer.
TIMEOUT_SECONDS = 30.0


class _Network(Protocol):
    """What differs between the clients: how to wait."""

    async def send(self, request: httpx.Request) -> httpx.Response: ...

    async def pause(self, seconds: float) -> None: ...


class _Core:
    """What a call does, written once. With a network that blocks, its coroutines run to their end in one step."""

    def __init__(
        self, network: _Network, base_url: str, partner_id: str, public_key: str, private_key_pem: str, backoff_seconds: float
    ) -> None:
        self._network = network
        self._origin = httpx.URL(base_url)
        if self._origin.scheme not in ("http", "https") or self._origin.userinfo or self._origin.raw_path not in (b"", b"/"):
            raise ValueError("base_url must be an origin without a path, such as https://api.example")
        self._identity = Identity.read(partner_id, public_key, private_key_pem)
        self._backoff_seconds = backoff_seconds

    async def run(self, call: Call[T]) -> T:
        """The same bytes and the same key in each attempt, with a new timestamp, nonce and signature."""
        if call.method == "POST" and call.idempotency_key is None:
            call = replace(call, idempotency_key=str(uuid.uuid4()))
        may_be_done = False
        for attempt in range(1, ATTEMPTS_MAX + 1):
            try:
                return await self._attempt(call)
            except (ApiError, NoAnswerError) as error:
                if attempt == ATTEMPTS_MAX or not _may_pass(error):
                    if may_be_done and isinstance(error, ApiError) and not _decides(error):
                        raise _still_unknown(error) from error
                    raise
                may_be_done = may_be_done or (call.method != "GET" and isinstance(error, NoAnswerError))
                seconds = self._pause_before(attempt + 1, error)
            await self._network.pause(seconds)
        raise AssertionError("a call ends within its attempts")

    async def _attempt(self, call: Call[T]) -> T:
        try:
            response = await self._network.send(self.signed(call))
        except httpx.RequestError as error:
            raise NoAnswerError(error, call.idempotency_key) from error
        if response.status_code >= 300:
            refused = _refusal(response, call.idempotency_key)
            if refused.code == "UNREADABLE" and refused.status >= 500 and refused.status != 503:
                # The 502 or 504 of a proxy: the service may have got the request.
                raise NoAnswerError(refused, call.idempotency_key) from refused
            raise refused
        headers = response.headers
        if response.http_version.startswith("HTTP/1") and not ("content-length" in headers or "transfer-encoding" in headers):
            cut = ValueError("the response has neither a length nor chunks: it may have been cut")
            raise NoAnswerError(cut, call.idempotency_key)
        try:
            return call.read(response)
        except ValueError as error:
            raise NoAnswerError(error, call.idempotency_key) from error

    def signed(self, call: Call[T]) -> httpx.Request:
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

    def _pause_before(self, attempt: int, error: ApiError | NoAnswerError) -> float:
        if isinstance(error, ApiError) and error.retry_after_seconds is not None:
            return error.retry_after_seconds
        base = self._backoff_seconds * 2.0 ** (attempt - 2)
        # Half of it is random, so that clients that failed together do not retry together.
        return base / 2 + random.uniform(0, base / 2)


def _refusal(response: httpx.Response, idempotency_key: str | None) -> ApiError:
    return ApiError(
        response.status_code,
        read_json(response.content),
        retry_after_seconds=retry_after(response.headers.get_list("retry-after"), datetime.now(timezone.utc)),
        request_id=response.headers.get("x-request-id"),
        date=response.headers.get("date"),
        idempotency_key=idempotency_key,
    )


def _is_stream(response: httpx.Response) -> bool:
    return str(response.headers.get("content-type", "")).startswith("text/event-stream")


def _not_a_stream() -> httpx.HTTPError:
    """The page of a proxy: as if nobody had answered."""
    return httpx.RemoteProtocolError("the response is not from this API")


def _may_pass(error: ApiError | NoAnswerError) -> bool:
    if isinstance(error, NoAnswerError):
        return True
    if (error.retry_after_seconds or 0) > RETRY_AFTER_MAX_SECONDS:
        return False
    return error.status in (429, 503) or error.code == "IDEMPOTENCY_KEY_IN_PROGRESS"


def _decides(error: ApiError) -> bool:
    """Whether a refusal says that an earlier attempt, which got no response, did nothing either. "Not now" and a page of a proxy
    don't, nor does 401: the key may have been revoked in between."""
    is_of_command = 400 <= error.status < 500 and error.status not in (401, 429)
    return is_of_command and error.code not in ("UNREADABLE", "IDEMPOTENCY_KEY_IN_PROGRESS")


def _still_unknown(last: ApiError) -> NoAnswerError:
    told = RuntimeError(f"an earlier attempt got none, the last one {last.status} {last.code}: {last}")
    return NoAnswerError(told, last.idempotency_key)


def _any_call(method: str, target: str, body: dict[str, Any] | None, idempotency_key: str | None) -> Call[Any]:
    content = b"" if body is None else body_of(body, amount_is_number=False)
    return Call(method, target, body=content, idempotency_key=idempotency_key)


class _Blocking:
    def __init__(self, transport: httpx.BaseTransport | None) -> None:
        self.http = httpx.Client(timeout=TIMEOUT_SECONDS, transport=transport)

    async def send(self, request: httpx.Request) -> httpx.Response:
        return self.http.send(request)

    async def pause(self, seconds: float) -> None:
        time.sleep(seconds)


class Client(BlockingCalls):
    """Blocking calls. Every method raises `ApiError` if the request is refused and `NoAnswerError` without a readable response."""

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
        self._network = _Blocking(transport)
        self._core = _Core(self._network, base_url, partner_id, public_key, private_key_pem, backoff_seconds)

    def request(
        self, method: str, target: str, body: dict[str, Any] | None = None, *, idempotency_key: str | None = None
    ) -> Any:
        """Any other call, signed and retried as all are. `target` is the path with its escaped query."""
        return self._run(_any_call(method, target, body, idempotency_key))

    def open_stream(self, call: Call[Any]) -> httpx.Response:
        """For `stream_events`: a response whose body is read as it comes."""
        response = self._network.http.send(self._core.signed(call), stream=True)
        if response.status_code != 200:
            response.read()
            raise _refusal(response, None)
        if not _is_stream(response):
            response.close()
            raise _not_a_stream()
        return response

    def close(self) -> None:
        """Closes the kept-alive connections."""
        self._network.http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _run(self, call: Call[T]) -> T:
        try:
            self._core.run(call).send(None)
        except StopIteration as ended:
            result: T = ended.value
            return result
        raise AssertionError("a blocking network does not suspend")


class _Awaited:
    def __init__(self, transport: httpx.AsyncBaseTransport | None) -> None:
        self.http = httpx.AsyncClient(timeout=TIMEOUT_SECONDS, transport=transport)

    async def send(self, request: httpx.Request) -> httpx.Response:
        return await self.http.send(request)

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class AsyncClient(AwaitedCalls):
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
        self._network = _Awaited(transport)
        self._core = _Core(self._network, base_url, partner_id, public_key, private_key_pem, backoff_seconds)

    async def request(
        self, method: str, target: str, body: dict[str, Any] | None = None, *, idempotency_key: str | None = None
    ) -> Any:
        """Any other call, signed and retried as all are. `target` is the path with its escaped query."""
        return await self._run(_any_call(method, target, body, idempotency_key))

    async def open_stream(self, call: Call[Any]) -> httpx.Response:
        """For `stream_events_async`: a response whose body is read as it comes."""
        response = await self._network.http.send(self._core.signed(call), stream=True)
        if response.status_code != 200:
            await response.aread()
            raise _refusal(response, None)
        if not _is_stream(response):
            await response.aclose()
            raise _not_a_stream()
        return response

    async def aclose(self) -> None:
        """Closes the kept-alive connections."""
        await self._network.http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()

    async def _run(self, call: Call[T]) -> T:
        return await self._core.run(call)
