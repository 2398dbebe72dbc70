"""Work that computes for long, in threads of its own and with a bounded queue.

The event loop serves others meanwhile. A thread cannot be stopped, so what runs here has a bound on
its work, too.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from licet_server.kit.errors import unavailable

T = TypeVar("T")

_AT_ONCE = 1
_MAX_ASKED = 32


class Threads:
    """A few threads for one kind of work."""

    def __init__(self, name: str, at_once: int = _AT_ONCE, max_asked: int = _MAX_ASKED) -> None:
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix=name)
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
