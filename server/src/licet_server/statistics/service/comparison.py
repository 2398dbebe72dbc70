"""The figures of a period, compared with those of the period before."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from licet_server.events.rules.kinds import EventKind
from licet_server.kit.amounts import plain
from licet_server.metering.service.usage import sum_consumption
from licet_server.statistics.rules.period import Period
from licet_server.statistics.schemas.trends import ComparedFigure, Comparison, FigureName
from licet_server.statistics.service.scope import Scope
from licet_server.statistics.service.shared import EventCounts, count_events

_EVENTS: Mapping[FigureName, Sequence[EventKind]] = {
    FigureName.LICENSES_ISSUED: (EventKind.LICENSE_CREATED,),
    FigureName.LICENSES_RENEWED: (EventKind.LICENSE_RENEWED,),
    FigureName.LICENSES_CONVERTED: (EventKind.LICENSE_CONVERTED,),
    FigureName.LICENSES_REVOKED: (EventKind.LICENSE_REVOKED,),
    FigureName.LICENSES_EXPIRED: (EventKind.LICENSE_EXPIRED,),
    FigureName.DEVICES_ADDED: (EventKind.ACTIVATION_CREATED, EventKind.ACTIVATION_PENDING),
    FigureName.DEVICES_REMOVED: (EventKind.ACTIVATION_DELETED,),
    FigureName.ACCESS_ATTEMPTS: (EventKind.ACCESS_ATTEMPT_DETECTED,),
    FigureName.SESSIONS_STARTED: (EventKind.SESSION_STARTED,),
    FigureName.LIMITS_REACHED: (
        EventKind.ACTIVATION_LIMIT_REACHED,
        EventKind.SESSION_LIMIT_REACHED,
    ),
}
_COMPARED = [kind for kinds in _EVENTS.values() for kind in kinds]


async def comparison(scope: Scope, period: Period) -> Comparison:
    """Compare the figures of the period with those of the period of the same length before it."""
    present = await _figures(scope, period)
    before = await _figures(scope, period.before)
    return Comparison(
        since=period.since,
        until=period.until,
        previous_since=period.before.since,
        previous_until=period.before.until,
        figures=[ComparedFigure(name, value, before[name]) for name, value in present.items()],
    )


async def _figures(scope: Scope, period: Period) -> dict[FigureName, Decimal]:
    counts = await count_events(scope, period, _COMPARED)
    consumed = await sum_consumption(
        scope.db, scope.visibility, since=period.since, until=period.until
    )
    figures = {name: _total(counts, kinds) for name, kinds in _EVENTS.items()}
    return {**figures, FigureName.CONSUMPTION: plain(consumed)}


def _total(counts: EventCounts, kinds: Sequence[EventKind]) -> Decimal:
    return Decimal(sum(counts.total(kind) for kind in kinds))
