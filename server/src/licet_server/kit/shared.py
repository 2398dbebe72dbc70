"""What the requests and the jobs of a process share, without the database."""

from collections.abc import Callable
from typing import Any, TypeVar

Thing = TypeVar("Thing")


class Shared:
    """Objects of features, each created when it is first asked for."""

    def __init__(self) -> None:
        self._things: dict[Callable[[], Any], Any] = {}

    def of(self, create: Callable[[], Thing]) -> Thing:
        """Return what `create` returned at its only call."""
        if create not in self._things:
            self._things[create] = create()
        thing: Thing = self._things[create]
        return thing
