"""Figures of devices."""

from licet_server.devices.rules.model import ActivationStatus
from licet_server.devices.service.counts import (
    count_devices,
    count_unreviewed_attempts,
    find_most_activated,
)
from licet_server.events.rules.kinds import EventKind
from licet_server.statistics.rules.period import Period
from licet_server.statistics.schemas.figures import ActivationDay, ActivationStatistics
from licet_server.statistics.service.scope import Scope
from licet_server.statistics.service.shared import TOP, count_events, top_licenses

_CREATED, _PENDING = EventKind.ACTIVATION_CREATED, EventKind.ACTIVATION_PENDING
_REMOVED, _BLOCKED = EventKind.ACTIVATION_DELETED, EventKind.ACTIVATION_BLOCKED
_ATTEMPT, _LIMIT = EventKind.ACCESS_ATTEMPT_DETECTED, EventKind.ACTIVATION_LIMIT_REACHED
_KINDS = (_CREATED, _PENDING, _REMOVED, _BLOCKED, _ATTEMPT, _LIMIT)


async def activation_statistics(scope: Scope, period: Period) -> ActivationStatistics:
    """Return devices by status, and device events of the period."""
    db, visibility = scope.db, scope.visibility
    by_status = await count_devices(db, visibility, scope.now)
    most = await find_most_activated(db, visibility, TOP, scope.now)
    counts = await count_events(scope, period, _KINDS)
    return ActivationStatistics(
        since=period.since,
        until=period.until,
        total=sum(by_status.values()),
        active=by_status[ActivationStatus.ACTIVE],
        pending=by_status[ActivationStatus.PENDING],
        blocked=by_status[ActivationStatus.BLOCKED],
        unreviewed_access_attempts=await count_unreviewed_attempts(db, visibility),
        created=counts.total(_CREATED) + counts.total(_PENDING),
        removed=counts.total(_REMOVED),
        access_attempts=counts.total(_ATTEMPT),
        limit_reached=counts.total(_LIMIT),
        daily_trend=[
            ActivationDay(
                date=day,
                created=counts.on(day, _CREATED) + counts.on(day, _PENDING),
                removed=counts.on(day, _REMOVED),
                blocked=counts.on(day, _BLOCKED),
                access_attempts=counts.on(day, _ATTEMPT),
            )
            for day in period.days
        ],
        top_licenses=await top_licenses(scope, most),
    )
