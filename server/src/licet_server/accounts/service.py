"""Use cases of accounts: first-run setup, sign-in, sessions, institutions."""

import hashlib
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from licet_server.accounts import errors, storage
from licet_server.accounts.rules import (
    ACCESS_TOKEN_SECONDS,
    ROTATION_GRACE_SECONDS,
    SESSION_DAYS,
    Operator,
    Role,
)
from licet_server.accounts.storage import Institution, Membership, User
from licet_server.kit import limits
from licet_server.kit.database import Connection
from licet_server.kit.errors import not_found
from licet_server.kit.events import Origin
from licet_server.kit.keyring import Keyring
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.passwords import Passwords
from licet_server.kit.work import Platform, Work

FAILED_SIGN_INS_A_MINUTE = 10

_TOKEN_TYPE = "at+jwt"  # noqa: S105 - a media type, RFC 9068


@dataclass(frozen=True, slots=True)
class Session:
    """What a sign-in hands out; the refresh token is shown this once."""

    access_token: str
    refresh_token: str
    user: User
    memberships: list[Membership]


@dataclass(frozen=True, slots=True)
class NewAccount:
    """The first person of an institution."""

    email: str
    password: str = field(repr=False)
    full_name: str
    institution_name: str


async def set_up(
    work: Work,
    passwords: Passwords,
    setup_token: str,
    account: NewAccount,
    user_agent: str | None,
) -> Session:
    """Make the first Owner, who is system Admin, and sign him in.

    Raises:
        Refused: `Unauthorized` for a wrong or used setup token.
    """
    if not await storage.use_setup_token(work.db, _digest(setup_token)):
        raise errors.wrong_setup_token()
    user = await create_first_owner(work, passwords, account)
    return await _open_session(work, user, user_agent)


async def create_first_owner(work: Work, passwords: Passwords, account: NewAccount) -> User:
    """Make an institution with its Owner, who is system Admin and whose address counts as real."""
    user = await create_user(
        work,
        email=account.email,
        full_name=account.full_name,
        password_hash=await passwords.hash(account.password),
        is_system_admin=True,
        verified=True,
    )
    institution_id = work.new_id()
    await storage.insert_institution(work.db, institution_id, account.institution_name, work.now)
    await storage.insert_membership(work.db, institution_id, user.id, Role.OWNER, work.now)
    return user


async def create_user(
    work: Work,
    *,
    email: str,
    full_name: str,
    password_hash: str,
    is_system_admin: bool,
    verified: bool,
) -> User:
    """Make an account.

    Raises:
        Refused: `Conflict` when the address has one.
    """
    user = User(work.new_id(), email, verified, full_name, is_system_admin)
    await storage.insert_user(
        work.db,
        user_id=user.id,
        email=email,
        full_name=full_name,
        password_hash=password_hash,
        is_system_admin=is_system_admin,
        verified_at=work.now if verified else None,
        now=work.now,
    )
    return user


async def prepare_setup(work: Work) -> str | None:
    """A fresh setup token while there are no users; `None` afterwards."""
    if await storage.has_users(work.db):
        return None
    token = secrets.token_urlsafe(24)
    await storage.replace_setup_token(work.db, _digest(token), work.now)
    return token


async def sign_in(
    platform: Platform,
    passwords: Passwords,
    origin: Origin,
    email: str,
    password: str,
    user_agent: str | None,
) -> Session:
    """Check the password and open a session.

    Unknown addresses take the same time and get the same answer as wrong passwords. Failures are
    counted per account and per address of the caller.

    Raises:
        Refused: `InvalidCredentials`, `RateLimited`.
    """
    now = platform.clock()
    buckets = [f"sign-in:account:{_digest(email).hex()}", f"sign-in:address:{origin.ip_address}"]
    for bucket in buckets:
        await limits.take(platform.database, bucket, FAILED_SIGN_INS_A_MINUTE, now)
    async with platform.database.reading() as db:
        found = await storage.fetch_password_hash(db, email)
    if not await passwords.matches(found[1] if found else None, password) or found is None:
        raise errors.invalid_credentials()
    for bucket in buckets:
        await limits.give_back(platform.database, bucket, now)
    async with platform.work(origin) as work:
        return await _open_session(work, found[0], user_agent)


async def refresh(platform: Platform, origin: Origin, token: str) -> Session:
    """Rotate a refresh token.

    A token that was rotated more than 10 seconds ago is a stolen or replayed one: its whole
    session ends.

    Raises:
        Refused: `Unauthorized`.
    """
    async with platform.work(origin) as work:
        session = await _rotate(work, token)
    if session is None:
        raise errors.session_ended()
    return session


async def _rotate(work: Work, token: str) -> Session | None:
    stored = await storage.lock_refresh_token(work.db, _digest(token))
    if stored is None or stored.ended_at is not None or stored.expires_at <= work.now:
        return None
    grace = timedelta(seconds=ROTATION_GRACE_SECONDS)
    if stored.rotated_at is not None and work.now - stored.rotated_at > grace:
        await storage.end_sign_in(work.db, stored.sign_in_id, work.now)
        return None
    user = await storage.fetch_user(work.db, stored.user_id)
    if user is None:
        return None
    await storage.mark_rotated(work.db, _digest(token), work.now)
    expires_at = work.now + timedelta(days=SESSION_DAYS)
    await storage.touch_sign_in(work.db, stored.sign_in_id, work.now, expires_at)
    return await _issue_tokens(work, user, stored.sign_in_id)


async def sign_out(work: Work, token: str) -> None:
    """End the session of a refresh token; an unknown token changes nothing."""
    stored = await storage.lock_refresh_token(work.db, _digest(token))
    if stored is not None:
        await storage.end_sign_in(work.db, stored.sign_in_id, work.now)


async def authenticate(
    db: Connection, keyring: Keyring, now: datetime, token: str, needed: Role
) -> Operator:
    """The operator whose access token this is, with his roles of this moment.

    Raises:
        Refused: `Unauthorized` for a wrong, expired or ended one.
    """
    user_id, sign_in_id = _read_access_token(keyring, now, token)
    found = await storage.fetch_signed_in(db, user_id, sign_in_id)
    if found is None:
        raise errors.unauthorized()
    user, held = found
    roles = dict(held)
    if user.is_system_admin:
        for institution_id in await storage.fetch_all_institution_ids(db):
            roles[institution_id] = Role.OWNER
    return Operator(user.id, user.email, sign_in_id, user.is_system_admin, roles, needed)


async def fetch_profile(db: Connection, user_id: UUID) -> tuple[User, list[Membership]]:
    """The user and his memberships.

    Raises:
        Refused: `Unauthorized` when the account is gone.
    """
    user = await storage.fetch_user(db, user_id)
    if user is None:
        raise errors.unauthorized()
    return user, await storage.fetch_memberships(db, user_id)


async def user_exists(db: Connection, user_id: UUID) -> bool:
    """Whether the id is that of an account."""
    return await storage.user_exists(db, user_id)


async def rename_user(work: Work, user_id: UUID, full_name: str) -> None:
    """Change the name that a person is shown by."""
    await storage.update_full_name(work.db, user_id, full_name)


async def create_institution(work: Work, operator: Operator, name: str) -> Institution:
    """Make an institution whose Owner is the operator."""
    institution = Institution(work.new_id(), name, work.now)
    await storage.insert_institution(work.db, institution.id, name, work.now)
    await storage.insert_membership(work.db, institution.id, operator.user_id, Role.OWNER, work.now)
    return institution


async def list_institutions(
    db: Connection, operator: Operator, paging: Paging, search: str | None
) -> Listing[Institution]:
    """Those the operator sees."""
    return await storage.list_institutions(db, operator.visible, paging, search)


async def fetch_institution(
    db: Connection, operator: Operator, institution_id: UUID
) -> Institution:
    """One institution that the operator sees and where he holds the role that the route asks for.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    institution = await storage.fetch_institution(db, operator.visible, institution_id)
    if institution is None:
        raise not_found("institution")
    operator.authorize(institution_id)
    return institution


async def rename_institution(
    work: Work, operator: Operator, institution_id: UUID, name: str | None
) -> Institution:
    """Change the name; `None` leaves it."""
    institution = await fetch_institution(work.db, operator, institution_id)
    if name is None:
        return institution
    await storage.update_institution_name(work.db, institution_id, name)
    return Institution(institution.id, name, institution.created_at)


async def delete_institution(work: Work, operator: Operator, institution_id: UUID) -> None:
    """Delete an institution without products, for good.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` while it has products.
    """
    await fetch_institution(work.db, operator, institution_id)
    await storage.delete_institution(work.db, institution_id)


async def _open_session(work: Work, user: User, user_agent: str | None) -> Session:
    sign_in_id = work.new_id()
    await storage.insert_sign_in(
        work.db,
        sign_in_id=sign_in_id,
        user_id=user.id,
        now=work.now,
        expires_at=work.now + timedelta(days=SESSION_DAYS),
        ip_address=work.origin.ip_address,
        user_agent=user_agent[:300] if user_agent else None,
    )
    return await _issue_tokens(work, user, sign_in_id)


async def _issue_tokens(work: Work, user: User, sign_in_id: UUID) -> Session:
    refresh_token = secrets.token_urlsafe(32)
    await storage.insert_refresh_token(work.db, _digest(refresh_token), sign_in_id, work.now)
    return Session(
        access_token=_write_access_token(work.keyring, work.now, user.id, sign_in_id),
        refresh_token=refresh_token,
        user=user,
        memberships=await storage.fetch_memberships(work.db, user.id),
    )


def _write_access_token(keyring: Keyring, now: datetime, user_id: UUID, sign_in_id: UUID) -> str:
    issued = int(now.timestamp())
    claims = {
        "sub": str(user_id),
        "sid": str(sign_in_id),
        "iat": issued,
        "exp": issued + ACCESS_TOKEN_SECONDS,
    }
    key = OctKey.import_key(keyring.derive("operator-token")[0])
    return jwt.encode({"alg": "HS256", "typ": _TOKEN_TYPE}, claims, key)


def _read_access_token(keyring: Keyring, now: datetime, token: str) -> tuple[UUID, UUID]:
    for secret in keyring.derive("operator-token"):
        try:
            decoded = jwt.decode(token, OctKey.import_key(secret), algorithms=["HS256"])
            if decoded.header.get("typ") != _TOKEN_TYPE:
                break
            if int(decoded.claims["exp"]) <= now.timestamp():
                break
            return UUID(decoded.claims["sub"]), UUID(decoded.claims["sid"])
        except (JoseError, ValueError, KeyError, TypeError):
            continue
    raise errors.unauthorized()


def _digest(secret: str) -> bytes:
    """Looked-up secrets are random and long, so a plain hash is enough."""
    return hashlib.sha256(secret.encode()).digest()
