"""What a call raises."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Mapping


@dataclass(frozen=True)
class ErrorDetail:
    """One invalid field or, in TEST, one reason for a 401."""

    field: str
    message: str


class ApiError(Exception):
    """The service refused the request. Nothing was done, unless `code` says otherwise."""

    def __init__(
        self,
        status: int,
        body: Any,
        *,
        retry_after_seconds: int | None,
        request_id: str | None,
        date: str | None,
        idempotency_key: str | None,
    ) -> None:
        members: Mapping[str, Any] = body if isinstance(body, dict) else {}
        self.status = status
        #: What to branch on. `UNREADABLE` if the body is not from the service: a proxy in between responded.
        self.code: str = members["code"] if _is_code(members.get("code")) else "UNREADABLE"
        self.details = _details(members.get("details"))
        self.request_id: str | None = _text(members, "requestId") or request_id
        #: With PERIOD_NOT_ELAPSED: the earliest time of the next charge.
        self.next_charge_at = _moment(members.get("nextChargeAt"))
        #: With RETRY_NOT_ALLOWED: the earliest time of the next attempt; None: never with this card.
        self.retry_not_before = _moment(members.get("retryNotBefore"))
        #: With DUPLICATE_ORDER: your payment that already uses the number; with PREVIOUS_CHARGE_NOT_FINISHED: the open one.
        self.payment_id: str | None = _text(members, "paymentId")
        #: With DUPLICATE_ORDER for a refund: your refund that already uses the number.
        self.refund_id: str | None = _text(members, "refundId")
        self.retry_after_seconds = retry_after_seconds
        #: Pass it again to repeat the same request.
        self.idempotency_key = idempotency_key
        #: As received.
        self.body = body
        sentence = _text(members, "error") or f"HTTP status {status}"
        clock = _clock_fault(date) if status == 401 else []
        super().__init__("; ".join([sentence, *(f"{one.field}: {one.message}" for one in self.details), *clock]))


class NoAnswerError(Exception):
    """An attempt got no response, or one that is not from the service, and no later one decided: the outcome is unknown. Repeat the
    call with the same body and this key."""

    def __init__(self, cause: Exception, idempotency_key: str | None) -> None:
        super().__init__(f"no answer from the service: {cause}")
        self.idempotency_key = idempotency_key


def _details(value: Any) -> tuple[ErrorDetail, ...]:
    records = [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    return tuple(ErrorDetail(str(one.get("field")), str(one.get("message"))) for one in records)


def _is_code(value: Any) -> bool:
    """Also a code that this version does not know: a newer service may send it."""
    return isinstance(value, str) and re.fullmatch(r"[A-Z][A-Z_]+", value) is not None


def _text(members: Mapping[str, Any], name: str) -> str | None:
    return members[name] if isinstance(members.get(name), str) else None


def _moment(text: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None


#: The most that the service's clock and ours may differ.
_CLOCK_TOLERANCE_SECONDS = 300


def _clock_fault(date: str | None) -> list[str]:
    try:
        behind = round((parsedate_to_datetime(date or "") - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return []
    if abs(behind) <= _CLOCK_TOLERANCE_SECONDS:
        return []
    return [f"the clock of this machine is {abs(behind)} s {'behind' if behind > 0 else 'ahead of'} the service's"]
