"""Peaks of licenses, as they are stored."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Date,
    Integer,
    and_,
    delete,
    exists,
    func,
    literal,
    select,
    tuple_,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by, insert

from licet_server.catalog.reading import goes_by
from licet_server.kit.database import Connection, Id
from licet_server.kit.statements import Arrays, visible_to
from licet_server.kit.together import Change
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.traits import SeatKind, models_where
from licet_server.licenses.tables import licenses
from licet_server.sessions.rules.model import FullestLicense, Peak
from licet_server.sessions.tables import session_peaks as peaks
from licet_server.sessions.tables import session_slots as slots

_NAMES = ["institution_id", "license_id", "day", "product_id", "peak"]
_KEY = ["institution_id", "license_id", "day"]
_DELETED_AT_ONCE = 10_000

_REACHED = Arrays(
    "reached", institution_id=Id, license_id=Id, day=Date, product_id=Id, peak=Integer
)
_STANDS = exists().where(
    *(peaks.c[name] == _REACHED.c[name] for name in _KEY), peaks.c.peak >= _REACHED.c.peak
)
_INSERT = insert(peaks).from_select(
    _NAMES,
    select(*(_REACHED.c[name] for name in _NAMES))
    .where(~_STANDS)
    .order_by(*(_REACHED.c[name] for name in _KEY)),
)
RAISE = _INSERT.on_conflict_do_update(
    index_elements=_KEY, set_={"peak": func.greatest(peaks.c.peak, _INSERT.excluded.peak)}
)


def _is_pool_of(row: Any) -> ColumnElement[bool]:
    """Join a row with its license, if that limits how many sessions are live at once."""
    return and_(
        licenses.c.institution_id == row.institution_id,
        licenses.c.id == row.license_id,
        licenses.c.type.in_(models_where(lambda traits: traits.seat_kind is SeatKind.SESSION)),
        licenses.c.max_active_users_count.is_not(None),
    )


def raising(reached: Sequence[Peak]) -> Change:
    """Return what raises the peaks that these exceed; most exceed none, and write nothing."""
    rows = [[getattr(item, name) for name in _NAMES] for item in reached]
    return RAISE, _REACHED.given(rows)


async def raise_to_live(db: Connection, now: datetime) -> int:
    """Raise the peaks of the day to the sessions that are live now. Returns how many.

    Products with a clock of their own are left out.
    """
    live = (
        select(
            slots.c.institution_id,
            slots.c.license_id,
            literal(now.date(), Date).label("day"),
            slots.c.product_id,
            func.count().label("peak"),
        )
        .join(licenses, _is_pool_of(slots.c))
        .where(
            slots.c.expires_at > now,
            goes_by(None, slots.c.institution_id, slots.c.product_id),
        )
        .group_by(slots.c.institution_id, slots.c.license_id, slots.c.product_id)
        .subquery("live")
    )
    # What is not raised must not be locked, since sessions that start would wait for it.
    stands = exists().where(
        *(peaks.c[name] == live.c[name] for name in _KEY), peaks.c.peak >= live.c.peak
    )
    raised = insert(peaks).from_select(
        _NAMES, select(live).where(~stands).order_by(*(live.c[name] for name in _KEY))
    )
    statement = raised.on_conflict_do_update(
        index_elements=_KEY, set_={"peak": func.greatest(peaks.c.peak, raised.excluded.peak)}
    )
    return (await db.execute(statement)).rowcount


async def delete_before(db: Connection, day: date) -> int:
    """Delete a bounded number of peaks of earlier days. Returns how many."""
    key = tuple_(*(peaks.c[name] for name in _KEY))
    old = select(*(peaks.c[name] for name in _KEY)).where(peaks.c.day < day)
    statement = delete(peaks).where(key.in_(old.limit(_DELETED_AT_ONCE)))
    return (await db.execute(statement)).rowcount


def _within(visibility: Visibility, first: date, last: date) -> ColumnElement[bool]:
    return and_(
        visible_to(visibility, peaks.c.institution_id, peaks.c.product_id),
        peaks.c.day.between(first, last),
    )


async def sum_by_day(
    db: Connection, visibility: Visibility, first: date, last: date
) -> dict[date, int]:
    """Sum the peaks of the visible licenses on each day; days without sessions are omitted."""
    statement = (
        select(peaks.c.day, func.sum(peaks.c.peak).label("peak"))
        .where(_within(visibility, first, last))
        .group_by(peaks.c.day)
    )
    return {row.day: int(row.peak) for row in await db.execute(statement)}


async def rank_by_fullness(
    db: Connection, visibility: Visibility, first: date, last: date, limit: int
) -> list[FullestLicense]:
    """Fetch the licenses whose highest peak is the greatest part of their present seats."""
    highest = (
        select(
            peaks.c.institution_id,
            peaks.c.license_id,
            func.max(peaks.c.peak).label("peak"),
            func.array_agg(
                aggregate_order_by(peaks.c.day, peaks.c.peak.desc(), peaks.c.day.desc())
            ).label("days"),
        )
        .where(_within(visibility, first, last))
        .group_by(peaks.c.institution_id, peaks.c.license_id)
        .subquery("highest")
    )
    seats = licenses.c.max_active_users_count
    statement = (
        select(highest.c.license_id, highest.c.peak, highest.c.days[1].label("day"))
        .join(licenses, _is_pool_of(highest.c))
        .order_by(
            (highest.c.peak * 1.0 / seats).desc(),
            highest.c.peak.desc(),
            highest.c.license_id,
        )
        .limit(limit)
    )
    return [msgspec.convert(row._mapping, FullestLicense) for row in await db.execute(statement)]
