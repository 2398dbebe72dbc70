"""Counts of licenses."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import case, func, literal, select

from licet_server.kit.database import Connection
from licet_server.licenses.rules.model import LicenseGroup, LicenseStatus, LicenseType
from licet_server.licenses.storage.records import has_status
from licet_server.licenses.tables import licenses


async def count_groups(
    db: Connection, institution_ids: Sequence[UUID], product_id: UUID | None, now: datetime
) -> list[LicenseGroup]:
    status = case(*((has_status(item, now), literal(item.value)) for item in LicenseStatus)).label(
        "status"
    )
    shared = (licenses.c.institution_id, licenses.c.product_id, licenses.c.type, status)
    statement = (
        select(*shared, func.count().label("number"))
        .where(licenses.c.institution_id.in_(institution_ids))
        .group_by(*shared)
    )
    if product_id is not None:
        statement = statement.where(licenses.c.product_id == product_id)
    return [
        LicenseGroup(
            row.institution_id,
            row.product_id,
            LicenseType(row.type),
            LicenseStatus(row.status),
            row.number,
        )
        for row in await db.execute(statement)
    ]


async def count_expiring(
    db: Connection,
    institution_ids: Sequence[UUID],
    product_id: UUID | None,
    *,
    now: datetime,
    until: datetime,
) -> int:
    """How many active licenses end after `now` and no later than `until`."""
    statement = select(func.count()).where(
        licenses.c.institution_id.in_(institution_ids),
        licenses.c.expiration_date > now,
        licenses.c.expiration_date <= until,
        licenses.c.revoked_at.is_(None),
        licenses.c.suspended_at.is_(None),
    )
    if product_id is not None:
        statement = statement.where(licenses.c.product_id == product_id)
    return int((await db.execute(statement)).scalar_one())
