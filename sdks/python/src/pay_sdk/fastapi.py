"""Callbacks for FastAPI and Starlette."""

from __future__ import annotations

from typing import Any, Awaitable, Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from .receiver import CALLBACK_BYTES_MAX, CallbackReceiver


def callback_endpoint(receiver: CallbackReceiver[Any]) -> Callable[[Request], Awaitable[PlainTextResponse]]:
    """`app.post("/callbacks")(callback_endpoint(receiver))`. The store and `on_event` run in a thread."""

    async def endpoint(request: Request) -> PlainTextResponse:
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > CALLBACK_BYTES_MAX:
                break
        answer = await run_in_threadpool(receiver.receive, request.method, request.headers, body)
        return PlainTextResponse(answer.text, answer.status)

    # FastAPI looks annotations up in the globals of the function's module; these are the objects themselves.
    endpoint.__annotations__ = {"request": Request, "return": PlainTextResponse}
    return endpoint
