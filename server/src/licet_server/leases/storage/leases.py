"""Leases, as they are stored. All but lists run under the lock of the license."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Interval, and_, case, cast, func, literal, or_, select, update

from licet_server.catalog.reading import goes_by
from licet_server.catalog.rules.clocks import Clocked
from licet_server.kit.database import Amount, Connection, Id, Instant
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.kit.statements import Arrays
from licet_server.leases.rules.model import (
    SETTLING_TIME,
    Lease,
    LeaseEndReason,
    LeaseKind,
    LeaseState,
)
from licet_server.leases.tables import leases
from licet_server.licenses.rules.model import LicenseId
from licet_server.sessions.rules.model import LEEWAY

LEASES = Rows[Lease, Collection[UUID]](
    leases,
    Lease,
    leases.c.institution_id.in_,
    sortable={"issuedAt": leases.c.id, "endsAt": leases.c.ends_at},
)


_OVER_AT = leases.c.ends_at + case(
    (leases.c.kind == LeaseKind.CREDITS.value, cast(literal(SETTLING_TIME), Interval)),
    else_=cast(literal(LEEWAY), Interval),
)
"""`Lease.over_at` in SQL."""


def _of(license_id: LicenseId, jkt: str) -> ColumnElement[bool]:
    return and_(
        leases.c.institution_id == license_id[0],
        leases.c.license_id == license_id[1],
        leases.c.jkt == jkt,
    )


async def fetch_issued(
    db: Connection, license_id: LicenseId, jkt: str, issue_key: str
) -> Lease | None:
    """Fetch the lease that a request of this device began."""
    return await LEASES.one(
        db, LEASES.select(_of(license_id, jkt), leases.c.issue_key == issue_key)
    )


async def fetch_hindering(db: Connection, license_id: LicenseId, jkt: str) -> list[Lease]:
    """Fetch the leases of a device that are not stored as over, or not acknowledged as forked."""
    forked = and_(leases.c.forked_at.is_not(None), leases.c.acknowledged_at.is_(None))
    statement = LEASES.select(_of(license_id, jkt), or_(leases.c.ended_at.is_(None), forked))
    return await LEASES.all(db, statement)


async def lock_held(
    db: Connection, license_id: LicenseId, *, jkt: str | None = None
) -> list[Lease]:
    """Lock the leases of a license, or of one device, that are not stored as over."""
    statement = LEASES.select(
        leases.c.institution_id == license_id[0],
        leases.c.license_id == license_id[1],
        leases.c.ended_at.is_(None),
    )
    if jkt is not None:
        statement = statement.where(leases.c.jkt == jkt)
    locked = statement.order_by(leases.c.id).with_for_update(key_share=True)
    return await LEASES.all(db, locked)


def _listed(
    license_id: UUID, state: LeaseState | None, kind: LeaseKind | None, now: datetime
) -> list[ColumnElement[bool]]:
    wanted = [leases.c.license_id == license_id]
    if kind is not None:
        wanted.append(leases.c.kind == kind.value)
    if state is None:
        return wanted
    over = or_(leases.c.ended_at.is_not(None), now >= _OVER_AT)
    returned = func.coalesce(leases.c.end_reason == LeaseEndReason.RETURNED.value, literal(False))
    found = case(
        (leases.c.forked_at.is_not(None), LeaseState.FORKED.value),
        (returned, LeaseState.RETURNED.value),
        (over, LeaseState.ENDED.value),
        else_=LeaseState.OPEN.value,
    )
    return [*wanted, found == state.value]


async def list_leases(
    db: Connection,
    license_id: LicenseId,
    state: LeaseState | None,
    kind: LeaseKind | None,
    paging: Paging,
    now: datetime,
) -> Listing[Lease]:
    """List the leases of a license, newest first."""
    return await LEASES.page(db, [license_id[0]], paging, _listed, license_id[1], state, kind, now)


_ENDING = Arrays("ending", institution_id=Id, id=Id, ended_at=Instant, refunded=Amount)
_END = (
    update(leases)
    .where(
        leases.c.institution_id == _ENDING.c.institution_id,
        leases.c.id == _ENDING.c.id,
    )
    .values(
        ended_at=_ENDING.c.ended_at,
        end_reason=LeaseEndReason.EXPIRED.value,
        refunded=_ENDING.c.refunded,
    )
)


async def lock_over(
    db: Connection, clocked: Clocked | None, now: datetime, limit: int
) -> list[Lease]:
    """Lock leases that are over by time, across institutions, which is not stored yet.

    Those of one product, or of all that go by the present. Leases that other transactions have
    locked are skipped.
    """
    statement = (
        LEASES.select(
            leases.c.ended_at.is_(None),
            leases.c.ends_at <= now - LEEWAY,
            now >= _OVER_AT,
            goes_by(clocked, leases.c.institution_id, leases.c.product_id),
        )
        .order_by(leases.c.ends_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return await LEASES.all(db, statement)


async def store_expiry(db: Connection, items: Sequence[Lease]) -> None:
    """Store that leases are over by time, as they have it."""
    rows = [(item.institution_id, item.id, item.ended_at, item.refunded) for item in items]
    if rows:
        await db.execute(_END, _ENDING.given(rows))


async def fetch_next_end(db: Connection, clocked: Clocked) -> datetime | None:
    """Fetch when the next lease of a product is over by time."""
    statement = select(func.min(_OVER_AT)).where(
        goes_by(clocked, leases.c.institution_id, leases.c.product_id),
        leases.c.ended_at.is_(None),
        clocked.now < _OVER_AT,
    )
    found: datetime | None = (await db.execute(statement)).scalar_one()
    return found
