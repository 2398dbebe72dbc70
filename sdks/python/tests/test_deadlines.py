"""One deadline for a call, whatever the network does, and a server that is not asked in vain."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
from licet_seat_server import DEADLINE, wait_for
from licet_testkit import (
    API_KEY,
    LICENSE_KEY,
    NO_TLS,
    FakeClock,
    LicenseServer,
    Vendor,
    client_options,
    fault_of,
    make_client,
    online,
)
from test_faults import raw_server

from licet import (
    AsyncLicenseClient,
    LicenseClient,
    LicenseResult,
    ServerRefusedError,
    ServerTimeoutError,
    TransportReply,
    TransportRequest,
)
from licet._connections import Network

BASE = "https://licenses.example.com/api"


def drip(connection: socket.socket) -> None:
    """Send a byte of a header at a time, without an end."""

    def send() -> None:
        try:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nX-Drip: ")
            while not threading.Event().wait(0.02):
                connection.sendall(b"x")
        except OSError:
            return

    threading.Thread(target=send, daemon=True).start()


async def test_headers_that_never_end(tmp_path: Path, clock: FakeClock) -> None:
    with raw_server(drip) as port:
        base = f"http://127.0.0.1:{port}/api"
        fault = await fault_of(tmp_path, clock, server_base_endpoint=base, timeout=0.5)
    assert type(fault) is ServerTimeoutError


@pytest.fixture
def silent_resolver(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    let_go = threading.Event()

    def resolve(*_: Any, **__: Any) -> list[Any]:
        let_go.wait(120)
        raise socket.gaierror(socket.EAI_AGAIN, "the resolver did not respond")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    yield
    let_go.set()


@pytest.mark.usefixtures("silent_resolver")
async def test_a_resolver_that_never_responds(tmp_path: Path, clock: FakeClock) -> None:
    fault = await fault_of(tmp_path, clock, server_base_endpoint=BASE, timeout=0.5)
    assert type(fault) is ServerTimeoutError


def test_later_calls_are_not_affected(
    tmp_path: Path, clock: FakeClock, server: LicenseServer
) -> None:
    with raw_server(drip) as port:
        options = online(server, server_base_endpoint=f"http://127.0.0.1:{port}/api", timeout=0.5)
        client = make_client(tmp_path, clock, **options)
        with client, pytest.raises(ServerTimeoutError):
            client.validate_online()
    with make_client(tmp_path, clock, **online(server)) as client:
        assert client.validate_online()


class World:
    """A server that responds when it is told to.

    Attributes:
        waited: The timeouts of the requests that were not answered.
        gate: Holds requests back until it is set; without one, waiting takes no time.
        server: Answers the requests; without one, they time out.
    """

    def __init__(self) -> None:
        self.now = 100.0
        self.waited: list[float] = []
        self.gate: threading.Event | None = None
        self.server: Any = None

    def send(self, request: TransportRequest) -> TransportReply:
        self.waited.append(request.timeout)
        if self.gate is not None:
            self.gate.wait(120)
        else:
            self.now += request.timeout
        if self.server is None:
            raise ServerTimeoutError("It did not respond.")
        reply: TransportReply = self.server(request)
        return reply

    def close(self) -> None: ...


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    made = World()
    monkeypatch.setattr("licet._api.monotonic", lambda: made.now)
    yield made
    if made.gate is not None:
        made.gate.set()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch, world: World) -> World:
    """Starts that go on after a moment, and a server that holds its answers back."""
    monkeypatch.setattr("licet._validation.START_SECONDS", 0.02)
    monkeypatch.setattr("licet._validation.LONG_WAIT_SECONDS", 0.0)
    monkeypatch.setattr("licet._daily_check.CLOSE_TIMEOUT_SECONDS", 0.0)
    world.gate = threading.Event()
    return world


def client_of(folder: Path, clock: FakeClock, world: World, **options: Any) -> LicenseClient:
    given = {"license_key": LICENSE_KEY, "api_key": API_KEY, "server_base_endpoint": BASE}
    settings = client_options(folder, clock, **{**given, **options})
    return LicenseClient(**settings, transport=world)


def start(folder: Path, clock: FakeClock, world: World, **options: Any) -> LicenseResult:
    """Validate as an application that has just been started."""
    with client_of(folder, clock, world, **options) as client:
        return client.validate()


def confirm(folder: Path, clock: FakeClock, server: LicenseServer, **terms: Any) -> None:
    """Validate once with a server, so that there is a grace period for it."""
    server.file_terms = terms
    options = online(server, server_base_endpoint=server.base)
    with make_client(folder, clock, **options) as client:
        assert client.validate()


def answers_of(server: LicenseServer) -> Any:
    """Let a loopback server answer the requests to a world."""

    def send(request: TransportRequest) -> TransportReply:
        to = replace(request, url=request.url.replace(BASE, server.base), timeout=30)
        network = Network(NO_TLS, trust_env=False).connect()
        try:
            return network.send(to)
        finally:
            network.close()

    return send


def test_a_silent_server_delays_one_start(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, hurried: World
) -> None:
    confirm(tmp_path, clock, server)
    first, second = (start(tmp_path, clock, hurried) for _ in range(2))
    assert len(hurried.waited) == 1
    for result in (first, second):
        assert (result.status, type(result.cause)) == ("GracePeriod", ServerTimeoutError)
    assert "asked again after" in second.message
    clock.advance(minutes=16)
    start(tmp_path, clock, hurried)
    assert len(hurried.waited) == 2, "asked again"


def test_another_server_is_asked(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, hurried: World
) -> None:
    confirm(tmp_path, clock, server)
    start(tmp_path, clock, hurried)
    start(tmp_path, clock, hurried, server_base_endpoint="https://other.example.com/api")
    assert len(hurried.waited) == 2


def test_a_slow_answer_is_believed(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, hurried: World
) -> None:
    confirm(tmp_path, clock, server)
    server.status = "Revoked"
    hurried.server = answers_of(server)
    with client_of(tmp_path, clock, hurried) as client, client.open() as opened:
        assert opened.status == "GracePeriod"
        assert hurried.gate is not None
        hurried.gate.set()
        wait_for(lambda: opened.status == "Revoked")
        assert not opened.has_feature("export")
        assert client.validate_offline().status == "Revoked"


async def test_a_slow_answer_is_believed_on_an_event_loop(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, hurried: World
) -> None:
    class Slow:
        async def send(self, request: TransportRequest) -> TransportReply:
            return await asyncio.to_thread(hurried.send, request)

        async def aclose(self) -> None: ...

    confirm(tmp_path, clock, server)
    server.status = "Revoked"
    hurried.server = answers_of(server)
    given = {"license_key": LICENSE_KEY, "api_key": API_KEY, "server_base_endpoint": BASE}
    settings = client_options(tmp_path, clock, **given)
    changes: asyncio.Queue[LicenseResult] = asyncio.Queue()
    async with (
        AsyncLicenseClient(**settings, transport=Slow()) as client,
        client.open(on_change=changes.put) as opened,
    ):
        assert opened.status == "GracePeriod"
        assert hurried.gate is not None
        hurried.gate.set()
        assert (await asyncio.wait_for(changes.get(), DEADLINE)).status == "Revoked"
        assert opened.status == "Revoked"


def test_closing_waits_for_the_answer(
    tmp_path: Path,
    clock: FakeClock,
    server: LicenseServer,
    hurried: World,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    confirm(tmp_path, clock, server)
    server.status = "Revoked"
    hurried.server = answers_of(server)
    monkeypatch.setattr("licet._daily_check.CLOSE_TIMEOUT_SECONDS", DEADLINE)
    client = client_of(tmp_path, clock, hurried)
    assert client.validate().status == "GracePeriod"
    assert hurried.gate is not None
    hurried.gate.set()
    client.close()
    assert client.validate_offline().status == "Revoked"


def test_a_response_ends_the_silence(
    tmp_path: Path,
    clock: FakeClock,
    server: LicenseServer,
    hurried: World,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    confirm(tmp_path, clock, server)
    start(tmp_path, clock, hurried, server_base_endpoint=server.base)
    with make_client(tmp_path, clock, **online(server)) as client:
        assert client.validate().status == "GracePeriod"
        assert client.validate_online().status == "Valid", "this always asks"
        monkeypatch.setattr("licet._validation.START_SECONDS", DEADLINE)
        assert client.validate().status == "Valid"


def test_a_refused_connection_is_neither_repeated_nor_silence(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, world: World
) -> None:
    confirm(tmp_path, clock, server)

    def refuse(_: TransportRequest) -> TransportReply:
        raise ServerRefusedError("At once.")

    world.server = refuse
    for asked in (1, 2):
        assert start(tmp_path, clock, world).status == "GracePeriod"
        assert len(world.waited) == asked


def test_pauses_are_not_silence(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, world: World
) -> None:
    confirm(tmp_path, clock, server)
    world.server = lambda _: TransportReply(503, {"retry-after": "1"}, b"")
    for asked in (1, 2):
        assert start(tmp_path, clock, world).status == "GracePeriod"
        assert len(world.waited) == asked


@pytest.mark.usefixtures("no_pauses")
@pytest.mark.parametrize("terms", [None, {"type": "Floating", "maxActiveUsersCount": 2}])
def test_where_the_server_is_needed_it_has_the_whole_timeout_once(
    tmp_path: Path,
    clock: FakeClock,
    server: LicenseServer,
    world: World,
    terms: dict[str, Any] | None,
) -> None:
    if terms is not None:
        confirm(tmp_path, clock, server, **terms)
    for seconds in (30.0, 4.0, 4.0):
        world.waited.clear()
        start(tmp_path, clock, world, timeout=30.0)
        assert sum(world.waited) == pytest.approx(seconds)
        assert len(world.waited) == 3, "each silent connection leaves time for another"
    clock.advance(minutes=16)
    world.waited.clear()
    start(tmp_path, clock, world, timeout=30.0)
    assert sum(world.waited) == pytest.approx(30.0)


def test_a_watch_waits_for_each_answer(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, hurried: World
) -> None:
    confirm(tmp_path, clock, server)
    server.status = "Revoked"
    hurried.server = answers_of(server)
    heard: Queue[LicenseResult] = Queue()
    with client_of(tmp_path, clock, hurried) as client, client.watch(heard.put):
        wait_for(lambda: hurried.waited == [10.0])
        assert hurried.gate is not None
        hurried.gate.set()
        assert heard.get(timeout=DEADLINE).status == "Revoked"


def test_a_signed_refusal_is_asked_about_again(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor, hurried: World
) -> None:
    confirm(tmp_path, clock, server)
    start(tmp_path, clock, hurried, server_base_endpoint=server.base)
    server.status = "Revoked"
    with make_client(tmp_path, clock, **online(server)) as client:
        assert client.validate_online().status == "Revoked"
    server.status = "Valid"
    with make_client(tmp_path, clock, **online(server)) as client:
        assert client.validate().status == "Valid"
