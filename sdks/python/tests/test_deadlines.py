"""One deadline for a call, whatever the network does, and a server that is not asked in vain."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from licet_testkit import (
    API_KEY,
    LICENSE_KEY,
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
    LicenseClient,
    LicenseResult,
    ServerTimeoutError,
    TransportReply,
    TransportRequest,
)

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
    """A network in which waiting takes no time."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waited: list[float] = []
        self.server: Any = None

    def send(self, request: TransportRequest) -> TransportReply:
        if self.server is not None:
            reply: TransportReply = self.server(request)
            return reply
        self.waited.append(request.timeout)
        self.now += request.timeout
        raise ServerTimeoutError("It did not respond.")

    def close(self) -> None: ...


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    made = World()
    for module in ("_api", "_validation"):
        monkeypatch.setattr(f"licet.{module}.monotonic", lambda: made.now)
    return made


def start(folder: Path, clock: FakeClock, world: World, **options: Any) -> LicenseResult:
    """Validate as an application that has just been started."""
    given = {"license_key": LICENSE_KEY, "api_key": API_KEY, "server_base_endpoint": BASE}
    settings = client_options(folder, clock, **{**given, **options})
    with LicenseClient(**settings, transport=world) as client:
        return client.validate()


def confirm(folder: Path, clock: FakeClock, server: LicenseServer, **terms: Any) -> None:
    """Validate once with a server, so that there is a grace period for it."""
    server.file_terms = terms
    options = online(server, server_base_endpoint=server.base)
    with make_client(folder, clock, **options) as client:
        assert client.validate()


def test_a_dead_server_delays_one_start_by_two_seconds(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, world: World
) -> None:
    confirm(tmp_path, clock, server)
    first, second = (start(tmp_path, clock, world) for _ in range(2))
    assert sum(world.waited) <= 2.0
    for result in (first, second):
        assert (result.status, type(result.cause)) == ("GracePeriod", ServerTimeoutError)
    assert "asked again after" in second.message
    clock.advance(minutes=16)
    start(tmp_path, clock, world)
    assert 2.0 < sum(world.waited) <= 4.0, "asked again"


def test_another_server_is_asked(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, world: World
) -> None:
    confirm(tmp_path, clock, server)
    start(tmp_path, clock, world)
    start(tmp_path, clock, world, server_base_endpoint="https://other.example.com/api")
    assert len(world.waited) == 2


def test_a_response_ends_the_silence(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, world: World
) -> None:
    confirm(tmp_path, clock, server)
    start(tmp_path, clock, world, server_base_endpoint=server.base)
    with make_client(tmp_path, clock, **online(server)) as client:
        assert client.validate().status == "GracePeriod"
        assert client.validate_online().status == "Valid", "this always asks"
        assert client.validate().status == "Valid"


def test_a_quick_failure_is_tried_again_at_each_start(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, world: World
) -> None:
    confirm(tmp_path, clock, server)
    calls: list[str] = []

    def refuse(request: TransportRequest) -> TransportReply:
        calls.append(request.url)
        raise ServerTimeoutError("At once.")

    world.server = refuse
    start(tmp_path, clock, world, timeout=0.1)
    start(tmp_path, clock, world, timeout=0.1)
    assert len(calls) == 2


@pytest.mark.parametrize("terms", [None, {"type": "Floating", "maxActiveUsersCount": 2}])
def test_where_the_server_is_needed_it_has_the_whole_timeout(
    tmp_path: Path,
    clock: FakeClock,
    server: LicenseServer,
    world: World,
    terms: dict[str, Any] | None,
) -> None:
    if terms is not None:
        confirm(tmp_path, clock, server, **terms)
    for _ in range(2):
        world.waited.clear()
        start(tmp_path, clock, world, timeout=30.0)
        assert sum(world.waited) == pytest.approx(30.0)


def test_a_signed_refusal_is_asked_about_again(
    tmp_path: Path, clock: FakeClock, server: LicenseServer, vendor: Vendor, world: World
) -> None:
    confirm(tmp_path, clock, server)
    start(tmp_path, clock, world, server_base_endpoint=server.base)
    server.status = "Revoked"
    with make_client(tmp_path, clock, **online(server)) as client:
        assert client.validate_online().status == "Revoked"
    server.status = "Valid"
    with make_client(tmp_path, clock, **online(server)) as client:
        assert client.validate().status == "Valid"
