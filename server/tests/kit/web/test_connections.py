"""Bounds of connections, over real sockets: what is too large, too slow or too much is refused."""

import asyncio
import gc
import json
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
import uvicorn
from litestar.types import Receive, Scope, Send
from patience import PATIENCE_S, until, until_found

from licet_server.kit.web.connections import BoundedConnection, ConnectionLimits

LIMITS = ConnectionLimits(
    connections=20, head_seconds=2, body_seconds=2, body_bytes_per_second=1_000, unread_seconds=2
)
GET = b"GET /quick HTTP/1.1\r\nhost: licet.test\r\n"


class App:
    """Remembers how many bytes of bodies arrived, who was cut off, and the headers at the end."""

    def __init__(self) -> None:
        self.received = 0
        self.cut_off = 0
        self.begun = 0
        self.release = asyncio.Event()
        self.heads: list[list[tuple[bytes, bytes]]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.begun += 1
        if scope["path"] == "/body":
            await self._read(receive)
        elif scope["path"] == "/wait":
            await self.release.wait()
        self.heads.append(list(scope["headers"]))
        body = b"x" * 50_000_000 if scope["path"] == "/large" else b"ok"
        length = (b"content-length", str(len(body)).encode())
        await send({"type": "http.response.start", "status": 200, "headers": [length]})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    async def _read(self, receive: Receive) -> None:
        while True:
            message: Any = await receive()
            if message["type"] == "http.disconnect":
                self.cut_off += 1
                return
            self.received += len(message["body"])
            if not message["more_body"]:
                return


class Client:
    """One connection, as bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self) -> tuple[int, bytes]:
        """Status and body of the next response."""
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), PATIENCE_S)
        lines = head.decode().lower().split("\r\n")
        length = next(int(line[16:]) for line in lines if line.startswith("content-length:"))
        return int(lines[0].split()[1]), await self.reader.readexactly(length)

    async def refusal(self) -> tuple[int, str]:
        """Status and code of the next response, after which the connection is closed."""
        status, body = await self.answer()
        problem = json.loads(body)
        assert problem["status"] == status
        assert await self.is_closed()
        return status, problem["errorCode"]

    async def is_closed(self) -> bool:
        try:
            return await asyncio.wait_for(self.reader.read(), PATIENCE_S) == b""
        except ConnectionError:
            return True


Connect = Callable[[], Any]


@asynccontextmanager
async def serving(app: App, limits: ConnectionLimits = LIMITS) -> AsyncIterator[Connect]:
    protocol: Any = partial(BoundedConnection, limits=limits)
    config = uvicorn.Config(
        app, http=protocol, port=0, lifespan="off", ws="none", log_config=None, access_log=False
    )
    config.load()
    server = uvicorn.Server(config)
    task = asyncio.create_task(server._serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    writers: list[asyncio.StreamWriter] = []

    async def connect() -> Client:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**27)
        writers.append(writer)
        return Client(reader, writer)

    try:
        yield connect
    finally:
        app.release.set()
        for writer in writers:
            writer.close()
        server.should_exit = True
        await asyncio.wait_for(task, PATIENCE_S)


@pytest.fixture
def app() -> App:
    return App()


@pytest.fixture
async def connect(app: App) -> AsyncIterator[Connect]:
    async with serving(app) as connect:
        yield connect


async def test_a_connection_serves_many_requests(connect: Connect) -> None:
    client = await connect()
    for _ in range(500):
        await client.send(GET + b"x-some: header of some length\r\n\r\n")
        assert await client.answer() == (200, b"ok")
    for _ in range(5):
        await client.send(b"POST /body HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n123456789")
        assert await client.answer() == (200, b"ok")


async def test_the_largest_head_is_served_and_a_larger_one_refused(connect: Connect) -> None:
    room = LIMITS.head_bytes - len(GET) - len(b"a: \r\n\r\n")
    client = await connect()
    await client.send(GET + b"a: " + b"x" * room + b"\r\n\r\n")
    assert await client.answer() == (200, b"ok")
    await client.send(GET + b"a: " + b"x" * (room + 100) + b"\r\n\r\n")
    assert await client.refusal() == (413, "PayloadTooLarge")


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(GET + b"a: " + b"x" * 1_000_000, id="one header of 1 MB"),
        pytest.param(GET + b"x" * 1_000_000, id="a header without an end of its name"),
        pytest.param(b"GET /" + b"x" * 9_000 + b" HTTP/1.1\r\n\r\n", id="a long address"),
        pytest.param(b"GET /" + b"x" * 1_000_000, id="an address without an end"),
        pytest.param(GET + b"a:\r\n" * 101 + b"\r\n", id="101 headers"),
        pytest.param(b"\r\n" * 500_000, id="empty lines"),
        pytest.param(
            b"POST /body HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1;"
            + b"x" * 1_000_000,
            id="an extension of a chunk",
        ),
        pytest.param(
            b"POST /body HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n0\r\nt: "
            + b"x" * 1_000_000,
            id="a trailer",
        ),
    ],
)
async def test_what_is_too_large_is_refused(connect: Connect, sent: bytes) -> None:
    client = await connect()
    client.writer.write(sent)
    assert await client.refusal() == (413, "PayloadTooLarge")


CHUNKED = b"POST /body HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
HEAD_OF_CHUNKED = [(b"host", b"x"), (b"transfer-encoding", b"chunked")]
TRAILERS = [
    b"authorization: Bearer stolen",
    b"content-type: application/json",
    b"cookie: session=1",
    b"expect: 100-continue",
    b"forwarded: for=10.66.66.66",
    b"host: evil.example",
    b"idempotency-key: another",
    b"traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    b"x-api-key: pk_stolen",
    b"x-forwarded-for: 10.66.66.66",
    b"x-forwarded-proto: https",
    b"x-request-id: another",
]


@pytest.mark.parametrize("trailer", TRAILERS, ids=lambda line: line.split(b":")[0].decode())
async def test_trailers_never_become_headers(connect: Connect, app: App, trailer: bytes) -> None:
    client = await connect()
    await client.send(CHUNKED + b"2\r\n{}\r\n0\r\n" + trailer + b"\r\n\r\n")
    assert await client.answer() == (200, b"ok")
    assert app.heads == [HEAD_OF_CHUNKED]
    assert app.received == 2


@pytest.mark.parametrize("trailer", [b"content-length: 3", b"transfer-encoding: gzip"])
async def test_trailers_about_the_body_end_the_connection(connect: Connect, trailer: bytes) -> None:
    client = await connect()
    await client.send(CHUNKED + b"2\r\n{}\r\n0\r\n" + trailer + b"\r\n\r\n")
    assert await client.refusal() == (400, "InvalidRequest")


async def test_the_headers_are_fixed_when_the_head_ends(connect: Connect, app: App) -> None:
    """Neither trailers that arrive late nor another request change those of a waiting one."""
    client = await connect()
    waiting = CHUNKED.replace(b"/body", b"/wait")
    await client.send(waiting + b"2\r\n{}\r\n")
    await until(lambda: app.begun == 1)
    await client.send(b"0\r\nx-api-key: late\r\n\r\n")
    await client.send(b"POST /body HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\nx: 1\r\n\r\n")
    app.release.set()
    assert [await client.answer() for _ in range(2)] == [(200, b"ok")] * 2
    assert app.heads == [
        HEAD_OF_CHUNKED,
        [(b"host", b"x"), (b"content-length", b"0"), (b"x", b"1")],
    ]


async def test_refusals_of_the_connection_name_the_request(connect: Connect) -> None:
    for given, is_kept in ((b"order-7", True), (b"<script>", False), (b"", False)):
        client = await connect()
        await client.send(_get(b"x-request-id: " + given))
        head = await asyncio.wait_for(client.reader.readuntil(b"\r\n\r\n"), PATIENCE_S)
        [named] = [line for line in head.split(b"\r\n") if line.startswith(b"x-request-id: ")]
        request_id = named.removeprefix(b"x-request-id: ")
        problem = json.loads(await client.reader.read())
        assert problem["requestId"].encode() == request_id
        assert (request_id == given) == is_kept
        assert request_id


async def test_trailers_count_towards_the_limits_of_a_head(connect: Connect) -> None:
    client = await connect()
    client.writer.write(CHUNKED + b"0\r\n" + b"a: b\r\n" * LIMITS.headers + b"\r\n")
    assert await client.refusal() == (413, "PayloadTooLarge")


def _get(*lines: bytes, version: bytes = b"1.1") -> bytes:
    return b"\r\n".join([b"GET /quick HTTP/" + version, *lines, b"", b""])


def _post(*lines: bytes, version: bytes = b"1.1") -> bytes:
    """A request that would be served without these lines, and what may follow as a second one."""
    head = b"\r\n".join([b"POST /body HTTP/" + version, b"host: x", *lines, b"", b""])
    return head + b"2\r\n{}\r\n0\r\n\r\n" + _get(b"host: smuggled")


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(_get(), id="no Host"),
        pytest.param(_get(b"host: a", b"Host: a"), id="the same Host twice"),
        pytest.param(_get(b"host: a", b"host: b"), id="two Hosts"),
        pytest.param(_get(b"host: a", b"host: b", version=b"1.0"), id="two Hosts of HTTP/1.0"),
        *(
            pytest.param(_get(b"host: " + host), id=f"the Host {host.decode('latin-1')!r}")
            for host in (
                *(b"", b"a b", b"a,b", b"a/b", b"user@a", b"a:b", b"a:80:80", b"http://a"),
                *(
                    b"[::1",
                    b"::1",
                    b"[::1]x",
                    b"a:999999",
                    b"a?b",
                    b"a#b",
                    b"a\\b",
                    b"\xfc",
                    b"<a>",
                ),
            )
        ),
        pytest.param(_post(b"transfer-encoding: gzip"), id="gzip"),
        pytest.param(_post(b"transfer-encoding: gzip, chunked"), id="gzip, chunked"),
        pytest.param(_post(b"transfer-encoding: chunked, gzip"), id="chunked, gzip"),
        pytest.param(_post(b"transfer-encoding: chunked, chunked"), id="chunked, chunked"),
        pytest.param(_post(b"transfer-encoding: identity"), id="identity"),
        pytest.param(_post(b"transfer-encoding: xchunked"), id="xchunked"),
        pytest.param(_post(b"transfer-encoding: chunked;a=b"), id="chunked;a=b"),
        pytest.param(_post(b"transfer-encoding: , chunked"), id=", chunked"),
        pytest.param(_post(b"transfer-encoding:"), id="an empty coding"),
        pytest.param(
            _post(b"transfer-encoding: chunked", b"transfer-encoding: chunked"), id="chunked twice"
        ),
        pytest.param(
            _post(b"transfer-encoding: gzip", b"transfer-encoding: chunked"), id="gzip and chunked"
        ),
        pytest.param(_post(b"transfer-encoding: chunked", version=b"1.0"), id="chunked in 1.0"),
        pytest.param(
            _post(b"transfer-encoding: chunked", b"content-length: 12"), id="chunked and a length"
        ),
        pytest.param(
            _post(b"content-length: 12", b"transfer-encoding: chunked"), id="a length and chunked"
        ),
        pytest.param(_post(b"content-length: 2", b"content-length: 2"), id="the same length twice"),
        pytest.param(_post(b"content-length: 2", b"content-length: 12"), id="two lengths"),
        pytest.param(_post(b"content-length: 2, 2"), id="a list of lengths"),
        pytest.param(_post(b"content-length: +2"), id="a signed length"),
        *(
            pytest.param(_get(b"host: x", name + b": a", name.upper() + b": a"), id=f"{name!r}")
            for name in (b"authorization", b"x-api-key", b"content-type", b"idempotency-key")
        ),
    ],
)
async def test_an_ambiguous_head_is_refused_and_nothing_follows(
    connect: Connect, app: App, sent: bytes
) -> None:
    client = await connect()
    client.writer.write(sent)
    assert await client.refusal() == (400, "InvalidRequest")
    assert app.begun == 0


@pytest.mark.parametrize(
    "sent",
    [
        _get(version=b"1.0"),
        _get(b"host: A.example:8000"),
        _get(b"host: a_b-c.~d%20"),
        _get(b"host: [::1]"),
        _get(b"host: [2001:db8::7]:443"),
        _get(b"host: x", b"accept: a", b"accept: b"),
        _get(b"host: x", b"x-forwarded-for: 192.0.2.1", b"x-forwarded-for: 192.0.2.2"),
    ],
)
async def test_a_head_that_means_one_thing_is_served(connect: Connect, sent: bytes) -> None:
    client = await connect()
    await client.send(sent)
    assert await client.answer() == (200, b"ok")


async def test_a_coding_is_named_in_any_case(connect: Connect, app: App) -> None:
    client = await connect()
    await client.send(CHUNKED.replace(b"chunked", b"Chunked") + b"2\r\n{}\r\n0\r\n\r\n")
    assert await client.answer() == (200, b"ok")
    assert app.received == 2


async def test_what_is_no_http_is_refused(connect: Connect) -> None:
    client = await connect()
    await client.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
    assert await client.refusal() == (400, "InvalidRequest")


@pytest.mark.parametrize(
    "sent",
    [b"GET", GET, b"\r\n", GET + b"\r\n"],
    ids=["a word", "half", "an empty line", "a request"],
)
async def test_partial_and_idle_connections_are_closed(connect: Connect, sent: bytes) -> None:
    client = await connect()
    started = asyncio.get_running_loop().time()
    await client.send(sent)
    if sent.endswith(b"\r\n\r\n"):
        assert await client.answer() == (200, b"ok")
        assert await client.is_closed()  # by the end of keep-alive
    else:
        assert await client.refusal() == (400, "InvalidRequest")
    assert asyncio.get_running_loop().time() - started < 10


async def test_a_connection_that_asks_nothing_gets_no_response(connect: Connect) -> None:
    """A browser that connects ahead would take it for the response to its first request."""
    client = await connect()
    assert await client.is_closed()


async def test_a_head_that_drips_is_refused(connect: Connect) -> None:
    client = await connect()
    reading = asyncio.create_task(client.answer())
    while not reading.done():
        client.writer.write(b"A")
        await asyncio.sleep(0.1)
    assert (await reading)[0] == 400


async def test_a_body_that_drips_is_refused_and_its_request_cut_off(
    connect: Connect, app: App
) -> None:
    client = await connect()
    await client.send(b"POST /body HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n")
    reading = asyncio.create_task(client.answer())
    while not reading.done():
        client.writer.write(b"x")
        await asyncio.sleep(0.2)
    assert (await reading)[0] == 400
    assert app.cut_off == 1


async def test_a_body_that_keeps_the_pace_may_take_longer(connect: Connect, app: App) -> None:
    client = await connect()
    await client.send(b"POST /body HTTP/1.1\r\nhost: x\r\ncontent-length: 20000\r\n\r\n")
    for _ in range(20):
        await client.send(b"x" * 1_000)
        await asyncio.sleep(0.25)
    assert await client.answer() == (200, b"ok")
    assert app.received == 20_000


async def test_a_body_of_any_size_is_handed_over(connect: Connect, app: App) -> None:
    size, piece = 64 * 2**20, b"x" * 2**20
    client = await connect()
    await client.send(b"POST /body HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n" % size)
    for _ in range(size // len(piece)):
        await client.send(piece)
    assert await client.answer() == (200, b"ok")
    assert app.received == size


async def test_a_slow_answer_is_waited_for(connect: Connect, app: App) -> None:
    client = await connect()
    await client.send(b"GET /wait HTTP/1.1\r\nhost: x\r\n\r\n")
    await asyncio.sleep(5)
    app.release.set()
    assert await client.answer() == (200, b"ok")


async def test_who_does_not_read_the_answer_is_disconnected(connect: Connect) -> None:
    client = await connect()
    client.writer.transport.pause_reading()
    client.writer.write(b"GET /large HTTP/1.1\r\nhost: x\r\n\r\n")
    await asyncio.sleep(6)
    client.writer.transport.resume_reading()
    with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
        await client.answer()


async def test_connections_above_the_cap_get_503_until_there_is_room(connect: Connect) -> None:
    held = [await connect() for _ in range(LIMITS.connections)]
    for client in held:
        await client.send(b"GET /wait HTTP/1.1\r\nhost: x\r\n\r\n")
    surplus = await connect()
    head = await asyncio.wait_for(surplus.reader.readuntil(b"\r\n\r\n"), PATIENCE_S)
    assert head.startswith(b"HTTP/1.1 503 ")
    assert b"retry-after: 1\r\n" in head
    assert json.loads(await surplus.reader.read())["errorCode"] == "Unavailable"
    for client in held:
        client.writer.close()

    async def answered() -> bool:
        client = await connect()
        await client.send(GET + b"\r\n")
        return bool(await client.answer() == (200, b"ok"))

    assert await until_found(answered)


async def test_many_requests_at_once_on_a_connection_are_answered_or_refused(
    connect: Connect,
) -> None:
    client = await connect()
    await client.send((GET + b"\r\n") * 10)
    assert [await client.answer() for _ in range(10)] == [(200, b"ok")] * 10
    client.writer.write((GET + b"\r\n") * 5_000)
    assert await client.is_closed()


async def test_half_sent_requests_do_not_delay_the_end(app: App) -> None:
    async with serving(app, ConnectionLimits()) as connect:
        for _ in range(10):
            await (await connect()).send(GET)
        await asyncio.sleep(0.2)
        started = asyncio.get_running_loop().time()
    assert asyncio.get_running_loop().time() - started < 5


async def test_nothing_of_a_request_is_left_to_the_collector_when_the_next_one_is_served() -> None:
    cycles: list[weakref.ref[Any]] = []

    class Remembering(App):
        async def __call__(self, scope: Scope, receive: Receive, send: Any) -> None:
            cycles.append(weakref.ref(send.__self__))
            await super().__call__(scope, receive, send)

    async with serving(Remembering()) as connect:
        client = await connect()
        gc.disable()
        try:
            for _ in range(2):
                await client.send(GET + b"\r\n")
                assert (await client.answer())[0] == 200
            assert cycles[0]() is None
        finally:
            gc.enable()
