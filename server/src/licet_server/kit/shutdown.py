"""Clean shutdown: SIGTERM ends a process like Ctrl-C, with all cleanup."""

import asyncio
import signal
import sys
import threading
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol, TypeVar

from licet_server.kit.database import Database

T = TypeVar("T")

_asked_to_exit = threading.Event()


def exit_on_sigterm() -> None:
    """Make SIGTERM exit the process with cleanup, which also stops the embedded database.

    SIGHUP, which a terminal sends when it closes, does the same, except under `nohup`.

    Python drops the exception of a handler that runs inside a callback of a weak reference. So
    call `exit_if_asked` before the process settles down to serve.
    """
    signal.signal(signal.SIGTERM, _exit)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))


def exit_if_asked() -> None:
    """Exit the process if a SIGTERM should have done so before."""
    if _asked_to_exit.is_set():
        sys.exit(0)


def _exit(*_: object) -> None:
    _asked_to_exit.set()
    sys.exit(0)


def run_until_sigterm(main: Coroutine[Any, Any, T]) -> T:
    """Run the coroutine and return its result; SIGTERM cancels it and exits the process.

    Cancelling is safer than `SystemExit` from a signal handler, which running code may swallow.
    """
    previous = signal.getsignal(signal.SIGTERM)
    try:
        return asyncio.run(_cancelled_by_sigterm(main))
    except asyncio.CancelledError:
        sys.exit(0)
    finally:
        signal.signal(signal.SIGTERM, previous)


async def _cancelled_by_sigterm(main: Coroutine[Any, Any, T]) -> T:
    task = asyncio.current_task()
    if task is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await main


class Closable(Protocol):
    """A service that may have waiting callers when the application stops."""

    async def aclose(self) -> None:
        """Complete the pending calls, then stop."""
        ...


@asynccontextmanager
async def closing_after(services: Sequence[Closable], database: Database) -> AsyncIterator[None]:
    """Close the services after the application, each before the services that it calls."""
    try:
        yield
    finally:
        for service in services:
            await service.aclose()
        await database.close()
