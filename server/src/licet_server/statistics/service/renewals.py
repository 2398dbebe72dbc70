"""Churn and renewal."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from licet_server.events.rules.kinds import EventKind
from licet_server.licenses.service import statistics as licenses
from licet_server.statistics.rules.period import Period
from licet_server.statistics.schemas.trends import RenewalDay, Renewals, RenewalStatistics
from licet_server.statistics.service.scope import Scope
from licet_server.statistics.service.shared import EventCounts, count_events

_ISSUED, _RENEWED, _REVOKED = (
    EventKind.LICENSE_CREATED,
    EventKind.LICENSE_RENEWED,
    EventKind.LICENSE_REVOKED,
)


@dataclass(frozen=True, slots=True)
class _Found:
    events: EventCounts
    lapsed: dict[date, int]


async def renewal_statistics(scope: Scope, period: Period) -> RenewalStatistics:
    """Return renewed, lapsed and revoked licenses, with the period before."""
    found = await _find(scope, period)
    before = await _find(scope, period.before)
    return RenewalStatistics(
        since=period.since,
        until=period.until,
        previous=Renewals(**_totals(before)),
        daily_trend=[
            RenewalDay(
                date=day,
                issued=found.events.on(day, _ISSUED),
                renewed=found.events.on(day, _RENEWED),
                lapsed=found.lapsed.get(day, 0),
                revoked=found.events.on(day, _REVOKED),
            )
            for day in period.days
        ],
        **_totals(found),
    )


async def _find(scope: Scope, period: Period) -> _Found:
    return _Found(
        await count_events(scope, period, (_ISSUED, _RENEWED, _REVOKED)),
        await licenses.count_lapsed_by_day(
            scope.db, scope.visibility, since=period.since, until=period.until, now=scope.now
        ),
    )


def _totals(found: _Found) -> dict[str, Any]:
    renewed, revoked = found.events.total(_RENEWED), found.events.total(_REVOKED)
    lapsed = sum(found.lapsed.values())
    return {
        "issued": found.events.total(_ISSUED),
        "renewed": renewed,
        "lapsed": lapsed,
        "revoked": revoked,
        "churned": lapsed + revoked,
        "renewal_rate": round(renewed / (renewed + lapsed), 4) if renewed + lapsed else None,
    }
