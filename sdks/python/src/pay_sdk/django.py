"""Callbacks for Django."""

from __future__ import annotations

from typing import Any, Callable

from django.http import HttpRequest, HttpResponse

from .receiver import CALLBACK_BYTES_MAX, CallbackReceiver


def callback_view(receiver: CallbackReceiver[Any]) -> Callable[[HttpRequest], HttpResponse]:
    """`path("callbacks", callback_view(receiver))`. It needs no CSRF token: the signature says who sends."""

    def view(request: HttpRequest) -> HttpResponse:
        body = request.read(CALLBACK_BYTES_MAX + 1)
        answer = receiver.receive(request.method or "", request.headers, body)
        return HttpResponse(answer.text, status=answer.status, content_type="text/plain; charset=utf-8")

    setattr(view, "csrf_exempt", True)
    return view
