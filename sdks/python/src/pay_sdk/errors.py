"""What a call raises."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
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
        idempotency_key: str | None,
    ) -> None:
        members: Mapping[str, Any] = body if isinstance(body, dict) else {}
        self.status = status
        #: What to branch on. `UNREADABLE` if the body is not from the service: a proxy in between responded.
        self.code: str = members["code"] if isinstance(members.get("code"), str) else "UNREADABLE"
        self.details = _details(members.get("details"))
        self.request_id: str | None = members.get("requestId", request_id)
        #: With PERIOD_NOT_ELAPSED: the earliest time of the next charge.
        self.next_charge_at = _moment(members.get("nextChargeAt"))
        #: With RETRY_NOT_ALLOWED: the earliest time of the next attempt; None: never with this card.
        self.retry_not_before = _moment(members.get("retryNotBefore"))
        #: With DUPLICATE_ORDER: your payment that already uses the number; with PREVIOUS_CHARGE_NOT_FINISHED: the open one.
        self.payment_id: str | None = members.get("paymentId")
        #: With DUPLICATE_ORDER for a refund: your refund that already uses the number.
        self.refund_id: str | None = members.get("refundId")
        self.retry_after_seconds = retry_after_seconds
        #: Pass it again to repeat the same request.
        self.idempotency_key = idempotency_key
        #: As received.
        self.body = body
        sentence = members.get("error", f"HTTP status {status}")
        super().__init__("; ".join([str(sentence), *(f"{one.field}: {one.message}" for one in self.details)]))


class NoAnswerError(Exception):
    """The last attempt got no response, or one that is not from the service: the outcome is unknown. Repeat the call with the
    same body and this key."""

    def __init__(self, cause: Exception, idempotency_key: str | None) -> None:
        super().__init__(f"no answer from the service: {cause}")
        self.idempotency_key = idempotency_key


def _details(value: Any) -> tuple[ErrorDetail, ...]:
    records = [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    return tuple(ErrorDetail(str(one.get("field")), str(one.get("message"))) for one in records)


def _moment(text: Any) -> datetime | None:
    return datetime.fromisoformat(text) if isinstance(text, str) else None
