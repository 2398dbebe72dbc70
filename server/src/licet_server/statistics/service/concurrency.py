"""Peak concurrency of Floating licenses against their seats."""

from licet_server.kit.web.views import view_of
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.seats import seat_cap
from licet_server.licenses.service import reading
from licet_server.licenses.service import statistics as licenses
from licet_server.sessions.rules.peaks import FullestLicense
from licet_server.sessions.service.peaks import read_concurrency
from licet_server.statistics.rules.period import Period
from licet_server.statistics.schemas.trends import (
    ConcurrencyDay,
    ConcurrencyStatistics,
    FullLicense,
)
from licet_server.statistics.service.scope import Scope
from licet_server.statistics.service.shared import TOP


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
