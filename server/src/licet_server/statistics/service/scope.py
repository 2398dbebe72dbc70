"""The scope of a statistic, and whether the operator may see it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TypeVar
from uuid import UUID

from licet_server.catalog.reading import fetch_now, test_products
from licet_server.catalog.service.lookup import find_product
from licet_server.events.storage.reading import count_by_day
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.kit.web.views import view_of
from licet_server.licenses.rules.model import License, seat_cap
from licet_server.licenses.service import reading
from licet_server.statistics import errors
from licet_server.statistics.rules import Period
from licet_server.statistics.schemas import TopLicense


@dataclass(frozen=True, slots=True)
class Scope:
    """The products that figures cover, a snapshot to read them from, and the instant they go by."""

    db: Connection
    visibility: Visibility
    now: datetime


async def find_license(
    db: Connection,
    operator: Operator,
    *,
    institution_id: UUID | None,
    product_id: UUID | None,
    license_id: UUID,
) -> License:
    """Find a license that the operator sees, in the institution and product if they are named."""
    visibility = operator.visibility_of(institution_id)
    found = (await reading.find_by_ids(db, visibility, [license_id])).get(license_id)
    if found is None or product_id not in {None, found.product_id}:
        raise operator.unseen("license")
    return found


async def find_scope(
    db: Connection,
    operator: Operator,
    institution_id: UUID | None,
    product_id: UUID | None,
    now: datetime,
) -> Scope:
    """Return all that is visible to the operator, or the named institution or product.

    Figures cover whole products: products visible only by single releases are left out. So are Test
    products, unless one is named, and then they go by its clock.

    Raises:
        Refused: `NotFound` if it is not visible; `Forbidden` for a product of which only single
            releases are visible.
    """
    visibility = operator.visibility_of(institution_id)
    if product_id is None:
        tests = await test_products(db, visibility.institutions + visibility.narrowed)
        return Scope(db, visibility.of_whole_products().without(tests), now)
    product = await find_product(db, visibility, product_id)
    if product is None:
        raise operator.unseen("product")
    if await find_product(db, visibility.of_whole_products(), product_id) is None:
        raise errors.single_releases_only()
    clock = await fetch_now(db, product) if product.test else None
    shown = visibility.within(product.institution_id).of_product(product_id)
    return Scope(db, shown, clock or now)


TOP = 10

Day = TypeVar("Day")
Figures = Mapping[str, Sequence[str]]
"""The kinds of events that each figure of a view counts."""


@dataclass(frozen=True, slots=True)
class EventCounts:
    """The number of events by UTC day and kind."""

    counts: Mapping[tuple[date, str], int]

    def on(self, day: date, kind: str) -> int:
        """Return the number of events of a kind on a day."""
        return self.counts.get((day, kind), 0)

    def total(self, kind: str) -> int:
        """Return the number of events of a kind in the whole period."""
        return sum(count for (_, name), count in self.counts.items() if name == kind)

    def totals(self, figures: Figures) -> dict[str, int]:
        """Return the total of each figure in the whole period."""
        return {name: sum(map(self.total, kinds)) for name, kinds in figures.items()}

    def trend(self, days: Iterable[date], view: Callable[..., Day], figures: Figures) -> list[Day]:
        return [
            view(
                date=day,
                **{name: sum(self.on(day, kind) for kind in of) for name, of in figures.items()},
            )
            for day in days
        ]


async def count_events(scope: Scope, period: Period, kinds: Iterable[str]) -> EventCounts:
    """Count the recorded events of the period."""
    counts = await count_by_day(
        scope.db,
        scope.visibility,
        list(dict.fromkeys(kinds)),
        since=period.since,
        until=period.until,
    )
    return EventCounts(counts)


async def top_licenses(scope: Scope, ranked: Sequence[tuple[UUID, int]]) -> list[TopLicense]:
    """Return the licenses of a ranking, in its order."""
    found = await reading.find_by_ids(scope.db, scope.visibility, [item for item, _ in ranked])
    return [_top(found[item], count) for item, count in ranked if item in found]


def _top(license_: License, count: int) -> TopLicense:
    seats = seat_cap(license_)
    return view_of(TopLicense, license_, license_id=license_.id, count=count, seats_total=seats)
