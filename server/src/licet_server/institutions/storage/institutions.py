"""Queries of institutions."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, any_, func, select
from sqlalchemy.dialects.postgresql import insert

from licet_server.identity.rules.memberships import Role
from licet_server.identity.tables import users
from licet_server.institutions.rules.institutions import (
    NO_LIMITS,
    Appearance,
    Institution,
    Limits,
    Plan,
    PlanTerms,
    limits_of,
)
from licet_server.institutions.tables import institution_appearances as appearances
from licet_server.institutions.tables import institutions, memberships
from licet_server.kit.database import Connection, Id, array_parameter
from licet_server.kit.errors import conflict
from licet_server.kit.folded_columns import folded_column
from licet_server.kit.folding import folded
from licet_server.kit.images import Picture
from licet_server.kit.kept import kept
from licet_server.kit.look_ups import LookUps, Source
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.routing import hold_rows, is_distributed
from licet_server.kit.rows import Rows
from licet_server.kit.text import part_pattern


class Institutions(Rows[Institution, Collection[UUID]]):
    """The rows of institutions, of which every node has a copy where the database is spread.

    There, the coordinator holds what is locked or changed, and not Citus on the first worker: that
    one may be away, and all institutions would wait for one of them.
    """

    async def lock(
        self, db: Connection, scope: Collection[UUID], item_id: UUID
    ) -> Institution | None:
        """Fetch an institution `FOR NO KEY UPDATE`."""
        if not is_distributed(db):
            return await super().lock(db, scope, item_id)
        await hold_rows(db, [item_id])
        return await self.fetch(db, scope, item_id)

    async def update(self, db: Connection, item: Institution, *names: str) -> None:
        """Store these fields of an institution."""
        if is_distributed(db):
            await hold_rows(db, [item.id])
        await super().update(db, item, *names)

    async def delete(self, db: Connection, item: Institution) -> bool:
        """Delete an institution that nothing refers to; returns whether it was there."""
        if is_distributed(db):
            await hold_rows(db, [item.id])
        return await super().delete(db, item)


INSTITUTIONS = Institutions(
    institutions,
    Institution,
    institutions.c.id.in_,
    sortable={"name": institutions.c.name, "createdAt": institutions.c.created_at},
    in_use=lambda: conflict("The institution still has products. Delete its products first."),
)
_INSTITUTIONS = INSTITUTIONS.select(institutions.c.id == any_(array_parameter("ids", Id)))


async def list_institutions(
    db: Connection, ids: Collection[UUID], paging: Paging, search: str | None
) -> Listing[Institution]:
    """List the institutions with these IDs, or those of them whose name contains the text."""
    part = part_pattern(folded(search)) if search else None
    return await INSTITUTIONS.page(db, ids, paging, _named, part)


def _named(part: str | None) -> list[ColumnElement[bool]]:
    return [] if part is None else [folded_column(institutions.c.name).like(part)]


async def list_all_institution_ids(db: Connection) -> list[UUID]:
    """List the IDs of all institutions of the instance."""
    return list((await db.execute(select(institutions.c.id))).scalars())


async def fetch_institution(source: Source, institution_id: UUID) -> Institution | None:
    """Fetch an institution of the instance, by a statement that is built only once."""
    if isinstance(source, LookUps):
        return await source.find(_fetch_of_instance, None, institution_id)
    return (await _fetch_of_instance(source, None, [institution_id])).get(institution_id)


async def _fetch_of_instance(
    db: Connection, _all: None, ids: Sequence[UUID]
) -> dict[UUID, Institution]:
    found = await INSTITUTIONS.all(db, _INSTITUTIONS, {"ids": ids})
    return {item.id: item for item in found}


async def lock_institution(db: Connection, institution_id: UUID) -> Institution | None:
    """Fetch an institution `FOR NO KEY UPDATE`, as for any change of its members."""
    return await INSTITUTIONS.lock(db, [institution_id], institution_id)


def limits_within(institution_id: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return the terms of the plan of a row's institution, as `read_limits` takes them."""
    terms = (institutions.c.plan, institutions.c.products_limit, institutions.c.licenses_limit)
    return (
        select(func.jsonb_build_array(*terms))
        .where(institutions.c.id == institution_id)
        .correlate_except(institutions)
        .scalar_subquery()
    )


def read_limits(stored: Sequence[Any] | None) -> Limits:
    """Return the limits of a plan that was selected by `limits_within`."""
    if stored is None:
        return NO_LIMITS
    plan, products, licenses = stored
    return limits_of(Plan(plan), Limits(products, licenses))


async def fetch_founding_terms(db: Connection, user_id: UUID) -> PlanTerms | None:
    """Fetch the plan of the oldest institution where the user is Owner or Admin."""
    statement = (
        select(institutions.c.plan, institutions.c.products_limit, institutions.c.licenses_limit)
        .join(memberships, memberships.c.institution_id == institutions.c.id)
        .where(memberships.c.user_id == user_id, memberships.c.role.in_([Role.OWNER, Role.ADMIN]))
        .order_by(memberships.c.created_at, memberships.c.institution_id)
        .limit(1)
    )
    row = (await db.execute(statement)).one_or_none()
    if row is None:
        return None
    own_limits = Limits(products=row.products_limit, licenses=row.licenses_limit)
    return PlanTerms(Plan(row.plan), own_limits)


async def has_verified_owner(db: Connection, institution_id: UUID) -> bool:
    """Check whether an Owner has a verified email address."""
    owner = (
        select(memberships.c.user_id)
        .join(users, users.c.id == memberships.c.user_id)
        .where(
            memberships.c.institution_id == institution_id,
            memberships.c.role == Role.OWNER,
            users.c.email_verified_at.is_not(None),
        )
    )
    return bool((await db.execute(select(owner.exists()))).scalar())


async def count_members(db: Connection, institution_id: UUID) -> int:
    statement = select(func.count()).where(memberships.c.institution_id == institution_id)
    return int((await db.execute(statement)).scalar_one())


async def fetch_institution_names(db: Connection, ids: Collection[UUID]) -> dict[UUID, str]:
    """Fetch the names of these institutions by ID."""
    return {row.id: row.name for row in await db.execute(*_names(ids))}


@kept
def _names(ids: Collection[UUID]) -> Select[Any]:
    return select(institutions.c.id, institutions.c.name).where(institutions.c.id.in_(ids))


_TIME_ZONES = select(institutions.c.id, institutions.c.time_zone).where(
    institutions.c.id == func.any(array_parameter("ids", Id))
)


async def fetch_time_zones(db: Connection, ids: Collection[UUID]) -> dict[UUID, str]:
    """Fetch the names of the time zones of these institutions by ID."""
    rows = await db.execute(_TIME_ZONES, {"ids": list(ids)})
    return {row.id: row.time_zone for row in rows}


async def fetch_telemetry_retention(db: Connection, ids: Collection[UUID]) -> dict[UUID, int]:
    """Fetch for how many days these institutions keep telemetry, by ID."""
    statement = select(institutions.c.id, institutions.c.telemetry_retention_days).where(
        institutions.c.id == func.any(array_parameter("ids", Id))
    )
    rows = await db.execute(statement, {"ids": list(ids)})
    return {row.id: row.telemetry_retention_days for row in rows}


APPEARANCES = Rows[Appearance, Collection[UUID]](
    appearances, Appearance, appearances.c.institution_id.in_
)


async def fetch_appearances(
    db: Connection, institution_ids: Collection[UUID]
) -> dict[UUID, Appearance]:
    """Fetch the appearances of these institutions by ID; those that set nothing are omitted."""
    statement = APPEARANCES.select(appearances.c.institution_id.in_(institution_ids))
    return {item.institution_id: item for item in await APPEARANCES.all(db, statement)}


_RENEWAL_PAGES = select(appearances.c.institution_id, appearances.c.renewal_url).where(
    appearances.c.institution_id == func.any(array_parameter("ids", Id)),
    appearances.c.renewal_url.is_not(None),
)


async def fetch_renewal_pages(db: Connection, institution_ids: Collection[UUID]) -> dict[UUID, str]:
    """Fetch the pages where licenses of institutions are renewed; those without are omitted."""
    rows = await db.execute(_RENEWAL_PAGES, {"ids": list(institution_ids)})
    return {row.institution_id: row.renewal_url for row in rows}


async def save_appearance(db: Connection, appearance: Appearance) -> None:
    """Store what an institution shows, apart from its logo."""
    values = APPEARANCES.values(appearance)
    del values["logo_version"]
    await _save(db, values)


async def save_logo(db: Connection, institution_id: UUID, logo: Picture | None) -> None:
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
    del values["institution_id"]
    await db.execute(
        statement.on_conflict_do_update(index_elements=["institution_id"], set_=values)
    )


async def fetch_logo(db: Connection, institution_id: UUID) -> Picture | None:
    statement = select(
        appearances.c.logo_media_type, appearances.c.logo, appearances.c.logo_version
    ).where(appearances.c.institution_id == institution_id, appearances.c.logo.is_not(None))
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else Picture(*row)
