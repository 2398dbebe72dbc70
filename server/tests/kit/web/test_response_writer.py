"""Responses as bytes: those that uvicorn would send, in one piece, and never a broken head."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, TypeVar

import pytest
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from licet_server.kit.web.response_writer import ResponseWriter

JSON = (b"content-type", b"application/json")
Parts = Sequence[bytes]


class Transport:
    """Keeps what is written, call by call."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.is_closed = False

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def writelines(self, parts: Parts) -> None:
        self.written.append(b"".join(parts))

    def close(self) -> None:
        self.is_closed = True


Cycle = TypeVar("Cycle", bound=RequestResponseCycle)


def uvicorns(transport: Any, method: str, *, keep_alive: bool = True) -> RequestResponseCycle:
    """A request that has arrived, and waits for its response, which uvicorn writes."""
    return _cycle(RequestResponseCycle, transport, method, keep_alive)


def writer_on(transport: Any, method: str, *, keep_alive: bool = True) -> ResponseWriter:
    """The same with our writing."""
    return _cycle(ResponseWriter, transport, method, keep_alive)


def _cycle(kind: type[Cycle], transport: Any, method: str, keep_alive: bool) -> Cycle:
    log = logging.getLogger("test")
    scope: Any = {"type": "http", "method": method}
    return kind(
        scope=scope,
        transport=transport,
        flow=FlowControl(transport),
        logger=log,
        access_logger=log,
        access_log=False,
        default_headers=[(b"date", b"today")],
        message_event=asyncio.Event(),
        expect_100_continue=False,
        keep_alive=keep_alive,
        on_response=lambda: None,
    )


async def respond(send: Any, status: int, headers: Sequence[Any], parts: Parts) -> None:
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})
    for at, part in enumerate(parts, start=1):
        more = at < len(parts)
        await send({"type": "http.response.body", "body": part, "more_body": more})


def length(body: bytes) -> tuple[bytes, bytes]:
    return b"content-length", b"%d" % len(body)


@pytest.mark.parametrize("keep_alive", [True, False])
@pytest.mark.parametrize(
    ("method", "status", "headers", "parts"),
    [
        ("GET", 200, [JSON, length(b"{}")], [b"{}"]),
        ("POST", 422, [JSON, length(b"{}")], [b"{}"]),
        ("GET", 200, [JSON], [b"one", b"two", b""]),
        ("GET", 200, [JSON], [b"", b"later"]),
        ("GET", 200, [length(b"onetwo")], [b"one", b"two"]),
        ("GET", 200, [length(b"x" * 200_000)], [b"x" * 200_000]),
        ("HEAD", 200, [JSON, length(b"{}")], [b"{}"]),
        ("HEAD", 200, [JSON], [b"one", b"two"]),
        ("DELETE", 204, [], [b""]),
        ("GET", 304, [(b"etag", b'"1"')], [b""]),
        ("GET", 200, [JSON, (b"transfer-encoding", b"chunked")], [b"one", b"two"]),
        ("GET", 200, [(b"Content-Length", b"2")], [b"{}"]),
        ("GET", 503, [length(b"no"), (b"Connection", b"Close")], [b"no"]),
    ],
)
async def test_the_bytes_are_those_of_uvicorn(
    method: str, status: int, headers: Sequence[Any], parts: Parts, *, keep_alive: bool
) -> None:
    ours, theirs = Transport(), Transport()
    writer = writer_on(ours, method, keep_alive=keep_alive)
    await respond(writer.send, status, headers, parts)
    reference = uvicorns(theirs, method, keep_alive=keep_alive)
    await respond(reference.send, status, headers, parts)
    assert lines_of(ours) == lines_of(theirs)
    assert ours.is_closed == theirs.is_closed


def lines_of(transport: Transport) -> tuple[list[bytes], bytes]:
    """The head, whose lines after the first may have any order, and the body."""
    head, _, body = b"".join(transport.written).partition(b"\r\n\r\n")
    first, *rest = head.split(b"\r\n")
    return [first, *sorted(line.lower() for line in rest)], body


async def test_head_and_body_leave_in_one_piece() -> None:
    transport = Transport()
    writer = writer_on(transport, "GET")
    await writer.send({"type": "http.response.start", "status": 200, "headers": [length(b"{}")]})
    assert transport.written == []
    await writer.send({"type": "http.response.body", "body": b"{}", "more_body": False})
    assert len(transport.written) == 1


@pytest.mark.parametrize("value", [b"a\r\nset-cookie: b", b"a\nb", b"a\rb", b"a\0b"])
async def test_a_header_cannot_begin_another_one(value: bytes) -> None:
    transport = Transport()
    writer = writer_on(transport, "GET")
    with pytest.raises(RuntimeError, match="line break"):
        await respond(writer.send, 200, [(b"x-name", value), length(b"")], [b""])
    assert transport.written == []


@pytest.mark.parametrize("body", [b"longer", b"short"[:1]])
async def test_a_body_of_another_length_is_refused(body: bytes) -> None:
    writer = writer_on(Transport(), "GET")
    with pytest.raises(RuntimeError, match="Content-Length"):
        await respond(writer.send, 200, [(b"content-length", b"3")], [body])


async def test_messages_out_of_order_are_refused() -> None:
    writer = writer_on(Transport(), "GET")
    body: Any = {"type": "http.response.body", "body": b"", "more_body": False}
    with pytest.raises(RuntimeError, match="out of order"):
        await writer.send(body)
    await respond(writer.send, 200, [length(b"")], [b""])
    with pytest.raises(RuntimeError, match="out of order"):
        await writer.send(body)


async def test_headers_and_body_may_be_left_out() -> None:
    transport = Transport()
    writer = writer_on(transport, "GET")
    start: Any = {"type": "http.response.start", "status": 204}
    end: Any = {"type": "http.response.body"}
    await writer.send(start)
    await writer.send(end)
    assert transport.written == [b"HTTP/1.1 204 No Content\r\ndate: today\r\n\r\n"]


async def test_nothing_is_written_to_who_has_left() -> None:
    transport = Transport()
    writer = writer_on(transport, "GET")
    writer.disconnected = True
    await respond(writer.send, 200, [length(b"")], [b""])
    assert transport.written == []
