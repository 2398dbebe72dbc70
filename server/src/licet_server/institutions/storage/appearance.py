"""Queries of the appearance of institutions."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from licet_server.institutions.rules.appearance import Appearance, Logo
from licet_server.institutions.tables import institution_appearances as appearances
from licet_server.kit.database import Connection
from licet_server.kit.rows import Rows

APPEARANCES = Rows[Appearance, Collection[UUID]](
    appearances, Appearance, appearances.c.institution_id.in_
)


async def fetch_appearances(
    db: Connection, institution_ids: Collection[UUID]
) -> dict[UUID, Appearance]:
    """Fetch the appearances of these institutions by ID; those that set nothing are omitted."""
    statement = APPEARANCES.select(appearances.c.institution_id.in_(institution_ids))
    return {item.institution_id: item for item in await APPEARANCES.all(db, statement)}


async def save_appearance(db: Connection, appearance: Appearance) -> None:
    """Store what an institution shows, apart from its logo."""
    values = APPEARANCES.values(appearance)
    del values["logo_version"]
    await _save(db, values)


async def save_logo(db: Connection, institution_id: UUID, logo: Logo | None) -> None:
    """Store the logo of an institution, or remove it."""
    await _save(
        db,
        {
            "institution_id": institution_id,
            "logo": None if logo is None else logo.content,
            "logo_media_type": None if logo is None else logo.media_type,
            "logo_version": None if logo is None else logo.version,
        },
    )


async def _save(db: Connection, values: dict[str, Any]) -> None:
    statement = insert(appearances).values(**values)
    await db.execute(
        statement.on_conflict_do_update(index_elements=["institution_id"], set_=values)
    )


async def fetch_logo(db: Connection, institution_id: UUID) -> Logo | None:
    statement = select(
        appearances.c.logo_media_type, appearances.c.logo, appearances.c.logo_version
    ).where(appearances.c.institution_id == institution_id, appearances.c.logo.is_not(None))
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else Logo(*row)
