"""Which releases a license covers: those of its maintenance, and after its term those it keeps.

All of it compares fixed dates with each other. No clock takes part, so none can be set back.
"""

from datetime import datetime, timedelta
from enum import StrEnum

from licet_server.catalog.rules.model import Coverage

FALLBACK_AFTER_MONTHS = 12
FALLBACK_AFTER_MAX_MONTHS = 120

SHORTER_DAYS = 3
"""How much shorter calendar months may be than twelfths of a year."""


class Fallback(StrEnum):
    """What a license keeps when its term and its grace have ended."""

    NONE = "None"
    RELEASE_AT_TERM_END = "ReleaseAtTermEnd"
    RELEASE_AT_TERM_START = "ReleaseAtTermStart"


def days_of(months: int) -> int:
    """Return how many days as many months have on average, rounded down."""
    return months * 365 // 12


def fallback_until(
    fallback: Fallback,
    *,
    paid_since: datetime,
    term_began_at: datetime,
    term_ends_at: datetime,
    after_months: int,
) -> datetime | None:
    """Return the cut-off: releases that were first published until then are kept for ever.

    `None` without a fallback, and while fewer than `after_months` in a row were paid for.
    `ReleaseAtTermStart` keeps what there was when the last `after_months` began, or the last term
    if that is longer.
    """
    if fallback is Fallback.NONE:
        return None
    needed = timedelta(days=days_of(after_months))
    if after_months and term_ends_at - paid_since < needed - timedelta(days=SHORTER_DAYS):
        return None
    if fallback is Fallback.RELEASE_AT_TERM_END:
        return term_ends_at
    return max(paid_since, min(term_began_at, term_ends_at - needed))


def is_covered(first_published_at: datetime, coverage: Coverage, until: datetime | None) -> bool:
    """Return whether a license that covers releases `until` an instant covers this one.

    A release of that very instant is covered; `None` covers all.
    """
    return until is None or coverage is Coverage.EVERYONE or first_published_at <= until
