"""The clock of a fake server."""

from __future__ import annotations

from datetime import datetime, timedelta

from licet._clock import Clock, system_clock


class FakeClock:
    """A clock that runs with another one until it is set, and stands still if it is frozen."""

    def __init__(self, source: Clock = system_clock) -> None:
        self.source = source
        self.reset()

    def __call__(self) -> datetime:
        return self._frozen if self._frozen is not None else self.source() + self._offset

    def reset(self) -> None:
        """Run with the other clock again."""
        self._offset = timedelta(0)
        self._frozen: datetime | None = None

    def set(self, now: datetime, *, frozen: bool) -> None:
        self._frozen = now if frozen else None
        self._offset = now - self.source()

    def advance(self, duration: timedelta) -> None:
        self._offset += duration
        if self._frozen is not None:
            self._frozen += duration
