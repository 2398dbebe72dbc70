"""Queries that lock and change many licenses at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import msgspec
from sqlalchemy import cast, func, select, update

from licet_server.kit.database import Connection, Id, Instant, Json, String
from licet_server.kit.statements import Arrays
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import License, LicenseFilter
from licet_server.licenses.storage.lists import filtered
from licet_server.licenses.storage.records import license_of, select_visible
from licet_server.licenses.tables import licenses


@dataclass(frozen=True, slots=True)
class Matching:
    """The oldest licenses that match a filter, and how many match in all."""

    ids: list[UUID]
    total: int


async def find_matching(
    db: Connection, visibility: Visibility, filters: LicenseFilter, now: datetime, *, limit: int
) -> Matching:
    """Return the licenses that match, up to a limit; the total is exact only where they all fit."""
    matching = filtered(visibility, filters, now).order_by(licenses.c.id).limit(limit + 1)
    found = [license_of(row).id for row in await db.execute(matching)]
    if len(found) <= limit:
        return Matching(found, len(found))
    counted = select(func.count()).select_from(filtered(visibility, filters, now).subquery())
    return Matching(found[:limit], int((await db.execute(counted)).scalar_one()))


async def lock_licenses(
    db: Connection, visibility: Visibility, license_ids: Sequence[UUID]
) -> list[License]:
    """Fetch licenses `FOR NO KEY UPDATE`, in the order of their ids to prevent deadlocks."""
    statement = (
        select_visible(visibility)
        .where(licenses.c.id.in_(license_ids))
        .order_by(licenses.c.institution_id, licenses.c.id)
        .with_for_update(key_share=True)
    )
    return [license_of(row) for row in await db.execute(statement)]


_STATES = Arrays(
    "state",
    institution_id=Id,
    id=Id,
    expiration_date=Instant,
    suspended_at=Instant,
    revoked_at=Instant,
    updated_at=Instant,
    tags=String,
)
_CHANGED = ("expiration_date", "suspended_at", "revoked_at", "updated_at")
_SAVE = (
    update(licenses)
    .where(licenses.c.institution_id == _STATES.c.institution_id, licenses.c.id == _STATES.c.id)
    .values(**{name: _STATES.c[name] for name in _CHANGED}, tags=cast(_STATES.c.tags, Json))
)


async def update_states(db: Connection, changed: Sequence[License]) -> None:
    """Save the terms, the states and the tags of locked licenses."""
    if changed:
        rows = [
            (
                item.institution_id,
                item.id,
                *(getattr(item, name) for name in _CHANGED),
                msgspec.json.encode(item.tags).decode() if item.tags else None,
            )
            for item in changed
        ]
        await db.execute(_SAVE, _STATES.given(rows))
