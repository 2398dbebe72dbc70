"""The HTTP server of a process, which loses no request at its end.

uvicorn stops by closing its port and every idle connection, and with them what has arrived but was
not read yet. Here, connected clients get a response first.
"""

import asyncio
import socket
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from ctypes import addressof, create_string_buffer
from typing import Any

import structlog
import uvicorn

from licet_server.kit.process import exempt_heap

COUNT_CONNECTIONS = "count_connections"
"""In the state of the lifespan: a function that returns the number of open connections."""

SWITCH_SECONDS = 0.001
"""How long a thread that computes keeps the event loop waiting, each time that it has something to
do. Python's own value, 5 ms, adds up: a validation waits for the database several times."""

_BACKLOG = 2048
_RETRY_SECONDS = 1.0
_HANDSHAKE_SECONDS = 0.1
_SO_ATTACH_FILTER = 26
_DROP_NEW = (
    (0x30, 0, 0, 13),  # load the flags of the TCP header
    (0x54, 0, 0, 0x12),  # keep SYN and ACK
    (0x15, 0, 1, 0x02),  # unless it is SYN alone, skip the next line
    (0x06, 0, 0, 0),  # drop the packet
    (0x06, 0, 0, 0xFFFFFFFF),  # accept the packet
)
_log = structlog.get_logger("licet.connections")


def waiting_connections(port: socket.socket) -> Iterator[socket.socket]:
    """Accept the connections that wait in the system's queue."""
    while True:
        try:
            connection, _ = port.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        yield connection


def begin_listening(port: socket.socket) -> None:
    """Let clients connect to a port that is bound."""
    port.listen(_BACKLOG)
    port.setblocking(False)


def drop_new(port: socket.socket) -> None:
    """Let no further connection begin, so that the port can be emptied before it is closed.

    Connections that have begun are still established. Only Linux can do it; elsewhere one that
    arrives in the microseconds between the last look and the closing is lost.
    """
    if sys.platform != "linux":
        return
    program = create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in _DROP_NEW))
    with suppress(OSError):  # a system that forbids it
        filter_ = struct.pack("HP", len(_DROP_NEW), addressof(program))
        port.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, filter_)


class HttpServer(uvicorn.Server):
    """Serves the connections of one source, which is a port, until SIGTERM or Ctrl-C.

    `before_shutdown` is called when the source is closed; it ends responses without an end.
    `on_listening` is called once clients can connect.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        source: socket.socket,
        before_shutdown: Callable[[], None],
        on_listening: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(config)
        self._source = source
        self._before_shutdown = before_shutdown
        self._on_listening = on_listening
        self._arriving: set[asyncio.Task[Any]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self.lifespan.state[COUNT_CONNECTIONS] = lambda: len(self.server_state.connections)
        await super().startup(sockets=[])
        exempt_heap()
        sys.setswitchinterval(SWITCH_SECONDS)
        self.begin()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.end()
        await asyncio.gather(*self._arriving)
        self._before_shutdown()
        await super().shutdown()

    def begin(self) -> None:
        """Begin to take connections."""
        begin_listening(self._source)
        self._on_listening()
        self.watch()

    async def end(self) -> None:
        """Take the connections that wait, and close the source."""
        drop_new(self._source)
        await asyncio.sleep(_HANDSHAKE_SECONDS)
        self.unwatch()
        self.take()
        self._source.close()

    def watch(self) -> None:
        """Take connections whenever there are some."""
        asyncio.get_running_loop().add_reader(self._source, self.take)

    def unwatch(self) -> None:
        """Stop accepting connections."""
        asyncio.get_running_loop().remove_reader(self._source)

    def take(self) -> None:
        """Serve the connections that wait."""
        try:
            for connection in self.waiting():
                self._arrive(connection)
        except OSError as error:  # no file is free: let some be closed
            _log.warning("connections_not_taken", reason=str(error))
            self.unwatch()
            asyncio.get_running_loop().call_later(_RETRY_SECONDS, self._watch_again)

    def waiting(self) -> Iterator[socket.socket]:
        """Return the connections that wait."""
        return waiting_connections(self._source)

    def _watch_again(self) -> None:
        if not self.should_exit:
            self.watch()

    def _arrive(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        task = asyncio.create_task(self._connect(connection))
        self._arriving.add(task)
        task.add_done_callback(self._arriving.discard)

    async def _connect(self, connection: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        with suppress(OSError):  # the client has left
            await loop.connect_accepted_socket(self._protocol, connection)

    def _protocol(self) -> asyncio.Protocol:
        create: Any = self.config.http_protocol_class
        protocol: asyncio.Protocol = create(
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
            _loop=asyncio.get_running_loop(),
        )
        return protocol
