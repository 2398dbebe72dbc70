"""Devices in figures."""

from licet_server.devices.rules.model import ActivationStatus
from licet_server.devices.service.counts import (
    count_devices,
    count_unreviewed_attempts,
    find_most_activated,
)
from licet_server.events.rules.kinds import EventKind
from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.statistics.rules.figures import ActivationDay, ActivationStatistics
from licet_server.statistics.rules.period import Period
from licet_server.statistics.service.shared import TOP, count_events, name_top

_CREATED, _PENDING = EventKind.ACTIVATION_CREATED, EventKind.ACTIVATION_PENDING
_REMOVED, _BLOCKED = EventKind.ACTIVATION_DELETED, EventKind.ACTIVATION_BLOCKED
_ATTEMPT, _LIMIT = EventKind.ACCESS_ATTEMPT_DETECTED, EventKind.ACTIVATION_LIMIT_REACHED
_KINDS = (_CREATED, _PENDING, _REMOVED, _BLOCKED, _ATTEMPT, _LIMIT)


async def activation_statistics(
    db: Connection, visibility: Visibility, period: Period
) -> ActivationStatistics:
    """Devices by status as they are now, and what happened to them."""
    of = (db, visibility)
    by_status = await count_devices(*of)
    happened = await count_events(db, visibility, period, _KINDS)
    return ActivationStatistics(
        since=period.since,
        until=period.until,
        total=sum(by_status.values()),
        active=by_status[ActivationStatus.ACTIVE],
        pending=by_status[ActivationStatus.PENDING],
        blocked=by_status[ActivationStatus.BLOCKED],
        unreviewed_access_attempts=await count_unreviewed_attempts(*of),
        created=happened.all_of(_CREATED) + happened.all_of(_PENDING),
        removed=happened.all_of(_REMOVED),
        access_attempts=happened.all_of(_ATTEMPT),
        limit_reached=happened.all_of(_LIMIT),
        daily_trend=[
            ActivationDay(
                date=day,
                created=happened.on(day, _CREATED) + happened.on(day, _PENDING),
                removed=happened.on(day, _REMOVED),
                blocked=happened.on(day, _BLOCKED),
                access_attempts=happened.on(day, _ATTEMPT),
            )
            for day in period.days
        ],
        top_licenses=await name_top(db, visibility, await find_most_activated(*of, TOP)),
    )
