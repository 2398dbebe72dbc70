"""What a forked child must not share with its parent: connections, locks and threads."""

from __future__ import annotations

import os
import weakref
from typing import Protocol


class Forkable(Protocol):
    """something that starts again in a forked child."""

    def after_fork(self) -> None:
        """Replace what belongs to the parent. Runs in the child, in its only thread."""
        ...


_watched: weakref.WeakSet[Forkable] = weakref.WeakSet()


def watch_forks(item: Forkable) -> None:
    """Call ``item.after_fork()`` in every child that this process forks."""
    _watched.add(item)


def _start_again() -> None:
    for item in list(_watched):
        item.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_again)
