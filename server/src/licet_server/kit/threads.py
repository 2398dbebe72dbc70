"""Work that computes for long, in threads of its own and with a bounded queue.

The event loop stays free for other requests. A thread cannot be stopped, so what runs here has a
bound on its work, too.
"""

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

from licet_server.kit.errors import unavailable

T = TypeVar("T")

_MAX_WAITING = 32
_BACKGROUND_NICENESS = 5


def give_way() -> None:
    """Lower the priority of this thread and of those that are started from it.

    Only Linux has priorities of threads; elsewhere it would be that of the process.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _BACKGROUND_NICENESS)


class Turns:
    """Lets few callers in at a time, in the order of arrival, and few wait."""

    def __init__(self, at_once: int, max_waiting: int = _MAX_WAITING) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._max_waiting = max_waiting
        self._waiting = 0

    @property
    def are_taken(self) -> bool:
        """Whether no further task may wait."""
        return self._free.locked() and self._waiting >= self._max_waiting

    @asynccontextmanager
    async def take(self) -> AsyncIterator[None]:
        """Wait for a turn, and hold it during the block.

        Raises:
            Refused: `Unavailable`, at once, when too many are waiting.
        """
        if self.are_taken:
            raise unavailable()
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._free.release()


class Threads:
    """Threads for one kind of work, one unless `at_once` says otherwise.

    They may `give_way` if they compute outside the interpreter, whose lock they would hold longer.
    """

    def __init__(
        self,
        name: str,
        *,
        at_once: int = 1,
        max_waiting: int = _MAX_WAITING,
        starting: Callable[[], object] | None = None,
    ) -> None:
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix=name, initializer=starting)
        self._turns = Turns(at_once, max_waiting)

    async def run(self, compute: Callable[..., T], *args: object) -> T:
        """Compute in a thread, in the order of arrival.

        Raises:
            Refused: `Unavailable`, at once, when too much is waiting.
        """
        async with self._turns.take():
            return await asyncio.get_running_loop().run_in_executor(self._threads, compute, *args)
