"""Sessions in figures."""

from datetime import datetime

from licet_server.events.rules.kinds import EventKind
from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.sessions.service import reading
from licet_server.statistics.rules.figures import SessionDay, SessionStatistics
from licet_server.statistics.rules.period import Period
from licet_server.statistics.service.shared import count_events, name_top

_STARTED, _ENDED, _LIMIT = (
    EventKind.SESSION_STARTED,
    EventKind.SESSION_ENDED,
    EventKind.SESSION_LIMIT_REACHED,
)


async def session_statistics(
    db: Connection, visibility: Visibility, period: Period, now: datetime
) -> SessionStatistics:
    """Sessions that live now, and what happened to them."""
    present = await reading.find_live_sessions(db, visibility, now)
    happened = await count_events(db, visibility, period, (_STARTED, _ENDED, _LIMIT))
    return SessionStatistics(
        since=period.since,
        until=period.until,
        live=present.live,
        started=happened.all_of(_STARTED),
        ended=happened.all_of(_ENDED),
        limit_reached=happened.all_of(_LIMIT),
        daily_trend=[
            SessionDay(
                date=day,
                started=happened.on(day, _STARTED),
                ended=happened.on(day, _ENDED),
                limit_reached=happened.on(day, _LIMIT),
            )
            for day in period.days
        ],
        top_licenses=await name_top(
            db, visibility, [(item.license_id, item.live) for item in present.top_licenses]
        ),
    )
