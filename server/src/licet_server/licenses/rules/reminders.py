"""When the world is told that the term of a license ends: some days before, and when it has."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

EXPIRED = 0
"""The last stage: no days are left."""

_DAY = timedelta(days=1)
_BEGINNING = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Stage:
    """At some instant, terms that end in `(after, until]` have at most `days` days left."""

    days: int
    after: datetime
    until: datetime


def stages_at(reminder_days: Collection[int], now: datetime) -> list[Stage]:
    """Where terms stand at `now`, the last stage first.

    Each term is in one stage at most, so that of reminders which are all overdue, the nearest to
    the end is the one that is sent.
    """
    stages = [Stage(EXPIRED, _BEGINNING, now)]
    for days in sorted({days for days in reminder_days if days > EXPIRED}):
        stages.append(Stage(days, stages[-1].until, now + days * _DAY))
    return stages


def days_left(expiration_date: datetime, now: datetime) -> int:
    """Days until the end of the term, a begun one counted as a whole."""
    return max(0, -((now - expiration_date) // _DAY))
