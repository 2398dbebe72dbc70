"""The metrics of a process: groups of them, each registered once."""

from collections.abc import Callable
from typing import Any, TypeVar

from prometheus_client import CollectorRegistry

Group = TypeVar("Group")


class Metrics:
    """A registry, and the groups of metrics in it."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._groups: dict[Callable[[CollectorRegistry], Any], Any] = {}

    def of(self, create: Callable[[CollectorRegistry], Group]) -> Group:
        """Return the group of `create`, called once per registry: metric names must be unique."""
        if create not in self._groups:
            self._groups[create] = create(self.registry)
        group: Group = self._groups[create]
        return group
