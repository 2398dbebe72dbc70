"""`open()`: what each model needs, the same in both clients."""

from __future__ import annotations

import threading
from contextlib import AsyncExitStack
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from licet_seat_server import DEADLINE

from licet import (
    AsyncOpenLicense,
    InsufficientBalanceError,
    License,
    LicenseSeat,
    LicenseStatus,
    LicenseType,
    OpenLicense,
)
from licet._license_models import MODEL_TRAITS
from licet.testing import FakeLicense, FakeServer, Model

TERMS: dict[str, dict[str, Any]] = {"Floating": {"seats": 2}, "Concurrent": {"seats": 2}}


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


def paths(server: FakeServer) -> list[str]:
    return [request.path for request in server.requests]


# What each model needs besides the one request of a first start.

REQUESTS = {
    "Floating": ["/sessions/connect"],
    "MeteredToken": ["/meter/balance"],
    "MeteredCount": ["/meter/balance"],
}


@pytest.mark.specification("mission-3")
@pytest.mark.parametrize("model", MODEL_TRAITS)
async def test_both_clients_do_what_the_model_needs(
    model: Model, server: FakeServer, tmp_path: Path
) -> None:
    seen: list[tuple[Any, ...]] = []
    for kind in ("sync", "async"):
        license_ = server.issue(model, **TERMS.get(model, {}))
        before = len(server.requests)
        async with AsyncExitStack() as stack:
            opened = await open_with(kind, server, license_, tmp_path / kind, stack)
            balance = opened.balance.balance if opened.balance is not None else None
            seen.append((opened.type, opened.status, opened.seat, opened.features, balance))
            assert paths(server)[before:] == ["/licenses/validate", *REQUESTS.get(model, [])]
            assert (tmp_path / kind / "license.bin").exists()
        assert not license_.sessions
        assert len(license_.devices) == (MODEL_TRAITS[model].claim == "Activation")
    assert seen[0] == seen[1]


async def open_with(
    kind: str, server: FakeServer, license_: FakeLicense, folder: Path, stack: AsyncExitStack
) -> OpenLicense | AsyncOpenLicense:
    if kind == "sync":
        client = stack.enter_context(server.client(license_, folder=folder))
        return stack.enter_context(client.open())
    other = await stack.enter_async_context(server.async_client(license_, folder=folder))
    return await stack.enter_async_context(other.open())


def test_a_seat_is_not_taken_twice(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Concurrent", seats=1)
    with server.client(license_, folder=tmp_path) as client:
        for _ in range(3):
            with client.open() as opened:
                assert opened.seat == LicenseSeat("Device", held=True, used=1, total=1)
    assert paths(server) == ["/licenses/validate"] * 3


def test_an_older_server_tells_no_seat(
    server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The device is activated, although the verdict is valid without a seat."""
    monkeypatch.setattr("licet.testing._validation.seat_view", lambda *_: None)
    monkeypatch.setattr("licet.testing._rules.requires_activation", lambda _: False)
    license_ = server.issue("Concurrent", seats=1)
    with server.client(license_, folder=tmp_path) as client, client.open() as opened:
        assert opened.seat == LicenseSeat("Device", held=True, used=1, total=1)
    assert "/activations" in paths(server)


def test_without_a_with_statement(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Floating", seats=1)
    with server.client(license_, folder=tmp_path) as client:
        opened = client.open()
        assert len(license_.sessions) == 1
        opened.close()
        opened.close()
        assert not license_.sessions
        assert opened.seat.held is False
        assert client.open().seat.held
    assert not license_.sessions, "closing the client closes what is open"


async def test_awaiting_an_open_license(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Floating", seats=1)
    async with server.async_client(license_, folder=tmp_path) as client:
        opening = client.open()
        assert not server.requests, "nothing is sent yet"
        opened = await opening
        async with opened:
            assert opened.seat.held
        assert not license_.sessions
        assert "Floating" in repr(opened)


def test_validation_names_the_open_session(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Floating", seats=2)
    with server.client(license_, folder=tmp_path) as client:
        assert seat_of(client.validate().license).held is None
        with client.open():
            assert seat_of(client.validate().license) == LicenseSeat(
                "Session", held=True, used=1, total=2
            )


def seat_of(terms: License | None) -> LicenseSeat:
    assert terms is not None
    assert terms.seat is not None
    return terms.seat


# The yielded object.


def test_properties(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue(
        "Subscription", name="Team", issued_to="ada@example.com", metadata={"tier": "gold"}
    )
    with server.client(license_, folder=tmp_path) as client, client.open() as opened:
        assert (opened.id, opened.name, opened.issued_to) == (
            license_.id,
            "Team",
            "ada@example.com",
        )
        assert opened.expiration_date == license_.expiration_date
        assert (opened.activation_mode, opened.metadata) == ("Online", {"tier": "gold"})
        assert (opened.message, opened.warning) == ("The license is valid.", None)
        assert opened.grace_ends_at is None
        assert opened.seat == LicenseSeat("None")
        opened.release()
    assert "/activations/current" not in paths(server)


def test_entitlements_have_values(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Perpetual", features={"Export": True, "Projects": 5, "Tier": "gold"})
    with server.client(license_, folder=tmp_path) as client:
        with client.open() as opened:
            assert opened.features == ("Export", "Projects", "Tier")
            assert opened.entitlement("EXPORT") is True
            assert (opened.entitlement("projects"), opened.entitlement("tier")) == (5, "gold")
            assert opened.entitlement("other") is None
            assert (opened.has_feature("projects"), opened.has_feature("other")) == (True, False)
        offline = client.validate_offline()
        assert offline.status == "GracePeriod"
        assert offline.entitlement("projects") == 5


def test_entitlements_of_unrestricted_licenses_and_older_servers() -> None:
    free = License("l", LicenseType.Perpetual, LicenseStatus.Active)
    assert free.entitlement("anything") is True
    valued = License("l", LicenseType.Perpetual, LicenseStatus.Active, entitlements={"Projects": 5})
    assert (valued.entitlement("projects"), valued.entitlement("anything")) == (5, True)
    older = License("l", LicenseType.Perpetual, LicenseStatus.Active, features=("Export",))
    assert (older.entitlement("export"), older.entitlement("other")) == (True, None)
    none = License("l", LicenseType.Perpetual, LicenseStatus.Active, features=())
    assert none.entitlement("export") is None


def test_a_default_gives_the_type(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Perpetual", features={"export": True, "projects": 5, "tier": "gold"})
    with server.client(license_, folder=tmp_path) as client:
        result = client.validate()
        assert result.entitlements == {"export": True, "projects": 5, "tier": "gold"}
        with client.open() as opened:
            for source in (result, opened, result.license):
                assert source is not None
                assert source.entitlement("Projects", default=3) == 5
                assert source.entitlement("projects", 3.5) == 5.0
                assert source.entitlement("tier", "free") == "gold"
                assert source.entitlement("export", False) is True
                assert source.entitlement("export", 3) == 3, "a flag is no number"
                assert source.entitlement("tier", 3) == 3
                assert source.entitlement("other", "none") == "none"
    free = License(id="l", type=LicenseType.Perpetual, status=LicenseStatus.Active)
    assert free.entitlement("projects", 3) == 3, "not restricted, but no number is told"


async def test_charges_keep_the_balance(server: FakeServer, tmp_path: Path) -> None:
    for kind in ("sync", "async"):
        license_ = server.issue("MeteredCount", initial_meter_balance=5)
        async with AsyncExitStack() as stack:
            opened = await open_with(kind, server, license_, tmp_path / kind, stack)
            assert opened.balance is not None

            async def use(*args: Any, opened: Any = opened, **options: Any) -> Any:
                made = opened.consume(*args, **options)
                return await made if kind == "async" else made  # noqa: B023

            assert (await use("export", quantity=2, idempotency_key="a")).cost == 2
            assert opened.balance.balance == Decimal(3)
            await use("export")
            assert (await use("export", quantity=2, idempotency_key="a")).replayed
            assert opened.balance.balance == Decimal(2), "a replay tells an old balance"
            with pytest.raises(InsufficientBalanceError):
                await use("export", quantity=3)


async def test_release_gives_the_seat_of_a_device_back(server: FakeServer, tmp_path: Path) -> None:
    license_ = server.issue("Concurrent", seats=1)
    with server.client(license_, folder=tmp_path / "a") as client, client.open() as opened:
        opened.release()
        assert opened.seat.held is False
    assert not license_.devices
    async with (
        server.async_client(license_, folder=tmp_path / "b") as other,
        other.open() as again,
    ):
        assert again.seat.held
        await again.release()
    assert not license_.devices


def test_a_lost_seat_is_reported(tmp_path: Path) -> None:
    server = FakeServer(heartbeat_interval_seconds=0.05, session_timeout_seconds=0.2)
    license_ = server.issue("Floating", seats=1)
    lost, regained = threading.Event(), threading.Event()
    with (
        server.client(license_, folder=tmp_path) as client,
        client.open(on_lost=lambda _: lost.set(), on_regained=lambda _: regained.set()) as opened,
    ):
        license_.suspend()
        assert lost.wait(DEADLINE)
        assert opened.seat.held is False
        license_.reinstate()
        assert regained.wait(DEADLINE)
        assert opened.seat.held
