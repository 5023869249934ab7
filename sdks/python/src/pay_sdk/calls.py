"""Every call of the API. Records are dicts with the names of docs/openapi.json; `amount` is a Decimal or text."""

from __future__ import annotations

from typing import Any, Callable, Mapping
from urllib.parse import quote

from .amounts import body_of

Record = Mapping[str, Any]


def _part(text: str) -> str:
    return quote(text, safe="-._~")


def _query(parameters: Record | None) -> str:
    pairs = [f"{_part(name)}={_part(str(value))}" for name, value in (parameters or {}).items() if value is not None]
    return f"?{'&'.join(pairs)}" if pairs else ""


class Calls:
    """The methods that both clients have. A POST without an `idempotency_key` gets a new one."""

    def _call(
        self,
        method: str,
        target: str,
        *,
        body: bytes = b"",
        idempotency_key: str | None = None,
        read: Callable[[Any], Any] | None = None,
    ) -> Any:
        raise NotImplementedError

    def _text(self, target: str) -> Any:
        raise NotImplementedError

    def create_card_payment(self, payment: Record, *, idempotency_key: str | None = None) -> Any:
        body = body_of(payment, amount_is_number=True)
        return self._call("POST", "/api/card", body=body, idempotency_key=idempotency_key)

    def read_card_payment(self, id: str) -> Any:
        return self._call("GET", f"/api/card/{_part(id)}")

    def list_card_payments(self, query: Record | None = None) -> Any:
        return self._call("GET", f"/api/card{_query(query)}")

    def find_card_payment(self, order_id: str) -> Any:
        """The payment or charge with this order number, or None."""
        return self._call("GET", f"/api/card{_query({'orderID': order_id})}", read=lambda page: next(iter(page["items"]), None))

    def cancel_card_payment(self, id: str, *, idempotency_key: str | None = None) -> Any:
        return self._call("POST", f"/api/card/{_part(id)}/cancel", idempotency_key=idempotency_key)

    def create_qr_payment(self, payment: Record, *, idempotency_key: str | None = None) -> Any:
        body = body_of(payment, amount_is_number=True)
        return self._call("POST", "/api/qr", body=body, idempotency_key=idempotency_key)

    def read_qr_payment(self, id: str) -> Any:
        return self._call("GET", f"/api/qr/{_part(id)}")

    def list_qr_payments(self, payment_point_id: str, query: Record | None = None) -> Any:
        return self._call("GET", f"/api/payments/{_part(payment_point_id)}{_query(query)}")

    def cancel_qr_payment(self, id: str, *, idempotency_key: str | None = None) -> Any:
        return self._call("POST", f"/api/qr/{_part(id)}/cancel", idempotency_key=idempotency_key)

    def refund_card_payment(self, id: str, refund: Record | None = None, *, idempotency_key: str | None = None) -> Any:
        return self._refund("card", id, refund, idempotency_key)

    def refund_qr_payment(self, id: str, refund: Record | None = None, *, idempotency_key: str | None = None) -> Any:
        return self._refund("qr", id, refund, idempotency_key)

    def _refund(self, kind: str, id: str, refund: Record | None, idempotency_key: str | None) -> Any:
        body = body_of(refund or {}, amount_is_number=False)
        return self._call("POST", f"/api/{kind}/{_part(id)}/refunds", body=body, idempotency_key=idempotency_key)

    def read_refund(self, refund_id: str) -> Any:
        return self._call("GET", f"/api/refunds/{_part(refund_id)}")

    def list_card_refunds(self, id: str, page: Record | None = None) -> Any:
        return self._call("GET", f"/api/card/{_part(id)}/refunds{_query(page)}")

    def list_qr_refunds(self, id: str, page: Record | None = None) -> Any:
        return self._call("GET", f"/api/qr/{_part(id)}/refunds{_query(page)}")

    def create_recurring_payment(self, payment: Record, *, idempotency_key: str | None = None) -> Any:
        body = body_of(payment, amount_is_number=False)
        return self._call("POST", "/v1/recurring-payments", body=body, idempotency_key=idempotency_key)

    def list_bindings(self, query: Record) -> Any:
        return self._call("GET", f"/v1/bindings{_query(query)}")

    def read_binding(self, binding_id: str) -> Any:
        return self._call("GET", f"/v1/bindings/{_part(binding_id)}")

    def revoke_binding(self, binding_id: str, *, idempotency_key: str | None = None) -> Any:
        return self._call("POST", f"/v1/bindings/{_part(binding_id)}/revoke", idempotency_key=idempotency_key)

    def list_events(self, query: Record | None = None) -> Any:
        return self._call("GET", f"/api/events{_query(query)}")

    def read_event(self, event_id: str) -> Any:
        return self._call("GET", f"/api/events/{_part(event_id)}")

    def replay_event(self, event_id: str, *, idempotency_key: str | None = None) -> Any:
        return self._call("POST", f"/api/events/{_part(event_id)}/replay", idempotency_key=idempotency_key)

    def list_registers(self, query: Record | None = None) -> Any:
        return self._call("GET", f"/api/registers/RUB{_query(query)}")

    def read_register(self, date: str, part: int = 1) -> Any:
        return self._call("GET", f"/api/registers/RUB/{_part(date)}{_query({'part': part})}")

    def read_register_csv(self, date: str, part: int = 1) -> Any:
        return self._text(f"/api/registers/RUB/{_part(date)}{_query({'format': 'csv', 'part': part})}")

    def list_usdt_registers(self, query: Record | None = None) -> Any:
        return self._call("GET", f"/api/registers/USDT{_query(query)}")

    def read_usdt_register(self, date: str, part: int = 1) -> Any:
        return self._call("GET", f"/api/registers/USDT/{_part(date)}{_query({'part': part})}")

    def read_usdt_register_csv(self, date: str, part: int = 1) -> Any:
        return self._text(f"/api/registers/USDT/{_part(date)}{_query({'format': 'csv', 'part': part})}")

    def create_withdrawal_request(self, request: Record, *, idempotency_key: str | None = None) -> Any:
        """`amountUsdt` is text, as in the document."""
        body = body_of(request, amount_is_number=False)
        return self._call("POST", "/api/withdrawal-requests", body=body, idempotency_key=idempotency_key)

    def read_withdrawal_request(self, request_id: str) -> Any:
        return self._call("GET", f"/api/withdrawal-requests/{_part(request_id)}")

    def list_withdrawal_requests(self, query: Record | None = None) -> Any:
        return self._call("GET", f"/api/withdrawal-requests{_query(query)}")

    def cancel_withdrawal_request(self, request_id: str, *, idempotency_key: str | None = None) -> Any:
        target = f"/api/withdrawal-requests/{_part(request_id)}/cancel"
        return self._call("POST", target, idempotency_key=idempotency_key)

    def read_withdrawal_balance(self, store_id: str) -> Any:
        return self._call("GET", f"/api/withdrawal-balances/{_part(store_id)}")

    def list_payment_points(self) -> Any:
        return self._call("GET", "/api/integration/payment-points", read=lambda page: page["items"])

    def read_endpoints(self) -> Any:
        return self._call("GET", "/api/integration/endpoints")

    def save_endpoints(self, endpoints: Record) -> Any:
        return self._call("PUT", "/api/integration/endpoints", body=body_of(endpoints, amount_is_number=False))

    def issue_callback_secret(self, consent: Record, *, idempotency_key: str | None = None) -> Any:
        """Works once. Pass `{"confirmSecureStorage": True}` only if the response goes straight into secret storage."""
        body = body_of(consent, amount_is_number=False)
        return self._call("POST", "/api/integration/callback-secret", body=body, idempotency_key=idempotency_key)
