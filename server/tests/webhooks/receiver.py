"""A receiver of webhooks on a real socket, which responds well, badly, or not at all."""

import asyncio
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from standardwebhooks import Webhook


@dataclass
class Request:
    """What came in, in the order of `number`; `sni` is the name that TLS was asked for."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    number: int
    sni: str | None = None

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    def signed_by(self, secret: str) -> bool:
        """Whether one of the signatures is by this secret, at the time that the headers name."""
        at = datetime.fromtimestamp(int(self.headers["webhook-timestamp"]), UTC)
        expected = Webhook(secret).sign(self.id, at, self.body.decode())
        return expected in self.headers["webhook-signature"].split(" ")


@dataclass(frozen=True)
class Reply:
    """An answer, whole or in pieces that never end."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    without_end: bool = False


HANG, RESET = Reply(-1), Reply(-2)


@dataclass
class Receiver:
    """Remembers what came; `answer` decides what is said to it."""

    port: int = 0
    scheme: str = "http"
    received: list[Request] = field(default_factory=list)
    connections: int = 0
    written: int = 0
    """Bytes of bodies that were sent before the other side hung up."""
    answer: Callable[[Request], Reply | Awaitable[Reply]] = lambda _: Reply()
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    names: list[str | None] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}/licet?tenant=1"

    def says(self, *replies: Reply | int) -> None:
        """These one after another, and then the last of them for ever."""
        waiting = [Reply(reply) if isinstance(reply, int) else reply for reply in replies]
        self.answer = lambda _: waiting.pop(0) if len(waiting) > 1 else waiting[0]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            pass
        finally:
            writer.transport.abort()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.strip().split("\r\n")
        method, path, _ = first.split(" ")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        sni = self.names[-1] if self.names else None
        request = Request(method, path, headers, body, len(self.received), sni)
        self.received.append(request)
        self.arrived.set()
        said = self.answer(request)
        reply = said if isinstance(said, Reply) else await said
        if reply is HANG:
            await reader.read()
            return False
        if reply is RESET:
            return False
        await self._reply(writer, reply)
        return True

    async def _reply(self, writer: asyncio.StreamWriter, reply: Reply) -> None:
        headers = dict(reply.headers)
        if not reply.without_end:
            headers["content-length"] = str(len(reply.body))
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"HTTP/1.1 {reply.status} Said\r\n{lines}\r\n".encode())
        for at in range(0, len(reply.body), 64 * 1024):
            piece = reply.body[at : at + 64 * 1024]
            writer.write(piece)
            await writer.drain()
            self.written += len(piece)
        if reply.without_end:
            await asyncio.Event().wait()


@asynccontextmanager
async def receiving(tls: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    """A receiver on a free port of the loopback interface."""
    receiver = Receiver(scheme="http" if tls is None else "https")
    if tls is not None:
        tls.sni_callback = lambda _socket, name, _context: receiver.names.append(name)
    serving: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        serving.add(task)
        await receiver.serve(reader, writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)


@contextmanager
def receiving_in_a_thread() -> Iterator[Receiver]:
    """A receiver in a loop of its own, for tests that are in none."""
    loop = asyncio.new_event_loop()
    ready, made = threading.Event(), []

    async def live() -> None:
        async with receiving() as receiver:
            made.append((receiver, asyncio.current_task()))
            ready.set()
            await asyncio.Event().wait()

    def run() -> None:
        try:
            loop.run_until_complete(live())
        except asyncio.CancelledError:
            pass
        finally:
            loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait()
    [(receiver, task)] = made
    try:
        yield receiver
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join()
