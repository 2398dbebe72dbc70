"""When expiry reminders are due: before and at the end of a term, and at the end of its grace."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

EXPIRED = 0
"""The last stage: the term and its grace have ended."""

IN_GRACE = -1
"""The stage before that of a license with a grace: the term has ended, and the grace has not."""

_DAY = timedelta(days=1)
_BEGINNING = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """At some instant, terms that end in `(after, until]` have at most `days` days left.

    Terms of the last stage have ended. It is that of a license without a grace, or one whose grace
    has ended; otherwise the license is in the stage `IN_GRACE`.
    """

    days: int
    after: datetime
    until: datetime


def stages_at(reminder_days: Collection[int], now: datetime) -> list[Stage]:
    """Return the stages at `now`, the last one first.

    Each term is in one stage at most: if several reminders are overdue, only the last one is sent.
    """
    stages = [Stage(days=EXPIRED, after=_BEGINNING, until=now)]
    for days in sorted({days for days in reminder_days if days > EXPIRED}):
        stages.append(Stage(days=days, after=stages[-1].until, until=now + days * _DAY))
    return stages


def days_left(expiration_date: datetime, now: datetime) -> int:
    """Days until the end of the term, rounded up."""
    return max(0, -((now - expiration_date) // _DAY))
