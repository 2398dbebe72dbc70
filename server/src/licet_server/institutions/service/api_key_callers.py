"""Authentication of API keys, and of the operators that they act for."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from licet_server.identity.errors import unauthorized
from licet_server.identity.rules.memberships import Role
from licet_server.identity.service.tokens import digest
from licet_server.institutions import errors
from licet_server.institutions.rules.api_keys import ApiKey
from licet_server.institutions.rules.operators import Operator, grants_of
from licet_server.institutions.service.api_key_tokens import institution_of_api_token
from licet_server.institutions.storage import api_keys as storage
from licet_server.institutions.storage.api_keys import ApiKeyHash, KeyInUse
from licet_server.kit.batching import Batching
from licet_server.kit.clock import Clock
from licet_server.kit.coalesce import Coalescer
from licet_server.kit.database import Database

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
        self._look_ups: Coalescer[ApiKeyHash, KeyInUse | None] = batching.concurrent(
            "api_keys", self._look_up
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
        async with self._database.reading() as db:
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
