"""Metering of the fake from the vendor's side: amounts, ledger, prices and lost responses."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from licet import ConnectionLostError, InsufficientBalanceError, TransportRequest
from licet.testing import FakeLicense, FakeServer
from licet.testing._json import to_json

START = datetime(2030, 1, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def server() -> FakeServer:
    return FakeServer(clock=lambda: START)


@pytest.fixture
def often_switching() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def send(server: FakeServer, license_: FakeLicense, **fields: Any) -> tuple[int, str]:
    headers = {"X-API-KEY": server.api_key, "Content-Type": "application/json"}
    body = json.dumps({"licenseKey": license_.key, **fields}).encode()
    url = "https://licet.test/api/meter/consume"
    answer = server.transport.send(TransportRequest("POST", url, headers, body, 1.0))
    return answer.status, answer.body.decode()


@pytest.mark.parametrize(
    ("amount", "written"),
    [
        (970, "970"),
        ("970.000", "970"),
        ("1.50", "1.5"),
        ("0.000001", "0.000001"),
        ("1E+3", "1000"),
        ("999999999999999.999999", "999999999999999.999999"),
    ],
)
def test_amounts_are_formatted_without_exponents(
    server: FakeServer, amount: Any, written: str
) -> None:
    license_ = server.issue("MeteredToken", initial_meter_balance=amount)
    headers = {"X-API-KEY": server.api_key}
    url = f"https://licet.test/api/meter/balance?licenseKey={license_.key}"
    answer = server.transport.send(TransportRequest("GET", url, headers, b"", 1.0))
    assert answer.body.decode().endswith(f'"balance": {written}}}')


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.decimals(-(10**15), 10**15, places=6),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(VALUES)
def test_json_round_trip(value: Any) -> None:
    assert json.loads(to_json(value), parse_float=Decimal) == value


def test_unmetered_licenses(server: FakeServer) -> None:
    perpetual = server.issue("Perpetual")
    for ask in (
        lambda: perpetual.balance,
        lambda: perpetual.ledger,
        lambda: perpetual.grant(1),
        lambda: perpetual.adjust(1, "why"),
    ):
        with pytest.raises(ValueError, match="not metered"):
            ask()
    with pytest.raises(ValueError, match="initial_meter_balance"):
        server.issue("Perpetual", initial_meter_balance=5)


def test_invalid_amounts_are_rejected(server: FakeServer) -> None:
    count, token = server.issue("MeteredCount"), server.issue("MeteredToken")
    assert count.balance == token.balance == 1000
    wrong: list[Any] = ["0.0000001", "1e16", "NaN", "Infinity", "many"]
    for amount in (*wrong, 0, -1):
        with pytest.raises(ValueError, match="amount"):
            server.issue("MeteredToken", initial_meter_balance=amount)
        with pytest.raises(ValueError, match="amount"):
            token.grant(amount)
        with pytest.raises(ValueError, match="amount"):
            server.set_price("export", amount)
    for amount in (*wrong, 0):
        with pytest.raises(ValueError, match="amount"):
            token.adjust(amount, "why")
    for inexact in (0.5, True):
        unfit: Any = inexact
        with pytest.raises(TypeError, match="exact"):
            token.grant(unfit)
    with pytest.raises(ValueError, match="whole"):
        count.grant("1.5")
    assert len(token.ledger) == len(count.ledger) == 1


def test_a_balance_cannot_be_negative(server: FakeServer) -> None:
    license_ = server.issue("MeteredToken", initial_meter_balance=10)
    with pytest.raises(ValueError, match="from 0 to"):
        license_.adjust("-10.000001", "too much")
    with pytest.raises(ValueError, match="from 0 to"):
        license_.grant(10**15)
    with pytest.raises(ValueError, match="at most"):
        server.set_price("export", "100000000.1")
    license_.adjust(-10, "all of it")
    assert license_.balance == 0


def test_the_ledger(server: FakeServer, tmp_path: Path) -> None:
    server.set_price("EXPORT", 9)
    server.set_price("Export", "2.5")
    license_ = server.issue("MeteredToken", initial_meter_balance=100)
    with server.client(license_, folder=tmp_path) as client:
        consumption = client.consume("export", 2, idempotency_key="k")
        server.advance(hours=1)
        license_.grant("0.5", reason="A gift", external_reference="PO-7")
        with pytest.raises(InsufficientBalanceError):
            client.consume("export", 1000)
    granted, used, first = license_.ledger
    assert (used.type, used.amount, used.balance_after, used.sequence) == (
        "Consume",
        Decimal(-5),
        Decimal(95),
        2,
    )
    assert (used.feature_name, used.quantity, used.unit_price) == ("EXPORT", 2, Decimal("2.5"))
    assert (used.id, used.idempotency_key) == (consumption.ledger_entry_id, "k")
    assert (granted.type, granted.reason) == ("AdminGrant", "A gift")
    assert (granted.amount, granted.balance_after) == (Decimal("0.5"), Decimal("95.5"))
    assert granted.external_reference == "PO-7"
    assert (granted.created_at - used.created_at).total_seconds() == 3600
    assert (first.type, first.sequence, first.amount) == ("InitialGrant", 1, Decimal(100))


def test_a_request_with_a_lost_response_is_processed(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Concurrent", seats=1)
    server.lose_next_response(on="activations")
    with server.client(license_, folder=tmp_path) as client:
        assert client.validate_online().status == "ActivationRequired", "another route"
        with pytest.raises(ConnectionLostError):
            client.activate()
        assert [device.status for device in license_.devices] == ["Active"]
        assert client.activate()
    assert [request.status for request in server.requests] == [200, None, 200]
    unfit: Any = "Dns"
    with pytest.raises(ValueError, match="ServerTimeout"):
        server.lose_next_response(unfit)
    with pytest.raises(ValueError, match="times"):
        server.lose_next_response(times=0)


def test_concurrent_charges_with_one_key_charge_once(
    server: FakeServer, often_switching: None
) -> None:
    together = threading.Barrier(8)

    def charge(license_: FakeLicense) -> tuple[int, str]:
        together.wait()
        return send(server, license_, featureName="export", quantity=3, idempotencyKey="k")

    with ThreadPoolExecutor(8) as pool:
        for _ in range(50):
            license_ = server.issue("MeteredCount", initial_meter_balance=10)
            answers = list(pool.map(charge, [license_] * 8))
            assert {status for status, _ in answers} == {200}
            assert sum('"replayed": false' in body for _, body in answers) == 1
            assert license_.balance == 7


def test_concurrent_charges_cannot_overdraw(server: FakeServer, often_switching: None) -> None:
    together = threading.Barrier(8)

    def charge(license_: FakeLicense) -> tuple[int, str]:
        together.wait()
        return send(server, license_, featureName="export", quantity=3)

    with ThreadPoolExecutor(8) as pool:
        for _ in range(50):
            license_ = server.issue("MeteredCount", initial_meter_balance=10)
            statuses = [status for status, _ in pool.map(charge, [license_] * 8)]
            assert (statuses.count(200), statuses.count(402)) == (3, 5)
            assert license_.balance == 1
