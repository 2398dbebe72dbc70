"""E-mails as what is stored of their receivers, who need not hold the license any more."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, func, or_, select

from licet_server.delivery.tables import license_mails
from licet_server.kit.database import Connection
from licet_server.kit.personal import erase_rows, export_rows


async def export_mails(
    db: Connection, institution_id: UUID, addresses: Collection[str]
) -> list[dict[str, Any]]:
    """Return the rows of e-mails to these addresses, in lower case."""
    return await export_rows(db, license_mails, _to(institution_id, addresses))


async def erase_mails(
    db: Connection, institution_id: UUID, license_ids: Collection[UUID], addresses: Collection[str]
) -> list[UUID]:
    """Erase the receivers of e-mails about these licenses or to these addresses; returns these."""
    about = and_(
        license_mails.c.institution_id == institution_id,
        license_mails.c.license_id.in_(license_ids),
    )
    concerned = or_(about, _to(institution_id, addresses))
    ids = (await db.execute(select(license_mails.c.id).where(concerned))).scalars().all()
    await erase_rows(
        db,
        license_mails,
        and_(license_mails.c.institution_id == institution_id, license_mails.c.id.in_(ids)),
    )
    return list(ids)


def _to(institution_id: UUID, addresses: Collection[str]) -> ColumnElement[bool]:
    return and_(
        license_mails.c.institution_id == institution_id,
        func.lower(license_mails.c.recipient).in_(addresses),
    )
