"""How a process ends that is told to: by SIGTERM as by Ctrl-C, on a way out that cleans up."""

import asyncio
import signal
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def exit_on_sigterm() -> None:
    """Let SIGTERM end the process as Ctrl-C does: on the way out, the database is stopped too."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))


def run_until_sigterm(main: Coroutine[Any, Any, T]) -> T:
    """What the coroutine answers; SIGTERM cancels it, and then ends the process.

    An exit that is raised wherever the loop happens to stand may be swallowed there.
    """
    before = signal.getsignal(signal.SIGTERM)
    try:
        return asyncio.run(_cancelled_by_sigterm(main))
    except asyncio.CancelledError:
        sys.exit(0)
    finally:
        signal.signal(signal.SIGTERM, before)


async def _cancelled_by_sigterm(main: Coroutine[Any, Any, T]) -> T:
    task = asyncio.current_task()
    if task is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await main
