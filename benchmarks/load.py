"""A small HTTP load client: keep-alive connections, prebuilt requests, one process of its own.

It reads an `Order` as JSON from standard input and writes an `Outcome` as JSON. Each connection
sends its next request when the answer to the last one is complete (a closed loop).
"""

import asyncio
import itertools
import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Self, cast

import msgspec
import uvloop


class Order(msgspec.Struct):
    """What to send. `bodies` is a file with a JSON body per line; without one, GETs are sent.

    The run ends after `seconds`, or when `requests` were answered. With `once`, each body is sent
    once and the answer to the last one ends it; nothing is sent to warm up then. `shuffled` sends
    the bodies in another order each time.
    """

    port: int
    path: str
    headers: dict[str, str] = {}
    bodies: str | None = None
    expect: str = ""
    status: int = 200
    once: bool = False
    shuffled: bool = False
    connections: int = 64
    warm_up: float = 1.0
    seconds: float = 5.0
    requests: int | None = None


class Outcome(msgspec.Struct):
    """What came back; `wrong` counts the answers of another status or without the expected text.

    `in_all` counts also those before and after the time that was measured.
    """

    answered: int
    in_all: int
    wrong: int
    seconds: float
    p50_ms: float
    p99_ms: float

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.answered / self.seconds

    @classmethod
    def of(cls, times: list[float], in_all: int, wrong: int, seconds: float) -> Self:
        """From the milliseconds that each answer took, in ascending order."""
        p50, p99 = _percentile(times, 0.50), _percentile(times, 0.99)
        return cls(len(times), in_all, wrong, seconds, p50, p99)


def run_load(order: Order) -> Outcome:
    """Run the load in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load"],
        input=msgspec.json.encode(order),
        stdout=subprocess.PIPE,
        check=True,
        timeout=order.warm_up + order.seconds + 60,
    )
    return msgspec.json.decode(done.stdout, type=Outcome)


def _requests(order: Order) -> list[bytes]:
    common = "".join(f"{name}: {value}\r\n" for name, value in order.headers.items())
    host = f"Host: 127.0.0.1:{order.port}\r\n{common}"
    if order.bodies is None:
        return [f"GET {order.path} HTTP/1.1\r\n{host}\r\n".encode()]
    head = f"POST {order.path} HTTP/1.1\r\n{host}Content-Type: application/json\r\n"
    bodies = Path(order.bodies).read_text().splitlines()
    if order.shuffled:
        secrets.SystemRandom().shuffle(bodies)
    return [f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode() for body in bodies]


class _Load:
    """One run: hands out requests, keeps the figures, and says when it is over."""

    def __init__(self, order: Order) -> None:
        requests = _requests(order)
        self._requests: Iterator[bytes] = (
            iter(requests) if order.once else itertools.cycle(requests)
        )
        self._limit = len(requests) if order.once else order.requests
        self._status = f"HTTP/1.1 {order.status}".encode()
        self._expected = order.expect.encode()
        self.measuring = False
        self.times: list[float] = []
        self.wrong = 0
        self.in_all = 0
        self.over = asyncio.get_running_loop().create_future()

    def next_request(self) -> bytes | None:
        """`None` when each was sent that is to be sent once."""
        return next(self._requests, None)

    def count(self, head: bytes, body: bytes, seconds: float) -> None:
        self.in_all += 1
        if not self.measuring:
            return
        self.times.append(seconds)
        if not head.startswith(self._status) or self._expected not in body:
            self.wrong += 1
        if self._limit is not None and len(self.times) >= self._limit:
            self.stop()

    def stop(self) -> None:
        self.measuring = False
        if not self.over.done():
            self.over.set_result(None)


class _Connection(asyncio.Protocol):
    def __init__(self, load: _Load) -> None:
        self._load = load
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def send(self) -> None:
        request = self._load.next_request()
        if request is not None:
            self._sent_at = perf_counter()
            self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        received = self._received + data if self._received else data
        end = received.find(b"\r\n\r\n") + 4
        if end < 4 or len(received) < end + _content_length(received, end):
            self._received = received
            return
        self._received = b""
        self._load.count(received[:end], received[end:], perf_counter() - self._sent_at)
        if self._load.over.done():
            self._transport.close()
        else:
            self.send()

    def connection_lost(self, error: Exception | None) -> None:
        if not self._load.over.done():
            self._load.over.set_exception(error or ConnectionError("the server hung up"))


def _content_length(received: bytes, end: int) -> int:
    start = received.lower().find(b"content-length:", 0, end) + 15
    return int(received[start : received.find(b"\r", start)])


async def _run(order: Order) -> Outcome:
    loop = asyncio.get_running_loop()
    load = _Load(order)
    connections = [
        (await loop.create_connection(lambda: _Connection(load), "127.0.0.1", order.port))[1]
        for _ in range(order.connections)
    ]
    load.measuring = order.once
    started = perf_counter()
    for connection in connections:
        connection.send()
    if not order.once:
        await asyncio.sleep(order.warm_up)
        load.measuring = True
        started = perf_counter()
    loop.call_later(order.seconds, load.stop)
    await load.over
    seconds = perf_counter() - started
    times = sorted(1000 * each for each in load.times)
    if not times:
        raise RuntimeError("the server answered nothing")
    return Outcome.of(times, load.in_all, load.wrong, seconds)


def _percentile(times: list[float], share: float) -> float:
    return times[min(int(len(times) * share), len(times) - 1)]


if __name__ == "__main__":
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    sys.stdout.buffer.write(msgspec.json.encode(uvloop.run(_run(order))))
