"""Work that computes for long, in a thread of its own and with a bounded queue.

The event loop stays free for other requests. A thread cannot be stopped, so what runs here has a
bound on its work, too.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from licet_server.kit.errors import unavailable

T = TypeVar("T")

_MAX_ASKED = 32
_BACKGROUND_NICENESS = 5


def give_way() -> None:
    """Lower the priority of this thread and of those that are started from it.

    Only Linux has priorities of threads; elsewhere it would be that of the process.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _BACKGROUND_NICENESS)


class Threads:
    """One thread for one kind of work.

    It may `give_way` if it computes outside the interpreter, whose lock it would hold for longer.
    """

    def __init__(
        self,
        name: str,
        *,
        max_asked: int = _MAX_ASKED,
        starting: Callable[[], object] | None = None,
    ) -> None:
        self._threads = ThreadPoolExecutor(1, thread_name_prefix=name, initializer=starting)
        self._max_asked = max_asked
        self._asked = 0

    async def run(self, compute: Callable[..., T], *args: object) -> T:
        """Compute in a thread, in the order of arrival.

        Raises:
            Refused: `Unavailable`, at once, when too much is waiting.
        """
        if self._asked >= self._max_asked:
            raise unavailable()
        self._asked += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, compute, *args)
        finally:
            self._asked -= 1
