"""The thread that owns the server: starts it, restarts it if it dies, and stops it.

A single thread does all of this, because the system stops the server when the thread that started
it ends, and the thread ends with the process.
"""

import contextlib
import threading
import time
from collections.abc import Callable

from licet_server.kit.postgres.errors import PostgresError, StartFailed
from licet_server.kit.postgres.lock import FileLock
from licet_server.kit.postgres.process import (
    FAST_SHUTDOWN_S,
    IMMEDIATE_SHUTDOWN_S,
    ServerCommand,
    ServerProcess,
    prune_logs,
    stop_previous_server,
)

_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 5.0
_STEADY_AFTER_S = 30.0
_POLL_INTERVAL_S = 0.05
_PRUNE_EVERY_S = 60.0


class Supervisor:
    """Keeps one server running from `start` to `stop`."""

    def __init__(
        self, command: ServerCommand, log: Callable[[str], None], start_timeout: float
    ) -> None:
        self._command = command
        self._log = log
        self._start_timeout = start_timeout
        self._stopping = threading.Event()
        self._settled = threading.Event()
        self._ready = threading.Event()
        self._failure: Exception | None = None
        self._pid: int | None = None
        self._thread = threading.Thread(target=self._run, name="postgres", daemon=True)

    @property
    def pid(self) -> int | None:
        """The process ID of the server; None while it is not running."""
        return self._pid

    def start(self) -> None:
        """Start the server, and return once it is ready.

        Raises:
            StartFailed: when it cannot be started.
        """
        self._thread.start()
        self._settled.wait()
        if self._failure is not None:
            self._thread.join()
            raise self._failure

    def wait_ready(self, timeout: float) -> bool:
        """Wait until the server accepts connections; False after `timeout` seconds."""
        return self._ready.wait(timeout)

    def stop(self) -> None:
        """Stop the server, and return once it has stopped."""
        self._stopping.set()
        self._thread.join(FAST_SHUTDOWN_S + IMMEDIATE_SHUTDOWN_S + 5)
        if self._command.sockets.parent != self._command.cluster.parent:
            # A process that has left root and takes over could not create one beside the cluster.
            with contextlib.suppress(OSError):
                self._command.sockets.rmdir()

    def _run(self) -> None:
        try:
            server = self._launch_first()
        except Exception as error:  # noqa: BLE001 - handed to the thread that waits in `start`
            self._failure = error
            return
        finally:
            self._settled.set()
        pause = _FIRST_PAUSE_S
        while True:
            ran = self._watch(server)
            if server.exit_code() is None:
                server.stop()
                self._pid = None
                return
            self._ready.clear()
            self._pid = None
            pause = _FIRST_PAUSE_S if ran > _STEADY_AFTER_S else min(pause * 2, _LONGEST_PAUSE_S)
            self._log(
                f"The database server exited unexpectedly (exit code {server.exit_code()}); "
                f"restarting it in {pause:g} s."
            )
            relaunched = self._relaunch(pause)
            if relaunched is None:
                return
            server = relaunched
            self._log("The database server is running again.")

    def _launch_first(self) -> ServerProcess:
        # Remaining processes of a killed server may hold its shared memory for a moment.
        deadline = time.monotonic() + self._start_timeout
        pause = _FIRST_PAUSE_S
        while True:
            try:
                return self._launch()
            except StartFailed as error:
                in_time = time.monotonic() + pause < deadline
                if "still in use" not in str(error) or not in_time or self._stopping.wait(pause):
                    raise
            pause = min(pause * 2, 1.0)

    def _relaunch(self, pause: float) -> ServerProcess | None:
        while not self._stopping.wait(pause):
            try:
                return self._launch()
            except (PostgresError, OSError) as error:
                pause = min(pause * 2, _LONGEST_PAUSE_S)
                self._log(f"{error} Retrying in {pause:g} s.")
        return None

    def _launch(self) -> ServerProcess:
        stop_previous_server(self._command, self._log)
        prune_logs(self._command.cluster)
        server = ServerProcess(self._command)
        server.wait_ready(self._start_timeout, self._stopping)
        self._pid = server.pid
        self._ready.set()
        return server

    def _watch(self, server: ServerProcess) -> float:
        """Wait until the server exits or must be stopped, and return how many seconds it ran."""
        started = pruned = time.monotonic()
        while server.exit_code() is None and not self._stopping.wait(_POLL_INTERVAL_S):
            if time.monotonic() - pruned > _PRUNE_EVERY_S:
                pruned = time.monotonic()
                prune_logs(self._command.cluster)
        return time.monotonic() - started


_POLL_INTERVAL_S_SUCCESSION = 0.25


class Successor:
    """Waits for the lock in a thread, and calls `take_over` once it holds it.

    If that fails, others may try, and this one tries again. `log` receives messages for the
    operator.
    """

    def __init__(
        self, lock: FileLock, take_over: Callable[[], None], log: Callable[[str], None]
    ) -> None:
        self._lock = lock
        self._take_over = take_over
        self._log = log
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="postgres-successor", daemon=True)

    def start(self) -> None:
        """Begin to wait."""
        self._thread.start()

    def stop(self) -> None:
        """Stop waiting; a takeover that is under way is completed first."""
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        pause = _POLL_INTERVAL_S_SUCCESSION
        while not self._stopping.wait(pause):
            try:
                if self._succeed():
                    return
                pause = _POLL_INTERVAL_S_SUCCESSION
            except (PostgresError, OSError) as error:
                pause = min(pause * 2, _LONGEST_PAUSE_S)
                self._log(f"{error} Trying to take over the database again in {pause:g} s.")

    def _succeed(self) -> bool:
        if not self._lock.try_acquire():
            return False
        self._log("The process that ran the database has ended; this one takes over.")
        try:
            self._take_over()
        except BaseException:
            self._lock.unlock()
            raise
        self._log("The database is running again.")
        return True
