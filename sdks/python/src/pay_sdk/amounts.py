"""Amounts are Decimal or text, and never a float."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, Mapping

_AMOUNT = re.compile(r"(?:0|[1-9][0-9]*)(?:\.[0-9]{1,2})?")


def digits_of(amount: Decimal | str) -> str:
    """The digits of an amount. Raises ValueError for anything but digits with at most two after the point."""
    text = _rendered(amount) if isinstance(amount, Decimal) else amount
    if not isinstance(text, str) or _AMOUNT.fullmatch(text) is None:
        raise ValueError('amount must be a Decimal or a text such as "10.50", with at most two digits after the point')
    return text


def _rendered(amount: Decimal) -> str:
    """With two digits after the point, or with as many as it has: what has more is refused, not rounded."""
    text = format(amount, "f")
    exponent = amount.as_tuple().exponent
    return format(amount, ".2f") if isinstance(exponent, int) and exponent > -2 else text


#: The members that are money, or are multiplied by it.
_EXACT = ("amount", "amountUsdt", "price", "quantity")


def _exact_values(value: Any) -> Any:
    """With each amount as the text of its digits. Raises ValueError for a number: a float cannot represent every amount."""
    if isinstance(value, (list, tuple)):
        return [_exact_values(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    exact: dict[str, Any] = {}
    for name, given in value.items():
        if name not in _EXACT or given is None:
            exact[name] = _exact_values(given)
            continue
        text = format(given, "f") if isinstance(given, Decimal) else given
        if not isinstance(text, str) or re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", text) is None:
            raise ValueError(f'{name} must be a Decimal or a text such as "10.50": a float cannot represent every amount')
        exact[name] = text
    return exact


def body_of(record: Mapping[str, Any], *, amount_is_number: bool) -> bytes:
    """The record as JSON. Its `amount` is a number with exactly the given digits, or a string, as the operation has it."""
    members = []
    for name, value in record.items():
        if value is None:
            continue
        if name != "amount":
            value = _exact_values({name: value})[name]
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        else:
            text = digits_of(value) if amount_is_number else json.dumps(digits_of(value))
        members.append(f"{json.dumps(name)}:{text}")
    return ("{" + ",".join(members) + "}").encode()


def read_json(content: bytes) -> Any:
    """JSON with exact numbers: a number with a point is a Decimal, and so is every `amount` that is a number. None if it is no JSON."""
    try:
        return json.loads(content, parse_float=Decimal, object_hook=_exact)
    except (ValueError, RecursionError):
        return None


def _exact(record: dict[str, Any]) -> dict[str, Any]:
    if isinstance(record.get("amount"), int):
        record["amount"] = Decimal(record["amount"])
    return record
