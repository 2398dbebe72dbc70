"""Writes responses to connections: head and body together, by one system call and in one packet.

uvicorn writes the head as soon as an application begins its response and the body after it, and
matches the name and value of each header against patterns: a third of the time of a request for
nothing. ASGI lets a server wait for the first part of the body before it sends the head.
"""

from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

_STATUS = {status: line.rstrip() for status, line in STATUS_LINE.items()}
_WITHOUT_BODY = frozenset({204, 304})
_OF_CONNECTION = frozenset({b"connection", b"content-length", b"transfer-encoding"})
_JOINED = 64 * 1024
"""A longer part of a body is not copied to join it to its head."""


class ResponseWriter(RequestResponseCycle):
    """A request that writes its response itself; it refers to nothing that refers to it.

    What is only reachable from itself waits for the collector, with all that belongs to a request.
    """

    _head = b""
    _has_body = True

    async def send(self, message: Any) -> None:
        """Take the next ASGI message of the response.

        Raises:
            RuntimeError: for a message out of order, a header with a line break in it, or a body
                that is not as long as its `Content-Length`.
        """
        if self.flow.write_paused and not self.disconnected:
            await self.flow.drain()
        if self.disconnected:
            return
        expected = "http.response.body" if self.response_started else "http.response.start"
        if message["type"] != expected or self.response_complete:
            raise RuntimeError(f"The application sent {message['type']!r} out of order.")
        if self.response_started:
            self._continue(message)
        else:
            self._begin(message)

    def _begin(self, message: Any) -> None:
        status = message["status"]
        lines = [_STATUS[status]]
        is_chunked = self._has_body = status not in _WITHOUT_BODY and self.scope["method"] != "HEAD"
        for given, value in (*self.default_headers, *message.get("headers", ())):
            name = given.lower()
            if name in _OF_CONNECTION:
                if name == b"content-length":
                    self.expected_content_length = int(value) if self._has_body else 0
                    is_chunked = False
                elif name == b"transfer-encoding":  # for the server to choose
                    continue
                elif value.lower() == b"close":
                    self.keep_alive = False
                    continue
            lines.append(name + b": " + value)
        if not self.keep_alive:
            lines.append(b"connection: close")
        if is_chunked:
            lines.append(b"transfer-encoding: chunked")
        lines += (b"", b"")
        head = b"\r\n".join(lines)
        breaks = len(lines) - 1
        if head.count(b"\n") != breaks or head.count(b"\r") != breaks or b"\0" in head:
            raise RuntimeError("A header of the response contains a line break or a NUL.")
        self.chunked_encoding = is_chunked
        self.response_started = True
        self.waiting_for_100_continue = False
        self._head = head

    def _continue(self, message: Any) -> None:
        body: bytes = message.get("body", b"") if self._has_body else b""
        is_last = not message.get("more_body", False)
        if self.chunked_encoding:
            body = _chunk(body, is_last)
        else:
            self.expected_content_length -= len(body)
            if self.expected_content_length < 0 or (is_last and self.expected_content_length):
                raise RuntimeError("The body is not as long as its Content-Length.")
        self._write(body)
        if is_last:
            self.response_complete = True
            self.message_event.set()
            if not self.keep_alive:
                self.transport.close()
            self.on_response()

    def _write(self, body: bytes) -> None:
        head, self._head = self._head, b""
        if head and len(body) > _JOINED:
            self.transport.writelines((head, body))
        elif head or body:
            self.transport.write(head + body)


def _chunk(body: bytes, is_last: bool) -> bytes:
    chunk = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
    return chunk + b"0\r\n\r\n" if is_last else chunk
