"""Who pays again: customers by the month of their first purchase, and when they first renewed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

WINDOWS = (1, 3, 6, 12, 18, 24)
"""Within how many months of the first purchase renewals are counted."""

MONTHS_SHOWN = 25
"""How many months of first purchases are told, with the present one: all that a window needs."""


@dataclass(frozen=True, slots=True)
class Renewers:
    """How many customers bought first in a month, and first renewed as many months after it.

    Months are counted from year 0. `after` is `None` for those who never renewed.
    """

    month: int
    after: int | None
    customers: int


@dataclass(frozen=True, slots=True)
class Cohort:
    """The customers who bought first in a month, such as `2026-11`, and how many of them renewed.

    `within` has the number for each of `WINDOWS` that is over, and `renewed` that until now.
    """

    month: str
    customers: int
    renewed: int
    within: tuple[tuple[int, int], ...]


def month_of(instant: datetime) -> int:
    """Return the month of an instant in UTC, counted from year 0."""
    return instant.year * 12 + instant.month - 1


def cohorts(found: Iterable[Renewers], now: datetime) -> list[Cohort]:
    """Return the customers of each month, from the earliest; months without any are left out.

    A window is over when its last month is: until then more customers may renew in it.
    """
    of_month: dict[int, list[Renewers]] = {}
    for item in found:
        of_month.setdefault(item.month, []).append(item)
    return [_cohort(month, of_month[month], month_of(now)) for month in sorted(of_month)]


def _cohort(month: int, found: list[Renewers], present: int) -> Cohort:
    renewed = [(item.after, item.customers) for item in found if item.after is not None]
    return Cohort(
        month=f"{month // 12:04}-{month % 12 + 1:02}",
        customers=sum(item.customers for item in found),
        renewed=sum(count for _, count in renewed),
        within=tuple(
            (window, sum(count for after, count in renewed if after <= window))
            for window in WINDOWS
            if month + window < present
        ),
    )
