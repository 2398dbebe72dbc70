"""API keys: creating, listing, rotating and revoking."""

import secrets
from base64 import urlsafe_b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from operator import itemgetter
from typing import Any
from uuid import UUID

import msgspec
from joserfc import jwt
from joserfc.jwk import OctKey

from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import Recorder
from licet_server.identity.errors import unauthorized
from licet_server.identity.rules.memberships import Role
from licet_server.identity.rules.users import API_KEY_PREFIX
from licet_server.identity.service.tokens import digest
from licet_server.institutions import errors
from licet_server.institutions.rules.institutions import require_own_address
from licet_server.institutions.rules.operators import ApiKey, Operator, grants_of
from licet_server.institutions.service.institutions import end_of_term
from licet_server.institutions.storage import api_keys as storage
from licet_server.institutions.storage.api_keys import API_KEYS, ApiKeyHash, KeyInUse
from licet_server.institutions.storage.members import lock_membership
from licet_server.kit.batching import Batching, Coalescing
from licet_server.kit.clock import Clock
from licet_server.kit.database import Connection, Database
from licet_server.kit.dates import NO_END_YEAR
from licet_server.kit.errors import bad_field, conflict
from licet_server.kit.keyring import Keyring
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork

_TOKEN_TYPE = "ak+jwt"  # noqa: S105 - a media type
_NOT_A_TOKEN = (
    msgspec.MsgspecError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    RecursionError,
)


def write_api_token(keyring: Keyring, now: datetime, key: ApiKey) -> str:
    """Write a new secret of the key; each one is different."""
    claims: dict[str, object] = {
        "sub": str(key.id),
        "institution": str(key.institution_id),
        "iat": int(now.timestamp()),
        "jti": secrets.token_urlsafe(24),
    }
    if key.expires_at is not None:
        claims["exp"] = int(key.expires_at.timestamp())
    signing_key = OctKey.import_key(keyring.derive("api-token"))
    token = jwt.encode({"alg": "HS256", "typ": _TOKEN_TYPE}, claims, signing_key)
    return f"{API_KEY_PREFIX}{token}"


def is_api_token(token: str) -> bool:
    """Check whether the text claims to be the secret of an API key."""
    return token.startswith(API_KEY_PREFIX)


def institution_of_api_token(token: str) -> UUID | None:
    """Return the institution that a secret names; `None` for text that is no such secret.

    The signature is not checked: the whole secret must be known, by its hash, in that institution.
    So API keys stay valid when the master key that signed them is replaced.
    """
    if not token.startswith(API_KEY_PREFIX):
        return None
    try:
        header, payload, _ = token.removeprefix(API_KEY_PREFIX).split(".")
        if _decoded(header).get("typ") != _TOKEN_TYPE:
            return None
        return UUID(_decoded(payload)["institution"])
    except _NOT_A_TOKEN:
        return None


def _decoded(part: str) -> Any:
    return msgspec.json.decode(urlsafe_b64decode(part + "=" * (-len(part) % 4)))


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
    is_confirmed: bool,
) -> IssuedApiKey:
    """Create a key that acts for the operator, within its scopes, until an instant or a day's end.

    `fields` are named as in `ApiKey`. `is_confirmed` permits an allow list without the address of
    the operator.

    Raises:
        Refused: `InvalidRequest`, `Forbidden`, `Conflict` for a system Admin who is no member.
    """
    institution_id = operator.institution_for_new(given_institution)
    if institution_id is None:
        raise bad_field("institutionId", "is not an institution that you have access to.")
    if not is_confirmed:
        require_own_address(fields["ip_allow_list"], work.origin.ip_address)
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
    await _EVENTS.happened(work, EventKind.API_KEY_CREATED, key)
    return IssuedApiKey(key, secret)


async def list_api_keys(
    db: Connection, operator: Operator, institution_id: UUID | None, paging: Paging
) -> Listing[ApiKey]:
    """List the keys of the institutions in which the operator has the required role."""
    return await API_KEYS.page(db, operator.authorized(institution_id), paging)


async def revoke_api_key(work: UnitOfWork, operator: Operator, key_id: UUID) -> None:
    """Revoke a key immediately and permanently; repeating it changes nothing."""
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
    await _EVENTS.happened(work, EventKind.API_KEY_REVOKED, key)


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
    await _EVENTS.happened(work, EventKind.API_KEY_ROTATED, key)
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


def _facts(key: ApiKey) -> Mapping[str, object]:
    return {
        "id": key.id,
        "name": key.name,
        "scopes": list(key.scopes),
        "ipAllowList": list(key.ip_allow_list),
        "expirationDate": key.expires_at,
    }


_EVENTS = Recorder(_facts)

LAST_USED_ACCURACY = timedelta(minutes=1)
"""`last_used_at` is updated at most this often, to spare a write per request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKeyCaller:
    """The key of a request and the operator that it acts for.

    `rate_limit` is in requests per minute; `None` is unlimited.
    """

    key: ApiKey
    operator: Operator
    rate_limit: int | None


class ApiKeyLookup:
    """Finds the callers of API keys; requests that arrive together share one statement.

    Nothing is cached between requests, so a revocation takes effect at once.
    """

    def __init__(self, database: Database, clock: Clock, batching: Batching) -> None:
        self._database = database
        self._clock = clock
        self._look_ups: Coalescing[ApiKeyHash, KeyInUse | None] = batching.concurrent(
            "api_keys", self._look_up, itemgetter(0)
        )

    async def find(self, token: str, address: str, needed: Role) -> ApiKeyCaller:
        """Find the key with this secret, and the operator that it acts for in its institution.

        Raises:
            Refused: `Unauthorized` for an unknown, expired or revoked key, or if its maker has left
                or is disabled;
                `Forbidden` from an IP address that the key or its institution does not allow.
        """
        institution_id = institution_of_api_token(token)
        if institution_id is None:
            raise unauthorized()
        found = await self._look_ups.submit((institution_id, digest(token)))
        if found is None or not found.key.is_live(self._clock()):
            raise unauthorized()
        operator = _operator(found, address, needed)
        await self._mark_used(found.key)
        return ApiKeyCaller(key=found.key, operator=operator, rate_limit=found.rate_limit)

    async def aclose(self) -> None:
        """Finish the accepted look-ups, then stop."""
        await self._look_ups.aclose()

    async def _look_up(self, hashes: Sequence[ApiKeyHash]) -> list[KeyInUse | None]:
        async with self._database.looking_up() as db:
            found = await storage.fetch_by_hashes(db, hashes)
        return [found.get(item) for item in hashes]

    async def _mark_used(self, key: ApiKey) -> None:
        now = self._clock()
        due = now - LAST_USED_ACCURACY
        if key.last_used_at is None or key.last_used_at <= due:
            async with self._database.relaxed() as db:
                await storage.mark_used(db, key, now, due)


def _operator(found: KeyInUse, address: str, needed: Role) -> Operator:
    key, maker, assigned = found.key, found.maker, found.assigned
    grants = grants_of(
        [found.role_grant], address, products=assigned.product_ids, releases=assigned.release_ids
    )
    if not key.admits(address):
        raise errors.address_not_allowed()
    if grants.barred:
        raise errors.address_barred()
    return Operator(
        user_id=maker.id,
        email=maker.email,
        email_verified=maker.email_verified,
        is_system_admin=False,
        sign_in_id=key.id,
        grants=grants,
        needed=needed,
        api_key=key,
    )
