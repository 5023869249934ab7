"""Callbacks for wsgiref and any other WSGI server."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Iterable

from .receiver import CALLBACK_BYTES_MAX, CallbackReceiver

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment


def callback_app(receiver: CallbackReceiver[Any]) -> WSGIApplication:
    """A WSGI application for your callbackUrl: `make_server("", 3000, callback_app(receiver))`."""

    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        length = environ.get("CONTENT_LENGTH") or "0"
        size = min(int(length), CALLBACK_BYTES_MAX + 1) if length.isdigit() else 0
        body = environ["wsgi.input"].read(size)
        prefix = "HTTP_"
        headers = {
            name[len(prefix) :].replace("_", "-"): value for name, value in environ.items() if name.startswith(prefix)
        }
        answer = receiver.receive(environ["REQUEST_METHOD"], headers, body)
        status = f"{answer.status} {HTTPStatus(answer.status).phrase}"
        start_response(status, [("Content-Type", "text/plain; charset=utf-8")])
        return [answer.text.encode()]

    return app
