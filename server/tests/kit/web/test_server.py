"""The end of a server, over real sockets: whoever is connected is answered first."""

import asyncio
import socket
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import pytest
import uvicorn
from patience import PATIENCE_S

from licet_server import serving
from licet_server.kit.settings import Settings
from licet_server.kit.web import server as server_module
from licet_server.kit.web.connections import BoundedConnection, ConnectionLimits
from licet_server.kit.web.server import HttpServer

GET = b"GET / HTTP/1.1\r\nhost: licet.test\r\n\r\n"
SLOW = GET.replace(b"/ ", b"/slow ")


class Stopping:
    """A server that was started, and what its application does."""

    def __init__(self) -> None:
        self.release, self.is_ending = asyncio.Event(), asyncio.Event()
        port = socket.socket()
        port.bind(("127.0.0.1", 0))
        self.port: int = port.getsockname()[1]
        http: Any = partial(BoundedConnection, limits=ConnectionLimits())
        config = uvicorn.Config(
            self._app,
            interface="asgi3",
            http=http,
            lifespan="off",
            log_config=None,
            timeout_keep_alive=1,
            timeout_graceful_shutdown=20,
        )
        config.load()
        self.server = HttpServer(config, port, self.is_ending.set)

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-length", b"4")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"ha", "more_body": True})
        if scope["path"] == "/slow":
            await self.release.wait()
        await send({"type": "http.response.body", "body": b"lf", "more_body": False})

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def stop(self) -> None:
        self.server.should_exit = True
        await asyncio.wait_for(self.is_ending.wait(), PATIENCE_S)


@pytest.fixture
async def stopping(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stopping]:
    monkeypatch.setattr(server_module, "exempt_heap", lambda: None)
    stopping = Stopping()
    task = asyncio.create_task(stopping.server._serve())
    while not stopping.server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    yield stopping
    stopping.release.set()
    stopping.server.should_exit = True
    await asyncio.wait_for(task, PATIENCE_S)


async def _answer(reader: asyncio.StreamReader) -> bytes:
    async with asyncio.timeout(PATIENCE_S):
        head = await reader.readuntil(b"\r\n\r\n")
        assert await reader.readexactly(4) == b"half"
        return head.lower()


async def test_an_idle_connection_may_send_one_more_request(stopping: Stopping) -> None:
    reader, writer = await stopping.connect()
    writer.write(GET)
    assert b"connection: close" not in await _answer(reader)
    await stopping.stop()
    writer.write(GET)
    assert b"connection: close" in await _answer(reader)
    assert await reader.read() == b""


async def test_an_idle_connection_that_sends_nothing_is_closed(stopping: Stopping) -> None:
    used, writer = await stopping.connect()
    writer.write(GET)
    await _answer(used)
    unused, _ = await stopping.connect()
    await stopping.stop()
    async with asyncio.timeout(PATIENCE_S):
        assert (await used.read(), await unused.read()) == (b"", b"")


async def test_a_response_that_has_begun_is_finished_and_another_one_may_follow(
    stopping: Stopping,
) -> None:
    reader, writer = await stopping.connect()
    writer.write(SLOW)
    head = await reader.readuntil(b"\r\n\r\n")
    assert b"connection: close" not in head
    await stopping.stop()
    stopping.release.set()
    assert await reader.readexactly(4) == b"half"
    writer.write(GET)
    assert b"connection: close" in await _answer(reader)


async def test_a_response_without_an_end_has_the_grace(stopping: Stopping) -> None:
    stopping.server.config.timeout_graceful_shutdown = 1
    reader, writer = await stopping.connect()
    writer.write(SLOW)
    await reader.readuntil(b"\r\n\r\n")
    await stopping.stop()
    async with asyncio.timeout(PATIENCE_S):
        assert await reader.read() == b"ha", "it is cut off then"


def test_the_grace_is_a_setting() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None: ...

    config = serving._config(app, Settings(shutdown_grace=77))
    assert config.timeout_graceful_shutdown == 77


async def test_connections_in_the_queue_are_served(stopping: Stopping) -> None:
    stopping.server.unwatch()
    clients = [await stopping.connect() for _ in range(20)]
    for _, writer in clients:
        writer.write(GET)
    await stopping.stop()
    for reader, _ in clients:
        assert b" 200 ok" in await _answer(reader)
    with pytest.raises(ConnectionRefusedError):
        await stopping.connect()
