"""What all statistics do alike: count events by day, and name the licenses with the most."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from licet_server.events.service.reading import count_by_day
from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.seats import seat_cap
from licet_server.licenses.service import reading
from licet_server.statistics.rules.figures import TopLicense
from licet_server.statistics.rules.period import Period

TOP = 10


@dataclass(frozen=True, slots=True)
class Happened:
    """Numbers of events by UTC day and kind."""

    counts: Mapping[tuple[date, str], int]

    def on(self, day: date, kind: str) -> int:
        """How many of the kind on the day."""
        return self.counts.get((day, kind), 0)

    def all_of(self, kind: str) -> int:
        """How many of the kind in the whole period."""
        return sum(count for (_, name), count in self.counts.items() if name == kind)


async def count_events(
    db: Connection, visibility: Visibility, period: Period, kinds: Iterable[str]
) -> Happened:
    """What happened in the period, from the recorded events."""
    counts = await count_by_day(
        db,
        visibility,
        list(kinds),
        since=period.since,
        until=period.until,
    )
    return Happened(counts)


async def name_top(
    db: Connection, visibility: Visibility, ranked: Sequence[tuple[UUID, int]]
) -> list[TopLicense]:
    """The licenses behind a ranking, in its order."""
    found = await reading.find_by_ids(db, visibility, [item for item, _ in ranked])
    return [_top(found[item], count) for item, count in ranked if item in found]


def _top(license_: License, count: int) -> TopLicense:
    return TopLicense(
        license_id=license_.id,
        license_name=license_.license_name,
        product_id=license_.product_id,
        type=license_.type,
        count=count,
        seats_total=seat_cap(license_),
    )
