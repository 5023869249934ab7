"""Callbacks for Flask."""

from __future__ import annotations

from typing import Any, Callable

from flask import Response, request

from .receiver import CALLBACK_BYTES_MAX, CallbackReceiver


def callback_view(receiver: CallbackReceiver[Any]) -> Callable[[], Response]:
    """`app.post("/callbacks")(callback_view(receiver))`."""

    def view() -> Response:
        body = request.stream.read(CALLBACK_BYTES_MAX + 1)
        answer = receiver.receive(request.method, request.headers, body)
        return Response(answer.text, answer.status, content_type="text/plain; charset=utf-8")

    return view
