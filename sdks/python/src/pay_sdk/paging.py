"""Lists over their pages."""

from __future__ import annotations

from typing import Any, AsyncIterator, Awaitable, Callable, Iterator, TypeVar

from .records import ListPage

Item = TypeVar("Item")


def every_item(read_page: Callable[[dict[str, Any]], ListPage[Item]]) -> Iterator[Item]:
    """Every item, page after page: `every_item(lambda page: client.list_events({"status": "REFUSED", **page}))`."""
    page = read_page({})
    yield from page["items"]
    while page["nextPageToken"] is not None:
        page = read_page({"pageToken": page["nextPageToken"]})
        yield from page["items"]


async def every_item_async(read_page: Callable[[dict[str, Any]], Awaitable[ListPage[Item]]]) -> AsyncIterator[Item]:
    """The same for an `AsyncClient`."""
    page = await read_page({})
    for item in page["items"]:
        yield item
    while page["nextPageToken"] is not None:
        page = await read_page({"pageToken": page["nextPageToken"]})
        for item in page["items"]:
            yield item
