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
    """A wallet with entries that the daily totals lack: after `counted`, up to `version`."""

    institution_id: UUID
    license_id: UUID
    product_id: UUID
    mode: MeterMode
    counted: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageQuery:
    """Whose usage to read, from `since` to before `until`; of one license if `license_id` is set.

    `first` to `last` are the UTC days that lie completely in the period. `edges` are the remaining
    parts at its ends, each from an instant to before another.
    """

    visibility: Visibility
    since: datetime
    until: datetime
    first: date
    last: date
    edges: Sequence[tuple[datetime, datetime]]
    license_id: UUID | None = None


def usage_query(
    visibility: Visibility, since: datetime, until: datetime, *, license_id: UUID | None = None
) -> UsageQuery:
    """A query whose period is split into whole UTC days and the remaining edges."""
    begin, end = _midnight(since), _midnight(until)
    if begin < since:
        begin += _DAY
    if begin > end:
        edges = [(since, until)]
    else:
        edges = [(a, b) for a, b in ((since, begin), (end, until)) if a < b]
    return UsageQuery(
        visibility=visibility,
        since=since,
        until=until,
        first=begin.date(),
        last=(end - _DAY).date(),
        edges=edges,
        license_id=license_id,
    )


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
    """The number up to which to count each wallet, reading at most `budget` entries in total."""
    steps: list[tuple[UncountedWallet, int]] = []
    for item in wallets:
        until = min(item.version, item.counted + budget)
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
