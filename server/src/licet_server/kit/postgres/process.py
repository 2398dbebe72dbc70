"""Starts, awaits and stops one server process.

The system stops the server when the thread that started it dies, so a `kill -9` of the service
leaves no orphan. The signal is SIGINT, a fast shutdown: SIGTERM would wait for the sessions of
surviving workers, and SIGQUIT would require recovery at the next start.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from licet_server.kit.postgres.account import Account, plain_environment
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.errors import StartFailed

_NAME = "postmaster.pid"


@dataclass(frozen=True, slots=True)
class RunningServer:
    """The relevant lines of the file."""

    pid: int
    sockets: Path | None
    is_ready: bool


def read_pidfile(cluster: Path) -> RunningServer | None:
    """Return the server in the file, which may have exited; None without a complete file."""
    try:
        lines = (cluster / _NAME).read_text(errors="replace").splitlines()
        pid = int(lines[0])
    except (OSError, ValueError, IndexError):
        return None
    sockets = Path(lines[4]) if len(lines) > 4 and lines[4] else None
    return RunningServer(pid, sockets, len(lines) > 7 and lines[7].strip() == "ready")


def running_server(cluster: Path) -> RunningServer | None:
    """Return the server of this cluster if its process is alive and belongs to the cluster.

    After a crash, the process ID in the file may belong to an unrelated process.
    """
    server = read_pidfile(cluster)
    if server is None:
        return None
    return server if _is_server_of(server.pid, cluster) else None


def _is_server_of(pid: int, cluster: Path) -> bool:
    if sys.platform == "linux":
        try:
            # A server's working directory is its cluster.
            return Path(f"/proc/{pid}/cwd").readlink() == cluster.resolve()
        except OSError:
            return False
    else:
        result = subprocess.run(  # noqa: S603 - a number, not text from outside
            ["/bin/ps", "-o", "command=", "-p", str(pid)],
            check=False,
            capture_output=True,
            text=True,
        )
        return str(cluster) in result.stdout


def neutralize_stale_pidfile(cluster: Path, account: Account) -> None:
    """Let the next server start even if an unrelated process has reused the old process ID.

    The file is not removed, because its other lines let the server detect orphans that still use
    the old shared memory. A server accepts the process ID of its own parent, so the ID of this
    process replaces the old one.
    """
    path = cluster / _NAME
    try:
        lines = path.read_text(errors="replace").splitlines(keepends=True)
    except FileNotFoundError:
        return
    lines[:1] = [f"{os.getpid()}\n"]
    # Written to a new file and renamed: the folder belongs to another user, and root must not
    # follow a link that this user may have planted.
    with tempfile.NamedTemporaryFile("w", dir=cluster, delete=False) as copy:
        copy.write("".join(lines))
        account.take_ownership(copy)
    Path(copy.name).replace(path)


def wait_until(condition: Callable[[], bool], timeout: float, pause: float = 0.01) -> bool:
    """Poll every `pause` seconds; return False if the condition is not met in `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() >= deadline:
            return False
        time.sleep(pause)
    return True


FAST_SHUTDOWN_S = 15.0
IMMEDIATE_SHUTDOWN_S = 8.0
_PR_SET_PDEATHSIG = 1
_KEPT_LOGS = 5


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """Everything needed to start a server on a cluster."""

    binaries: Binaries
    cluster: Path
    sockets: Path
    account: Account
    settings: Mapping[str, str]

    def arguments(self) -> list[str]:
        """Return the command line; settings that the service relies on override any file."""
        fixed = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.sockets),
            "unix_socket_permissions": "0700",
            "port": "5432",
        }
        command = [str(self.binaries.program("postgres")), "-D", str(self.cluster)]
        for name, value in {**self.settings, **fixed}.items():
            command += ["-c", f"{name}={value}"]
        return command


class ServerProcess:
    """A server process, started by the calling thread.

    The thread must outlive the server: the system stops the server when the thread ends.
    """

    def __init__(self, command: ServerCommand) -> None:
        self._command = command
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the server ended
        self._process = subprocess.Popen(  # noqa: S603 - PostgreSQL's own program
            command.arguments(),
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
            cwd="/",
            env=plain_environment(),
            umask=0o077,
            start_new_session=True,  # a Ctrl-C in the terminal is for the service alone
            preexec_fn=_stop_with_parent(),  # noqa: PLW1509 - prepared before the fork
            **command.account.subprocess_options(),
        )

    @property
    def pid(self) -> int:
        """The process ID."""
        return self._process.pid

    def exit_code(self) -> int | None:
        """Return the exit code, or None while the server runs."""
        return self._process.poll()

    def wait_ready(self, timeout: float, stopping: threading.Event) -> None:
        """Wait until the server accepts connections, or `stopping` is set.

        Raises:
            StartFailed: when it exits, or is not ready after `timeout` seconds.
        """
        deadline = time.monotonic() + timeout
        while not stopping.is_set():
            if self.exit_code() is not None:
                raise StartFailed(f"The database server did not start. {self._failure_output()}")
            server = read_pidfile(self._command.cluster)
            if server is not None and server.pid == self.pid and server.is_ready:
                return
            if time.monotonic() >= deadline:
                self.stop()
                raise StartFailed(f"The database was not ready within {timeout:g} s.")
            time.sleep(0.005)

    def stop(self) -> None:
        """Shut down fast, and escalate if that takes too long; the process has ended afterwards."""
        for signal_number, timeout in (
            (signal.SIGINT, FAST_SHUTDOWN_S),
            (signal.SIGQUIT, IMMEDIATE_SHUTDOWN_S),
            (signal.SIGKILL, None),
        ):
            self._process.send_signal(signal_number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout)
                break
        self._output.close()

    def _failure_output(self) -> str:
        self._output.seek(0)
        output = self._output.read()[-4000:].decode(errors="replace")
        self._output.close()
        log = newest_log(self._command.cluster)
        if log is not None:
            with contextlib.suppress(OSError):
                output += log.read_bytes()[-2000:].decode(errors="replace")
        return f"Its output:\n{output.strip()[-2000:]}"


def stop_previous_server(command: ServerCommand, log: Callable[[str], None]) -> None:
    """Stop a server whose supervisor was killed, and remove its leftovers.

    Only the holder of the cluster's lock may call this.

    Raises:
        StartFailed: when the old server does not stop.
    """
    cluster = command.cluster
    previous = running_server(cluster)
    if previous is not None:
        log(f"Waiting for the database server of an earlier run (process {previous.pid}) to stop.")
        for signal_number, timeout in (
            (signal.SIGINT, FAST_SHUTDOWN_S),
            (signal.SIGQUIT, IMMEDIATE_SHUTDOWN_S),
        ):
            with contextlib.suppress(ProcessLookupError):
                os.kill(previous.pid, signal_number)
            if wait_until(lambda: running_server(cluster) is None, timeout):
                break
        else:
            raise StartFailed(
                f"The database server of an earlier run (process {previous.pid}) does not stop."
            )
    neutralize_stale_pidfile(cluster, command.account)
    for stale in command.sockets.glob(".s.PGSQL.*"):
        stale.unlink(missing_ok=True)


def newest_log(cluster: Path) -> Path | None:
    """Return the current log file of the server."""
    logs = _logs(cluster)
    return logs[-1] if logs else None


def prune_logs(cluster: Path) -> None:
    """Delete all but the newest log files, to bound their size."""
    for old in _logs(cluster)[:-_KEPT_LOGS]:
        old.unlink(missing_ok=True)


def _logs(cluster: Path) -> list[Path]:
    folder = cluster / "log"
    return [] if folder.is_symlink() else sorted(folder.glob("postgresql-*.log"))


def _stop_with_parent() -> Callable[[], None] | None:
    if sys.platform != "linux":
        return None
    # Looked up before the fork: in a child of a multithreaded process, little is safe to do.
    prctl = ctypes.CDLL(None).prctl
    parent = os.getpid()

    def arm() -> None:
        # Runs after the change of user, which would clear the setting.
        prctl(_PR_SET_PDEATHSIG, signal.SIGINT, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return arm
