"""The query that authenticates operators."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
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

from licet_server.identity.rules.memberships import Role, SessionTrust, SignInRules
from licet_server.identity.rules.users import User
from licet_server.identity.storage.sessions import SessionFacts, facts_of, signed_in
from licet_server.identity.storage.users import user_of
from licet_server.identity.tables import sign_ins, users
from licet_server.institutions.rules.members import NOTHING, Assignments, Recipient
from licet_server.institutions.rules.operators import RoleGrant
from licet_server.institutions.tables import (
    assigned_products,
    assigned_releases,
    institutions,
    memberships,
)
from licet_server.kit.database import Connection, Id, Json
from licet_server.kit.statements import Arrays
from licet_server.kit.stored_json import ALLOW_LIST


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


_read = ALLOW_LIST.read


def role_grants_of(row: Row[Any]) -> list[RoleGrant]:
    """Return the role grants in a row, oldest membership first."""
    return [
        RoleGrant(UUID(institution_id), Role(role), _read(ip_allow_list), SignInRules(*rules))
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


SignInKey = tuple[UUID, UUID]
"""A user, and a sign-in of theirs."""


@dataclass(frozen=True, slots=True)
class SignedInOperator:
    """A user with a sign-in that has not ended, and their role grants, oldest membership first.

    A system Admin has a grant for each institution besides.
    """

    user: User
    session: SessionFacts
    role_grants: Sequence[RoleGrant]
    assigned: Assignments = NOTHING

    @property
    def is_system_admin(self) -> bool:
        """Return whether they administer the instance, with their own password."""
        return self.user.is_system_admin and self.session.through is None


_ASKED = Arrays("asked", user_id=Id, sign_in_id=Id)
_SIGNED_IN_OPERATORS = signed_in(_ASKED.c.user_id, _ASKED.c.sign_in_id, ROLE_GRANTS)


async def fetch_signed_in_operators(
    db: Connection, keys: Sequence[SignInKey], now: datetime
) -> dict[SignInKey, SignedInOperator]:
    """Fetch the operators of these sign-ins; those that have ended are omitted.

    One statement, because every request of an operator runs it, and built only once, because
    building it takes longer than running it. Members cost one more, shared by them all, and so do
    system Admins.
    """
    given = {**_ASKED.given(dict.fromkeys(keys)), "now": now}
    rows = (await db.execute(_SIGNED_IN_OPERATORS, given)).all()
    found = {
        (row.id, row.sign_in_id): SignedInOperator(user_of(row), facts_of(row), role_grants_of(row))
        for row in rows
    }
    await _add_assigned(db, found)
    await _add_everywhere(db, found)
    return found


async def _add_assigned(db: Connection, found: dict[SignInKey, SignedInOperator]) -> None:
    members = {
        (grant.institution_id, item.user.id)
        for item in found.values()
        for grant in item.role_grants
        if grant.role is Role.MEMBER
    }
    if members:
        assigned = await fetch_assigned(db, members)
        for key, item in found.items():
            if item.user.id in assigned:
                found[key] = replace(item, assigned=assigned[item.user.id])


async def _add_everywhere(db: Connection, found: dict[SignInKey, SignedInOperator]) -> None:
    admins = [key for key, item in found.items() if item.is_system_admin]
    if admins:
        everywhere = await fetch_all_institutions(db)
        for key in admins:
            found[key] = replace(found[key], role_grants=[*found[key].role_grants, *everywhere])


async def fetch_reminder_days(db: Connection) -> dict[UUID, list[int]]:
    rows = await db.execute(select(institutions.c.id, institutions.c.expiry_reminder_days))
    return {row.id: row.expiry_reminder_days for row in rows}


async def fetch_recipients(
    db: Connection, institution_ids: Collection[UUID], roles: Collection[Role]
) -> list[Recipient]:
    statement = (
        select(
            memberships.c.institution_id,
            memberships.c.user_id,
            users.c.email,
            users.c.email_verified_at.is_not(None).label("email_verified"),
        )
        .join(users, users.c.id == memberships.c.user_id)
        .where(memberships.c.institution_id.in_(institution_ids), memberships.c.role.in_(roles))
        .where(users.c.disabled_at.is_(None))
        .order_by(memberships.c.institution_id, memberships.c.user_id)
    )
    return [Recipient(**row._mapping) for row in await db.execute(statement)]


async def fetch_role_grants(
    db: Connection, sign_in_ids: Collection[UUID]
) -> dict[UUID, tuple[bool, SessionTrust, list[RoleGrant]]]:
    """Fetch, by sign-in that has not ended: is it a system Admin's, its trust, role grants."""
    columns = [
        sign_ins.c.id,
        users.c.is_system_admin,
        sign_ins.c.has_used_factor,
        sign_ins.c.through_institution_id,
        ROLE_GRANTS,
    ]
    statement = (
        select(*columns)
        .join(users, users.c.id == sign_ins.c.user_id)
        .where(sign_ins.c.id.in_(sign_in_ids), sign_ins.c.ended_at.is_(None))
    )
    rows = await db.execute(statement)
    return {
        row.id: (
            row.is_system_admin and row.through_institution_id is None,
            SessionTrust(row.has_used_factor, row.through_institution_id),
            role_grants_of(row),
        )
        for row in rows
    }
