"""A small application behind `Processes`, which tells the process that answers."""

import os
import signal
import socket
import sys
from typing import Any

import uvicorn

from licet_server.kit.web.connections import BoundedConnection, ConnectionLimits
from licet_server.kit.web.processes import HandedServer, Processes

_KEPT_SECONDS = 120
"""Longer than a busy machine takes to open and count all connections."""


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Return the number of the process; `/hang` stops it."""
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
        return
    if scope["path"] == "/hang":
        os.kill(os.getpid(), signal.SIGSTOP)
    body = str(os.getpid()).encode()
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": 200, "headers": [length]})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def protocol(**options: Any) -> BoundedConnection:
    """A connection with the usual limits."""
    return BoundedConnection(limits=ConnectionLimits(), **options)


def serve(channel: socket.socket) -> None:
    """Serve in a process of its own."""
    http: Any = protocol
    config = uvicorn.Config(
        app,
        interface="asgi3",
        http=http,
        lifespan="on",
        log_config=None,
        timeout_keep_alive=_KEPT_SECONDS,
    )
    HandedServer(config, channel, lambda: None).run()


def fail(channel: socket.socket) -> None:
    """Fail to start."""
    sys.exit("It cannot start.")


def main(count: str, port: str, how: str = "serve") -> None:
    """Run so many processes on a port of this machine."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", int(port)))
        to_do = fail if how == "fail" else serve
        started = Processes(listener, int(count), to_do, 20, module=__name__).run()
    sys.exit(0 if started else 3)
