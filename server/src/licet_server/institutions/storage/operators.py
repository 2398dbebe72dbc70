"""The query that authenticates operators."""

from uuid import UUID

from sqlalchemy import and_, bindparam, select

from licet_server.identity.rules.users import User
from licet_server.identity.storage.users import user_of
from licet_server.identity.tables import sign_ins, users
from licet_server.institutions.rules.operators import RoleGrant
from licet_server.institutions.storage.role_grants import (
    ASSIGNED,
    ROLE_GRANTS,
    Assigned,
    assigned_of,
    role_grants_of,
)
from licet_server.kit.database import Connection, Id

_SIGNED_IN_OPERATOR = (
    select(users, ROLE_GRANTS, *ASSIGNED)
    .join(
        sign_ins,
        and_(sign_ins.c.user_id == users.c.id, sign_ins.c.id == bindparam("sign_in_id", type_=Id)),
    )
    .where(users.c.id == bindparam("user_id", type_=Id), sign_ins.c.ended_at.is_(None))
)


async def fetch_signed_in_operator(
    db: Connection, user_id: UUID, sign_in_id: UUID
) -> tuple[User, list[RoleGrant], Assigned] | None:
    """The user of a sign-in that has not ended, with their role grants, oldest membership first.

    One statement, because every request of an operator runs it, and built only once, because
    building it takes longer than running it.
    """
    given = {"user_id": user_id, "sign_in_id": sign_in_id}
    row = (await db.execute(_SIGNED_IN_OPERATOR, given)).one_or_none()
    if row is None:
        return None
    return user_of(row), role_grants_of(row), assigned_of(row)
