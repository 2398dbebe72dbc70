"""Leases, as they are stored. All but lists run under the lock of the license."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, case, func, literal, or_, select, update

from licet_server.catalog.reading import goes_by
from licet_server.catalog.rules.clocks import Clocked
from licet_server.kit.database import Connection, Id
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.rows import Rows
from licet_server.kit.statements import Arrays
from licet_server.leases.rules.model import Lease, LeaseEndReason, LeaseState
from licet_server.leases.tables import leases
from licet_server.licenses.rules.model import LicenseId
from licet_server.sessions.rules.model import LEEWAY, held_until

LEASES = Rows[Lease, Collection[UUID]](
    leases,
    Lease,
    leases.c.institution_id.in_,
    sortable={"issuedAt": leases.c.id, "endsAt": leases.c.ends_at},
)


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


async def fetch_held(db: Connection, license_id: LicenseId) -> list[Lease]:
    """Fetch the leases of a license that are not stored as over."""
    statement = LEASES.select(
        leases.c.institution_id == license_id[0],
        leases.c.license_id == license_id[1],
        leases.c.ended_at.is_(None),
    )
    return await LEASES.all(db, statement)


def _listed(
    license_id: UUID, state: LeaseState | None, over_since: datetime
) -> list[ColumnElement[bool]]:
    of_license = leases.c.license_id == license_id
    if state is None:
        return [of_license]
    over = or_(leases.c.ended_at.is_not(None), leases.c.ends_at <= over_since)
    returned = func.coalesce(leases.c.end_reason == LeaseEndReason.RETURNED.value, literal(False))
    found = case(
        (leases.c.forked_at.is_not(None), LeaseState.FORKED.value),
        (returned, LeaseState.RETURNED.value),
        (over, LeaseState.ENDED.value),
        else_=LeaseState.OPEN.value,
    )
    return [of_license, found == state.value]


async def list_leases(
    db: Connection,
    license_id: LicenseId,
    state: LeaseState | None,
    paging: Paging,
    now: datetime,
) -> Listing[Lease]:
    """List the leases of a license, newest first."""
    return await LEASES.page(
        db, [license_id[0]], paging, _listed, license_id[1], state, now - LEEWAY
    )


_ENDING = Arrays("ending", institution_id=Id, id=Id)
_END = (
    update(leases)
    .where(
        leases.c.institution_id == _ENDING.c.institution_id,
        leases.c.id == _ENDING.c.id,
    )
    .values(ended_at=leases.c.ends_at, end_reason=LeaseEndReason.EXPIRED.value)
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
            goes_by(clocked, leases.c.institution_id, leases.c.product_id),
        )
        .order_by(leases.c.ends_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return await LEASES.all(db, statement)


async def store_expiry(db: Connection, items: Sequence[Lease]) -> None:
    """Store that leases are over by time."""
    if items:
        await db.execute(_END, _ENDING.given([(item.institution_id, item.id) for item in items]))


async def fetch_next_end(db: Connection, clocked: Clocked) -> datetime | None:
    """Fetch when the next seat of a lease of a product is free by time."""
    statement = select(func.min(leases.c.ends_at)).where(
        goes_by(clocked, leases.c.institution_id, leases.c.product_id),
        leases.c.ended_at.is_(None),
        leases.c.ends_at > clocked.now - LEEWAY,
    )
    found: datetime | None = (await db.execute(statement)).scalar_one()
    return None if found is None else held_until(found)
