"""Real servers in short temporary folders, each ended by its own process id."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from outside_programs import required

from licet_server.kit.postgres import Address, EmbeddedPostgres, find_binaries
from licet_server.kit.postgres.process import running_server
from licet_server.kit.postgres.programs import query

Rows = Callable[[Address, str], list[list[str]]]
Eventually = Callable[..., bool]

SERVICE = """
import sys, time
from pathlib import Path
from licet_server.kit.postgres import EmbeddedPostgres
data, state = map(Path, sys.argv[1:])
with EmbeddedPostgres(data, log=lambda s: None, fsync=True, state_dir=state) as cluster:
    print(cluster.server_pid, cluster.attached, cluster.url, flush=True)
    time.sleep(120)
"""


OLDER = [
    pytest.param(major, marks=required(f"postgresql-{major}"), id=str(major))
    for major in (15, 16, 17)
]
"""The supported versions before the newest, which a machine may not have."""


def rows(address: Address, sql: str) -> list[list[str]]:
    return query(find_binaries(), address, sql)


def eventually(condition: Callable[[], bool], timeout: float = 10) -> bool:
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


@dataclass
class Place:
    """A data folder and a state folder that the server's account can reach."""

    root: Path
    said: list[str] = field(default_factory=list)
    services: list["subprocess.Popen[str]"] = field(default_factory=list)
    servers: list[int] = field(default_factory=list)

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def state(self) -> Path:
        return self.root / "state"

    def postgres(self, data: Path | None = None, **options: object) -> EmbeddedPostgres:
        settings: dict[str, object] = {"fsync": False, "state_dir": self.state, **options}
        return EmbeddedPostgres(data or self.data, log=self.said.append, **settings)  # type: ignore[arg-type]

    def service(self) -> tuple["subprocess.Popen[str]", int]:
        """Another process with the same data folder, and the server that it started, or 0."""
        service = subprocess.Popen(
            [sys.executable, "-c", SERVICE, str(self.data), str(self.state)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self.services.append(service)
        assert service.stdout is not None
        first, *_ = service.stdout.readline().split()
        if first != "None":
            self.servers.append(int(first))
        return service, 0 if first == "None" else int(first)


def end_server_of(cluster: Path) -> None:
    server = running_server(cluster)
    if server is not None:
        os.kill(server.pid, signal.SIGQUIT)
        assert eventually(lambda: running_server(cluster) is None)


def end_stopped_server(pid: int, root: Path) -> None:
    """End a server that a failed test left stopped; its number may be another's by now."""
    with contextlib.suppress(OSError):
        if Path(f"/proc/{pid}/cwd").readlink().is_relative_to(root):
            os.kill(pid, signal.SIGKILL)
