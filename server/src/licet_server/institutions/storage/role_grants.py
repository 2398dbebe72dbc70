"""The role grants of users, as columns of statements that read `users`.

Every request of an operator needs them, so they are fetched by the statement that authenticates.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Column, Row, ScalarSelect, Table, func, select
from sqlalchemy.dialects.postgresql import aggregate_order_by

from licet_server.identity.rules.memberships import Role, SignInRules
from licet_server.identity.tables import users
from licet_server.institutions.rules.operators import RoleGrant
from licet_server.institutions.tables import (
    assigned_products,
    assigned_releases,
    institutions,
    memberships,
)
from licet_server.kit.database import Connection, Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Assigned:
    """What is assigned to a user in the institutions where they are a Member."""

    products: Sequence[UUID]
    releases: Sequence[UUID]


def _role_grants() -> ScalarSelect[Any]:
    """The user's memberships in one value, oldest first."""
    grant = func.jsonb_build_array(
        memberships.c.institution_id,
        memberships.c.role,
        institutions.c.ip_allow_list,
        institutions.c.sso_enforced,
        institutions.c.second_factor_required,
    )
    oldest_first = (memberships.c.created_at, memberships.c.institution_id)
    return (
        select(func.jsonb_agg(aggregate_order_by(grant, *oldest_first), type_=Json))
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


ROLE_GRANTS = _role_grants().label("role_grants")
ASSIGNED = (
    _assigned(assigned_products, assigned_products.c.product_id).label("assigned_product_ids"),
    _assigned(assigned_releases, assigned_releases.c.release_id).label("assigned_release_ids"),
)


def role_grants_of(row: Row[Any]) -> list[RoleGrant]:
    """The role grants in a row, oldest membership first."""
    return [
        RoleGrant(UUID(institution_id), Role(role), ip_allow_list, SignInRules(*rules))
        for institution_id, role, ip_allow_list, *rules in row.role_grants or ()
    ]


def assigned_of(row: Row[Any]) -> Assigned:
    """What is assigned to the user in a row."""
    return Assigned(
        products=row.assigned_product_ids or (), releases=row.assigned_release_ids or ()
    )


async def fetch_all_institutions(db: Connection) -> list[RoleGrant]:
    """Owner of every institution, for a system Admin."""
    statement = select(institutions.c.id, institutions.c.ip_allow_list).order_by(institutions.c.id)
    rows = await db.execute(statement)
    return [RoleGrant(row.id, Role.OWNER, row.ip_allow_list) for row in rows]
