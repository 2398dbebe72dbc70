"""Figures of devices."""

from itertools import chain

from licet_server.devices.rules.model import ActivationStatus
from licet_server.devices.storage.activations import count_by_status, fetch_most_seats
from licet_server.devices.storage.attempts import count_unreviewed
from licet_server.events.rules.kinds import EventKind
from licet_server.statistics.rules.period import Period
from licet_server.statistics.schemas.figures import ActivationDay, ActivationStatistics
from licet_server.statistics.service.scope import Scope
from licet_server.statistics.service.shared import TOP, count_events, top_licenses

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
        pending=by_status[ActivationStatus.PENDING],
        blocked=by_status[ActivationStatus.BLOCKED],
        unreviewed_access_attempts=await count_unreviewed(db, visibility),
        daily_trend=counts.trend(period.days, ActivationDay, _OF_DAY),
        top_licenses=await top_licenses(scope, most),
        **counts.totals(_OF_PERIOD),
    )
