"""Takes over the server when the process that runs it ends, so that attached processes continue.

The file lock decides who does: the system releases it when its holder ends, even by `kill -9`. So
the server is never run twice, and one that is still shutting down is waited for.
"""

import threading
from collections.abc import Callable

from licet_server.kit.postgres.errors import PostgresError
from licet_server.kit.postgres.lock import FileLock

_POLL_INTERVAL_S = 0.25
_LONGEST_PAUSE_S = 5.0


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
        pause = _POLL_INTERVAL_S
        while not self._stopping.wait(pause):
            try:
                if self._succeed():
                    return
                pause = _POLL_INTERVAL_S
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
