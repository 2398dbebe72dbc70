"""Threads that do not keep the process alive."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def start_thread(function: Callable[[], T]) -> Future[T]:
    """Run a function in a daemon thread."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()

    def work() -> None:
        try:
            future.set_result(function())
        except BaseException as error:  # noqa: BLE001 - raised again where the result is read
            future.set_exception(error)

    try:
        threading.Thread(target=work, name="licet-request", daemon=True).start()
    except RuntimeError:  # no new threads can be started at interpreter shutdown
        work()
    return future
