"""Flask and SQLite: the order is paid in the transaction that records the event."""

import os
import sqlite3

from flask import Flask
from pay_sdk import CALLBACK_EVENTS_SQL, CallbackKey, CallbackReceiver, DatabaseEventStore, PartnerEvent
from pay_sdk.flask import callback_view

env = os.environ


def connect() -> sqlite3.Connection:
    return sqlite3.connect(env["DATABASE"], timeout=5)


def on_event(event: PartnerEvent, connection: sqlite3.Connection) -> None:
    if event["type"] == "payment.completed":  # a newer service may send events that this version does not know
        data = event["data"]
        sent = (data["merchantOrderId"], data["amount"], data["currency"])
        done = connection.execute("update orders set paid = 1 where number = ? and amount = ? and currency = ?", sent)
        if done.rowcount != 1:  # 500: it comes again, until somebody has looked
            raise ValueError(f"STOP: no order has this number, amount and currency: {sent}")


with connect() as database:  # a shop has this in its migrations
    database.executescript(CALLBACK_EVENTS_SQL.replace("create table", "create table if not exists"))

receiver = CallbackReceiver(
    keys=[CallbackKey(env["CALLBACK_KEY_ID"], env["CALLBACK_SECRET"])],  # two during a rotation
    store=DatabaseEventStore(connect),
    on_event=on_event,
    on_refused=lambda status, reason: print("refused", status, reason, flush=True),
)
app = Flask(__name__)
app.post("/callbacks")(callback_view(receiver))

if __name__ == "__main__":
    app.run(port=int(env.get("PORT", "3000")))
