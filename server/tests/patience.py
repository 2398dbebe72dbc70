"""How long tests wait for what has to happen: one deadline, which a green run never comes near.

A test that waits for nothing to happen waits for a cause instead: a statement that stands in line
for a lock (`locks.py`), a thread that has ended, a request that has arrived.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

PATIENCE_S = 150.0


def eventually(holds: Callable[[], Any], what: str, patience: float = PATIENCE_S) -> Any:
    """Return what `holds` returns, once it is true."""
    deadline = time.monotonic() + patience
    while not (answer := holds()):
        assert time.monotonic() < deadline, f"{what}: not within {patience:g} s"
        time.sleep(0.02)
    return answer


async def until(holds: Callable[[], Any]) -> None:
    """Wait until this is true, and let the other tasks of the test run meanwhile."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110 - nobody sets an event for it
            await asyncio.sleep(0.01)


async def until_found(look: Callable[[], Awaitable[Any]]) -> Any:
    """Return the first result that is true, and fail when none comes."""
    async with asyncio.timeout(PATIENCE_S):
        while not (found := await look()):  # noqa: ASYNC110 - nobody sets an event for it
            await asyncio.sleep(0.01)
    return found
