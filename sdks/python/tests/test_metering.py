"""Charges through the client: exactly once, with exact amounts."""

from __future__ import annotations

import json
import logging
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

import pytest

from licet import (
    Balance,
    ConnectionLostError,
    InsufficientBalanceError,
    LicenseClient,
    MeterMode,
    NetworkError,
    ServerFaultError,
    TransportReply,
    TransportRequest,
    UnexpectedReplyError,
)
from licet.testing import FakeLicense, FakeServer

CONSUME = "/meter/consume"


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


@pytest.fixture
def license_(server: FakeServer) -> FakeLicense:
    return server.issue("MeteredCount", initial_meter_balance=10)


def patient(server: FakeServer, license_: FakeLicense, folder: Path) -> LicenseClient:
    """A client that retries, as in production."""
    return server.client(license_, folder=folder, retries=True)


def keys_sent(server: FakeServer) -> list[str]:
    return [seen.body["idempotencyKey"] for seen in server.requests if seen.path == CONSUME]


def reply(status: int, content: Any, **headers: str) -> TransportReply:
    kind = {"content-type": "application/json"}
    return TransportReply(status, {**kind, **headers}, json.dumps(content).encode())


# Exactly once.


@pytest.mark.usefixtures("no_pauses")
async def test_async_a_lost_response_is_one_charge(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    server.lose_next_response(times=2)
    server.fail_next("ConcurrencyConflict")
    async with server.async_client(license_, folder=tmp_path, retries=True) as client:
        consumption = await client.consume("export", 3)
        assert (consumption.balance, consumption.replayed) == (Decimal(7), True)
        assert keys_sent(server) == [consumption.idempotency_key] * 4
        assert await client.balance() == Balance(license_.id, MeterMode.Count, Decimal(7))
        with pytest.raises(InsufficientBalanceError) as short:
            await client.consume("export", 8)
        assert short.value.idempotency_key == keys_sent(server)[-1]
        with pytest.raises(ValueError, match="quantity"):
            await client.consume("export", 0)


def test_each_charge_has_its_own_key(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    with server.client(license_, folder=tmp_path) as client:
        for _ in range(3):
            client.consume("export")
        assert len({*keys_sent(server)}) == 3
        assert all(len(key) == 32 for key in keys_sent(server))
        assert client.hardware_id not in keys_sent(server)
    assert license_.balance == 7


def test_a_later_call_with_the_key_returns_the_charge(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    with server.client(license_, folder=tmp_path) as client:
        server.lose_next_response()
        with pytest.raises(ConnectionLostError) as lost:
            client.consume("export", 4)
        key = lost.value.idempotency_key
        assert key == keys_sent(server)[0]
        license_.revoke()
        consumption = client.consume("export", 4, idempotency_key=key)
    assert (consumption.replayed, consumption.balance, consumption.idempotency_key) == (
        True,
        Decimal(6),
        key,
    )


@pytest.mark.usefixtures("no_pauses")
def test_insufficient_balance_is_not_retried(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    with patient(server, license_, tmp_path) as client:
        with pytest.raises(InsufficientBalanceError) as short:
            client.consume("export", 11)
        error = short.value
        assert (error.cost, error.balance, error.replayed) == (Decimal(11), Decimal(10), False)
        assert isinstance(error.cost, Decimal)
        assert error.http_status == 402
        assert len(server.requests) == 1
        with pytest.raises(InsufficientBalanceError) as again:
            client.consume("export", 11, idempotency_key=error.idempotency_key)
        assert again.value.replayed
    assert license_.balance == 10


# Exact amounts.


def test_amounts_never_pass_through_a_float(server: FakeServer, tmp_path: Path) -> None:
    server.set_price("grain", "0.000001")
    license_ = server.issue("MeteredToken", initial_meter_balance="999999999999999.999999")
    with localcontext(prec=3), server.client(license_, folder=tmp_path) as client:
        consumption = client.consume("grain")
        assert (consumption.cost, consumption.balance) == (
            Decimal("0.000001"),
            Decimal("999999999999999.999998"),
        )
        consumption = client.consume("grain", 1_000_000_000)
        assert (consumption.cost, consumption.balance) == (
            Decimal(1000),
            Decimal("999999999998999.999998"),
        )
        assert client.balance().balance == consumption.balance == license_.balance
        assert isinstance(consumption.cost, Decimal)
        server.set_price("gold", "99999999.123456")
        with pytest.raises(InsufficientBalanceError) as short:
            client.consume("gold", 1_000_000_000)
        assert short.value.cost == Decimal(99999999123456000)
        assert short.value.balance == Decimal("999999999998999.999998")


# Arguments.


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"quantity": True}, "quantity"),
        ({"quantity": 1.0}, "quantity"),
        ({"quantity": "2"}, "quantity"),
        ({"feature": None}, "feature"),
        ({"idempotency_key": 7}, "idempotency_key"),
    ],
    ids=str,
)
def test_arguments_of_the_wrong_type(
    server: FakeServer,
    license_: FakeLicense,
    tmp_path: Path,
    arguments: dict[str, Any],
    named: str,
) -> None:
    with (
        server.client(license_, folder=tmp_path) as client,
        pytest.raises(ValueError, match=named),
    ):
        client.consume(**{"feature": "export", **arguments})
    assert not server.requests


def test_limits_are_inclusive(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("MeteredCount", initial_meter_balance=1_000_000_000)
    with server.client(license_, folder=tmp_path) as client:
        consumption = client.consume("x" * 128, 1_000_000_000, idempotency_key="y" * 128)
    assert consumption.balance == 0


# Balance.


def test_the_balance(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("MeteredToken", initial_meter_balance="12.50")
    with server.client(license_, folder=tmp_path) as client:
        assert client.balance() == Balance(license_.id, MeterMode.Token, Decimal("12.5"))
    [request] = server.requests
    assert (request.method, request.path) == ("GET", "/meter/balance")
    assert request.body == {
        "licenseKey": f"...{license_.key[-4:]}",
        "hardwareId": client.hardware_id,
    }


@pytest.mark.parametrize(
    "change", [{"mode": "Mood"}, {"mode": []}, {"balance": "1"}, {"licenseId": 1}]
)
def test_unexpected_balance_responses(
    server: FakeServer, license_: FakeLicense, tmp_path: Path, change: dict[str, Any]
) -> None:
    class UnexpectedTransport:
        def send(self, _: TransportRequest) -> TransportReply:
            return reply(200, {"licenseId": "l-1", "mode": "Count", "balance": 1, **change})

        def close(self) -> None:
            return

    options = server.options(license_, folder=tmp_path)
    with (
        LicenseClient(transport=UnexpectedTransport(), **options) as client,
        pytest.raises(UnexpectedReplyError),
    ):
        client.balance()


def test_logs_do_not_contain_the_license_key(
    server: FakeServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    license_ = server.issue("MeteredCount", license_key="an imported & odd key+1")
    caplog.set_level(logging.DEBUG)
    with server.serve() as base:
        options = server.options(license_, folder=tmp_path, server_base_endpoint=base, retries=True)
        with LicenseClient(**options) as client:
            assert client.balance().balance == 1000
            assert client.consume("export").balance == 999
    assert "/api/meter/balance" in caplog.text, "httpx logs the request"
    for record in caplog.records:
        assert "odd" not in record.getMessage()
    sent: list[TransportRequest] = []

    class Recorder:
        def send(self, request: TransportRequest) -> TransportReply:
            sent.append(request)
            raise ConnectionLostError("x")

        def close(self) -> None:
            return

    options = server.options(license_, folder=tmp_path)
    with (
        LicenseClient(transport=Recorder(), **options) as client,
        pytest.raises(NetworkError),
    ):
        client.balance()
    assert "odd" in sent[0].url
    assert "odd" not in repr(sent)


def test_errors_of_other_calls_have_no_idempotency_key(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    server.fail_next("ServerUnavailable")
    with (
        server.client(license_, folder=tmp_path) as client,
        pytest.raises(ServerFaultError) as raised,
    ):
        client.balance()
    assert raised.value.idempotency_key is None
