"""Figures of sessions."""

from itertools import chain

from licet_server.events.rules.kinds import EventKind
from licet_server.sessions.service.reading import find_live_sessions
from licet_server.statistics.rules.period import Period
from licet_server.statistics.schemas.figures import SessionDay, SessionStatistics
from licet_server.statistics.service.scope import Scope
from licet_server.statistics.service.shared import count_events, top_licenses

_SESSION_EVENTS = {
    "started": [EventKind.SESSION_STARTED],
    "ended": [EventKind.SESSION_ENDED],
    "limit_reached": [EventKind.SESSION_LIMIT_REACHED],
}


async def session_statistics(scope: Scope, period: Period) -> SessionStatistics:
    """Return live sessions, and session events of the period."""
    present = await find_live_sessions(scope.db, scope.visibility, scope.now)
    counts = await count_events(scope, period, chain(*_SESSION_EVENTS.values()))
    return SessionStatistics(
        since=period.since,
        until=period.until,
        live=present.live,
        daily_trend=counts.trend(period.days, SessionDay, _SESSION_EVENTS),
        top_licenses=await top_licenses(
            scope, [(item.license_id, item.live) for item in present.top_licenses]
        ),
        **counts.totals(_SESSION_EVENTS),
    )
