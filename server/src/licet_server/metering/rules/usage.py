"""Usage of metered licenses over a period."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from uuid import UUID

from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.rules.traits import MeterMode

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class UncountedWallet:
    """A wallet with entries that the daily totals lack: after `counted`, up to `version`.

    `last` is the number of the last entry that is stored; a damaged wallet may be ahead of it.
    """

    institution_id: UUID
    license_id: UUID
    product_id: UUID
    mode: MeterMode
    counted: int
    version: int
    last: int


Span = tuple[date, date]
"""Days, from one to before another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthSplit:
    """A sum over days, from fewer rows: that of whole months, with some days added and some taken.

    `months` begin and end with the first day of a month.
    """

    months: Span
    added: Sequence[Span]
    taken: Sequence[Span]


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageQuery:
    """Whose usage to read, from `since` to before `until`; of one license if `license_id` is set.

    `first` to `last` are the UTC days that lie completely in the period. `edges` are the remaining
    parts at its ends, each from an instant to before another. `months` are the same days as `first`
    to `last`.
    """

    visibility: Visibility
    since: datetime
    until: datetime
    first: date
    last: date
    edges: Sequence[tuple[datetime, datetime]]
    months: MonthSplit
    license_id: UUID | None = None


def usage_query(
    visibility: Visibility, since: datetime, until: datetime, *, license_id: UUID | None = None
) -> UsageQuery:
    """Build a query whose period is split into whole UTC days and the remaining edges."""
    begin, end = _midnight(since), _midnight(until)
    if begin < since:
        begin += _DAY
    if begin > end:
        edges = [(since, until)]
    else:
        edges = [(a, b) for a, b in ((since, begin), (end, until)) if a < b]
    first, last = begin.date(), (end - _DAY).date()
    return UsageQuery(
        visibility=visibility,
        since=since,
        until=until,
        first=first,
        last=last,
        edges=edges,
        months=split_into_months(first, last),
        license_id=license_id,
    )


def split_into_months(first: date, last: date) -> MonthSplit:
    """Split days into months, and the few days to add to and to subtract from them."""
    after = last + _DAY
    begin, end = first.replace(day=1), after.replace(day=1)
    added: list[Span] = []
    taken: list[Span] = []
    if first - begin < _next_month(begin) - first:
        taken.append((begin, first))
    else:
        begin = _next_month(begin)
        added.append((first, begin))
    if _next_month(end) - after < after - end:
        end = _next_month(end)
        taken.append((after, end))
    else:
        added.append((end, after))
    if begin >= end:
        return MonthSplit(months=(first, first), added=[(first, after)], taken=[])
    return MonthSplit(
        months=(begin, end),
        added=[(a, b) for a, b in added if a < b],
        taken=[(a, b) for a, b in taken if a < b],
    )


def _next_month(day: date) -> date:
    """Return the first day of the month after that of a day."""
    return (day.replace(day=1) + 31 * _DAY).replace(day=1)


def _midnight(instant: datetime) -> datetime:
    return datetime.combine(instant.date(), time(), UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class DayUsage:
    """The balance changes of one mode on a UTC day."""

    mode: MeterMode
    day: date
    consumed: Decimal
    granted: Decimal
    adjusted: Decimal


@dataclass(frozen=True, slots=True)
class LicenseUsage:
    """What a license consumed."""

    mode: MeterMode
    license_id: UUID
    consumed: Decimal


@dataclass(frozen=True, slots=True)
class FeatureUsage:
    """What all licenses consumed of a feature."""

    mode: MeterMode
    feature_name: str
    consumed: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """The usage of a period and the present balances; licenses and features by consumption."""

    balances: dict[MeterMode, Decimal]
    days: Sequence[DayUsage]
    licenses: Sequence[LicenseUsage]
    features: Sequence[FeatureUsage]


def counting_steps(
    wallets: Sequence[UncountedWallet], budget: int
) -> list[tuple[UncountedWallet, int]]:
    """Return how far to count each wallet, reading at most `budget` entries in total."""
    steps: list[tuple[UncountedWallet, int]] = []
    for item in wallets:
        until = min(item.last, item.version, item.counted + budget)
        if until > item.counted:
            steps.append((item, until))
        budget -= until - item.counted
    return steps


@dataclass(frozen=True, slots=True, kw_only=True)
class LowBalance:
    """A wallet that is empty, or at or below its threshold, if it has one."""

    license_id: LicenseId
    balance: Decimal
    threshold: Decimal | None
