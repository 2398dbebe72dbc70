"""Waiting for a condition, with a deadline."""

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], bool], timeout: float, pause: float = 0.01) -> bool:
    """Ask every `pause` seconds; False when the answer was still no after `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() >= deadline:
            return False
        time.sleep(pause)
    return True
