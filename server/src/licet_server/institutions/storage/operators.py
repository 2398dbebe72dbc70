"""The query that authenticates operators."""

from datetime import datetime
from uuid import UUID

from licet_server.identity.rules.users import User
from licet_server.identity.storage.sessions import SessionFacts, facts_of, signed_in
from licet_server.identity.storage.users import user_of
from licet_server.institutions.rules.operators import RoleGrant
from licet_server.institutions.storage.role_grants import (
    ASSIGNED,
    ROLE_GRANTS,
    Assigned,
    assigned_of,
    role_grants_of,
)
from licet_server.kit.database import Connection

_SIGNED_IN_OPERATOR = signed_in(ROLE_GRANTS, *ASSIGNED)


async def fetch_signed_in_operator(
    db: Connection, user_id: UUID, sign_in_id: UUID, now: datetime
) -> tuple[User, SessionFacts, list[RoleGrant], Assigned] | None:
    """The user of a sign-in that has not ended, with their role grants, oldest membership first.

    One statement, because every request of an operator runs it, and built only once, because
    building it takes longer than running it.
    """
    given = {"user_id": user_id, "sign_in_id": sign_in_id, "now": now}
    row = (await db.execute(_SIGNED_IN_OPERATOR, given)).one_or_none()
    if row is None:
        return None
    return user_of(row), facts_of(row), role_grants_of(row), assigned_of(row)
