"""The pause that a Retry-After asks for, in each form of RFC 9110 (5.6.7, 10.2.3)."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import Iterable

#: The longest pause that anybody is granted: a day.
SECONDS_MAX = 86_400

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_LONG_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_MONTH = f"(?P<month>{'|'.join(_MONTHS)})"
_TIME = "(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"
_FORMS = (
    re.compile(f"{_DAY}, (?P<day>[0-9]{{2}}) {_MONTH} (?P<year>[0-9]{{4}}) {_TIME} GMT"),
    re.compile(f"{_LONG_DAY}, (?P<day>[0-9]{{2}})-{_MONTH}-(?P<year>[0-9]{{2}}) {_TIME} GMT"),
    re.compile(f"{_DAY} {_MONTH} (?P<day>[ 0-9][0-9]) {_TIME} (?P<year>[0-9]{{4}})"),
)


def retry_after(lines: Iterable[str], now: datetime) -> int | None:
    """The seconds to wait, at most a day; of several lines the longest. None if none can be understood."""
    asked = [seconds for seconds in (_seconds(line.strip(" \t"), now) for line in lines) if seconds is not None]
    return min(SECONDS_MAX, max(asked)) if asked else None


def _seconds(text: str, now: datetime) -> int | None:
    if re.fullmatch("[0-9]+", text):
        # More digits than Python converts at once are more than a day, too.
        return int(text.lstrip("0")[:20] or "0")
    found = next((found for form in _FORMS if (found := form.fullmatch(text))), None)
    if found is None:
        return None
    try:
        midnight = datetime(
            _year(found["year"], now), _MONTHS.index(found["month"]) + 1, int(found["day"]), tzinfo=timezone.utc
        )
    except ValueError:
        return None
    hour, minute, second = (int(found[part]) for part in ("hour", "minute", "second"))
    if hour > 23 or minute > 59 or second > 60:  # A leap second is allowed.
        return None
    seconds = (midnight - now).total_seconds() + (hour * 60 + minute) * 60 + second
    return max(0, -int(-seconds // 1))


def _year(digits: str, now: datetime) -> int:
    """Of two digits, the year that is at most fifty years ahead."""
    if len(digits) == 4:
        return int(digits)
    latest = now.year + 50
    return latest - (latest - int(digits)) % 100
