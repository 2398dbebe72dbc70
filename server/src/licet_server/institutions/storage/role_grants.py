"""Role grants and assignments, as columns of statements that read `users` or `memberships`.

Every request of an operator needs the grants, so they are fetched by the statement that
authenticates. Only Members have assignments, which are stored with the institution.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import Any
from uuid import UUID

from sqlalchemy import (
    Column,
    ColumnElement,
    Row,
    ScalarSelect,
    Select,
    Table,
    func,
    literal,
    select,
    union_all,
)
from sqlalchemy.dialects.postgresql import ARRAY, aggregate_order_by

from licet_server.identity.rules.memberships import Role, SignInRules
from licet_server.identity.tables import users
from licet_server.institutions.rules.members import Assignments
from licet_server.institutions.rules.operators import RoleGrant
from licet_server.institutions.tables import (
    assigned_products,
    assigned_releases,
    institutions,
    memberships,
)
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id, Json


def _role_grants() -> ScalarSelect[Any]:
    """Select the user's memberships as one value, oldest first."""
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


def ids_of(column: Column[Any], of: Table, *where: ColumnElement[bool]) -> ColumnElement[Any]:
    """Return the sorted IDs in a column for each row of another table; none is an empty array."""
    ids = select(func.array_agg(aggregate_order_by(column, column))).where(*where)
    return func.coalesce(ids.correlate(of).scalar_subquery(), literal([], ARRAY(Id)))


def _assigned(column: Column[Any]) -> ColumnElement[Any]:
    table = column.table
    return ids_of(
        column,
        memberships,
        table.c.institution_id == memberships.c.institution_id,
        table.c.user_id == memberships.c.user_id,
    )


ROLE_GRANTS = _role_grants().label("role_grants")
ASSIGNED = {
    "product_ids": _assigned(assigned_products.c.product_id),
    "release_ids": _assigned(assigned_releases.c.release_id),
}
"""The fields of `Assignments`, for statements that read `memberships`."""

_OF_MEMBERS = Arrays("member", institution_id=Id, user_id=Id)


def _assigned_to(table: Table, *columns: ColumnElement[Any]) -> Select[Any]:
    return select(table.c.user_id, *columns).where(
        table.c.institution_id == _OF_MEMBERS.c.institution_id,
        table.c.user_id == _OF_MEMBERS.c.user_id,
    )


_NOTHING = literal(None, Id)
_FETCH_ASSIGNED = union_all(
    _assigned_to(assigned_products, assigned_products.c.product_id, _NOTHING.label("release_id")),
    _assigned_to(assigned_releases, _NOTHING, assigned_releases.c.release_id),
)


def role_grants_of(row: Row[Any]) -> list[RoleGrant]:
    """Return the role grants in a row, oldest membership first."""
    return [
        RoleGrant(UUID(institution_id), Role(role), ip_allow_list, SignInRules(*rules))
        for institution_id, role, ip_allow_list, *rules in row.role_grants or ()
    ]


async def fetch_assigned(
    db: Connection, members: Collection[tuple[UUID, UUID]]
) -> dict[UUID, Assignments]:
    """Fetch what is assigned to members by user ID, given their (institution, user) pairs.

    Members without assignments are omitted.
    """
    products, releases = defaultdict[UUID, list[UUID]](list), defaultdict[UUID, list[UUID]](list)
    for row in await db.execute(_FETCH_ASSIGNED, _OF_MEMBERS.given(members)):
        if row.release_id is None:
            products[row.user_id].append(row.product_id)
        else:
            releases[row.user_id].append(row.release_id)
    return {
        user_id: Assignments(tuple(products[user_id]), tuple(releases[user_id]))
        for user_id in products.keys() | releases.keys()
    }


async def fetch_all_institutions(db: Connection) -> list[RoleGrant]:
    """Fetch the grants of a system Admin: Owner of every institution."""
    statement = select(institutions.c.id, institutions.c.ip_allow_list).order_by(institutions.c.id)
    rows = await db.execute(statement)
    return [RoleGrant(row.id, Role.OWNER, row.ip_allow_list) for row in rows]
