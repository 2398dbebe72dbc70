"""How many cores this process may use: of the machine, of its own, and of its container."""

import os
from math import ceil
from pathlib import Path

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
