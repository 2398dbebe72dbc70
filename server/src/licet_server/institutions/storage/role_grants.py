"""What people hold in institutions, as columns of statements that read `users`.

Every request of an operator asks for it, so that it comes in the statement that finds him.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Column, Row, ScalarSelect, Table, func, select
from sqlalchemy.dialects.postgresql import aggregate_order_by

from licet_server.identity.tables import users
from licet_server.institutions.rules.operators import Role, RoleGrant
from licet_server.institutions.tables import (
    assigned_products,
    assigned_releases,
    institutions,
    memberships,
)
from licet_server.kit.database import Connection, Json


@dataclass(frozen=True, slots=True)
class Assigned:
    """What is assigned to a person in the institutions where he is a Member."""

    products: Sequence[UUID]
    releases: Sequence[UUID]


def _held() -> ScalarSelect[Any]:
    """The user's memberships in one value, oldest first."""
    held = func.jsonb_build_array(
        memberships.c.institution_id, memberships.c.role, institutions.c.ip_allow_list
    )
    oldest_first = (memberships.c.created_at, memberships.c.institution_id)
    return (
        select(func.jsonb_agg(aggregate_order_by(held, *oldest_first), type_=Json))
        .select_from(memberships)
        .join(institutions, institutions.c.id == memberships.c.institution_id)
        .where(memberships.c.user_id == users.c.id)
        .correlate(users)
        .scalar_subquery()
    )


def _assigned(table: Table, column: Column[Any]) -> ScalarSelect[Any]:
    return (
        select(func.array_agg(column))
        .where(table.c.user_id == users.c.id)
        .correlate(users)
        .scalar_subquery()
    )


HELD = _held().label("held")
ASSIGNED = (
    _assigned(assigned_products, assigned_products.c.product_id).label("assigned_product_ids"),
    _assigned(assigned_releases, assigned_releases.c.release_id).label("assigned_release_ids"),
)


def holdings_of(row: Row[Any]) -> list[RoleGrant]:
    return [RoleGrant(UUID(item), Role(role), ranges) for item, role, ranges in row.held or ()]


def assigned_of(row: Row[Any]) -> Assigned:
    return Assigned(row.assigned_product_ids or (), row.assigned_release_ids or ())


async def fetch_all_institutions(db: Connection) -> list[RoleGrant]:
    """Every institution, as one who owns it holds it."""
    statement = select(institutions.c.id, institutions.c.ip_allow_list).order_by(institutions.c.id)
    rows = await db.execute(statement)
    return [RoleGrant(row.id, Role.OWNER, row.ip_allow_list) for row in rows]
