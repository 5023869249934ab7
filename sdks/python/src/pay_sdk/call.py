"""One call, before it is sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Generic, Mapping, TypeVar
from urllib.parse import quote

import httpx

from .amounts import read_json

T = TypeVar("T")


def record_of(response: httpx.Response) -> Any:
    """The record of a response. Raises ValueError for anything but a JSON object."""
    record = read_json(response.content)
    if not isinstance(record, dict):
        raise ValueError("the response is not from this API")
    return record


def items_of(response: httpx.Response) -> Any:
    """The items of a list that has no pages."""
    return record_of(response)["items"]


def first_item(response: httpx.Response) -> Any:
    """The first item of a page, or None."""
    return next(iter(items_of(response)), None)


def csv_text(response: httpx.Response) -> str:
    """The text of a file, in UTF-8. Raises ValueError for anything but CSV."""
    if not response.headers.get("content-type", "").startswith("text/csv"):
        raise ValueError("the response is not from this API")
    return response.content.decode()


@dataclass(frozen=True)
class Call(Generic[T]):
    """What every attempt of a call has in common. `target` is the path with its query, as it is signed."""

    method: str
    target: str
    body: bytes = b""
    idempotency_key: str | None = None
    #: Raises ValueError for a page of a proxy or a body that was cut: what the service did is unknown.
    read: Callable[[httpx.Response], T] = record_of


def part_of(text: str) -> str:
    """Text as a part of a path or query, escaped as it is signed."""
    return quote(text, safe="-._~")


def query_of(parameters: Mapping[str, object] | None) -> str:
    """The query with its question mark; a parameter that is None is left out."""
    pairs = [f"{part_of(name)}={part_of(str(value))}" for name, value in (parameters or {}).items() if value is not None]
    return f"?{'&'.join(pairs)}" if pairs else ""
