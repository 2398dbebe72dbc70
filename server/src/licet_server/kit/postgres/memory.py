"""How much memory the embedded server may count on."""

import os
from collections.abc import Iterable
from pathlib import Path

_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
_MB = 1024 * 1024
_SHARE = 8
_LEAST_MB, _MOST_MB = 128, 1024


def shared_buffers(memory: int) -> str:
    """PostgreSQL's cache: an eighth of the memory (in bytes), between 128 MB and 1 GB.

    It is only taken page by page, as the database grows.
    """
    return f"{min(max(memory // _SHARE // _MB, _LEAST_MB), _MOST_MB)}MB"


def available_memory(limits: Iterable[Path] = _LIMITS) -> int:
    """The memory in bytes of this machine, or of the container, if that has less."""
    return min([_physical(), *(found for path in limits if (found := _limit(path)) is not None)])


def _physical() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not on every system
        return _LEAST_MB * _MB * _SHARE


def _limit(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):  # no such file, or no limit: "max"
        return None
