"""Lists over their pages."""

from __future__ import annotations

from typing import Any, AsyncIterator, Awaitable, Callable, Iterator, Mapping

Page = Mapping[str, Any]


def every_item(read_page: Callable[[dict[str, Any]], Page]) -> Iterator[Any]:
    """Every item, page after page: `every_item(lambda page: client.list_events({"status": "REFUSED", **page}))`."""
    page = read_page({})
    yield from page["items"]
    while page["nextPageToken"] is not None:
        page = read_page({"pageToken": page["nextPageToken"]})
        yield from page["items"]


async def every_item_async(read_page: Callable[[dict[str, Any]], Awaitable[Page]]) -> AsyncIterator[Any]:
    """The same for an `AsyncClient`."""
    page = await read_page({})
    for item in page["items"]:
        yield item
    while page["nextPageToken"] is not None:
        page = await read_page({"pageToken": page["nextPageToken"]})
        for item in page["items"]:
            yield item
