"""A callback, through each framework and into a database."""

import json
import os
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from io import BytesIO
from threading import Lock
from wsgiref.util import setup_testing_defaults

import pytest
from pay_sdk import CALLBACK_EVENTS_SQL, CallbackKey, CallbackReceiver, DatabaseEventStore, EventReceipt, MemoryEventStore
from pay_sdk.callbacks import signed_headers
from pay_sdk.receiver import CALLBACK_BYTES_MAX

OLD, NEW = CallbackKey("k1", "A" * 43 + "="), CallbackKey("k2", "B" * 42 + "A=")


def event_of(event_id="e-1", version=1):
    members = {"schemaVersion": 1, "eventId": event_id, "type": "payment.completed", "aggregateVersion": version}
    return json.dumps({**members, "createdAt": "2026-11-22T10:00:00.000Z", "data": {"orderId": "p-1"}}).encode()


def signed(body, keys=(NEW,), now=None):
    return signed_headers(body, keys, int(now if now is not None else time.time()))


class Shop:
    """A receiver that remembers what it applied and refused."""

    def __init__(self, keys=(OLD, NEW)):
        self.applied, self.refused, self.failure = [], [], None
        self.receiver = CallbackReceiver(
            keys=lambda: keys,
            store=MemoryEventStore(),
            on_event=self.apply,
            on_refused=lambda status, reason: self.refused.append((status, reason)),
        )

    def apply(self, event, _connection):
        if self.failure is not None:
            raise self.failure
        self.applied.append(event["eventId"])


def by_wsgi(receiver):
    from pay_sdk.wsgi import callback_app

    def post(body, headers):
        environ = {"REQUEST_METHOD": "POST", "CONTENT_LENGTH": str(len(body)), "wsgi.input": BytesIO(body)}
        setup_testing_defaults(environ)
        environ.update({f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()})
        answered = []
        text = b"".join(callback_app(receiver)(environ, lambda status, _headers: answered.append(status)))
        return int(answered[0].split()[0]), text.decode()

    return post


def by_fastapi(receiver):
    from fastapi import FastAPI
    from fastapi.testclient import TestClient
    from pay_sdk.fastapi import callback_endpoint

    app = FastAPI()
    app.post("/callbacks")(callback_endpoint(receiver))

    def post(body, headers):
        response = TestClient(app).post("/callbacks", content=body, headers=headers)
        return response.status_code, response.text

    return post


def by_flask(receiver):
    from flask import Flask
    from pay_sdk.flask import callback_view

    app = Flask("shop")
    app.post("/callbacks")(callback_view(receiver))

    def post(body, headers):
        response = app.test_client().post("/callbacks", data=body, headers=headers)
        return response.status_code, response.text

    return post


def by_django(receiver):
    import django
    from django.conf import settings
    from django.test import Client
    from django.urls import path
    from pay_sdk.django import callback_view

    if not settings.configured:
        middleware = ["django.middleware.csrf.CsrfViewMiddleware"]
        settings.configure(ROOT_URLCONF=[], ALLOWED_HOSTS=["*"], SECRET_KEY="x", MIDDLEWARE=middleware)
        django.setup()
    settings.ROOT_URLCONF = (path("callbacks", callback_view(receiver)),)

    def post(body, headers):
        named = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
        response = Client(enforce_csrf_checks=True).post("/callbacks", body, content_type="application/json", **named)
        return response.status_code, response.content.decode()

    return post


@pytest.mark.parametrize("serve", [by_wsgi, by_fastapi, by_flask, by_django])
def test_serves_a_framework(serve):
    shop = Shop()
    post = serve(shop.receiver)
    body = event_of()
    assert post(body, signed(body)) == (200, "ok\n")
    assert post(body, signed(body, [OLD])) == (200, "ok\n")
    assert shop.applied == ["e-1"], "the repeat is answered, and not applied"
    assert post(body + b" ", signed(body)) == (401, "not authentic\n")
    assert post(body, {}) == (401, "not authentic\n")
    big = b"x" * (CALLBACK_BYTES_MAX + 1)
    assert post(big, signed(big)) == (413, "too large\n")
    shop.failure = RuntimeError("the database is away")
    second = event_of("e-2", 2)
    assert post(second, signed(second)) == (500, "error\n"), "so that it is sent again"
    shop.failure = None
    assert post(second, signed(second)) == (200, "ok\n")
    assert shop.applied == ["e-1", "e-2"]
    assert [status for status, _reason in shop.refused] == [401, 401, 413, 500]


def test_takes_both_keys_of_a_rotation_and_no_other():
    body = event_of()
    for keys, status in [([OLD], 200), ([NEW], 200), ([OLD, NEW], 200), ([CallbackKey("k3", OLD.secret)], 401)]:
        assert Shop().receiver.receive("POST", signed(body, keys), body).status == status


def test_refuses_what_is_more_than_five_minutes_old_or_early():
    shop, body = Shop(), event_of()
    for seconds, status in [(-305, 401), (-290, 200), (290, 200), (305, 401)]:
        headers = signed(body, [NEW], time.time() + seconds)
        assert shop.receiver.receive("POST", headers, body).status == status
    assert [reason.split(":")[0] for _status, reason in shop.refused] == ["stale", "stale"]


def test_answers_405_to_another_method_and_400_to_what_is_signed_and_no_event():
    assert Shop().receiver.receive("GET", {}, b"").status == 405
    assert Shop().receiver.receive("POST", signed(b"{}"), b"{}").status == 400


def test_says_which_key_is_wrong():
    shop = Shop(keys=[CallbackKey("k1", "short")])
    assert shop.receiver.receive("POST", signed(b"{}"), b"{}").status == 500
    assert "callback key k1" in shop.refused[0][1]


class Sqlite:
    def __init__(self, path):
        self.path = path
        with closing(self.connect()) as connection:
            connection.executescript(CALLBACK_EVENTS_SQL + "create table orders (paid_by text);")

    def connect(self):
        return sqlite3.connect(self.path)

    def store(self):
        return DatabaseEventStore(self.connect)


class Postgres:
    """In `DATABASE_URL`, if it is set; what is there is dropped."""

    def __init__(self, url):
        import psycopg2

        self.connect = lambda: psycopg2.connect(url)
        with closing(self.connect()) as connection:
            cursor = connection.cursor()
            cursor.execute("drop table if exists orders, callback_events, callback_aggregates")
            cursor.execute(CALLBACK_EVENTS_SQL + "create table orders (paid_by text);")
            connection.commit()

    def store(self):
        return DatabaseEventStore(self.connect, placeholder="%s")


@pytest.fixture(params=["sqlite", *(["postgres"] if "DATABASE_URL" in os.environ else [])])
def database(request, tmp_path):
    return Sqlite(tmp_path / "shop.db") if request.param == "sqlite" else Postgres(os.environ["DATABASE_URL"])


def paid(database):
    with closing(database.connect()) as connection:
        cursor = connection.cursor()
        cursor.execute("select paid_by from orders")
        return sorted(paid_by for (paid_by,) in cursor.fetchall())


def pay(connection, event_id):
    connection.cursor().execute(f"insert into orders (paid_by) values ('{event_id}')")


def test_stores_an_event_in_the_transaction_that_applies_it(database):
    store = database.store()

    def receive(event_id, version):
        return store.receive(EventReceipt(event_id, "payment:p-1", version), lambda connection: pay(connection, event_id))

    given = [("e-1", 1), ("e-1", 1), ("e-3", 3), ("e-2", 2), ("e-2", 2)]
    assert [receive(*one) for one in given] == ["applied", "repeat", "applied", "older", "repeat"]
    assert paid(database) == ["e-1", "e-3"]

    def fail(connection):
        pay(connection, "half")
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        store.receive(EventReceipt("e-4", "payment:p-1", 4), fail)
    assert receive("e-4", 4) == "applied"
    assert paid(database) == ["e-1", "e-3", "e-4"]


def test_applies_an_event_once_when_it_comes_ten_times_at_once(database):
    store, receipt = database.store(), EventReceipt("e-1", "payment:p-1", 1)
    with ThreadPoolExecutor(10) as threads:
        answers = [threads.submit(store.receive, receipt, lambda connection: pay(connection, "e-1")) for _ in range(10)]
    assert sorted(answer.result() for answer in answers) == ["applied", *["repeat"] * 9]
    assert paid(database) == ["e-1"]


def test_applies_the_first_events_of_a_payment_one_at_a_time(database):
    store, inside = database.store(), Lock()

    def apply(connection, event_id):
        assert inside.acquire(blocking=False), "another event of this payment is being applied"
        pay(connection, event_id)
        inside.release()

    def receive(version):
        receipt = EventReceipt(f"e-{version}", "payment:p-1", version)
        return store.receive(receipt, lambda connection: apply(connection, receipt.event_id))

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(receive, range(1, 9)))
    assert answers[-1] == "applied", "the newest is never too late"
    assert set(answers) <= {"applied", "older"}
    assert len(paid(database)) == answers.count("applied")


def test_refuses_a_connection_that_commits_each_statement(tmp_path):
    path = Sqlite(tmp_path / "shop.db").path
    store = DatabaseEventStore(lambda: sqlite3.connect(path, isolation_level=None))
    with pytest.raises(ValueError, match="autocommit"):
        store.receive(EventReceipt("e-1", "payment:p-1", 1), lambda _connection: None)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("select count(*) from callback_events").fetchone() == (0,)


@pytest.mark.skipif("DATABASE_URL" not in os.environ, reason="no PostgreSQL")
def test_refuses_a_psycopg2_connection_that_commits_each_statement():
    database = Postgres(os.environ["DATABASE_URL"])

    def connect():
        connection = database.connect()
        connection.autocommit = True
        return connection

    store = DatabaseEventStore(connect, placeholder="%s")
    with pytest.raises(ValueError, match="autocommit"):
        store.receive(EventReceipt("e-1", "payment:p-1", 1), lambda connection: pay(connection, "e-1"))
    assert paid(database) == []
