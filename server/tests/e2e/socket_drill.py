"""Attacks the sockets of a service: huge heads, half-sent requests, dripping bodies, all at once.

`make drill-sockets` runs it in full. Memory and closed connections are judged; how fast the service
answers meanwhile is told only, because it depends on the machine.
"""

import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from e2e.process import ADMIN, NO_TLS, Service
from patience import PATIENCE_S

MEMORY_MB = 50
_PIECE = b"x" * 2**20
_HALF = (b"", b"GET", b"GET /health/live HTTP/1.1\r\nhost: x\r\nx-some: ")
_BODY = b"POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n"
_PATIENCE_S = 45.0


@dataclass(frozen=True, slots=True)
class Size:
    """How large the attack is."""

    heads: int = 4
    head_mb: int = 120
    half_sent: int = 1_000
    dripping: int = 100


@dataclass(slots=True)
class Report:
    """What was seen."""

    size: Size
    head_mb_taken: int = 0
    open_after: int = 0
    all_closed_s: float = 0
    memory_mb: float = 0
    failed: int = 0
    answers_s: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        told = sorted(self.answers_s)
        return (
            f"{self.size}: heads took {self.head_mb_taken} MB in all; {self.open_after} "
            f"connections left after {self.all_closed_s:.1f} s; memory +{self.memory_mb:.0f} MB; "
            f"liveness {len(told)} times, {self.failed} failed, "
            f"p50 {_at(told, 0.5):.0f} ms, p99 {_at(told, 0.99):.0f} ms"
        )


def _at(seconds: list[float], share: float) -> float:
    """Milliseconds that so large a share of the sorted times does not exceed."""
    return seconds[int((len(seconds) - 1) * share)] * 1000


def memory_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def drill(service: Service, size: Size) -> Report:
    """Attack the service until every connection is closed, or for 45 s."""
    assert service.process is not None
    report, pid = Report(size), service.process.pid
    with service.client() as client:
        for _ in range(50):
            client.get("/health/live").raise_for_status()
            client.post("/api/auth/login", json={"email": "eve@example.com", "password": "x" * 20})
    before, started = memory_mb(pid), time.monotonic()
    floods = [threading.Thread(target=_flood, args=(service, report)) for _ in range(size.heads)]
    for flood in floods:
        flood.start()
    held = [_open(service, _HALF[n % len(_HALF)]) for n in range(size.half_sent)]
    dripping = [_open(service, _BODY) for _ in range(size.dripping)]
    held += dripping
    while held and time.monotonic() - started < _PATIENCE_S:
        _ask(service, report)
        for one in dripping:
            with suppress(OSError):
                one.send(b"x")
        held = [one for one in held if not _is_closed(one)]
        report.memory_mb = max(report.memory_mb, memory_mb(pid) - before)
        time.sleep(0.1)
    report.all_closed_s = time.monotonic() - started
    report.open_after = len(held)
    for flood in floods:
        flood.join()
    return report


def _open(service: Service, sent: bytes) -> socket.socket:
    one = socket.create_connection(("127.0.0.1", service.port), timeout=30)
    one.sendall(sent)
    one.setblocking(False)
    return one


def _is_closed(one: socket.socket) -> bool:
    try:
        while one.recv(4096):
            pass
    except BlockingIOError:
        return False
    except OSError:
        pass
    one.close()
    return True


def _flood(service: Service, report: Report) -> None:
    with suppress(OSError), socket.create_connection(("127.0.0.1", service.port)) as one:
        one.sendall(_HALF[-1])
        for _ in range(report.size.head_mb):
            one.sendall(_PIECE)
            report.head_mb_taken += 1


def _ask(service: Service, report: Report) -> None:
    started = time.monotonic()
    try:
        httpx.get(
            f"{service.address}/health/live", timeout=PATIENCE_S, trust_env=False, verify=NO_TLS
        ).raise_for_status()
    except httpx.HTTPError:
        report.failed += 1
    report.answers_s.append(time.monotonic() - started)


def main() -> None:
    """Start a service on a new folder, attack it in full, and tell."""
    service = Service(ADMIN, in_fresh_interpreter=True)
    try:
        service.start("--workers", 1)
        report = drill(service, Size())
    finally:
        service.remove()
    print(report)
    if report.open_after or report.failed or report.memory_mb > MEMORY_MB:
        raise SystemExit("The service did not hold.")


if __name__ == "__main__":
    main()
