"""API keys: created, listed, rotated, revoked, and authenticated at each request."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event
from licet_server.identity.errors import unauthorized
from licet_server.identity.rules.memberships import Role
from licet_server.identity.service.tokens import digest
from licet_server.institutions import errors
from licet_server.institutions.rules.api_keys import ApiKey, Scope
from licet_server.institutions.rules.operators import Operator, grants_of
from licet_server.institutions.service.api_key_tokens import (
    institution_of_api_token,
    write_api_token,
)
from licet_server.institutions.storage import api_keys as storage
from licet_server.institutions.storage.members import lock_membership
from licet_server.kit.database import Connection, Database
from licet_server.kit.errors import bad_field, conflict
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork

LAST_USED_ACCURACY = timedelta(minutes=1)
"""`last_used_at` is updated at most this often, to spare a write per request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKeyDraft:
    """A key to be created; its fields are validated."""

    institution_id: UUID | None
    name: str
    description: str | None
    scopes: tuple[Scope, ...]
    ip_allow_list: tuple[str, ...]
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class IssuedApiKey:
    """A key with its secret, which is shown only once."""

    key: ApiKey
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKeyCaller:
    """The key of a request and the operator that it acts for.

    `rate_limit` is in requests per minute; `None` is unlimited.
    """

    key: ApiKey
    operator: Operator
    rate_limit: int | None


async def create_api_key(work: UnitOfWork, operator: Operator, draft: ApiKeyDraft) -> IssuedApiKey:
    """Create a key that acts for the operator, within its scopes.

    Raises:
        Refused: `InvalidRequest`, `Forbidden`, `Conflict` for a system Admin who is no member.
    """
    institution_id = operator.institution_for_new(draft.institution_id)
    if institution_id is None:
        raise bad_field("institutionId", "is not an institution that you have access to.")
    await _lock_membership(work, operator, institution_id)
    key = ApiKey(
        institution_id=institution_id,
        id=work.new_id(),
        maker_id=operator.user_id,
        name=draft.name,
        description=draft.description,
        scopes=draft.scopes,
        ip_allow_list=draft.ip_allow_list,
        expires_at=draft.expires_at,
        last_used_at=None,
        created_at=work.now,
        revoked_at=None,
    )
    secret = write_api_token(work.keyring, work.now, key)
    await storage.insert_api_key(work.db, key, digest(secret))
    await _record(work, EventKind.API_KEY_CREATED, key)
    return IssuedApiKey(key, secret)


async def list_api_keys(
    db: Connection, operator: Operator, institution_id: UUID | None, paging: Paging
) -> Listing[ApiKey]:
    """The keys of the institutions in which the operator has the required role.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    return await storage.list_api_keys(db, operator.authorized(institution_id), paging)


async def revoke_api_key(work: UnitOfWork, operator: Operator, key_id: UUID) -> None:
    """Revoke a key immediately and permanently; repeating it changes nothing.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    key = await _lock(work, operator, key_id)
    if key.revoked_at is None:
        await storage.revoke(work.db, key, work.now)
        await _record(work, EventKind.API_KEY_REVOKED, key)


async def revoke_keys_of(work: UnitOfWork, institution_id: UUID, maker_id: UUID) -> None:
    """Revoke all keys whose maker a user is in an institution, which they are leaving."""
    for key in await storage.fetch_keys_of(work.db, institution_id, maker_id):
        await storage.revoke(work.db, key, work.now)
        await _record(work, EventKind.API_KEY_REVOKED, key)


async def list_keys_of_account(
    db: Connection, maker_id: UUID, now: datetime
) -> list[tuple[ApiKey, str]]:
    """The live keys whose maker a user is, in all institutions, with the institution's name."""
    return await storage.fetch_keys_of_account(db, maker_id, now)


async def revoke_keys_of_account(work: UnitOfWork, maker_id: UUID) -> None:
    """Revoke all live keys whose maker a user is, in all institutions."""
    for key, _ in await storage.fetch_keys_of_account(work.db, maker_id, work.now):
        await storage.revoke(work.db, key, work.now)
        await _record(work, EventKind.API_KEY_REVOKED, key)


async def rotate_api_key(work: UnitOfWork, operator: Operator, key_id: UUID) -> IssuedApiKey:
    """Give a key a new secret; the old one stops working immediately.

    The operator becomes its maker: who holds the new secret can do no more than they may.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` for a revoked or expired key, or for a system
            Admin who is no member.
    """
    found = operator.found(await storage.fetch_api_key(work.db, operator.roles, key_id), "API key")
    await _lock_membership(work, operator, found.institution_id)
    key = await _lock(work, operator, key_id)
    if not key.is_live(work.now):
        raise conflict("The key is revoked or expired. Create a new one.")
    key = replace(key, maker_id=operator.user_id)
    secret = write_api_token(work.keyring, work.now, key)
    await storage.replace_token(work.db, key, digest(secret))
    await _record(work, EventKind.API_KEY_ROTATED, key)
    return IssuedApiKey(key, secret)


async def authenticate_api_key(
    database: Database, now: datetime, *, token: str, address: str, needed: Role
) -> ApiKeyCaller:
    """The key with this secret, and the operator that it acts for, in its institution only.

    Raises:
        Refused: `Unauthorized` for an unknown, expired or revoked key, or if its maker has left
            or is disabled;
            `Forbidden` from an IP address that the key or its institution does not allow.
    """
    institution_id = institution_of_api_token(token)
    if institution_id is None:
        raise unauthorized()
    async with database.reading() as db:
        found = await storage.fetch_by_token(db, institution_id, digest(token))
    if found is None or not found.key.is_live(now):
        raise unauthorized()
    key, maker, assigned = found.key, found.maker, found.assigned
    grants = grants_of(
        [found.role_grant], address, products=assigned.products, releases=assigned.releases
    )
    if not key.admits(address):
        raise errors.address_not_allowed()
    if grants.barred:
        raise errors.address_barred()
    if key.last_used_at is None or now - key.last_used_at >= LAST_USED_ACCURACY:
        async with database.relaxed() as db:
            await storage.update_last_used(db, key, now)
    operator = Operator(
        user_id=maker.id,
        email=maker.email,
        email_verified=maker.email_verified,
        is_system_admin=False,
        sign_in_id=key.id,
        grants=grants,
        needed=needed,
        api_key=key,
    )
    return ApiKeyCaller(key=key, operator=operator, rate_limit=found.rate_limit)


async def _lock_membership(work: UnitOfWork, operator: Operator, institution_id: UUID) -> None:
    """Keep the maker of a key a member until it is stored, so that it ends with the membership.

    Before the key is locked, as for the end of a membership, so that the two cannot deadlock.
    """
    if not await lock_membership(work.db, institution_id, operator.user_id):
        raise errors.no_member()


async def _lock(work: UnitOfWork, operator: Operator, key_id: UUID) -> ApiKey:
    key = await storage.lock_api_key(work.db, operator.roles, key_id)
    return operator.found(key, "API key")


async def _record(work: UnitOfWork, kind: EventKind, key: ApiKey) -> None:
    await record_event(
        work,
        kind,
        institution_id=key.institution_id,
        subject_id=key.id,
        data={
            "id": key.id,
            "name": key.name,
            "scopes": list(key.scopes),
            "ipAllowList": list(key.ip_allow_list),
            "expirationDate": key.expires_at,
        },
    )
