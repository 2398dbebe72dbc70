"""Telemetry: off by default, and never blocking the application."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from licet_seat_server import DEADLINE

from licet import (
    AsyncLicenseClient,
    LicenseClient,
    ServerTimeoutError,
    TransportReply,
    TransportRequest,
)
from licet import _async_telemetry as async_telemetry
from licet import _telemetry as telemetry
from licet._telemetry import MAX_BATCH, MAX_QUEUED, EventQueue
from licet.testing import FakeLicense, FakeServer

START = datetime(2030, 1, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def server() -> FakeServer:
    return FakeServer(clock=lambda: START)


@pytest.fixture
def license_(server: FakeServer) -> FakeLicense:
    return server.issue("Perpetual")


def names(server: FakeServer) -> list[str]:
    return [event.name for event in server.telemetry]


class Stuck:
    """A transport whose requests hang until released."""

    def __init__(self) -> None:
        self.requests, self.free = threading.Event(), threading.Event()

    def send(self, request: TransportRequest) -> TransportReply:
        self.requests.set()
        self.free.wait(DEADLINE)
        raise ServerTimeoutError("No answer came.")

    def close(self) -> None:
        return


def test_nothing_is_sent_while_off(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    with server.client(license_, folder=tmp_path) as client:
        for _ in range(MAX_BATCH):
            client.track("start")
        assert "licet-telemetry" not in {thread.name for thread in threading.enumerate()}
    assert server.requests == ()


def test_the_settings_file_turns_it_on(tmp_path: Path, server: FakeServer) -> None:
    required = {"product_id": server.product_id, "public_key": server.public_key}
    (tmp_path / "licet.json").write_text('{"Telemetry": true}')
    client = LicenseClient.from_settings(tmp_path, **required)  # type: ignore[arg-type]
    assert client._core.config.telemetry is True
    client.track("no server is configured")
    client.close()


def test_queued_events_are_sent_on_close(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    with server.client(license_, folder=tmp_path, telemetry=True) as client:
        client.track("file.exported", format="pdf", pages=12, scale=0.5, signed=True)
    [event] = server.telemetry
    assert (event.name, event.occurred_at) == ("file.exported", START)
    assert event.properties == {"format": "pdf", "pages": 12, "scale": 0.5, "signed": True}
    assert (event.license_id, event.hardware_id) == (license_.id, client.hardware_id)


def test_a_full_batch_is_sent_at_once(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    client = server.client(license_, folder=tmp_path, telemetry=True)
    for number in range(MAX_BATCH):
        client.track(f"event.{number}")
    wait_until(lambda: len(server.telemetry) == MAX_BATCH)
    assert names(server)[:2] == ["event.0", "event.1"]
    client.close()
    assert len(server.requests) == 1


def wait_until(condition: Callable[[], bool]) -> None:
    turn = threading.Event()
    for _ in range(3000):
        if condition():
            return
        turn.wait(0.01)
    raise AssertionError("it did not come to that")


def test_invalid_values_are_adjusted(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    class Odd:
        def __str__(self) -> str:
            raise RuntimeError("no text")

    with server.client(license_, folder=tmp_path, telemetry=True) as client:
        client.track("x" * 500)
        client.track("a\0b", **{"k" * 80: "v" * 900, "": 1, "none": None, "list": [1]})
        client.track("numbers", inf=float("inf"), big=10**30, nan=float("nan"))
        client.track("many", **{str(number): number for number in range(40)})
        client.track("  ")
        client.track("odd", odd=Odd())
        client.track(5)  # type: ignore[arg-type]
    long, cut, numbers, many, five = server.telemetry
    assert (long.name, cut.name, five.name) == ("x" * 100, "ab", "5")
    assert cut.properties == {"k" * 50: "v" * 500, "list": "[1]"}
    assert numbers.properties == {"inf": "inf", "big": str(10**30), "nan": "nan"}
    assert len(many.properties) == 20


def test_a_hanging_server_does_not_block_the_application(
    server: FakeServer,
    license_: FakeLicense,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Requests hang only in the background, and closing waits for them only briefly."""
    monkeypatch.setattr(telemetry, "CLOSE_TIMEOUT_SECONDS", 0.05)
    stuck = Stuck()
    options = server.options(license_, folder=tmp_path, telemetry=True)
    client = LicenseClient(transport=stuck, **options)
    for number in range(MAX_BATCH):
        client.track(f"event.{number}")
    assert stuck.requests.wait(DEADLINE)
    for number in range(5 * MAX_QUEUED):
        client.track(f"event.{number}")
    client.close()
    assert not stuck.free.is_set()
    stuck.free.set()


def test_unsent_events_are_sent_later(
    server: FakeServer,
    license_: FakeLicense,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(telemetry, "SEND_INTERVAL_SECONDS", 0.01)
    server.go_offline()
    client = server.client(license_, folder=tmp_path, telemetry=True)
    client.track("first")
    wait_until(lambda: len(server.requests) >= 2)
    client.track("second")
    server.go_online()
    wait_until(lambda: len(server.telemetry) == 2)
    client.close()
    assert names(server) == ["first", "second"]


def test_refused_events_are_dropped(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    server.issue("Perpetual")
    client = server.client("00000-00000-00000-00000-00000", folder=tmp_path, telemetry=True)
    with client:
        client.track("start")
    assert [request.path for request in server.requests] == ["/telemetry"]
    assert server.telemetry == ()


def test_a_full_queue_drops_the_oldest_events() -> None:
    queue = EventQueue()
    for number in range(MAX_QUEUED + 5):
        queue.add({"name": number})
    batch = queue.take_batch()
    assert [item["name"] for item in batch] == list(range(5, 5 + MAX_BATCH))
    for number in range(60):
        queue.add({"name": f"new {number}"})
    queue.put_back(batch)
    assert len(queue) == MAX_QUEUED
    assert queue.take_batch()[0]["name"] == 5 + 60
    full = EventQueue()
    for number in range(MAX_QUEUED):
        full.add({"name": number})
    full.put_back([{"name": "old"}])
    assert full.take_batch()[0]["name"] == 0


def test_long_events_are_sent_in_requests_that_the_server_accepts(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    details = {f"key {number}": "\N{GRINNING FACE}" * 400 for number in range(5)}
    with server.client(license_, folder=tmp_path, telemetry=True) as client:
        for number in range(8):
            client.track(f"event {number}", **details)
        client.track(
            "beyond any request", **{f"key {n}": "\N{GRINNING FACE}" * 500 for n in range(20)}
        )
        client.track("short")
    assert names(server) == [f"event {number}" for number in range(8)] + ["short"]
    assert len(server.requests) > 1


def test_concurrent_tracking(server: FakeServer, license_: FakeLicense, tmp_path: Path) -> None:
    with server.client(license_, folder=tmp_path, telemetry=True) as client:

        def work(number: int) -> None:
            for n in range(50):
                client.track(f"event.{number}.{n}")

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(set(names(server))) == 400


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_a_forked_child_sends_only_its_own_events(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    client = server.client(license_, folder=tmp_path, telemetry=True)
    client.track("parent")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        client.track("child")
        client.close()
        os.write(writing, ",".join(names(server)).encode())
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as said:
        assert said.read() == "child"
    client.close()
    assert names(server) == ["parent"]


# asyncio.


async def test_async_queued_events_are_sent_on_close(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    async with server.async_client(license_, folder=tmp_path, telemetry=True) as client:
        client.track("file.exported", format="pdf")
        client.track("file.closed")
    assert names(server) == ["file.exported", "file.closed"]


async def test_async_nothing_is_sent_while_off(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    async with server.async_client(license_, folder=tmp_path) as client:
        client.track("start")
        assert "licet-telemetry" not in {task.get_name() for task in asyncio.all_tasks()}
    assert server.requests == ()


async def test_async_a_full_batch_is_sent_at_once(
    server: FakeServer, license_: FakeLicense, tmp_path: Path
) -> None:
    client = server.async_client(license_, folder=tmp_path, telemetry=True)
    for number in range(MAX_BATCH):
        client.track(f"event.{number}")
    await asyncio.to_thread(wait_until, lambda: len(server.telemetry) == MAX_BATCH)
    await client.aclose()
    assert len(server.requests) == 1


async def test_async_a_hanging_server_does_not_block_the_application(
    server: FakeServer,
    license_: FakeLicense,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(telemetry, "CLOSE_TIMEOUT_SECONDS", 0.05)
    requested = asyncio.Event()

    class Stuck:
        async def send(self, request: TransportRequest) -> TransportReply:
            requested.set()
            await asyncio.Event().wait()
            raise AssertionError

        async def aclose(self) -> None:
            return

    options: Any = server.options(license_, folder=tmp_path, telemetry=True)
    client = AsyncLicenseClient(transport=Stuck(), **options)
    for number in range(3 * MAX_QUEUED):
        client.track(f"event.{number}")
    await asyncio.wait_for(requested.wait(), DEADLINE)
    await client.aclose()


async def test_async_unsent_events_are_sent_later(
    server: FakeServer,
    license_: FakeLicense,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (telemetry, async_telemetry):
        monkeypatch.setattr(module, "SEND_INTERVAL_SECONDS", 0.01)
    server.go_offline()
    client = server.async_client(license_, folder=tmp_path, telemetry=True)
    client.track("first")
    await asyncio.to_thread(wait_until, lambda: len(server.requests) >= 2)
    server.go_online()
    await asyncio.to_thread(wait_until, lambda: len(server.telemetry) == 1)
    await client.aclose()
    assert names(server) == ["first"]
