"""Starts the service as a customer would, and stops it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep
from typing import Any, Protocol

import httpx

from benchmarks.costs import SETTINGS, keep_statistics
from licet_server.kit.postgres import EmbeddedPostgres

EMAIL, PASSWORD = "owner@example.com", "correct horse battery"
SERVE = ("-m", "licet_server", "serve", "--workers", "1")
SERVE_TWO = (*SERVE[:-1], "2")
UNBATCHED = ("-m", "benchmarks.unbatched")
BARE = ("-m", "benchmarks.bare")
_PATIENCE_S = 150.0


@dataclass(frozen=True, slots=True)
class Server:
    """A running service, the time until it was ready, its process, and the database given to it."""

    port: int
    seconds_to_ready: float
    pid: int
    cluster: EmbeddedPostgres | None = None

    def resident_mb(self) -> float:
        """The resident memory of the process."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        [line] = [line for line in status.splitlines() if line.startswith("VmRSS:")]
        return int(line.split()[1]) / 1024

    def cpu_seconds(self) -> float:
        """The CPU time of the process and its workers since their start."""
        return sum(_cpu_seconds(pid) for pid in (str(self.pid), *self.workers()))

    def workers(self) -> list[str]:
        """The numbers of the processes that it has started, and of those that they have."""
        found = [str(self.pid)]
        for pid in found:
            found += Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return found[1:]


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """An empty folder that the database's user can traverse."""
    folder = Path(tempfile.mkdtemp(prefix="licet-bench-"))
    try:
        folder.chmod(0o711 if os.geteuid() == 0 else 0o700)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        folder.with_name(f"{folder.name}-audit-heads.jsonl").unlink(missing_ok=True)


@contextmanager
def durable_postgres(settings: Mapping[str, str] | None = None) -> Iterator[EmbeddedPostgres]:
    """The embedded database with default settings, where commits wait for the disk; it counts."""
    given = {**SETTINGS, **(settings or {})}
    with temporary_folder() as folder, postgres_in(folder, given) as cluster:
        keep_statistics(cluster)
        yield cluster


def postgres_in(folder: Path, settings: Mapping[str, str] | None) -> EmbeddedPostgres:
    """The embedded database of an empty folder."""
    return EmbeddedPostgres(folder, log=_quiet, settings=settings)


@contextmanager
def running(
    command: Sequence[str], folder: Path, cluster: EmbeddedPostgres | None = None
) -> Iterator[Server]:
    """Run `python <command>` for the block, which is entered when /health/ready returns 200.

    Without a database, the service starts one of its own.
    """
    port = _free_port()
    environment = {
        **os.environ,
        "LICET_PORT": str(port),
        "LICET_DATA_DIR": str(folder),
        "LICET_ADMIN_EMAIL": EMAIL,
        "LICET_ADMIN_PASSWORD": PASSWORD,
    }
    environment.pop("DATABASE_URL", None)
    if cluster is not None:
        environment["DATABASE_URL"] = cluster.url
    log = folder.parent / f"{folder.name}-{port}.log"
    started = perf_counter()
    process = start(command, environment, log)
    try:
        _wait_until_ready(process, port, log)
        yield Server(port, perf_counter() - started, process.pid, cluster)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=_PATIENCE_S)
        log.unlink()


class Process(Protocol):
    """A process that was started; `subprocess.Popen` is one."""

    @property
    def pid(self) -> int: ...

    def poll(self) -> int | None: ...

    def wait(self, timeout: float | None = None) -> int: ...

    def send_signal(self, sig: int, /) -> None: ...


def start(command: Sequence[str], environment: Mapping[str, str], log: Path) -> Process:
    """Start `python <command>`, whose output goes to the file `log`."""
    with log.open("wb") as output:
        return subprocess.Popen(
            [sys.executable, *command], env=environment, stdout=output, stderr=subprocess.STDOUT
        )


@contextmanager
def signed_in(server: Server) -> Iterator[httpx.Client]:
    """An API client that is signed in as the Owner."""
    with httpx.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=60) as client:
        session = call_api(
            client, "POST", "/api/auth/login", {"email": EMAIL, "password": PASSWORD}
        )
        client.headers["authorization"] = f"Bearer {session['accessToken']}"
        yield client


def call_api(client: httpx.Client, method: str, path: str, body: Any = None) -> Any:
    """Send a request that must succeed, and return its JSON."""
    response = client.request(method, path, json=body)
    if not response.is_success:
        raise RuntimeError(f"{method} {path}: {response.status_code} {response.text}")
    return response.json()


def _cpu_seconds(pid: str) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_ready(process: Process, port: int, log: Path) -> None:
    deadline = perf_counter() + _PATIENCE_S
    while perf_counter() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            sleep(0.02)
    raise RuntimeError(f"the server did not become ready:\n{log.read_text()[-2000:]}")


def _quiet(line: str) -> None:
    """Discard the database's log."""
