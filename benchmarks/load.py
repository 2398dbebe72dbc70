"""Sends HTTP load over keep-alive connections: wrk where it is installed, else a client of our own.

The own client is a process that reads a `LoadSpec` as JSON from standard input and writes an
`Outcome` as JSON. Each connection sends its next request when the response to the last one is
complete (a closed loop).
"""

import asyncio
import itertools
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Self, cast

import msgspec
import uvloop

from benchmarks import wrk


class LoadSpec(msgspec.Struct):
    """What to send. `bodies` is a file with a JSON body per line; without one, GETs are sent.

    `heads` is a file with a further header for each body, such as its signature; then `once` is
    set.

    The run ends after `seconds`, or after `requests` responses. With `once`, each body is sent
    once, the last response ends the run, and there is no warm-up. `shuffled` sends the bodies in a
    new random order each time.
    """

    port: int
    path: str
    headers: dict[str, str] = {}
    bodies: str | None = None
    heads: str | None = None
    expect: str = ""
    status: int = 200
    once: bool = False
    shuffled: bool = False
    connections: int = 64
    warm_up: float = 1.0
    seconds: float = 5.0
    requests: int | None = None


class Outcome(msgspec.Struct):
    """Counts of responses; `failed` had another status or lacked the expected text.

    `total` also counts those before and after the measured time.
    """

    measured: int
    total: int
    failed: int
    seconds: float
    p50_ms: float
    p99_ms: float

    @property
    def rate(self) -> float:
        """Responses per second."""
        return self.measured / self.seconds

    @classmethod
    def of(cls, times: list[float], total: int, failed: int, seconds: float) -> Self:
        """Build it from response times in milliseconds, in ascending order."""
        p50, p99 = _percentile(times, 0.50), _percentile(times, 0.99)
        return cls(len(times), total, failed, seconds, p50, p99)


def client_name() -> str:
    """Name the load client, for the report."""
    return "wrk" if wrk.program() else "the benchmarks' own, in Python"


def run_load(spec: LoadSpec) -> Outcome:
    """Run the load in a separate process; a number of requests, in this one.

    wrk counts whole seconds and stops at no number of requests, so our own client does it.
    """
    if spec.requests is not None:
        return uvloop.run(_run(spec))
    if wrk.program() and not spec.once and spec.seconds == int(spec.seconds):
        return _run_wrk(spec)
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load"],
        input=msgspec.json.encode(spec),
        stdout=subprocess.PIPE,
        check=True,
        timeout=spec.warm_up + spec.seconds + 60,
    )
    return msgspec.json.decode(done.stdout, type=Outcome)


def _run_wrk(spec: LoadSpec) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="licet-wrk-") as folder:
        file: Path | None = None
        if spec.bodies is not None:
            file = Path(folder) / "bodies.jsonl"
            file.write_text("\n".join(_bodies(spec)))
        found = wrk.run(
            f"http://127.0.0.1:{spec.port}{spec.path}",
            spec.headers,
            file,
            status=spec.status,
            expect=spec.expect,
            connections=spec.connections,
            seconds=int(spec.seconds),
        )
    return msgspec.json.decode(found, type=Outcome)


def _bodies(spec: LoadSpec) -> list[str]:
    bodies = Path(spec.bodies or "").read_text().splitlines()
    if spec.shuffled:
        secrets.SystemRandom().shuffle(bodies)
    return bodies


def _requests(spec: LoadSpec) -> list[bytes]:
    common = "".join(f"{name}: {value}\r\n" for name, value in spec.headers.items())
    host = f"Host: 127.0.0.1:{spec.port}\r\n{common}"
    if spec.bodies is None:
        return [f"GET {spec.path} HTTP/1.1\r\n{host}\r\n".encode()]
    head = f"POST {spec.path} HTTP/1.1\r\n{host}Content-Type: application/json\r\n"
    bodies = _bodies(spec)
    more = _lines(spec.heads) if spec.heads else [""] * len(bodies)
    return [
        f"{head}{line}Content-Length: {len(body)}\r\n\r\n{body}".encode()
        for body, line in zip(bodies, more, strict=True)
    ]


def _lines(file: str) -> list[str]:
    return [f"{line}\r\n" for line in Path(file).read_text().splitlines()]


class _Load:
    """One run: supplies requests, counts responses, and signals the end."""

    def __init__(self, spec: LoadSpec) -> None:
        requests = _requests(spec)
        self._requests: Iterator[bytes] = iter(requests) if spec.once else itertools.cycle(requests)
        self._limit = len(requests) if spec.once else spec.requests
        self._status = f"HTTP/1.1 {spec.status}".encode()
        self._expected = spec.expect.encode()
        self.measuring = False
        self.times: list[float] = []
        self.failed = 0
        self.total = 0
        self.finished = asyncio.get_running_loop().create_future()

    def next_request(self) -> bytes | None:
        """Return `None` when each request that is to be sent once has been sent."""
        return next(self._requests, None)

    def count(self, head: bytes, body: bytes, seconds: float) -> None:
        self.total += 1
        if not self.measuring:
            return
        self.times.append(seconds)
        if not head.startswith(self._status) or self._expected not in body:
            self.failed += 1
        if self._limit is not None and len(self.times) >= self._limit:
            self.stop()

    def stop(self) -> None:
        self.measuring = False
        if not self.finished.done():
            self.finished.set_result(None)


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
        if self._load.finished.done():
            self._transport.close()
        else:
            self.send()

    def connection_lost(self, error: Exception | None) -> None:
        if not self._load.finished.done():
            self._load.finished.set_exception(
                error or ConnectionError("the server closed the connection")
            )


def _content_length(received: bytes, end: int) -> int:
    start = received.lower().find(b"content-length:", 0, end) + 15
    return int(received[start : received.find(b"\r", start)])


async def _run(spec: LoadSpec) -> Outcome:
    loop = asyncio.get_running_loop()
    load = _Load(spec)
    connections = [
        (await loop.create_connection(lambda: _Connection(load), "127.0.0.1", spec.port))[1]
        for _ in range(spec.connections)
    ]
    load.measuring = spec.once
    started = perf_counter()
    for connection in connections:
        connection.send()
    if not spec.once:
        await asyncio.sleep(spec.warm_up)
        load.measuring = True
        started = perf_counter()
    loop.call_later(spec.seconds, load.stop)
    await load.finished
    seconds = perf_counter() - started
    times = sorted(1000 * each for each in load.times)
    if not times:
        raise RuntimeError("the server sent no response")
    return Outcome.of(times, load.total, load.failed, seconds)


def _percentile(times: list[float], share: float) -> float:
    return times[min(int(len(times) * share), len(times) - 1)]


if __name__ == "__main__":
    spec = msgspec.json.decode(sys.stdin.buffer.read(), type=LoadSpec)
    sys.stdout.buffer.write(msgspec.json.encode(uvloop.run(_run(spec))))
