"""Figures of sessions."""

from itertools import chain

from licet_server.events.rules.kinds import EventKind
from licet_server.sessions.storage.counts import rank_by_live
from licet_server.statistics.rules.period import Period
from licet_server.statistics.schemas.figures import SessionDay, SessionStatistics
from licet_server.statistics.service.scope import Scope
from licet_server.statistics.service.shared import TOP, count_events, top_licenses

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
