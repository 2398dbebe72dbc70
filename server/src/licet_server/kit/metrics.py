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

    def of(self, make: Callable[[CollectorRegistry], Group]) -> Group:
        """The group that `make` makes, the same one each time: a registry takes a name once."""
        if make not in self._groups:
            self._groups[make] = make(self.registry)
        group: Group = self._groups[make]
        return group
