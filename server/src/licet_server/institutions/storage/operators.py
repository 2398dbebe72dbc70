"""The query that authenticates operators."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from licet_server.identity.rules.memberships import Role
from licet_server.identity.rules.users import User
from licet_server.identity.storage.sessions import SessionFacts, facts_of, signed_in
from licet_server.identity.storage.users import user_of
from licet_server.institutions.rules.members import NOTHING, Assignments
from licet_server.institutions.rules.operators import RoleGrant
from licet_server.institutions.storage.role_grants import (
    ROLE_GRANTS,
    fetch_all_institutions,
    fetch_assigned,
    role_grants_of,
)
from licet_server.kit.arrays import Arrays
from licet_server.kit.database import Connection, Id

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
