"""The daily check of Offline licenses in the background."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from licet_seat_server import DEADLINE

from licet import LicenseClient
from licet.testing import FakeLicense, FakeServer


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


@pytest.fixture
def license_(server: FakeServer, tmp_path: Path) -> FakeLicense:
    """An Offline license with its file in ``tmp_path``."""
    made = server.issue("Perpetual", activation_mode="Offline")
    (tmp_path / "license.bin").write_text(made.file())
    return made


def validated(server: FakeServer, license_: FakeLicense, folder: Path) -> str:
    """The status in a process of its own, which lets the background check finish."""
    with server.client(license_, folder=folder) as client:
        return client.validate().status


def asked(server: FakeServer) -> int:
    return sum(request.path == "/licenses/validate" for request in server.requests)


@pytest.mark.specification("mission-6")
def test_a_revocation_arrives_within_a_day_and_stays(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    assert validated(server, license_, tmp_path) == "Valid"
    license_.revoke()
    assert validated(server, license_, tmp_path) == "Valid"
    server.advance(days=1)
    assert validated(server, license_, tmp_path) == "Valid", "the check takes no time of it"
    assert validated(server, license_, tmp_path) == "Revoked"
    server.go_offline()
    for _ in range(2):
        assert validated(server, license_, tmp_path) == "Revoked", "after a restart, offline"
    with server.client(license_, folder=tmp_path) as client:
        assert client.validate_offline().status == "Revoked"


@pytest.mark.parametrize("status", ["Suspended", "Expired", "Revoked"])
def test_every_signed_refusal_arrives(server: FakeServer, tmp_path: Path, status: str) -> None:
    license_ = server.issue("Subscription", activation_mode="Offline")
    (tmp_path / "license.bin").write_text(license_.file())
    if status == "Suspended":
        license_.suspend()
    elif status == "Revoked":
        license_.revoke()
    else:
        license_.renew(server.now)
    assert validated(server, license_, tmp_path) == "Valid"
    server.go_offline()
    assert validated(server, license_, tmp_path) == status
    if status == "Revoked":
        return
    server.go_online()
    license_.reinstate()
    license_.renew(server.now.replace(year=server.now.year + 1))
    server.advance(minutes=1)
    assert validated(server, license_, tmp_path) == "Valid", "until the server signs it valid"
    server.go_offline()
    assert validated(server, license_, tmp_path) == "Valid"


def test_a_new_file_ends_a_refusal(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    license_.suspend()
    validated(server, license_, tmp_path)
    server.go_offline()
    assert validated(server, license_, tmp_path) == "Suspended"
    license_.reinstate()
    server.advance(minutes=1)
    (tmp_path / "license.bin").write_text(license_.file())
    assert validated(server, license_, tmp_path) == "Valid"


def test_entering_another_key_does_not_revive_a_revoked_license(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    license_.revoke()
    validated(server, license_, tmp_path)
    with server.client("00000-00000-00000-00000-00000", folder=tmp_path) as client:
        assert client.validate().status == "LicenseNotFound"
    server.go_offline()
    assert validated(server, license_, tmp_path) == "Revoked"


def test_it_asks_once_a_day_whatever_is_restarted(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    for day in range(1, 4):
        for _ in range(5):
            assert validated(server, license_, tmp_path) == "Valid"
        assert asked(server) == day
        server.advance(hours=23)
        validated(server, license_, tmp_path)
        assert asked(server) == day
        server.advance(hours=1)


def test_failures_are_silent_and_rare(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    server.go_offline()
    for _ in range(24 * 4):
        with server.client(license_, folder=tmp_path) as client:
            result = client.validate()
        assert (result.status, result.cause) == ("Valid", None)
        server.advance(minutes=15)
    assert 2 <= len(server.requests) <= 4
    server.go_online()
    license_.revoke()
    server.advance(hours=6)
    validated(server, license_, tmp_path)
    assert validated(server, license_, tmp_path) == "Revoked"


def test_it_does_not_delay_a_validation(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    release, entered = threading.Event(), threading.Event()
    client = server.client(license_, folder=tmp_path)
    hold(client, entered, release)
    assert client.validate().status == "Valid"
    assert entered.wait(DEADLINE)
    assert client.validate().status == "Valid", "no second check beside the first"
    release.set()
    client.close()
    assert asked(server) == 1


def hold(client: LicenseClient, entered: threading.Event, release: threading.Event) -> None:
    connect: Callable[[], Any] = client._daily_check._connect

    class Slow:
        def __init__(self) -> None:
            self.inner = connect()

        def send(self, request: Any) -> Any:
            entered.set()
            assert release.wait(DEADLINE)
            return self.inner.send(request)

        def close(self) -> None:
            self.inner.close()

    client._daily_check._connect = Slow


async def test_the_async_client_checks_in_a_task(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    license_.revoke()
    async with server.async_client(license_, folder=tmp_path) as client:
        assert (await client.validate()).status == "Valid"
        [check] = [task for task in asyncio.all_tasks() if task.get_name() == "licet-check"]
        await asyncio.wait_for(check, DEADLINE)
        assert (await client.validate_offline()).status == "Revoked"
    assert asked(server) == 1


async def test_closing_the_async_client_lets_the_check_finish(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    license_.revoke()
    async with (
        server.async_client(license_, folder=tmp_path) as client,
        client.open() as opened,
    ):
        assert opened.status == "Valid"
    assert validated(server, license_, tmp_path) == "Revoked"


def test_who_is_not_checked(server: FakeServer, license_: FakeLicense, tmp_path: Path) -> None:
    options = server.options(license_, folder=tmp_path)
    del options["server_base_endpoint"]
    with LicenseClient(**options) as client:
        assert client.validate().status == "Valid"
    with server.client(license_, folder=tmp_path) as client:
        assert client.validate_offline().status == "Valid"
    assert not server.requests


def test_the_key_may_be_in_the_file(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    options = server.options(license_, folder=tmp_path)
    del options["license_key"]
    license_.revoke()
    with LicenseClient(transport=server.transport, **options) as client:
        assert client.validate().status == "Valid"
    with LicenseClient(transport=server.transport, **options) as client:
        assert client.validate_offline().status == "Revoked"


def test_the_file_is_refreshed(server: FakeServer, license_: FakeLicense, tmp_path: Path) -> None:
    before = (tmp_path / "license.bin").read_text()
    server.advance(days=2)
    validated(server, license_, tmp_path)
    assert (tmp_path / "license.bin").read_text() != before


def test_a_freed_seat_is_not_taken_again(server: FakeServer, tmp_path: Path) -> None:
    """A refresh takes a seat for the device, so the check asks for a verdict first."""
    license_ = server.issue("Concurrent", seats=1, activation_mode="Offline")
    (tmp_path / "license.bin").write_text(license_.file("test-machine"))
    license_.devices[0].deactivate(force=True)
    assert validated(server, license_, tmp_path) == "Valid"
    assert not license_.devices
    assert validated(server, license_, tmp_path) == "ActivationRequired"


def test_a_response_that_is_not_signed_changes_nothing(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    options = server.options(license_, folder=tmp_path)
    server.rotate_keys()
    license_.revoke()
    for _ in range(2):
        with LicenseClient(transport=server.transport, **options) as client:
            assert client.validate().status == "Valid"
    assert asked(server) == 1
