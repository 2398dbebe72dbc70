"""What a process sets for itself: the garbage collector, its share of cores, its environment."""

import ctypes
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path

_THRESHOLDS = (20_000, 50, 100)
"""New objects before the youngest are looked through, and how often before the older ones are."""


def exempt_heap() -> None:
    """Exempt everything that exists from collection, and look through what follows less often.

    Call it when the application has started, and before processes are forked.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)


@contextmanager
def collection_paused() -> Iterator[None]:
    """Look for no garbage during the block, and exempt from collection what exists at its end.

    For blocks whose objects stay, such as imports: looking through them again and again while
    they become more takes a fifth of the time.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def usable_cores(quota: Path = _QUOTA) -> int:
    """Return the number of cores, at least one; a part of a core counts as one."""
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    try:
        share, period = quota.read_text().split()
        return max(1, min(cores, ceil(int(share) / int(period))))
    except (OSError, ValueError):  # no container, or one without a quota, which is "max"
        return cores


def forget_variable(name: str) -> None:
    """Remove a variable, also from what the system shows of the process.

    The environment that a process was started with stays readable for its user, in
    `/proc/PID/environ` and for `ps`, whatever happens to the variable. The bytes of the value are
    therefore overwritten. Processes that are started later do not get the variable at all.
    """
    if name not in os.environ:
        return
    if sys.platform != "win32":
        _overwrite(name)
    del os.environ[name]


def _overwrite(name: str) -> None:
    library = ctypes.CDLL(None)
    library.getenv.argtypes = [ctypes.c_char_p]
    library.getenv.restype = ctypes.c_void_p
    place = library.getenv(os.fsencode(name))
    if place is not None:
        ctypes.memset(place, 0, len(ctypes.string_at(place)))
