"""`open()`: refusals, and what works without the server."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from licet import (
    ActivationRequiredError,
    ApprovalPendingError,
    ConfigurationError,
    DnsError,
    LicenseClient,
    LicenseRefusedError,
    LicenseSeat,
    LicetError,
    OnlineRequiredError,
    SeatsExhaustedError,
    TransportReply,
    TransportRequest,
    WalletNotFoundError,
)
from licet._license_models import MODEL_TRAITS
from licet.testing import FakeServer, Model

TERMS: dict[str, dict[str, Any]] = {"Floating": {"seats": 2}, "Concurrent": {"seats": 2}}
HERE, THERE = "h1m-here", "h1m-there"


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


# Refusals.


def test_a_refusal_carries_the_result(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Subscription")
    license_.revoke()
    with (
        server.client(license_, folder=tmp_path) as client,
        pytest.raises(LicenseRefusedError, match="revoked the license") as refused,
    ):
        client.open()
    error = refused.value
    assert (error.error_code, error.http_status) == ("Revoked", 200)
    assert error.result is not None
    assert (error.result.status, error.request_id) == ("Revoked", error.result.request_id)


def test_a_file_that_is_refused(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Subscription", activation_mode="Offline")
    (tmp_path / "license.bin").write_text(license_.file())
    server.advance(days=40)
    server.go_offline("Dns")
    with (
        server.client(license_, folder=tmp_path) as client,
        pytest.raises(LicenseRefusedError) as refused,
    ):
        client.open()
    assert (refused.value.error_code, refused.value.http_status) == ("Expired", 0)
    assert isinstance(refused.value.__cause__, DnsError)


def test_a_seat_that_is_lost_while_opening(
    server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older server blocks the device between its activation and the second validation."""
    monkeypatch.setattr("licet.testing._validation._SEATS_OF_DEVICES", frozenset())
    license_ = server.issue("Concurrent", seats=1)
    client = server.client(license_, folder=tmp_path)
    send, activated = client._transport.send, threading.Event()

    class Interfering:
        def send(self, request: Any) -> Any:
            if request.url.endswith("/licenses/validate") and activated.is_set():
                license_.devices[0].block()
            if request.url.endswith("/activations"):
                activated.set()
            return send(request)

        def close(self) -> None:
            return

    client._transport = Interfering()
    with client, pytest.raises(LicetError) as refused:
        client.open()
    assert refused.value.error_code == "DeviceBlocked"  # type: ignore[attr-defined]


def test_waiting_for_approval(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("NodeLocked", binding_mode="OwnerApproval")
    with server.client(license_, folder=tmp_path) as client:
        with pytest.raises(ApprovalPendingError):
            client.open()
        license_.devices[0].approve()
        with client.open() as opened:
            assert opened.seat == LicenseSeat("Machine", held=True, used=1, total=1)


def test_a_missing_wallet(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("MeteredCount")
    inner = server.transport

    class WithoutWallet:
        def send(self, request: TransportRequest) -> TransportReply:
            if "/meter/balance" in request.url:
                body = b'{"errorCode": "WalletNotFound"}'
                return TransportReply(400, {"content-type": "application/problem+json"}, body)
            return inner.send(request)

        def close(self) -> None:
            return

    client = server.client(license_, folder=tmp_path)
    client._transport = WithoutWallet()
    with client, pytest.raises(WalletNotFoundError):
        client.open()


def test_seats_are_exhausted(server: FakeServer, tmp_path: Path) -> None:
    for model in ("Floating", "Concurrent"):
        license_ = server.issue(model, seats=1)
        place = tmp_path / model
        with (
            server.client(license_, folder=place / "a", hardware_id=HERE) as here,
            server.client(license_, folder=place / "b", hardware_id=THERE) as there,
            here.open(),
            pytest.raises(SeatsExhaustedError) as full,
        ):
            there.open()
        assert (full.value.seats_used, full.value.seats_total) == (1, 1)


# Without the server.


def test_an_offline_license_needs_no_server(server: FakeServer, tmp_path: Path) -> None:
    for model in ("Perpetual", "Concurrent", "NodeLocked"):
        place = tmp_path / model
        place.mkdir()
        license_ = server.issue(model, activation_mode="Offline", **TERMS.get(model, {}))
        (place / "license.bin").write_text(license_.file(HERE))
        server.go_offline()
        with (
            server.client(license_, folder=place, hardware_id=HERE) as client,
            client.open() as opened,
        ):
            held = None if model == "Perpetual" else True
            seat = (opened.status, opened.seat.kind, opened.seat.held)
            assert seat == ("Valid", MODEL_TRAITS[model].seat_kind, held)
        server.go_online()


def test_a_grace_period(server: FakeServer, tmp_path: Path) -> None:
    for model in ("Subscription", "Concurrent", "NodeLocked", "MeteredCount"):
        license_ = server.issue(model, **TERMS.get(model, {}))
        with server.client(license_, folder=tmp_path / model) as client:
            with client.open() as opened:
                assert opened.status == "Valid"
            server.go_offline("Dns")
            with client.open() as opened:
                assert (opened.status, opened.balance) == ("GracePeriod", None)
                assert opened.grace_ends_at is not None
                assert opened.seat.held is (True if MODEL_TRAITS[model].claim else None)
            server.go_online()


def test_a_floating_seat_needs_the_server(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Floating", seats=1)
    with server.client(license_, folder=tmp_path) as client:
        with client.open():
            pass
        server.go_offline("Dns")
        asked = len(server.requests)
        with pytest.raises(OnlineRequiredError) as unasked:
            client.open()
        assert isinstance(unasked.value.__cause__, DnsError)
        assert unasked.value.result.status == "GracePeriod"
        assert len(server.requests) == asked + 1, "it is not asked twice"
    options = server.options(license_, folder=tmp_path)
    del options["server_base_endpoint"]
    with LicenseClient(**options) as client:
        assert client.validate().status == "GracePeriod"
        with pytest.raises(ConfigurationError, match="ServerBaseEndpoint"):
            client.open()


@pytest.mark.specification("mission-5")
@pytest.mark.parametrize("model", ["Perpetual", "Floating", "MeteredToken", "MeteredCount"])
def test_a_file_alone_is_not_enough_for_an_online_license(
    model: Model, server: FakeServer, tmp_path: Path
) -> None:
    license_ = server.issue(model, **TERMS.get(model, {}))
    (tmp_path / "license.bin").write_text(license_.file())
    server.go_offline()
    with server.client(license_, folder=tmp_path) as client:
        for result in (client.validate(), client.validate_offline()):
            assert (result.status, result.grace_ends_at) == ("OnlineRequired", None)
        with pytest.raises(OnlineRequiredError) as refused:
            client.open()
        assert (refused.value.code, refused.value.result.status) == ("OnlineRequired",) * 2
        server.go_online()
        assert client.validate().status == "Valid"
        server.go_offline()
        assert client.validate().status == "GracePeriod"
    for state in tmp_path.glob("*.state"):
        state.unlink()
    with server.client(license_, folder=tmp_path) as client:
        assert client.validate().status == "OnlineRequired", "the verdict is remembered there"


def test_a_copied_file_and_state_do_not_help(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Perpetual")
    with server.client(license_, folder=tmp_path, hardware_id=HERE) as client:
        assert client.validate().valid
    server.go_offline()
    with server.client(license_, folder=tmp_path, hardware_id=THERE) as client:
        assert client.validate().status == "OnlineRequired"


# Short-lived machines.


def test_in_ci_the_device_gives_its_seat_back(
    server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_REPOSITORY", "example/app")
    license_ = server.issue("Concurrent", seats=1)
    with server.client(license_, folder=tmp_path) as client:
        with client.open() as opened:
            assert (opened.seat.kind, opened.seat.held) == ("Device", True)
            assert len(license_.devices) == len(license_.sessions) == 1
        assert not license_.devices
        assert not license_.sessions


def test_activation_required_is_remembered(server: FakeServer, tmp_path: Path) -> None:
    """A device whose seat was freed by the vendor does not run on its file."""
    license_ = server.issue("Concurrent", seats=1, activation_mode="Offline")
    with server.client(license_, folder=tmp_path) as client:
        with client.open() as opened:
            assert opened.seat.held
        assert client.validate_offline().status == "Valid"
        license_.devices[0].deactivate(force=True)
        assert client.validate_online().status == "ActivationRequired"
        server.go_offline()
        assert client.validate().status == "ActivationRequired"
        with pytest.raises(ActivationRequiredError):
            client.open()
