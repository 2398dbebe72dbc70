"""Counts of licenses, and the licenses that expire soon."""

from datetime import date, datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, Date, and_, case, cast, func, literal, select

from licet_server.kit.database import Connection
from licet_server.kit.filters import visible_to
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import GRACE_MAX_DAYS, LicenseGroup, LicenseStatus
from licet_server.licenses.rules.traits import LicenseType, SeatKind, models_where
from licet_server.licenses.storage.filtering import has_status
from licet_server.licenses.storage.status import valid_until
from licet_server.licenses.tables import licenses


async def count_groups(db: Connection, visibility: Visibility, now: datetime) -> list[LicenseGroup]:
    status = case(*((has_status(item, now), literal(item.value)) for item in LicenseStatus)).label(
        "status"
    )
    shared = (licenses.c.institution_id, licenses.c.product_id, licenses.c.type, status)
    statement = (
        select(*shared, func.count().label("number"))
        .where(visible_to(visibility, licenses.c.institution_id, licenses.c.product_id))
        .group_by(*shared)
    )
    return [
        LicenseGroup(
            institution_id=row.institution_id,
            product_id=row.product_id,
            type=LicenseType(row.type),
            status=LicenseStatus(row.status),
            count=row.number,
        )
        for row in await db.execute(statement)
    ]


async def count_unrestricted(
    db: Connection, visibility: Visibility, now: datetime
) -> dict[tuple[UUID, UUID], int]:
    """The active licenses without an entitlement set, by institution and product."""
    product = (licenses.c.institution_id, licenses.c.product_id)
    statement = (
        select(*product, func.count().label("number"))
        .where(
            visible_to(visibility, *product),
            has_status(LicenseStatus.ACTIVE, now),
            licenses.c.entitlement_set_id.is_(None),
        )
        .group_by(*product)
    )
    return {(row.institution_id, row.product_id): row.number for row in await db.execute(statement)}


async def count_expiring(
    db: Connection,
    visibility: Visibility,
    *,
    now: datetime,
    until: datetime,
) -> int:
    """How many active licenses have a term that ends by `until`, or are in their grace."""
    statement = select(func.count()).where(_expires(visibility, now, until))
    return int((await db.execute(statement)).scalar_one())


async def find_expiring(
    db: Connection,
    visibility: Visibility,
    *,
    now: datetime,
    until: datetime,
    limit: int,
) -> list[UUID]:
    """Active licenses whose term ends no later than `until`, the earliest first.

    Those in their grace come before the others.
    """
    statement = (
        select(licenses.c.id)
        .where(_expires(visibility, now, until))
        .order_by(licenses.c.expiration_date, licenses.c.id)
        .limit(limit)
    )
    return list((await db.execute(statement)).scalars())


async def count_seats(db: Connection, visibility: Visibility, now: datetime) -> int:
    """How many sessions the active licenses that cap them allow at once."""
    pooled = models_where(lambda traits: traits.seat_kind is SeatKind.SESSION)
    statement = select(func.coalesce(func.sum(licenses.c.max_active_users_count), 0)).where(
        visible_to(visibility, licenses.c.institution_id, licenses.c.product_id),
        licenses.c.type.in_(pooled),
        has_status(LicenseStatus.ACTIVE, now),
    )
    return int((await db.execute(statement)).scalar_one())


async def count_lapsed_by_day(
    db: Connection, visibility: Visibility, *, since: datetime, until: datetime, now: datetime
) -> dict[date, int]:
    """The expired licenses by the UTC day of their end, from `since` to before `until`."""
    day = cast(func.timezone("UTC", valid_until), Date).label("day")
    statement = (
        select(day, func.count().label("number"))
        .where(
            visible_to(visibility, licenses.c.institution_id, licenses.c.product_id),
            has_status(LicenseStatus.EXPIRED, now),
            licenses.c.expiration_date < until,
            valid_until >= since,
            valid_until < until,
        )
        .group_by(day)
    )
    return {row.day: row.number for row in await db.execute(statement)}


def _expires(visibility: Visibility, now: datetime, until: datetime) -> ColumnElement[bool]:
    return and_(
        visible_to(visibility, licenses.c.institution_id, licenses.c.product_id),
        # The first is for the index: no license is valid for longer after its term.
        licenses.c.expiration_date > now - timedelta(days=GRACE_MAX_DAYS),
        licenses.c.expiration_date <= until,
        valid_until > now,
        licenses.c.revoked_at.is_(None),
        licenses.c.suspended_at.is_(None),
    )
