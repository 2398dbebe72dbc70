"""What was used, summed up."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from uuid import UUID

from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.rules.traits import MeterMode

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Uncounted:
    """The entries of a wallet that are not in the sums by day: after `counted`, up to `version`."""

    institution_id: UUID
    license_id: UUID
    product_id: UUID
    mode: MeterMode
    counted: int
    version: int


@dataclass(frozen=True, slots=True)
class Asked:
    """Whose usage is asked for, and of when: from `since` to before `until`.

    `license_id` narrows it to one license. `first` to `last` are the UTC days that lie wholly in
    the period; `edges` are what is left of it at its ends, from an instant to before another.
    """

    visibility: Visibility
    since: datetime
    until: datetime
    first: date
    last: date
    edges: Sequence[tuple[datetime, datetime]]
    license_id: UUID | None = None


def ask(
    visibility: Visibility, since: datetime, until: datetime, license_id: UUID | None = None
) -> Asked:
    """The question, with its period cut into whole days and the rest."""
    begin, end = _midnight(since), _midnight(until)
    if begin < since:
        begin += _DAY
    if begin > end:
        edges = [(since, until)]
    else:
        edges = [(a, b) for a, b in ((since, begin), (end, until)) if a < b]
    last = (end - _DAY).date()
    return Asked(visibility, since, until, begin.date(), last, edges, license_id)


def _midnight(instant: datetime) -> datetime:
    return datetime.combine(instant.date(), time(), UTC)


@dataclass(frozen=True, slots=True)
class DayUsage:
    """What moved balances on a UTC day."""

    mode: MeterMode
    day: date
    consumed: Decimal
    granted: Decimal
    adjusted: Decimal


@dataclass(frozen=True, slots=True)
class LicenseUsage:
    """What a license used."""

    mode: MeterMode
    license_id: UUID
    consumed: Decimal


@dataclass(frozen=True, slots=True)
class FeatureUsage:
    """What a feature was used for, by all licenses."""

    mode: MeterMode
    feature_name: str
    consumed: Decimal


@dataclass(frozen=True, slots=True)
class Usage:
    """What happened in a period, and what is left now; licenses and features by their usage."""

    balances: dict[MeterMode, Decimal]
    days: Sequence[DayUsage]
    licenses: Sequence[LicenseUsage]
    features: Sequence[FeatureUsage]


def within(found: Sequence[Uncounted], budget: int) -> list[tuple[Uncounted, int]]:
    """How far to count each wallet, so that no more than `budget` entries are read in all."""
    steps: list[tuple[Uncounted, int]] = []
    for item in found:
        until = min(item.version, item.counted + budget)
        if until > item.counted:
            steps.append((item, until))
        budget -= until - item.counted
    return steps


LowBalance = tuple[LicenseId, Decimal, Decimal | None]
"""A wallet that is low: whose, its balance, and the threshold, if one is set."""
