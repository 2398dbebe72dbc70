"""Real servers in short temporary folders, each ended by its own process id."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from licet_server.kit.postgres import Address, EmbeddedPostgres, find_binaries
from licet_server.kit.postgres.pidfile import living_server
from licet_server.kit.postgres.tools import query

SERVICE = """
import sys, time
from pathlib import Path
from licet_server.kit.postgres import EmbeddedPostgres
data, state = map(Path, sys.argv[1:])
with EmbeddedPostgres(data, log=lambda s: None, fsync=True, state_dir=state) as cluster:
    print(cluster.server_pid, cluster.attached, cluster.url, flush=True)
    time.sleep(120)
"""


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
        """Another process with the same data folder, and the number of the server it started."""
        service = subprocess.Popen(
            [sys.executable, "-c", SERVICE, str(self.data), str(self.state)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self.services.append(service)
        assert service.stdout is not None
        first, *_ = service.stdout.readline().split()
        self.servers.append(int(first))
        return service, int(first)


def end_server_of(cluster: Path) -> None:
    server = living_server(cluster)
    if server is not None:
        os.kill(server.pid, signal.SIGQUIT)
        assert eventually(lambda: living_server(cluster) is None)


def end_stopped_server(pid: int, root: Path) -> None:
    """End a server that a failed test left stopped; its number may be another's by now."""
    with contextlib.suppress(OSError):
        if Path(f"/proc/{pid}/cwd").readlink().is_relative_to(root):
            os.kill(pid, signal.SIGKILL)


@pytest.fixture
def place() -> Iterator[Place]:
    root = Path(tempfile.mkdtemp(prefix="lpg-"))
    root.chmod(0o755)
    here = Place(root)
    yield here
    for service in here.services:
        service.kill()
        service.communicate()
    for pid in here.servers:
        end_stopped_server(pid, root)
    for version in root.rglob("PG_VERSION"):
        if version.parent.parent.name != "base":
            end_server_of(version.parent)
    shutil.rmtree(root)


@pytest.fixture(scope="session")
def seed() -> Iterator[Path]:
    """A data folder whose cluster has been made and stopped."""
    root = Path(tempfile.mkdtemp(prefix="lpg-"))
    root.chmod(0o755)
    with Place(root).postgres():
        pass
    yield root / "data"
    shutil.rmtree(root)


@pytest.fixture
def made(place: Place, seed: Path) -> Place:
    """A place whose cluster is there already, copied because making one takes a second."""
    subprocess.run(["cp", "-a", seed, place.data], check=True)
    return place


@pytest.fixture(scope="module")
def shared() -> Iterator[EmbeddedPostgres]:
    """One server for the tests that only look at databases."""
    root = Path(tempfile.mkdtemp(prefix="lpg-"))
    root.chmod(0o755)
    with EmbeddedPostgres(root / "data", log=print, fsync=False, state_dir=root / "state") as pg:
        yield pg
    shutil.rmtree(root)


@pytest.fixture(name="rows")
def rows_fixture() -> Callable[[Address, str], list[list[str]]]:
    return rows


@pytest.fixture(name="eventually")
def eventually_fixture() -> Callable[..., bool]:
    return eventually
