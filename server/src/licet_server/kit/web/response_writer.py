"""Writes responses to connections: head and body together, by one system call and in one packet.

uvicorn writes the head as soon as an application begins its response and the body after it, and
matches the name and value of each header against patterns: a third of the time of a request for
nothing. ASGI lets a server wait for the first part of the body before it sends the head.
"""

from typing import Any

from litestar.types import Message
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

_STATUS = {status: line.rstrip() for status, line in STATUS_LINE.items()}
_WITHOUT_BODY = frozenset({204, 304})
_JOINED = 64 * 1024
"""A longer part of a body is not copied to join it to its head."""


class ResponseWriter:
    """Writes the response of one request; its `send` takes the place of uvicorn's."""

    __slots__ = ("_cycle", "_has_body", "_head")

    def __init__(self, cycle: RequestResponseCycle) -> None:
        self._cycle = cycle
        self._head = b""
        self._has_body = True

    async def send(self, message: Message) -> None:
        """Take the next ASGI message of the response.

        Raises:
            RuntimeError: for a message out of order, a header with a line break in it, or a body
                that is not as long as its `Content-Length`.
        """
        cycle = self._cycle
        if cycle.flow.write_paused and not cycle.disconnected:
            await cycle.flow.drain()
        if cycle.disconnected:
            return
        expected = "http.response.body" if cycle.response_started else "http.response.start"
        if message["type"] != expected or cycle.response_complete:
            raise RuntimeError(f"The application sent {message['type']!r} out of order.")
        if cycle.response_started:
            self._continue(message)
        else:
            self._begin(message)

    def _begin(self, message: Any) -> None:
        cycle = self._cycle
        status = message["status"]
        lines = [_STATUS[status]]
        is_chunked = self._has_body = (
            status not in _WITHOUT_BODY and cycle.scope["method"] != "HEAD"
        )
        for given, value in (*cycle.default_headers, *message.get("headers", ())):
            name = given.lower()
            if name == b"content-length":
                cycle.expected_content_length = int(value) if self._has_body else 0
                is_chunked = False
            elif name == b"connection" and value.lower() == b"close":
                cycle.keep_alive = False
                continue
            elif name == b"transfer-encoding":  # for the server to choose
                continue
            lines.append(name + b": " + value)
        if not cycle.keep_alive:
            lines.append(b"connection: close")
        if is_chunked:
            lines.append(b"transfer-encoding: chunked")
        lines += (b"", b"")
        head = b"\r\n".join(lines)
        breaks = len(lines) - 1
        if head.count(b"\n") != breaks or head.count(b"\r") != breaks or b"\0" in head:
            raise RuntimeError("A header of the response contains a line break or a NUL.")
        cycle.chunked_encoding = is_chunked
        cycle.response_started = True
        cycle.waiting_for_100_continue = False
        self._head = head

    def _continue(self, message: Any) -> None:
        cycle = self._cycle
        body: bytes = message.get("body", b"") if self._has_body else b""
        is_last = not message.get("more_body", False)
        if cycle.chunked_encoding:
            body = _chunk(body, is_last)
        else:
            cycle.expected_content_length -= len(body)
            if cycle.expected_content_length < 0 or (is_last and cycle.expected_content_length):
                raise RuntimeError("The body is not as long as its Content-Length.")
        self._write(body)
        if is_last:
            cycle.response_complete = True
            cycle.message_event.set()
            if not cycle.keep_alive:
                cycle.transport.close()
            cycle.on_response()

    def _write(self, body: bytes) -> None:
        head, self._head = self._head, b""
        if head and len(body) > _JOINED:
            self._cycle.transport.writelines((head, body))
        elif head or body:
            self._cycle.transport.write(head + body)


def _chunk(body: bytes, is_last: bool) -> bytes:
    chunk = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
    return chunk + b"0\r\n\r\n" if is_last else chunk
