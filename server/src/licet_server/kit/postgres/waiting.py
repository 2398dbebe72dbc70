"""Waits for a condition with a timeout."""

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], bool], timeout: float, pause: float = 0.01) -> bool:
    """Poll every `pause` seconds; return False if the condition is not met in `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() >= deadline:
            return False
        time.sleep(pause)
    return True
