"""Authenticates operators: a signed-in user together with the roles they have at the moment."""

from datetime import datetime

from licet_server.identity.errors import unauthorized
from licet_server.identity.rules.memberships import Role
from licet_server.identity.service.tokens import read_access_token
from licet_server.institutions.rules.operators import Operator, grants_of
from licet_server.institutions.storage.operators import fetch_signed_in_operator
from licet_server.institutions.storage.role_grants import fetch_all_institutions
from licet_server.kit.database import Connection
from licet_server.kit.keyring import Keyring


async def authenticate_operator(
    db: Connection,
    keyring: Keyring,
    now: datetime,
    *,
    token: str,
    address: str,
    needed: Role,
) -> Operator:
    """The operator of an access token, with their current roles.

    Raises:
        Refused: `Unauthorized` for an invalid or expired token, or when the session has ended.
    """
    user_id, sign_in_id = read_access_token(keyring, now, token)
    found = await fetch_signed_in_operator(db, user_id, sign_in_id, now)
    if found is None:
        raise unauthorized()
    user, session, role_grants, assigned = found
    is_system_admin = user.is_system_admin and session.through is None
    if is_system_admin:
        role_grants += await fetch_all_institutions(db)
    return Operator(
        user_id=user.id,
        email=user.email,
        email_verified=user.email_verified,
        is_system_admin=is_system_admin,
        sign_in_id=sign_in_id,
        totp_enabled=user.totp_enabled,
        has_passkey=user.has_passkey,
        proof=session.proof,
        has_used_factor=session.has_used_factor,
        through=session.through,
        grants=grants_of(
            role_grants,
            address,
            session.trust,
            products=assigned.products,
            releases=assigned.releases,
        ),
        needed=needed,
    )
