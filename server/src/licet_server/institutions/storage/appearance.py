"""Queries on the appearance of institutions."""

from collections.abc import Collection
from dataclasses import asdict
from typing import Any
from uuid import UUID

from sqlalchemy import Row, select
from sqlalchemy.dialects.postgresql import insert

from licet_server.institutions.rules.appearance import Appearance, Logo
from licet_server.institutions.tables import institution_appearances as appearances
from licet_server.kit.database import Connection

_NAMES = [
    "institution_id",
    "display_name",
    "color",
    "welcome",
    "support_email",
    "support_url",
    "logo_version",
]
_SHOWN = select(*(appearances.c[name] for name in _NAMES))


def _appearance(row: Row[Any]) -> Appearance:
    return Appearance(**row._mapping)


async def fetch_appearances(
    db: Connection, institution_ids: Collection[UUID]
) -> dict[UUID, Appearance]:
    """The appearances of these institutions by ID; those that set nothing are omitted."""
    rows = await db.execute(_SHOWN.where(appearances.c.institution_id.in_(institution_ids)))
    return {row.institution_id: _appearance(row) for row in rows}


async def save_appearance(db: Connection, appearance: Appearance) -> None:
    """Store what an institution shows, apart from its logo."""
    values = {name: value for name, value in asdict(appearance).items() if name != "logo_version"}
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
