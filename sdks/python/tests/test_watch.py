"""Checking in the background, with a callback."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from licet_seat_server import DEADLINE, wait_for

from licet import LicenseClient, LicenseFileError, LicenseResult
from licet.testing import FakeLicense, FakeServer

OFTEN = timedelta(milliseconds=10)


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


@pytest.fixture
def license_(server: FakeServer) -> FakeLicense:
    return server.issue("Subscription", features=["export"])


@pytest.fixture
def client(server: FakeServer, license_: FakeLicense, tmp_path: Path) -> Iterator[LicenseClient]:
    with server.client(license_, folder=tmp_path) as made:
        yield made


class Heard:
    """The results that a callback was given, with a wait for the next one."""

    def __init__(self) -> None:
        self.results: queue.Queue[LicenseResult] = queue.Queue()

    def __call__(self, result: LicenseResult) -> None:
        self.results.put(result)

    def status(self) -> str:
        return self.results.get(timeout=DEADLINE).status

    def nothing_more(self) -> bool:
        return self.results.empty()


def test_it_stops_with_its_block_and_with_its_client(
    client: LicenseClient, server: FakeServer
) -> None:
    heard = Heard()
    first = client.watch(heard, interval=OFTEN)
    assert heard.status() == "Valid"
    first.close()
    second = client.watch(heard, interval=OFTEN)
    assert heard.status() == "Valid"
    client.close()
    second.close()
    for watch in (first, second):
        assert watch._thread is not None
        assert not watch._thread.is_alive()


def test_a_callback_that_fails_does_not_end_it(
    client: LicenseClient, license_: FakeLicense
) -> None:
    heard = Heard()

    def fail(result: LicenseResult) -> None:
        heard(result)
        raise KeyError(result.status)

    with client.watch(fail, interval=OFTEN):
        assert heard.status() == "Valid"
        license_.revoke()
        assert heard.status() == "Revoked"


def test_a_callback_may_close_it(client: LicenseClient) -> None:
    heard = Heard()

    def close(result: LicenseResult) -> None:
        heard(result)
        watch.close()

    watch = client.watch(close, interval=timedelta(hours=1))
    assert heard.status() == "Valid"
    watch.close()


def test_a_check_that_fails_does_not_end_it(
    client: LicenseClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise LicenseFileError("It cannot be read.")

    heard = Heard()
    with monkeypatch.context() as patched:
        patched.setattr("licet._core.read_license", broken)
        watch = client.watch(heard, interval=OFTEN)
        wait_for(lambda: "was not checked in the background" in caplog.text)
    with watch:
        assert heard.status() == "Valid"


def test_an_open_license_follows_the_latest_check(
    client: LicenseClient, license_: FakeLicense
) -> None:
    heard = Heard()
    with client.open(on_change=heard) as opened:
        assert opened.valid
        assert opened.has_feature("export")
        license_.suspend()
        client.validate()
        assert heard.status() == opened.status == "Suspended"
        assert not opened.has_feature("export")
        license_.reinstate()
        client.validate_online()
        assert heard.status() == opened.status == "Valid"
        assert heard.nothing_more()


def test_an_open_license_without_a_seat_says_why(tmp_path: Path) -> None:
    server = FakeServer(heartbeat_interval_seconds=0.05, heartbeat_spacing_seconds=0)
    license_ = server.issue("Floating", seats=1)
    lost: queue.Queue[str] = queue.Queue()
    with (
        server.client(license_, folder=tmp_path) as client,
        client.open(on_lost=lambda _: lost.put(str(opened.status))) as opened,
    ):
        license_.revoke()
        assert lost.get(timeout=DEADLINE) == "Revoked"
        assert not opened.seat.held


@pytest.mark.parametrize("interval", [timedelta(0), timedelta(seconds=-1)])
def test_an_interval_is_positive(client: LicenseClient, interval: timedelta) -> None:
    with pytest.raises(ValueError, match="positive"):
        client.watch(print, interval=interval)


async def test_on_an_event_loop(server: FakeServer, license_: FakeLicense, tmp_path: Path) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def on_change(result: LicenseResult) -> None:
        await heard.put(result.status)
        if result.status == "Valid":
            raise KeyError(result.status)

    async with (
        server.async_client(license_, folder=tmp_path) as client,
        client.watch(on_change, interval=OFTEN) as watch,
    ):
        assert await asyncio.wait_for(heard.get(), DEADLINE) == "Valid"
        license_.revoke()
        assert await asyncio.wait_for(heard.get(), DEADLINE) == "Revoked"
        await watch.close()
        assert heard.empty()
        client.watch(lambda result: heard.put_nowait(result.status))
        assert await asyncio.wait_for(heard.get(), DEADLINE) == "Revoked"
