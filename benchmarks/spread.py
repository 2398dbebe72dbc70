"""How evenly kept connections are spread over the processes of a service."""

import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from benchmarks.report import Report
from benchmarks.server import SERVE, Server, durable_postgres, running, temporary_folder
from benchmarks.size import Size

CONNECTIONS = 64
_PROCESSES = (2, 4)
"""Of a full run; a shorter one has the first."""
_REQUEST = b"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
_ESTABLISHED = "01"


def run(report: Report, size: Size) -> None:
    """Print the connections of each process."""
    with durable_postgres() as cluster, temporary_folder() as folder:
        found = {}
        for count in _PROCESSES[: size.rounds]:
            with running((*SERVE[:-1], str(count)), folder, cluster) as server:
                found[count] = _connections_by_process(server)
    report.title(f"Spread of {CONNECTIONS} kept connections over the processes of a service")
    report.table(
        ["processes", "connections of each"],
        [[str(count), ", ".join(map(str, spread))] for count, spread in found.items()],
    )
    for count, spread in found.items():
        difference = max(spread) - min(spread)
        report.figure(
            f"largest difference, {count} processes", str(difference), "at most 1", difference <= 1
        )


def _connections_by_process(server: Server) -> list[int]:
    """Open connections, use each once, and count them by process, most first."""
    with ExitStack() as stack:
        for _ in range(CONNECTIONS):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            client.sendall(_REQUEST)
            if not client.recv(4096).startswith(b"HTTP/1.1 200"):
                raise RuntimeError("the server did not respond")
        accepted = set(_accepted(server.port))
        held = (len(accepted & set(_sockets(pid))) for pid in server.workers())
        return sorted((count for count in held if count), reverse=True)


def _accepted(port: int) -> Iterator[str]:
    """The inodes of the port's established connections."""
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if int(fields[1].partition(":")[2], 16) == port and fields[3] == _ESTABLISHED:
            yield fields[9]


def _sockets(pid: str) -> Iterator[str]:
    """The inodes of the sockets of a process."""
    for file in Path(f"/proc/{pid}/fd").iterdir():
        if found := re.fullmatch(r"socket:\[(\d+)\]", str(file.readlink())):
            yield found[1]
