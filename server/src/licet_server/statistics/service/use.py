"""The usage of licenses, collected from the features above them."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from itertools import chain
from uuid import UUID

from licet_server.catalog.reading import product_names
from licet_server.devices.rules.model import ActivationStatus, DeviceCounters
from licet_server.devices.service.lookup import count_reclaimable
from licet_server.devices.service.seats import DeviceHooks
from licet_server.devices.storage import activations, attempts
from licet_server.devices.storage.activations import (
    count_by_status,
    count_by_version,
    fetch_most_seats,
)
from licet_server.devices.storage.attempts import count_unreviewed
from licet_server.devices.storage.seats import fetch_counters
from licet_server.devices.storage.waiting import count_waiting
from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.web.views import view_of
from licet_server.licenses.rules.model import License, by_instant, seat_cap
from licet_server.licenses.rules.traits import SeatKind
from licet_server.licenses.service import reading
from licet_server.licenses.service.hooks import CurrentUsage
from licet_server.licenses.service.reading import fetch_license
from licet_server.licenses.storage import statistics as licenses
from licet_server.metering.rules.model import Wallet
from licet_server.metering.storage.wallets import fetch_wallets
from licet_server.sessions.rules.model import FullestLicense
from licet_server.sessions.service.reading import read_concurrency
from licet_server.sessions.storage import counts as sessions
from licet_server.sessions.storage.counts import SeatCounts, count_live, count_seats, rank_by_live
from licet_server.statistics.rules import Period
from licet_server.statistics.schemas import (
    ActivationDay,
    ActivationStatistics,
    ConcurrencyDay,
    ConcurrencyStatistics,
    FullLicense,
    LicenseCounts,
    SessionDay,
    SessionStatistics,
    TelemetryDay,
    TelemetryName,
    TelemetryStatistics,
    VersionFigures,
    VersionStatistics,
)
from licet_server.statistics.service.scope import TOP, Scope, count_events, top_licenses
from licet_server.telemetry.service.reading import telemetry_figures

_UNUSED = CurrentUsage()
_DEVICE_EVENTS = {
    "created": [EventKind.ACTIVATION_CREATED, EventKind.ACTIVATION_PENDING],
    "removed": [EventKind.ACTIVATION_DELETED],
    "access_attempts": [EventKind.ACCESS_ATTEMPT_DETECTED],
}
_OF_PERIOD = {**_DEVICE_EVENTS, "limit_reached": [EventKind.ACTIVATION_LIMIT_REACHED]}
_OF_DAY = {**_DEVICE_EVENTS, "blocked": [EventKind.ACTIVATION_BLOCKED]}


async def activation_statistics(scope: Scope, period: Period) -> ActivationStatistics:
    """Return devices by status, and device events of the period."""
    db, visibility = scope.db, scope.visibility
    by_status = await count_by_status(db, visibility, scope.now)
    most = await fetch_most_seats(db, visibility, TOP, scope.now)
    counts = await count_events(scope, period, chain(*_OF_PERIOD.values(), *_OF_DAY.values()))
    return ActivationStatistics(
        since=period.since,
        until=period.until,
        total=sum(by_status.values()),
        active=by_status[ActivationStatus.ACTIVE],
        pending=await count_waiting(db, visibility, scope.now),
        blocked=by_status[ActivationStatus.BLOCKED],
        over_limit=by_status[ActivationStatus.OVER_LIMIT],
        released=by_status[ActivationStatus.RELEASED],
        unreviewed_access_attempts=await count_unreviewed(db, visibility),
        daily_trend=counts.trend(period.days, ActivationDay, _OF_DAY),
        top_licenses=await top_licenses(scope, most),
        **counts.totals(_OF_PERIOD),
    )


_SESSION_EVENTS = {
    "started": [EventKind.SESSION_STARTED],
    "ended": [EventKind.SESSION_ENDED],
    "limit_reached": [EventKind.SESSION_LIMIT_REACHED],
}


async def session_statistics(scope: Scope, period: Period) -> SessionStatistics:
    """Return live sessions, and session events of the period."""
    live, ranked = await rank_by_live(scope.db, scope.visibility, TOP, scope.now)
    counts = await count_events(scope, period, chain(*_SESSION_EVENTS.values()))
    return SessionStatistics(
        since=period.since,
        until=period.until,
        live=live,
        daily_trend=counts.trend(period.days, SessionDay, _SESSION_EVENTS),
        top_licenses=await top_licenses(scope, ranked),
        **counts.totals(_SESSION_EVENTS),
    )


async def concurrency_statistics(scope: Scope, period: Period) -> ConcurrencyStatistics:
    """Return the peaks of Floating licenses by UTC day, against the seats that they have now."""
    whole = period.of_whole_days
    days = whole.days
    found = await read_concurrency(scope.db, scope.visibility, days[0], days[-1], TOP)
    named = await reading.find_by_ids(
        scope.db, scope.visibility, [item.license_id for item in found.fullest]
    )
    return ConcurrencyStatistics(
        since=whole.since,
        until=whole.until,
        seats=await licenses.count_seats(scope.db, scope.visibility, scope.now),
        peak=max(found.by_day.values(), default=0),
        daily_trend=[ConcurrencyDay(day, found.by_day.get(day, 0)) for day in days],
        top_licenses=[
            _full(named[item.license_id], item, seats)
            for item in found.fullest
            if item.license_id in named and (seats := seat_cap(named[item.license_id])) is not None
        ],
    )


def _full(license_: License, item: FullestLicense, seats: int) -> FullLicense:
    return view_of(
        FullLicense,
        license_,
        license_id=license_.id,
        peak=item.peak,
        seats_total=seats,
        peak_on=item.day,
    )


VERSIONS = 100

Version = tuple[UUID, UUID, str | None]
"""Institution, product and version."""


async def version_statistics(scope: Scope, period: Period) -> VersionStatistics:
    """Return active devices and live sessions by version of the application.

    At most 100 versions, the most common ones. Devices are also counted that were seen in the
    period.
    """
    devices, seen = Counter[Version](), Counter[Version]()
    for item in await count_by_version(scope.db, scope.visibility, period.since, scope.now):
        version = (item.institution_id, item.product_id, item.app_version)
        devices[version], seen[version] = item.devices, item.seen
    live = Counter(await sessions.count_by_version(scope.db, scope.visibility, scope.now))
    common = (devices + live).most_common(VERSIONS)
    names = await product_names(scope.db, list({version[:2] for version, _ in common}))
    total = devices.total() + live.total()
    return VersionStatistics(
        devices=devices.total(),
        sessions=live.total(),
        versions=[
            VersionFigures(
                product_id=version[1],
                product_name=names[version[1]],
                app_version=version[2],
                devices=devices[version],
                seen=seen[version],
                sessions=live[version],
            )
            for version, _ in common
            if version[1] in names
        ],
        others=total - sum(number for _, number in common),
    )


async def telemetry_statistics(scope: Scope, period: Period) -> TelemetryStatistics:
    """Return telemetry of the UTC days that the period touches, as far as it is kept."""
    whole = period.of_whole_days
    days = whole.days
    found = await telemetry_figures(
        scope.db, scope.visibility, first=days[0], last=days[-1], limit=TOP
    )
    return TelemetryStatistics(
        since=whole.since,
        until=whole.until,
        events=sum(found.events_by_day.values()),
        dropped=found.dropped,
        devices=found.devices,
        licenses=found.licenses,
        daily_trend=[
            TelemetryDay(
                date=day,
                events=found.events_by_day.get(day, 0),
                devices=found.devices_by_day.get(day, 0),
            )
            for day in days
        ],
        top_names=[
            TelemetryName(name=item.name, events=item.events, devices=item.devices)
            for item in found.names
        ],
    )


async def license_counts(
    db: Connection, hooks: DeviceHooks, operator: Operator, license_id: UUID, now: datetime
) -> LicenseCounts:
    """Count the devices, live sessions and access attempts of a license."""
    license_ = await fetch_license(db, operator, license_id)
    key, now = (license_.institution_id, license_.id), license_.instant(now)
    devices = await activations.count_of_license(db, key, now)
    counters = (await fetch_counters(db, [key], now)).get(license_.id)
    return LicenseCounts(
        license_id=license_.id,
        active_devices=devices[ActivationStatus.ACTIVE],
        pending_devices=devices[ActivationStatus.PENDING],
        blocked_devices=devices[ActivationStatus.BLOCKED],
        over_limit_devices=devices[ActivationStatus.OVER_LIMIT],
        reclaimable_devices=await count_reclaimable(db, hooks, license_, now),
        live_sessions=(await count_live(db, [key], now))[license_.id],
        access_attempts=await attempts.count_of_license(db, key),
        unreviewed_access_attempts=counters.unreviewed_attempts if counters is not None else 0,
    )


async def read_usage(
    db: Connection, licenses: Sequence[License], now: datetime
) -> dict[UUID, CurrentUsage]:
    """Read seats in use, unreviewed access attempts and balances of many licenses."""
    found: dict[UUID, CurrentUsage] = {}
    for instant, going in by_instant(licenses, now).items():
        found |= await _read_usage_at(db, going, instant)
    return found


async def _read_usage_at(
    db: Connection, licenses: Sequence[License], now: datetime
) -> dict[UUID, CurrentUsage]:
    keys, pools, metered = [], [], []
    for item in licenses:  # once, since a batch has those of many pages
        key, traits = (item.institution_id, item.id), item.type.traits
        keys.append(key)
        if traits.seat_kind is SeatKind.SESSION:
            pools.append(key)
        if traits.is_metered:
            metered.append(key)
    counters = await fetch_counters(db, keys, now)
    seats = await count_seats(db, pools, now)
    wallets = {of: item for (_, of), item in (await fetch_wallets(db, metered)).items()}
    known = counters.keys() | seats.keys() | wallets.keys()
    return {
        item.id: _use(item, counters.get(item.id), seats.get(item.id), wallets.get(item.id))
        if item.id in known or item.type.traits.seat_kind is SeatKind.DEVICE
        else _UNUSED
        for item in licenses
    }


def _use(
    license_: License,
    counters: DeviceCounters | None,
    seats: SeatCounts | None,
    wallet: Wallet | None,
) -> CurrentUsage:
    seats_used = None
    if license_.traits.seat_kind is SeatKind.DEVICE:
        seats_used = counters.seats_used if counters is not None else 0
    elif seats is not None:
        seats_used = seats.live
    return CurrentUsage(
        seats_used=seats_used,
        seats_away=seats.lent if seats is not None else None,
        devices_over_limit=counters.over_limit if counters is not None else 0,
        unreviewed_access_attempts=counters.unreviewed_attempts if counters is not None else 0,
        meter_balance=wallet.balance if wallet is not None else None,
        low_balance_threshold=wallet.low_balance_threshold if wallet is not None else None,
    )
