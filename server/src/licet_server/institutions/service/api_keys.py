"""API keys: made, listed, rotated, revoked, and recognized at each request."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event
from licet_server.identity import errors
from licet_server.identity.service.tokens import digest, institution_of_api_token, write_api_token
from licet_server.institutions.rules.api_keys import ApiKey, Scope
from licet_server.institutions.rules.operators import Operator, Role, grants_of
from licet_server.institutions.storage import api_keys as storage
from licet_server.kit.database import Connection, Database
from licet_server.kit.errors import bad_field, conflict
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork

USE_NOTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKeyDraft:
    """A key to be made; its parts are checked already."""

    institution_id: UUID | None
    name: str
    description: str | None
    scopes: tuple[Scope, ...]
    ip_allow_list: tuple[str, ...]
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class IssuedApiKey:
    """A key with its secret, which is shown this once."""

    key: ApiKey
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ApiCaller:
    """A key that is used, for whom it acts, and how often a minute it may, if that is limited."""

    key: ApiKey
    operator: Operator
    rate_limit: int | None


async def create_api_key(work: UnitOfWork, operator: Operator, draft: ApiKeyDraft) -> IssuedApiKey:
    """Make a key that acts for the operator, within its scopes.

    Raises:
        Refused: `InvalidRequest`, `Forbidden`.
    """
    institution_id = operator.institution_for_new(draft.institution_id)
    if institution_id is None:
        raise bad_field("institutionId", "is no institution that you have access to.")
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
    secret = write_api_token(work.keyring, work.now, institution_id, key.id, key.expires_at)
    await storage.insert_api_key(work.db, key, digest(secret))
    await _record(work, EventKind.API_KEY_CREATED, key)
    return IssuedApiKey(key, secret)


async def list_api_keys(
    db: Connection, operator: Operator, institution_id: UUID | None, paging: Paging
) -> Listing[ApiKey]:
    """The keys of the institutions in which the operator has the role that the route asks for.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    return await storage.list_api_keys(db, operator.authorized(institution_id), paging)


async def revoke_api_key(work: UnitOfWork, operator: Operator, key_id: UUID) -> None:
    """End a key at once and for good; once more changes nothing.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    key = await _lock(work, operator, key_id)
    if key.revoked_at is None:
        await storage.revoke(work.db, key, work.now)
        await _record(work, EventKind.API_KEY_REVOKED, key)


async def revoke_keys_of(work: UnitOfWork, institution_id: UUID, maker_id: UUID) -> None:
    """End all keys that somebody made in an institution, which he leaves, for good."""
    for key in await storage.fetch_keys_of(work.db, institution_id, maker_id):
        await storage.revoke(work.db, key, work.now)
        await _record(work, EventKind.API_KEY_REVOKED, key)


async def rotate_api_key(work: UnitOfWork, operator: Operator, key_id: UUID) -> IssuedApiKey:
    """Give a key a new secret; the old one ends at once.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` for a revoked or expired key.
    """
    key = await _lock(work, operator, key_id)
    if not key.is_live(work.now):
        raise conflict("The key is revoked or expired. Make a new one.")
    secret = write_api_token(work.keyring, work.now, key.institution_id, key.id, key.expires_at)
    await storage.replace_token(work.db, key, digest(secret))
    await _record(work, EventKind.API_KEY_ROTATED, key)
    return IssuedApiKey(key, secret)


async def authenticate_api_key(
    database: Database, now: datetime, token: str, address: str, needed: Role
) -> ApiCaller:
    """The key whose token this is, and the operator that it acts for, in its institution alone.

    Raises:
        Refused: `Unauthorized` for an unknown, expired or revoked one, or when its maker has left;
            `Forbidden` from an address that is not in its list, or not in the institution's.
    """
    institution_id = institution_of_api_token(token)
    if institution_id is None:
        raise errors.unauthorized()
    async with database.reading() as db:
        found = await storage.fetch_by_token(db, institution_id, digest(token))
    if found is None or not found.key.is_live(now):
        raise errors.unauthorized()
    key, maker, assigned = found.key, found.maker, found.assigned
    grants = grants_of(
        [found.holding], address, products=assigned.products, releases=assigned.releases
    )
    if not key.admits(address):
        raise errors.address_not_allowed()
    if grants.barred:
        raise errors.address_barred()
    if key.last_used_at is None or now - key.last_used_at >= USE_NOTED_EVERY:
        async with database.relaxed() as db:
            await storage.note_use(db, key, now)
    operator = Operator(
        maker.id, maker.email, key.id, False, grants, needed, maker.email_verified, key
    )
    return ApiCaller(key, operator, found.rate_limit)


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
