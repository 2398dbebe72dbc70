"""Figures of metering."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from licet_server.kit.amounts import plain
from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.kit.web.views import view_of
from licet_server.licenses.rules.model import License, LicenseStatus
from licet_server.licenses.rules.traits import LicenseType, MeterMode
from licet_server.licenses.service import reading
from licet_server.licenses.storage import statistics as licenses
from licet_server.metering.rules.usage import DayUsage, FeatureUsage, LowBalance, Usage
from licet_server.metering.service.usage import sum_usage, sum_usage_of
from licet_server.metering.storage.usage import find_low, find_low_of
from licet_server.statistics.rules import Period
from licet_server.statistics.schemas import (
    LowBalanceLicense,
    MeterDay,
    MeterStatistics,
    MeterTopFeature,
    MeterTopLicense,
    ModeUsage,
)
from licet_server.statistics.service.scope import TOP, Scope

LOW_SHOWN = 50
_LOW_EXAMINED = 500
_RANKED = 100


async def meter_statistics(scope: Scope, period: Period) -> MeterStatistics:
    """Return usage of the period and present balances, of both modes together and of each."""
    db, visibility = scope.db, scope.visibility
    counts: Counter[LicenseType] = Counter()
    for group in await licenses.count_groups(db, visibility, scope.now):
        counts[group.type] += group.count
    usage = await sum_usage(db, visibility, since=period.since, until=period.until, limit=_RANKED)
    low = await find_low_licenses(db, visibility, scope.now)
    named = await reading.find_by_ids(db, visibility, [item.license_id for item in usage.licenses])
    return _statistics(counts, usage, low, named, period)


async def license_meter_statistics(
    db: Connection, license_: License, period: Period, now: datetime
) -> MeterStatistics:
    """Return the figures of one license; its features are ranked by its newest entries."""
    ids = (license_.institution_id, license_.id)
    usage = await sum_usage_of(db, ids, since=period.since, until=period.until, limit=_RANKED)
    named = {license_.id: license_}
    low = _usable(await find_low_of(db, ids), named, now)
    return _statistics(Counter([license_.type]), usage, low, named, period)


def _statistics(
    counts: Mapping[LicenseType, int],
    usage: Usage,
    low: Sequence[LowBalanceLicense],
    named: Mapping[UUID, License],
    period: Period,
) -> MeterStatistics:
    by_mode = {mode: _of_modes({mode}, usage, low, named, period.days) for mode in MeterMode}
    both = _of_modes(set(MeterMode), usage, low, named, period.days)
    return MeterStatistics(
        since=period.since,
        until=period.until,
        metered_count_license_count=_count_with(MeterMode.COUNT, counts),
        metered_token_license_count=_count_with(MeterMode.TOKEN, counts),
        by_mode=by_mode,
        **{name: getattr(both, name) for name in both.__struct_fields__},
    )


def _count_with(mode: MeterMode, counts: Mapping[LicenseType, int]) -> int:
    return sum(count for type_, count in counts.items() if type_.traits.meter_mode is mode)


async def find_low_licenses(
    db: Connection, visibility: Visibility, now: datetime
) -> list[LowBalanceLicense]:
    """Find the active licenses among the 500 lowest balances; others need no warning."""
    low = await find_low(db, visibility, _LOW_EXAMINED)
    return _usable(
        low, await reading.find_by_ids(db, visibility, [item.license_id[1] for item in low]), now
    )


def _usable(
    low: Sequence[LowBalance], named: Mapping[UUID, License], now: datetime
) -> list[LowBalanceLicense]:
    return [
        view_of(
            LowBalanceLicense,
            license_,
            license_id=license_.id,
            balance=plain(item.balance),
            low_balance_threshold=plain(item.threshold) if item.threshold is not None else None,
        )
        for item in low
        if (license_ := named.get(item.license_id[1])) is not None
        and license_.status(now) is LicenseStatus.ACTIVE
    ]


def _of_modes(
    modes: set[MeterMode],
    usage: Usage,
    low: Sequence[LowBalanceLicense],
    named: Mapping[UUID, License],
    days: Sequence[date],
) -> ModeUsage:
    changes = [item for item in usage.days if item.mode in modes]
    low_in_modes = [item for item in low if item.type.traits.meter_mode in modes]
    return ModeUsage(
        total_balance=_sum(usage.balances.get(mode, Decimal(0)) for mode in modes),
        consumption=_sum(item.consumed for item in changes),
        grants=_sum(item.granted for item in changes),
        adjustments=_sum(item.adjusted for item in changes),
        low_balance_licenses=low_in_modes[:LOW_SHOWN],
        daily_trend=_trend(changes, days),
        top_licenses=[
            _top(named[item.license_id], item.consumed)
            for item in usage.licenses
            if item.mode in modes and item.license_id in named
        ][:TOP],
        top_features=_top_features(item for item in usage.features if item.mode in modes),
    )


def _trend(changes: Sequence[DayUsage], days: Sequence[date]) -> list[MeterDay]:
    by_day: defaultdict[date, list[DayUsage]] = defaultdict(list)
    for item in changes:
        by_day[item.day].append(item)
    return [
        MeterDay(
            date=day,
            consumed=_sum(item.consumed for item in by_day[day]),
            granted=_sum(item.granted for item in by_day[day]),
        )
        for day in days
    ]


def _top(license_: License, consumed: Decimal) -> MeterTopLicense:
    consumption = plain(consumed)
    return view_of(MeterTopLicense, license_, license_id=license_.id, consumed=consumption)


def _top_features(used: Iterable[FeatureUsage]) -> list[MeterTopFeature]:
    """Rank features; one may be consumed in both modes, and names are case-insensitive."""
    names: dict[str, str] = {}
    sums: defaultdict[str, Decimal] = defaultdict(Decimal)
    for item in used:
        name = names.setdefault(item.feature_name.lower(), item.feature_name)
        sums[name] += item.consumed
    ranked = sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))
    return [MeterTopFeature(name, plain(consumed)) for name, consumed in ranked[:TOP]]


def _sum(amounts: Iterable[Decimal]) -> Decimal:
    return plain(sum(amounts, Decimal(0)))
