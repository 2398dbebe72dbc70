"""Figures of sessions."""

from licet_server.events.rules.kinds import EventKind
from licet_server.sessions.service import reading
from licet_server.statistics.rules.period import Period
from licet_server.statistics.schemas.figures import SessionDay, SessionStatistics
from licet_server.statistics.service.scope import Scope
from licet_server.statistics.service.shared import count_events, top_licenses

_STARTED, _ENDED, _SESSION_LIMIT = (
    EventKind.SESSION_STARTED,
    EventKind.SESSION_ENDED,
    EventKind.SESSION_LIMIT_REACHED,
)


async def session_statistics(scope: Scope, period: Period) -> SessionStatistics:
    """Return live sessions, and session events of the period."""
    present = await reading.find_live_sessions(scope.db, scope.visibility, scope.now)
    counts = await count_events(scope, period, (_STARTED, _ENDED, _SESSION_LIMIT))
    return SessionStatistics(
        since=period.since,
        until=period.until,
        live=present.live,
        started=counts.total(_STARTED),
        ended=counts.total(_ENDED),
        limit_reached=counts.total(_SESSION_LIMIT),
        daily_trend=[
            SessionDay(
                date=day,
                started=counts.on(day, _STARTED),
                ended=counts.on(day, _ENDED),
                limit_reached=counts.on(day, _SESSION_LIMIT),
            )
            for day in period.days
        ],
        top_licenses=await top_licenses(
            scope, [(item.license_id, item.live) for item in present.top_licenses]
        ),
    )
