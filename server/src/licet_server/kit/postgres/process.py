"""One server process: started, awaited, stopped.

The system tells the server to stop when the thread that started it dies, so that a `kill -9` of
the service leaves no orphan: with SIGINT, a fast shutdown. SIGTERM would wait for the sessions of
workers that live on, and SIGQUIT would leave the next start with a recovery to do.
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
from licet_server.kit.postgres.pidfile import neutralize_stale_pidfile, read_pidfile, running_server
from licet_server.kit.postgres.waiting import wait_until

FAST_SHUTDOWN_S = 15.0
IMMEDIATE_SHUTDOWN_S = 8.0
_PR_SET_PDEATHSIG = 1
_KEPT_LOGS = 5


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """All that it takes to start a server on a cluster."""

    binaries: Binaries
    cluster: Path
    sockets: Path
    account: Account
    settings: Mapping[str, str]

    def arguments(self) -> list[str]:
        """The command line; what the service depends on stands here, above any file."""
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
    """A server that was started by this process and by the thread that calls this.

    The thread must live as long as the server is wanted: the system stops the server with it.
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
        """The number of the process."""
        return self._process.pid

    def exit_code(self) -> int | None:
        """How the server ended; None while it runs."""
        return self._process.poll()

    def wait_ready(self, timeout: float, stopping: threading.Event) -> None:
        """Return once the server takes connections, or `stopping` is set.

        Raises:
            StartFailed: when it ends, or is not ready after `timeout` seconds.
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
                raise StartFailed(f"The database was not ready in {timeout:g} s.")
            time.sleep(0.005)

    def stop(self) -> None:
        """Fast shutdown; harsher if that takes too long. The process is gone afterwards."""
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
        said = self._output.read()[-4000:].decode(errors="replace")
        self._output.close()
        log = newest_log(self._command.cluster)
        if log is not None:
            with contextlib.suppress(OSError):
                said += log.read_bytes()[-2000:].decode(errors="replace")
        return f"It said:\n{said.strip()[-2000:]}"


def stop_previous_server(command: ServerCommand, log: Callable[[str], None]) -> None:
    """Make way for a new server: end one whose supervisor was killed, clear what it left.

    Only the holder of the cluster's lock may call this.

    Raises:
        StartFailed: when the old server does not go.
    """
    cluster = command.cluster
    previous = running_server(cluster)
    if previous is not None:
        log(f"Waiting for the database server of an earlier run (process {previous.pid}) to end.")
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
                f"The database server of an earlier run (process {previous.pid}) does not end."
            )
    neutralize_stale_pidfile(cluster, command.account)
    for left in command.sockets.glob(".s.PGSQL.*"):
        left.unlink(missing_ok=True)


def newest_log(cluster: Path) -> Path | None:
    """The log file that the server writes now."""
    logs = _logs(cluster)
    return logs[-1] if logs else None


def prune_logs(cluster: Path) -> None:
    """Keep the newest log files, so that the log takes a bounded room."""
    for old in _logs(cluster)[:-_KEPT_LOGS]:
        old.unlink(missing_ok=True)


def _logs(cluster: Path) -> list[Path]:
    folder = cluster / "log"
    return [] if folder.is_symlink() else sorted(folder.glob("postgresql-*.log"))


def _stop_with_parent() -> Callable[[], None] | None:
    if sys.platform != "linux":
        return None
    # Looked up before the fork: afterwards, in a process of many threads, little is safe to do.
    prctl = ctypes.CDLL(None).prctl
    parent = os.getpid()

    def arm() -> None:
        # After the change of user, which would clear it.
        prctl(_PR_SET_PDEATHSIG, signal.SIGINT, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return arm
