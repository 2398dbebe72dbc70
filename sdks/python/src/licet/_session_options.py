"""What an application asks of a session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from licet._callbacks import OnLost
from licet._flow import Flow


def no_cleanup() -> Flow[None]:
    """Do nothing after the session."""
    yield from ()


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """The application's options for a session.

    Attributes:
        cleanup: Runs after the seat has been released.
    """

    instance_id: str | None = None
    on_lost: OnLost | None = None
    on_regained: Callable[[Any], object] | None = None
    cleanup: Callable[[], Flow[None]] = no_cleanup
