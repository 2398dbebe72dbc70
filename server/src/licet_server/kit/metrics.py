"""The metrics of a process: groups of them, each registered once.

Several processes of one service write to files in one folder, and each can render the sums.
"""

import os
from collections.abc import Callable
from typing import Any, TypeVar

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

MULTIPROCESS_DIR = "PROMETHEUS_MULTIPROC_DIR"
PROCESS_NUMBER = "LICET_PROCESS_NUMBER"
"""Set by the parent: from 1 on, and the same for a process that replaces one that has ended."""

Group = TypeVar("Group")


class Metrics:
    """A registry, and the groups of metrics in it."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.process = os.environ.get(PROCESS_NUMBER, "1")
        self._groups: dict[Callable[[CollectorRegistry], Any], Any] = {}

    def of(self, create: Callable[[CollectorRegistry], Group]) -> Group:
        """Return the group of `create`, called once per registry: metric names must be unique."""
        if create not in self._groups:
            self._groups[create] = create(self.registry)
        group: Group = self._groups[create]
        return group

    def render(self) -> bytes:
        """Return the metrics in text format, over all processes if there are several."""
        if MULTIPROCESS_DIR not in os.environ:
            return generate_latest(self.registry)
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def forget_process(pid: int | None) -> None:
    """Drop the gauges of a process that has ended; what it counted stays."""
    if MULTIPROCESS_DIR in os.environ and pid is not None:
        mark_process_dead(pid)  # type: ignore[no-untyped-call]
