# Generated from packages/contract by `node packages/contract/src/write-sdk-types.ts`: change it there.
"""Every call of the API, for blocking code and for asyncio."""

from __future__ import annotations

from typing import TypeVar

from .amounts import body_of
from .call import Call, csv_text, first_item, items_of, part_of, query_of
from .records import (
    Binding,
    BindingFilter,
    CallbackEvent,
    CallbackEventStory,
    CallbackSecret,
    CardListOptions,
    CardPayment,
    CreatedCardPayment,
    CreatedQrPayment,
    Endpoints,
    EventFilter,
    IssueCallbackSecret,
    ListPage,
    NewCardPayment,
    NewEndpoints,
    NewQrPayment,
    NewRecurringPayment,
    NewRefund,
    NewWithdrawalRequest,
    PageOptions,
    PaymentPoint,
    QrHistoryOptions,
    QrPayment,
    RecurringPayment,
    Refund,
    Register,
    RegisterListOptions,
    RegisterPart,
    TestCallback,
    UsdtRegister,
    UsdtRegisterPart,
    WithdrawalBalance,
    WithdrawalFilter,
    WithdrawalRequest,
)

T = TypeVar("T")


class BlockingCalls:
    """Each call blocks. A POST without an `idempotency_key` gets a new one."""

    def _run(self, call: Call[T]) -> T:
        raise NotImplementedError

    def create_card_payment(self, body: NewCardPayment, *, idempotency_key: str | None = None) -> CreatedCardPayment:
        """Create a card payment; the buyer pays at paymentUrl."""
        return self._run(Call[CreatedCardPayment]("POST", "/api/card", body=body_of(body, amount_is_number=True), idempotency_key=idempotency_key))

    def list_card_payments(self, query: CardListOptions | None = None) -> ListPage[CardPayment]:
        """List the partner's card payments and charges of saved cards, newest first, or find one by its order number."""
        return self._run(Call[ListPage[CardPayment]]("GET", f'/api/card{query_of(query)}'))

    def find_card_payment(self, order_id: str) -> CardPayment | None:
        """The payment or charge with this order number, if there is one."""
        return self._run(Call[CardPayment | None]("GET", f'/api/card{query_of({"orderID": order_id})}', read=first_item))

    def read_card_payment(self, id: str) -> CardPayment:
        """Get a card payment and its current status."""
        return self._run(Call[CardPayment]("GET", f'/api/card/{part_of(id)}'))

    def cancel_card_payment(self, id: str, *, idempotency_key: str | None = None) -> CardPayment:
        """Cancel a payment that is unpaid and has no card being processed; it becomes CANCELLED."""
        return self._run(Call[CardPayment]("POST", f'/api/card/{part_of(id)}/cancel', idempotency_key=idempotency_key))

    def refund_card_payment(self, id: str, body: NewRefund | None = None, *, idempotency_key: str | None = None) -> Refund:
        """Refund part of a payment, or all that remains."""
        return self._run(Call[Refund]("POST", f'/api/card/{part_of(id)}/refunds', body=body_of(body or {}, amount_is_number=False), idempotency_key=idempotency_key))

    def list_card_refunds(self, id: str, query: PageOptions | None = None) -> ListPage[Refund]:
        """List the refunds of a payment, newest first."""
        return self._run(Call[ListPage[Refund]]("GET", f'/api/card/{part_of(id)}/refunds{query_of(query)}'))

    def create_qr_payment(self, body: NewQrPayment, *, idempotency_key: str | None = None) -> CreatedQrPayment:
        """Create a QR payment; the buyer pays by scanning the code."""
        return self._run(Call[CreatedQrPayment]("POST", "/api/qr", body=body_of(body, amount_is_number=True), idempotency_key=idempotency_key))

    def read_qr_payment(self, id: str) -> QrPayment:
        """Get a QR payment and its current status."""
        return self._run(Call[QrPayment]("GET", f'/api/qr/{part_of(id)}'))

    def cancel_qr_payment(self, id: str, *, idempotency_key: str | None = None) -> QrPayment:
        """Cancel a payment that is unpaid and has no card being processed; it becomes CANCELLED."""
        return self._run(Call[QrPayment]("POST", f'/api/qr/{part_of(id)}/cancel', idempotency_key=idempotency_key))

    def refund_qr_payment(self, id: str, body: NewRefund | None = None, *, idempotency_key: str | None = None) -> Refund:
        """Refund part of a payment, or all that remains."""
        return self._run(Call[Refund]("POST", f'/api/qr/{part_of(id)}/refunds', body=body_of(body or {}, amount_is_number=False), idempotency_key=idempotency_key))

    def list_qr_refunds(self, id: str, query: PageOptions | None = None) -> ListPage[Refund]:
        """List the refunds of a payment, newest first."""
        return self._run(Call[ListPage[Refund]]("GET", f'/api/qr/{part_of(id)}/refunds{query_of(query)}'))

    def list_qr_payments(self, payment_point_id: str, query: QrHistoryOptions | None = None) -> ListPage[QrPayment]:
        """List the QR payments of a payment point, newest first."""
        return self._run(Call[ListPage[QrPayment]]("GET", f'/api/payments/{part_of(payment_point_id)}{query_of(query)}'))

    def read_refund(self, refund_id: str) -> Refund:
        """Get a refund and its current status."""
        return self._run(Call[Refund]("GET", f'/api/refunds/{part_of(refund_id)}'))

    def list_payment_points(self) -> list[PaymentPoint]:
        """List the partner's payment points."""
        return self._run(Call[list[PaymentPoint]]("GET", "/api/integration/payment-points", read=items_of))

    def save_endpoints(self, body: NewEndpoints) -> Endpoints:
        """Save callbackUrl and returnUrl."""
        return self._run(Call[Endpoints]("PUT", "/api/integration/endpoints", body=body_of(body, amount_is_number=False)))

    def read_endpoints(self) -> Endpoints:
        """Get the saved addresses."""
        return self._run(Call[Endpoints]("GET", "/api/integration/endpoints"))

    def issue_callback_secret(self, body: IssueCallbackSecret, *, idempotency_key: str | None = None) -> CallbackSecret:
        """Issue the callback secret, once."""
        return self._run(Call[CallbackSecret]("POST", "/api/integration/callback-secret", body=body_of(body, amount_is_number=False), idempotency_key=idempotency_key))

    def send_test_callback(self) -> TestCallback:
        """Send the latest payment.completed again, to check the receiver."""
        return self._run(Call[TestCallback]("POST", "/api/integration/test-callback"))

    def list_registers(self, query: RegisterListOptions | None = None) -> ListPage[Register]:
        """List the closed days of the ruble balance, newest first."""
        return self._run(Call[ListPage[Register]]("GET", f'/api/registers/RUB{query_of(query)}'))

    def read_register(self, date: str, part: int = 1) -> RegisterPart:
        """Get a closed day, entry by entry."""
        return self._run(Call[RegisterPart]("GET", f'/api/registers/RUB/{part_of(date)}{query_of({"part": part})}'))

    def read_register_csv(self, date: str, part: int = 1) -> str:
        """The same as the text of a CSV file."""
        return self._run(Call[str]("GET", f'/api/registers/RUB/{part_of(date)}{query_of({"format": "csv", "part": part})}', read=csv_text))

    def list_usdt_registers(self, query: RegisterListOptions | None = None) -> ListPage[UsdtRegister]:
        """List the closed days in USDT, newest first."""
        return self._run(Call[ListPage[UsdtRegister]]("GET", f'/api/registers/USDT{query_of(query)}'))

    def read_usdt_register(self, date: str, part: int = 1) -> UsdtRegisterPart:
        """Get a closed day in USDT, entry by entry."""
        return self._run(Call[UsdtRegisterPart]("GET", f'/api/registers/USDT/{part_of(date)}{query_of({"part": part})}'))

    def read_usdt_register_csv(self, date: str, part: int = 1) -> str:
        """The same as the text of a CSV file."""
        return self._run(Call[str]("GET", f'/api/registers/USDT/{part_of(date)}{query_of({"format": "csv", "part": part})}', read=csv_text))

    def list_events(self, query: EventFilter | None = None) -> ListPage[CallbackEvent]:
        """List the partner's events of the last 30 days, newest first."""
        return self._run(Call[ListPage[CallbackEvent]]("GET", f'/api/events{query_of(query)}'))

    def read_event(self, event_id: str) -> CallbackEventStory:
        """Get an event with its body and its delivery attempts."""
        return self._run(Call[CallbackEventStory]("GET", f'/api/events/{part_of(event_id)}'))

    def replay_event(self, event_id: str, *, idempotency_key: str | None = None) -> CallbackEvent:
        """Send an event again, whatever its status; at most 60 per minute."""
        return self._run(Call[CallbackEvent]("POST", f'/api/events/{part_of(event_id)}/replay', idempotency_key=idempotency_key))

    def create_recurring_payment(self, body: NewRecurringPayment, *, idempotency_key: str | None = None) -> RecurringPayment:
        """Charge a saved card, at most once per period."""
        return self._run(Call[RecurringPayment]("POST", "/v1/recurring-payments", body=body_of(body, amount_is_number=False), idempotency_key=idempotency_key))

    def list_bindings(self, query: BindingFilter) -> ListPage[Binding]:
        """List a buyer's saved cards, newest first."""
        return self._run(Call[ListPage[Binding]]("GET", f'/v1/bindings{query_of(query)}'))

    def read_binding(self, binding_id: str) -> Binding:
        """Get a binding with its status and period."""
        return self._run(Call[Binding]("GET", f'/v1/bindings/{part_of(binding_id)}'))

    def revoke_binding(self, binding_id: str, *, idempotency_key: str | None = None) -> Binding:
        """Revoke a binding: no further charges, immediately and permanently."""
        return self._run(Call[Binding]("POST", f'/v1/bindings/{part_of(binding_id)}/revoke', idempotency_key=idempotency_key))

    def read_withdrawal_balance(self, store_id: str) -> WithdrawalBalance:
        """Get a store's USDT balance: available and reserved."""
        return self._run(Call[WithdrawalBalance]("GET", f'/api/withdrawal-balances/{part_of(store_id)}'))

    def create_withdrawal_request(self, body: NewWithdrawalRequest, *, idempotency_key: str | None = None) -> WithdrawalRequest:
        """Request a payout in USDT; the amount is reserved."""
        return self._run(Call[WithdrawalRequest]("POST", "/api/withdrawal-requests", body=body_of(body, amount_is_number=False), idempotency_key=idempotency_key))

    def list_withdrawal_requests(self, query: WithdrawalFilter | None = None) -> ListPage[WithdrawalRequest]:
        """List the partner's payout requests, newest first."""
        return self._run(Call[ListPage[WithdrawalRequest]]("GET", f'/api/withdrawal-requests{query_of(query)}'))

    def read_withdrawal_request(self, request_id: str) -> WithdrawalRequest:
        """Get a payout request and its current status."""
        return self._run(Call[WithdrawalRequest]("GET", f'/api/withdrawal-requests/{part_of(request_id)}'))

    def cancel_withdrawal_request(self, request_id: str, *, idempotency_key: str | None = None) -> WithdrawalRequest:
        """Cancel a payout request before an operator takes it; the amount becomes available again."""
        return self._run(Call[WithdrawalRequest]("POST", f'/api/withdrawal-requests/{part_of(request_id)}/cancel', idempotency_key=idempotency_key))


class AwaitedCalls:
    """Each call is awaited. A POST without an `idempotency_key` gets a new one."""

    async def _run(self, call: Call[T]) -> T:
        raise NotImplementedError

    async def create_card_payment(self, body: NewCardPayment, *, idempotency_key: str | None = None) -> CreatedCardPayment:
        """Create a card payment; the buyer pays at paymentUrl."""
        return await self._run(Call[CreatedCardPayment]("POST", "/api/card", body=body_of(body, amount_is_number=True), idempotency_key=idempotency_key))

    async def list_card_payments(self, query: CardListOptions | None = None) -> ListPage[CardPayment]:
        """List the partner's card payments and charges of saved cards, newest first, or find one by its order number."""
        return await self._run(Call[ListPage[CardPayment]]("GET", f'/api/card{query_of(query)}'))

    async def find_card_payment(self, order_id: str) -> CardPayment | None:
        """The payment or charge with this order number, if there is one."""
        return await self._run(Call[CardPayment | None]("GET", f'/api/card{query_of({"orderID": order_id})}', read=first_item))

    async def read_card_payment(self, id: str) -> CardPayment:
        """Get a card payment and its current status."""
        return await self._run(Call[CardPayment]("GET", f'/api/card/{part_of(id)}'))

    async def cancel_card_payment(self, id: str, *, idempotency_key: str | None = None) -> CardPayment:
        """Cancel a payment that is unpaid and has no card being processed; it becomes CANCELLED."""
        return await self._run(Call[CardPayment]("POST", f'/api/card/{part_of(id)}/cancel', idempotency_key=idempotency_key))

    async def refund_card_payment(self, id: str, body: NewRefund | None = None, *, idempotency_key: str | None = None) -> Refund:
        """Refund part of a payment, or all that remains."""
        return await self._run(Call[Refund]("POST", f'/api/card/{part_of(id)}/refunds', body=body_of(body or {}, amount_is_number=False), idempotency_key=idempotency_key))

    async def list_card_refunds(self, id: str, query: PageOptions | None = None) -> ListPage[Refund]:
        """List the refunds of a payment, newest first."""
        return await self._run(Call[ListPage[Refund]]("GET", f'/api/card/{part_of(id)}/refunds{query_of(query)}'))

    async def create_qr_payment(self, body: NewQrPayment, *, idempotency_key: str | None = None) -> CreatedQrPayment:
        """Create a QR payment; the buyer pays by scanning the code."""
        return await self._run(Call[CreatedQrPayment]("POST", "/api/qr", body=body_of(body, amount_is_number=True), idempotency_key=idempotency_key))

    async def read_qr_payment(self, id: str) -> QrPayment:
        """Get a QR payment and its current status."""
        return await self._run(Call[QrPayment]("GET", f'/api/qr/{part_of(id)}'))

    async def cancel_qr_payment(self, id: str, *, idempotency_key: str | None = None) -> QrPayment:
        """Cancel a payment that is unpaid and has no card being processed; it becomes CANCELLED."""
        return await self._run(Call[QrPayment]("POST", f'/api/qr/{part_of(id)}/cancel', idempotency_key=idempotency_key))

    async def refund_qr_payment(self, id: str, body: NewRefund | None = None, *, idempotency_key: str | None = None) -> Refund:
        """Refund part of a payment, or all that remains."""
        return await self._run(Call[Refund]("POST", f'/api/qr/{part_of(id)}/refunds', body=body_of(body or {}, amount_is_number=False), idempotency_key=idempotency_key))

    async def list_qr_refunds(self, id: str, query: PageOptions | None = None) -> ListPage[Refund]:
        """List the refunds of a payment, newest first."""
        return await self._run(Call[ListPage[Refund]]("GET", f'/api/qr/{part_of(id)}/refunds{query_of(query)}'))

    async def list_qr_payments(self, payment_point_id: str, query: QrHistoryOptions | None = None) -> ListPage[QrPayment]:
        """List the QR payments of a payment point, newest first."""
        return await self._run(Call[ListPage[QrPayment]]("GET", f'/api/payments/{part_of(payment_point_id)}{query_of(query)}'))

    async def read_refund(self, refund_id: str) -> Refund:
        """Get a refund and its current status."""
        return await self._run(Call[Refund]("GET", f'/api/refunds/{part_of(refund_id)}'))

    async def list_payment_points(self) -> list[PaymentPoint]:
        """List the partner's payment points."""
        return await self._run(Call[list[PaymentPoint]]("GET", "/api/integration/payment-points", read=items_of))

    async def save_endpoints(self, body: NewEndpoints) -> Endpoints:
        """Save callbackUrl and returnUrl."""
        return await self._run(Call[Endpoints]("PUT", "/api/integration/endpoints", body=body_of(body, amount_is_number=False)))

    async def read_endpoints(self) -> Endpoints:
        """Get the saved addresses."""
        return await self._run(Call[Endpoints]("GET", "/api/integration/endpoints"))

    async def issue_callback_secret(self, body: IssueCallbackSecret, *, idempotency_key: str | None = None) -> CallbackSecret:
        """Issue the callback secret, once."""
        return await self._run(Call[CallbackSecret]("POST", "/api/integration/callback-secret", body=body_of(body, amount_is_number=False), idempotency_key=idempotency_key))

    async def send_test_callback(self) -> TestCallback:
        """Send the latest payment.completed again, to check the receiver."""
        return await self._run(Call[TestCallback]("POST", "/api/integration/test-callback"))

    async def list_registers(self, query: RegisterListOptions | None = None) -> ListPage[Register]:
        """List the closed days of the ruble balance, newest first."""
        return await self._run(Call[ListPage[Register]]("GET", f'/api/registers/RUB{query_of(query)}'))

    async def read_register(self, date: str, part: int = 1) -> RegisterPart:
        """Get a closed day, entry by entry."""
        return await self._run(Call[RegisterPart]("GET", f'/api/registers/RUB/{part_of(date)}{query_of({"part": part})}'))

    async def read_register_csv(self, date: str, part: int = 1) -> str:
        """The same as the text of a CSV file."""
        return await self._run(Call[str]("GET", f'/api/registers/RUB/{part_of(date)}{query_of({"format": "csv", "part": part})}', read=csv_text))

    async def list_usdt_registers(self, query: RegisterListOptions | None = None) -> ListPage[UsdtRegister]:
        """List the closed days in USDT, newest first."""
        return await self._run(Call[ListPage[UsdtRegister]]("GET", f'/api/registers/USDT{query_of(query)}'))

    async def read_usdt_register(self, date: str, part: int = 1) -> UsdtRegisterPart:
        """Get a closed day in USDT, entry by entry."""
        return await self._run(Call[UsdtRegisterPart]("GET", f'/api/registers/USDT/{part_of(date)}{query_of({"part": part})}'))

    async def read_usdt_register_csv(self, date: str, part: int = 1) -> str:
        """The same as the text of a CSV file."""
        return await self._run(Call[str]("GET", f'/api/registers/USDT/{part_of(date)}{query_of({"format": "csv", "part": part})}', read=csv_text))

    async def list_events(self, query: EventFilter | None = None) -> ListPage[CallbackEvent]:
        """List the partner's events of the last 30 days, newest first."""
        return await self._run(Call[ListPage[CallbackEvent]]("GET", f'/api/events{query_of(query)}'))

    async def read_event(self, event_id: str) -> CallbackEventStory:
        """Get an event with its body and its delivery attempts."""
        return await self._run(Call[CallbackEventStory]("GET", f'/api/events/{part_of(event_id)}'))

    async def replay_event(self, event_id: str, *, idempotency_key: str | None = None) -> CallbackEvent:
        """Send an event again, whatever its status; at most 60 per minute."""
        return await self._run(Call[CallbackEvent]("POST", f'/api/events/{part_of(event_id)}/replay', idempotency_key=idempotency_key))

    async def create_recurring_payment(self, body: NewRecurringPayment, *, idempotency_key: str | None = None) -> RecurringPayment:
        """Charge a saved card, at most once per period."""
        return await self._run(Call[RecurringPayment]("POST", "/v1/recurring-payments", body=body_of(body, amount_is_number=False), idempotency_key=idempotency_key))

    async def list_bindings(self, query: BindingFilter) -> ListPage[Binding]:
        """List a buyer's saved cards, newest first."""
        return await self._run(Call[ListPage[Binding]]("GET", f'/v1/bindings{query_of(query)}'))

    async def read_binding(self, binding_id: str) -> Binding:
        """Get a binding with its status and period."""
        return await self._run(Call[Binding]("GET", f'/v1/bindings/{part_of(binding_id)}'))

    async def revoke_binding(self, binding_id: str, *, idempotency_key: str | None = None) -> Binding:
        """Revoke a binding: no further charges, immediately and permanently."""
        return await self._run(Call[Binding]("POST", f'/v1/bindings/{part_of(binding_id)}/revoke', idempotency_key=idempotency_key))

    async def read_withdrawal_balance(self, store_id: str) -> WithdrawalBalance:
        """Get a store's USDT balance: available and reserved."""
        return await self._run(Call[WithdrawalBalance]("GET", f'/api/withdrawal-balances/{part_of(store_id)}'))

    async def create_withdrawal_request(self, body: NewWithdrawalRequest, *, idempotency_key: str | None = None) -> WithdrawalRequest:
        """Request a payout in USDT; the amount is reserved."""
        return await self._run(Call[WithdrawalRequest]("POST", "/api/withdrawal-requests", body=body_of(body, amount_is_number=False), idempotency_key=idempotency_key))

    async def list_withdrawal_requests(self, query: WithdrawalFilter | None = None) -> ListPage[WithdrawalRequest]:
        """List the partner's payout requests, newest first."""
        return await self._run(Call[ListPage[WithdrawalRequest]]("GET", f'/api/withdrawal-requests{query_of(query)}'))

    async def read_withdrawal_request(self, request_id: str) -> WithdrawalRequest:
        """Get a payout request and its current status."""
        return await self._run(Call[WithdrawalRequest]("GET", f'/api/withdrawal-requests/{part_of(request_id)}'))

    async def cancel_withdrawal_request(self, request_id: str, *, idempotency_key: str | None = None) -> WithdrawalRequest:
        """Cancel a payout request before an operator takes it; the amount becomes available again."""
        return await self._run(Call[WithdrawalRequest]("POST", f'/api/withdrawal-requests/{part_of(request_id)}/cancel', idempotency_key=idempotency_key))
