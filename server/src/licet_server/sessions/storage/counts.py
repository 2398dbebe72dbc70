"""Counts of live sessions; those of a license whose term is over are not live."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Select, and_, bindparam, case, func, or_, select, true

from licet_server.kit.backlogs import Backlog, sample_of, sampled_percent
from licet_server.kit.database import Connection, Id, Instant
from licet_server.kit.kept import kept
from licet_server.kit.statements import Arrays, visible_to
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.storage.terms import status_dates
from licet_server.sessions.tables import session_slots as slots
from licet_server.sessions.tables import sessions

_NOW = bindparam("now", type_=Instant)
_REQUESTED = Arrays("wanted", institution_id=Id, license_id=Id)
_COUNTED = (
    select(
        func.count().label("live"),
        func.count().filter(slots.c.lease_id.is_not(None)).label("lent"),
    )
    .where(
        slots.c.institution_id == _REQUESTED.c.institution_id,
        slots.c.license_id == _REQUESTED.c.license_id,
        slots.c.expires_at > _NOW,
    )
    .lateral("counted")
)
_DATES = status_dates(_REQUESTED.c.institution_id, _REQUESTED.c.license_id)
_TERM_IS_OVER = _DATES.c.valid_until <= _NOW
_LIVE = select(
    _REQUESTED.c.license_id,
    case((_TERM_IS_OVER, 0), else_=_COUNTED.c.live).label("live"),
    _COUNTED.c.lent,
).select_from(_REQUESTED.table.join(_COUNTED, true()).outerjoin(_DATES, true()))


@dataclass(frozen=True, slots=True)
class SeatCounts:
    """How many sessions of a license are live, and how many seats of it are borrowed."""

    live: int
    lent: int


async def count_live(
    db: Connection, license_ids: Sequence[LicenseId], now: datetime
) -> dict[UUID, int]:
    """Count the sessions of each license that are live at `now`; every license is included.

    This reads every slot of the licenses.
    """
    counted = await count_seats(db, license_ids, now)
    return {license_id: item.live for license_id, item in counted.items()}


async def count_seats(
    db: Connection, license_ids: Sequence[LicenseId], now: datetime
) -> dict[UUID, SeatCounts]:
    """Count live sessions as `count_live`, and the seats that are away, also after the term."""
    if not license_ids:
        return {}
    given = _REQUESTED.given(dict.fromkeys(license_ids))
    rows = await db.execute(_LIVE, {**given, "now": now})
    return {row.license_id: SeatCounts(row.live, row.lent) for row in rows}


async def live_devices(db: Connection, license_id: LicenseId, now: datetime) -> set[str]:
    """Return the hardware IDs of the devices with live sessions of the license at `now`."""
    statement = select(slots.c.hardware_id).where(
        slots.c.institution_id == license_id[0],
        slots.c.license_id == license_id[1],
        slots.c.expires_at > now,
    )
    return set((await db.execute(statement)).scalars())


_NAMED = Arrays("held", institution_id=Id, license_id=Id, session_id=Id)
_LIVE_SESSIONS = select(_NAMED.c.session_id).join(
    slots,
    and_(
        slots.c.institution_id == _NAMED.c.institution_id,
        slots.c.session_id == _NAMED.c.session_id,
        slots.c.license_id == _NAMED.c.license_id,
        slots.c.expires_at > bindparam("now", type_=Instant),
    ),
)


async def fetch_live(
    db: Connection, sessions: Sequence[tuple[UUID, UUID, UUID]], now: datetime
) -> set[UUID]:
    """Fetch which of these sessions (institution, license, session) are live at `now`."""
    if not sessions:
        return set()
    given = _NAMED.given(dict.fromkeys(sessions))
    return set((await db.execute(_LIVE_SESSIONS, {**given, "now": now})).scalars())


async def rank_by_live(
    db: Connection, visibility: Visibility, limit: int, now: datetime
) -> tuple[int, list[tuple[UUID, int]]]:
    """Count the visible sessions that are live at `now`, and rank the licenses with the most.

    This reads every slot of the visible institutions.
    """
    rows = (await db.execute(*_ranked(visibility, limit, now))).all()
    total = int(rows[0].total) if rows else 0
    return total, [(row.license_id, row.live) for row in rows]


@kept
def _ranked(visibility: Visibility, limit: int, now: datetime) -> Select[Any]:
    counted = (
        select(slots.c.institution_id, slots.c.license_id, func.count().label("live"))
        .where(
            visible_to(visibility, slots.c.institution_id, slots.c.product_id),
            slots.c.expires_at > now,
        )
        .group_by(slots.c.institution_id, slots.c.license_id)
        .subquery("counted")
    )
    dates = status_dates(counted.c.institution_id, counted.c.license_id)
    return (
        select(
            counted.c.license_id,
            counted.c.live,
            func.sum(counted.c.live).over().label("total"),
        )
        .select_from(counted.join(dates, true()))
        .where(or_(dates.c.valid_until.is_(None), dates.c.valid_until > now))
        .order_by(counted.c.live.desc(), counted.c.license_id)
        .limit(limit)
    )


async def count_by_version(
    db: Connection, visibility: Visibility, now: datetime
) -> dict[tuple[UUID, UUID, str | None], int]:
    """Count the visible live sessions by institution, product and version of the application."""
    shared = (sessions.c.institution_id, sessions.c.product_id, sessions.c.app_version)
    statement = (
        select(*shared, func.count().label("live"))
        .join(
            slots,
            and_(
                slots.c.institution_id == sessions.c.institution_id,
                slots.c.session_id == sessions.c.id,
            ),
        )
        .where(
            visible_to(visibility, slots.c.institution_id, slots.c.product_id),
            slots.c.expires_at > now,
        )
        .group_by(*shared)
    )
    rows = await db.execute(statement)
    return {(row.institution_id, row.product_id, row.app_version): row.live for row in rows}


_SLOTS = sample_of(slots)
_LIVE_SLOTS = select(func.count()).select_from(_SLOTS).where(_SLOTS.c.expires_at > _NOW)


async def estimate_live(db: Connection, now: datetime) -> Backlog:
    """Estimate the live sessions of the instance from a sample: exactly, while seats are few."""
    percent = await sampled_percent(db, slots)
    found = (await db.execute(_LIVE_SLOTS, {"percent": percent, "now": now})).scalar_one()
    return Backlog(round(found * 100 / percent), None)
