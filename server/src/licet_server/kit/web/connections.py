"""Bounds of a connection: how large and how slow a request may be, and how many connections.

Nothing that a sender has not finished is kept beyond these bounds: uvicorn's parser keeps a header
of any size, waits for the rest of a request forever, and takes every connection.
"""

import asyncio
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import structlog
from httptools import parse_url
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from licet_server.kit.clock import system_clock
from licet_server.kit.errors import ErrorCode, Refused, unavailable
from licet_server.kit.ids import new_id_text
from licet_server.kit.web.context import sane_request_id
from licet_server.kit.web.heads import breach_of_head, combined
from licet_server.kit.web.problems import PROBLEM_JSON, problem_document, problem_headers
from licet_server.kit.web.response_writer import ResponseWriter

TICK_SECONDS = 1.0
"""How often a connection is looked at; limits in seconds hold with this precision."""

_LINGERING = 256
_DISCARDED = 2**20
_AROUND_A_HEADER = len(": \r\n")
_log = structlog.get_logger("licet.connections")


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The bounds of each connection, and the number of connections of a process.

    A body may take `body_seconds`, and for each `body_bytes_per_second` that have arrived a second
    more. A client that reads none of its response for `unread_seconds` is disconnected.
    """

    connections: int = 2000
    line_bytes: int = 8 * 1024
    head_bytes: int = 16 * 1024
    headers: int = 100
    pipelined: int = 16
    head_seconds: float = 10
    body_seconds: float = 20
    body_bytes_per_second: int = 500
    unread_seconds: float = 120


class BoundedConnection(HttpToolsProtocol):
    """One connection; everything that exceeds its limits is refused, and the connection closed."""

    def __init__(self, *args: Any, limits: ConnectionLimits, **options: Any) -> None:
        super().__init__(*args, **options)
        self._limits = limits
        self._refusal: Refused | None = None
        self._is_refused = False
        self._discarded_bytes = 0
        self._tick: asyncio.TimerHandle | None = None
        # Of the request that is arriving.
        self._in_head = True
        self._head_deadline: float | None = None
        self._idle_deadline = 0.0
        # Received, but neither a whole head nor content of a body: a header, a chunk's size.
        self._waiting_bytes = 0
        self._headers = self._head_bytes = 0
        self._body_bytes = 0
        self._body_deadline: float | None = None
        self._unread_since: float | None = None
        self._is_shutting_down = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._tick = self.loop.call_later(TICK_SECONDS, self._look)
        self._idle_deadline = self.loop.time() + self._limits.head_seconds
        self._head_deadline = self._idle_deadline
        surplus = len(self.connections) - self._limits.connections
        if surplus > _LINGERING:
            transport.abort()
        elif surplus > 0:
            if surplus == 1:
                _log.warning("connections_full", connections=self._limits.connections)
            self._refuse(unavailable())

    def connection_lost(self, exc: Exception | None) -> None:
        if self._tick is not None:
            self._tick.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if len(data) <= self._limits.head_bytes:
            self._receive(data)
            return
        # In pieces, so that what the parser has not yet handed over is at most a piece too much.
        step = self._limits.head_bytes
        for start in range(0, len(data), step):
            self._receive(data[start : start + step])

    def _discard(self, data: bytes) -> None:
        """Let a client finish writing, so that it sees the answer; but not endlessly."""
        self._discarded_bytes += len(data)
        if self._discarded_bytes > _DISCARDED:
            self.flow.pause_reading()

    def _receive(self, piece: bytes) -> None:
        if self._is_refused or self.transport.is_closing():
            self._discard(piece)
            return
        self._waiting_bytes += len(piece)
        super().data_received(piece)
        if self._waiting_bytes > self._limits.head_bytes:
            self._refusal = self._refusal or _too_large(self._limits)
        if self._refusal is not None:
            self._refuse(self._refusal)

    def on_message_begin(self) -> None:
        self._headers = self._head_bytes = 0
        if self._head_deadline is not None:
            began = self.loop.time() + self._limits.head_seconds
            self._head_deadline = min(self._head_deadline, began)
        self.url = b""
        self.headers = []
        self.expect_100_continue = False

    def on_url(self, url: bytes) -> None:
        self.url += url
        self._head_bytes += len(url)
        if len(self.url) > self._limits.line_bytes:
            self._refusal = self._refusal or _too_large(self._limits)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers += 1
        self._head_bytes += len(name) + len(value) + _AROUND_A_HEADER
        limits = self._limits
        if self._headers > limits.headers or self._head_bytes > limits.head_bytes:
            self._refusal = self._refusal or _too_large(limits)
        elif self._refusal is None and self._in_head:  # a trailer only counts
            name = name.lower()
            if name == b"expect" and value.lower() == b"100-continue":
                self.expect_100_continue = True
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._waiting_bytes = 0
        self._head_deadline = None
        self._body_bytes = 0
        self._body_deadline = None
        if len(self.pipeline) >= self._limits.pipelined:
            self._refusal = self._refusal or unavailable()
        if self._refusal is None:
            breach = breach_of_head(self.headers, self.parser.get_http_version())
            if breach is not None:
                self._refusal = Refused(ErrorCode.INVALID_REQUEST, breach)
        if self._refusal is None:
            self._begin_request()

    def _begin_request(self) -> None:
        """Call the application, or let it wait for the response before; as uvicorn does."""
        version = self.parser.get_http_version()
        url = parse_url(self.url)
        path = url.path.decode("ascii")
        scope: Any = {
            "type": "http",
            "asgi": {"version": self.asgi_version, "spec_version": "2.3"},
            "http_version": version,
            "server": self.server,
            "client": self.client,
            "scheme": self.scheme,
            "root_path": "",
            "headers": self.headers,
            "state": self.app_state.copy(),
            "method": self.parser.get_method().decode("ascii"),
            "path": unquote(path) if "%" in path else path,
            "raw_path": url.path,
            "query_string": url.query or b"",
        }
        earlier: RequestResponseCycle | None = self.cycle
        self.cycle = ResponseWriter(
            scope=scope,
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=False,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=self.expect_100_continue,
            keep_alive=not self._is_shutting_down
            and version != "1.0"
            and self.parser.should_keep_alive(),
            on_response=self.on_response_complete,
        )
        if earlier is None or earlier.response_complete:
            self._start_asgi_task(self.cycle, self.app)
        else:
            self.flow.pause_reading()
            self.pipeline.appendleft((self.cycle, self.app))

    def on_body(self, body: bytes) -> None:
        self._waiting_bytes = 0
        self._body_bytes += len(body)
        if self._refusal is None:
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_head = True
        self._waiting_bytes = 0
        if self._refusal is not None:
            return
        if self.cycle.response_complete:
            self._await_head()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Begin with the next request that has arrived, if any.

        uvicorn would also set a timer for each response; `_look` closes idle connections.
        """
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
        self._await_head()

    def shutdown(self) -> None:
        """Close the connection with its next response, or when it is idle for as long as ever.

        To close it at once would reset it if a request is on its way. A response that has begun
        did not say that it is the last one, so another request may follow it.
        """
        self._is_shutting_down = True
        cycle: RequestResponseCycle | None = self.cycle
        newest = self.pipeline[0][0] if self.pipeline else cycle
        if newest is None:
            self._close_if_idle()
        elif not newest.response_started:
            newest.keep_alive = False

    def _close_if_idle(self) -> None:
        if self._waiting_bytes == 0:
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

    def pause_writing(self) -> None:
        self._unread_since = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._unread_since = None
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        self._refusal = Refused(ErrorCode.INVALID_REQUEST, "The request is not valid HTTP.")

    def _await_head(self) -> None:
        """Allow the client to be idle between requests, then the time of a head."""
        self._idle_deadline = self.loop.time() + self.timeout_keep_alive
        self._head_deadline = self._idle_deadline + self._limits.head_seconds

    @property
    def _is_answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _look(self) -> None:
        """Disconnect a client that takes too long; called every `TICK_SECONDS`."""
        if self._is_refused or self.transport.is_closing():
            self.transport.abort()
            return
        self._tick = self.loop.call_later(TICK_SECONDS, self._look)
        now = self.loop.time()
        if self._unread_since is not None:
            if now - self._unread_since > self._limits.unread_seconds:
                self.transport.abort()
        elif not self._in_head:
            self._look_at_body(now)
        elif self._head_deadline is not None and not self._is_answering:
            self._look_at_head(now, self._head_deadline)

    def _look_at_head(self, now: float, deadline: float) -> None:
        """Refuse a head that is too slow; one that has not begun gets no response.

        A browser that connected ahead may be sending its first request just now, and would take
        the refusal for its response. A connection that is closed instead, it replaces.
        """
        if self._waiting_bytes == 0:
            if now > self._idle_deadline:
                self.transport.close()
        elif now > deadline:
            self._refuse(_too_slow())

    def _look_at_body(self, now: float) -> None:
        if self._body_deadline is None or self.flow.read_paused:  # paused: we are the slow ones
            seconds = self._limits.body_seconds + self._earned_seconds
            self._body_deadline = now + seconds - self._earned_seconds
        elif now > self._body_deadline + self._earned_seconds:
            self._refuse(_too_slow())

    @property
    def _earned_seconds(self) -> float:
        return self._body_bytes / self._limits.body_bytes_per_second

    def _refuse(self, refused: Refused) -> None:
        """Answer, unless another answer has begun; discard what still arrives; close soon."""
        self._is_refused = True
        begun = False
        if self._is_answering:
            begun = self.cycle.response_started or bool(self.pipeline)
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.flow.resume_writing()
        if begun:
            self.transport.abort()
            return
        given = combined(self.headers or ()).get(b"x-request-id")
        request_id = sane_request_id(given) or new_id_text(system_clock())
        self.transport.write(_response(refused, request_id))
        # Closing now would reset the connection while the client writes, and lose the answer.
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()


def _response(refused: Refused, request_id: str) -> bytes:
    status, body = problem_document(refused, request_id)
    headers = {
        "x-request-id": request_id,
        "content-type": PROBLEM_JSON,
        "content-length": str(len(body)),
        "connection": "close",
        "cache-control": "no-store",
        **problem_headers(refused),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return b"HTTP/1.1 %d \r\n%b\r\n%b" % (status, lines.encode(), body)


def _too_large(limits: ConnectionLimits) -> Refused:
    return Refused(
        ErrorCode.PAYLOAD_TOO_LARGE,
        f"The address of a request may have {limits.line_bytes:,} bytes, and its headers "
        f"{limits.head_bytes:,} bytes in at most {limits.headers} lines. Send less.",
    )


def _too_slow() -> Refused:
    return Refused(
        ErrorCode.INVALID_REQUEST,
        "The request did not arrive in time. Send it again, without pauses.",
    )
