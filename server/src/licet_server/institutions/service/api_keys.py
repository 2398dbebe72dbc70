"""API keys: creating, listing, rotating and revoking."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event
from licet_server.identity.service.tokens import digest
from licet_server.institutions import errors
from licet_server.institutions.rules.api_keys import ApiKey
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.api_key_tokens import write_api_token
from licet_server.institutions.service.institutions import end_of_term
from licet_server.institutions.storage import api_keys as storage
from licet_server.institutions.storage.api_keys import API_KEYS
from licet_server.institutions.storage.members import lock_membership
from licet_server.kit.database import Connection
from licet_server.kit.dates import NO_END_YEAR
from licet_server.kit.errors import bad_field, conflict
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class IssuedApiKey:
    """A key with its secret, which is shown only once."""

    key: ApiKey
    secret: str = field(repr=False)


async def create_api_key(
    work: UnitOfWork,
    operator: Operator,
    given_institution: UUID | None,
    *,
    expires: date | None,
    fields: Mapping[str, Any],
) -> IssuedApiKey:
    """Create a key that acts for the operator, within its scopes, until an instant or a day's end.

    `fields` are named as in `ApiKey`.

    Raises:
        Refused: `InvalidRequest`, `Forbidden`, `Conflict` for a system Admin who is no member.
    """
    institution_id = operator.institution_for_new(given_institution)
    if institution_id is None:
        raise bad_field("institutionId", "is not an institution that you have access to.")
    await _lock_membership(work, operator, institution_id)
    expires_at = await end_of_term(work.db, institution_id, expires)
    if expires_at is not None and expires_at <= work.now:
        raise bad_field("expirationDate", "must be in the future.")
    if expires_at is not None and expires_at.year >= NO_END_YEAR:
        expires_at = None
    key = ApiKey(
        institution_id=institution_id,
        id=work.new_id(),
        maker_id=operator.user_id,
        expires_at=expires_at,
        created_at=work.now,
        **fields,
    )
    secret = write_api_token(work.keyring, work.now, key)
    await API_KEYS.insert(work.db, key, token_hash=digest(secret))
    await _record(work, EventKind.API_KEY_CREATED, key)
    return IssuedApiKey(key, secret)


async def list_api_keys(
    db: Connection, operator: Operator, institution_id: UUID | None, paging: Paging
) -> Listing[ApiKey]:
    """List the keys of the institutions in which the operator has the required role.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    return await API_KEYS.page(db, operator.authorized(institution_id), paging)


async def revoke_api_key(work: UnitOfWork, operator: Operator, key_id: UUID) -> None:
    """Revoke a key immediately and permanently; repeating it changes nothing.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    key = await _lock(work, operator, key_id)
    if key.revoked_at is None:
        await _revoke(work, key)


async def revoke_keys_of(work: UnitOfWork, institution_id: UUID, maker_id: UUID) -> None:
    """Revoke all keys that a user created in an institution, which they are leaving."""
    for key in await storage.fetch_keys_of(work.db, institution_id, maker_id):
        await _revoke(work, key)


async def revoke_keys_of_account(work: UnitOfWork, maker_id: UUID) -> None:
    """Revoke all live keys that a user created, in all institutions."""
    for key, _ in await storage.fetch_keys_of_account(work.db, maker_id, work.now):
        await _revoke(work, key)


async def _revoke(work: UnitOfWork, key: ApiKey) -> None:
    await API_KEYS.update(work.db, replace(key, revoked_at=work.now), "revoked_at")
    await _record(work, EventKind.API_KEY_REVOKED, key)


async def rotate_api_key(work: UnitOfWork, operator: Operator, key_id: UUID) -> IssuedApiKey:
    """Give a key a new secret; the old one stops working immediately.

    The operator becomes its maker: with the new secret, a program can do no more than they may.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` for a revoked or expired key, or for a system
            Admin who is no member.
    """
    found = operator.found(await API_KEYS.fetch(work.db, operator.roles, key_id), "API key")
    await _lock_membership(work, operator, found.institution_id)
    key = await _lock(work, operator, key_id)
    if not key.is_live(work.now):
        raise conflict("The key is revoked or expired. Create a new one.")
    key = replace(key, maker_id=operator.user_id)
    secret = write_api_token(work.keyring, work.now, key)
    await API_KEYS.save(work.db, key, token_hash=digest(secret))
    await _record(work, EventKind.API_KEY_ROTATED, key)
    return IssuedApiKey(key, secret)


async def _lock_membership(work: UnitOfWork, operator: Operator, institution_id: UUID) -> None:
    """Keep the maker of a key a member until it is stored, so that it ends with the membership.

    Before the key is locked, as for the end of a membership, so that the two cannot deadlock.
    """
    if not await lock_membership(work.db, institution_id, operator.user_id):
        raise errors.no_member()


async def _lock(work: UnitOfWork, operator: Operator, key_id: UUID) -> ApiKey:
    key = await API_KEYS.lock(work.db, operator.roles, key_id)
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
