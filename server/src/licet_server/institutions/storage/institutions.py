"""Queries on institutions."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from sqlalchemy import Row, bindparam, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from licet_server.identity.rules.memberships import Role, SignInRules
from licet_server.identity.tables import users
from licet_server.institutions.rules.institutions import Institution
from licet_server.institutions.rules.plans import Limits, Plan, PlanTerms
from licet_server.institutions.tables import institutions, memberships
from licet_server.kit.database import Connection, Id, array_parameter
from licet_server.kit.errors import conflict
from licet_server.kit.paging import Listing, Paging, contains, fetch_listing


async def insert_institution(db: Connection, institution: Institution) -> None:
    """Store a new institution; its settings have their defaults."""
    await db.execute(
        insert(institutions).values(
            id=institution.id,
            name=institution.name,
            created_at=institution.created_at,
            plan=institution.plan,
            products_limit=institution.own_limits.products,
            licenses_limit=institution.own_limits.licenses,
        )
    )


async def fetch_founding_terms(db: Connection, user_id: UUID) -> PlanTerms | None:
    """The plan of the oldest institution where the user is Owner or Admin."""
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


async def list_institutions(
    db: Connection, ids: Collection[UUID], paging: Paging, search: str | None
) -> Listing[Institution]:
    statement = select(institutions).where(institutions.c.id.in_(ids))
    if search:
        statement = statement.where(contains(institutions.c.name, search))
    listing = await fetch_listing(
        db,
        statement,
        paging,
        id_column=institutions.c.id,
        sortable={"name": institutions.c.name, "createdAt": institutions.c.created_at},
    )
    return listing.of(_institution)


async def list_all_institution_ids(db: Connection) -> list[UUID]:
    return list((await db.execute(select(institutions.c.id))).scalars())


_ONE_INSTITUTION = select(institutions).where(
    institutions.c.id == bindparam("institution_id", type_=Id)
)


async def fetch_institution(db: Connection, institution_id: UUID) -> Institution | None:
    given = {"institution_id": institution_id}
    row = (await db.execute(_ONE_INSTITUTION, given)).one_or_none()
    return None if row is None else _institution(row)


async def fetch_institution_names(db: Connection, ids: Collection[UUID]) -> dict[UUID, str]:
    statement = select(institutions.c.id, institutions.c.name).where(institutions.c.id.in_(ids))
    return {row.id: row.name for row in await db.execute(statement)}


def _institution(row: Row[Any]) -> Institution:
    return Institution(
        id=row.id,
        name=row.name,
        created_at=row.created_at,
        plan=Plan(row.plan),
        own_limits=Limits(products=row.products_limit, licenses=row.licenses_limit),
        ip_allow_list=tuple(row.ip_allow_list),
        expiry_reminder_days=tuple(row.expiry_reminder_days),
        telemetry_retention_days=row.telemetry_retention_days,
        time_zone=row.time_zone,
        sign_in_rules=SignInRules(row.sso_enforced, row.second_factor_required),
    )


async def lock_institution(db: Connection, institution_id: UUID) -> Institution | None:
    """Fetch an institution `FOR NO KEY UPDATE`."""
    statement = (
        select(institutions)
        .where(institutions.c.id == institution_id)
        .with_for_update(key_share=True)
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _institution(row)


async def update_plan(db: Connection, institution: Institution) -> None:
    await db.execute(
        update(institutions)
        .where(institutions.c.id == institution.id)
        .values(
            plan=institution.plan,
            products_limit=institution.own_limits.products,
            licenses_limit=institution.own_limits.licenses,
        )
    )


async def has_verified_owner(db: Connection, institution_id: UUID) -> bool:
    """Whether an Owner has a verified e-mail address."""
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


async def update_settings(db: Connection, institution: Institution) -> None:
    await db.execute(
        update(institutions)
        .where(institutions.c.id == institution.id)
        .values(
            ip_allow_list=list(institution.ip_allow_list),
            expiry_reminder_days=list(institution.expiry_reminder_days),
            telemetry_retention_days=institution.telemetry_retention_days,
            time_zone=institution.time_zone,
            sso_enforced=institution.sign_in_rules.sso_enforced,
            second_factor_required=institution.sign_in_rules.second_factor_required,
        )
    )


async def fetch_time_zones(db: Connection, ids: Collection[UUID]) -> dict[UUID, str]:
    statement = select(institutions.c.id, institutions.c.time_zone).where(
        institutions.c.id == func.any(array_parameter("ids", Id))
    )
    rows = await db.execute(statement, {"ids": list(ids)})
    return {row.id: row.time_zone for row in rows}


async def fetch_telemetry_retention(db: Connection, ids: Collection[UUID]) -> dict[UUID, int]:
    statement = select(institutions.c.id, institutions.c.telemetry_retention_days).where(
        institutions.c.id == func.any(array_parameter("ids", Id))
    )
    rows = await db.execute(statement, {"ids": list(ids)})
    return {row.id: row.telemetry_retention_days for row in rows}


async def update_institution_name(db: Connection, institution_id: UUID, name: str) -> None:
    await db.execute(
        update(institutions).where(institutions.c.id == institution_id).values(name=name)
    )


async def delete_institution(db: Connection, institution_id: UUID) -> None:
    """Raises `Refused` (Conflict) while it has products."""
    try:
        await db.execute(delete(institutions).where(institutions.c.id == institution_id))
    except IntegrityError:
        raise conflict("The institution still has products. Delete its products first.") from None
