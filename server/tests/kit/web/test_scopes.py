"""What an application is told of a request: what uvicorn tells, whose code ours replaces."""

import asyncio
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from licet_server.kit.web.connections import BoundedConnection, ConnectionLimits


class Transport:
    """A connection that nobody reads."""

    def __init__(self) -> None:
        self.written = b""

    def get_extra_info(self, name: str) -> Any:
        return {"peername": ("203.0.113.7", 50_000), "sockname": ("192.0.2.1", 443)}.get(name)

    def is_closing(self) -> bool:
        return False

    def write(self, data: bytes) -> None:
        self.written += data

    def can_write_eof(self) -> bool:
        return False

    def close(self) -> None: ...

    def resume_reading(self) -> None: ...


async def told(kind: Any, request: bytes, **options: Any) -> tuple[Any, ...] | None:
    """The scope, whether the connection is kept, and whether the body is waited for, if called."""
    scopes: list[Any] = []

    async def app(scope: Any, _receive: Any, send: Any) -> None:
        scopes.append(scope)
        await send({"type": "http.response.start", "status": 204})
        await send({"type": "http.response.body"})

    config = uvicorn.Config(app, ws="none", lifespan="off", log_config=None, proxy_headers=False)
    config.load()
    server: Any = uvicorn.Server(config)
    protocol = kind(
        config=config,
        server_state=server.server_state,
        app_state={"given": 1},
        _loop=asyncio.get_running_loop(),
        **options,
    )
    transport: Any = Transport()
    protocol.connection_made(transport)
    protocol.data_received(request)
    cycle = protocol.cycle
    keeps = cycle and (cycle.keep_alive, cycle.waiting_for_100_continue)
    await asyncio.gather(*server.server_state.tasks)
    protocol.connection_lost(None)
    return (*scopes, *keeps, transport.written) if scopes else None


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1",
        b"GET /a%20b/%C3%A4/%ff?x=%31&y HTTP/1.1",
        b"GET /a?b?c#d HTTP/1.1",
        b"GET //a/../b;c HTTP/1.1",
        b"GET http://licet.test:80/a?b HTTP/1.1",
        b"HEAD /a? HTTP/1.1",
        b"GET /a HTTP/1.0",
        b"GET /a HTTP/1.1\r\nConnection: Close\r\nX-Name:  Value ",
        b"GET /a HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket",
        b"POST /a HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-Continue",
        b"OPTIONS * HTTP/1.1",
        b"GET a HTTP/1.1",
        b"GET /a HTTP/3",
    ],
)
async def test_scopes_are_those_of_uvicorn(head: bytes) -> None:
    request = head + b"\r\nHost: licet.test\r\n\r\n"
    theirs = await told(HttpToolsProtocol, request)
    assert await told(BoundedConnection, request, limits=ConnectionLimits()) == theirs
