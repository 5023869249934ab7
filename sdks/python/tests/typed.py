"""A partner's program for the type checker: the lines marked as wrong are the only ones that it finds."""

import sqlite3
from collections.abc import Iterator

from pay_sdk import AsyncClient, Client, DatabaseEventStore, CallbackReceiver, PartnerEvent, every_item
from pay_sdk.records import CallbackEvent, CardPayment


def sell(client: Client) -> CardPayment:
    created = client.create_card_payment(
        {"orderID": "A-1", "amount": "10.50", "currency": "RUB", "description": "Tea", "customerID": "c1"}
    )
    client.create_qr_payment({"amount": 10.5})  # wrong: a float
    client.create_qr_payment({"amount": "10.50", "orderId": "A-1"})  # wrong: it has no number
    return client.read_card_payment(created["id"])


async def sold(client: AsyncClient) -> bool:
    payment = await client.find_card_payment("A-1")
    return payment is not None and payment["status"] == "COMPLETED" and payment["amount"] >= 10


def refused(client: Client) -> Iterator[CallbackEvent]:
    return every_item(lambda page: client.list_events({"status": "REFUSED", "pageToken": page["pageToken"]}))


def on_event(event: PartnerEvent, connection: sqlite3.Connection) -> None:
    if event["type"] == "payment.completed":
        connection.execute("update orders set paid = 1 where payment_id = ?", (event["data"]["orderId"],))
        print(event["data"]["failureCode"])  # wrong: it completed


receiver = CallbackReceiver(keys=[], store=DatabaseEventStore(lambda: sqlite3.connect("shop.db")), on_event=on_event)
