"""The access of runtime routes: applications with a product key."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any
from uuid import UUID

from litestar import Request
from litestar.connection import ASGIConnection

from licet_server.catalog import errors
from licet_server.catalog.rules.model import ProductCaller, institution_of, key_hash
from licet_server.catalog.storage.keys import find_callers
from licet_server.kit.batching import Batching, Coalescing
from licet_server.kit.clock import Clock, go_by
from licet_server.kit.database import Database
from licet_server.kit.fair_queue import FairQueue
from licet_server.kit.limits import KeyLimits
from licet_server.kit.web import admission
from licet_server.kit.web.context import RequestContext, context_of

HEADER = "x-api-key"
_HEADER_BYTES = HEADER.encode()


PLACES_OF_A_SIGNATURE = 8
"""Two requests of an institution that sign are in progress beside another one, instead of 16."""


class ProductKeyLookup:
    """Finds the product of a product key; requests that arrive together share one statement.

    Nothing is cached between requests, so a revocation takes effect at once.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        key_limits: KeyLimits,
        queue: FairQueue,
        batching: Batching,
    ) -> None:
        self._database = database
        self._clock = clock
        self._key_limits = key_limits
        self._queue = queue
        self._lookups: Coalescing[tuple[str, UUID], ProductCaller | None] = batching.concurrent(
            "product_keys", self._lookup, itemgetter(1)
        )

    async def admit(self, context: RequestContext, headers: Mapping[bytes, bytes]) -> ProductCaller:
        """Find the caller by the headers of their request, and count it against their rate limit.

        Raises:
            Refused: `Unauthorized`, `RateLimited`.
        """
        caller = await self.find(headers.get(_HEADER_BYTES, b"").decode("latin-1").strip())
        if caller is None:
            raise errors.unknown_product_key()
        context.caller = caller
        context.actor_kind = "ProductKey"
        context.actor_id = caller.key_id
        go_by(caller.clock)
        await self.count(caller)
        return caller

    async def count(self, caller: ProductCaller, requests: int = 1) -> None:
        """Count requests of a caller against the rate limit of its key, if it has one.

        Raises:
            Refused: `RateLimited`.
        """
        limit = caller.rate_limit
        if limit is not None:
            bucket = f"product-key:{caller.key_id}"
            others = (self._key_limits.take(bucket, limit) for _ in range(requests - 1))
            await asyncio.gather(*others)
            await self._key_limits.take(bucket, limit)

    async def take_turn(self, context: RequestContext, places: int = 1) -> None:
        """Wait until the request may be processed; only those of the same institution are ahead.

        Raises:
            QueueFull: too many requests of its applications are waiting.
        """
        lane = ("product keys", product_caller(context).institution_id)
        await admission.take(self._queue, context, lane, places)

    async def find(self, key: str) -> ProductCaller | None:
        """Find the caller with this key; `None` if it is malformed, unknown, revoked or expired."""
        institution_id = institution_of(key)
        if institution_id is None:
            return None
        return await self._lookups.submit((key, institution_id))

    async def aclose(self) -> None:
        """Finish the accepted lookups, then stop."""
        await self._lookups.aclose()

    async def _lookup(self, items: Sequence[tuple[str, UUID]]) -> list[ProductCaller | None]:
        # Requests that arrive together often have the same key.
        digests = {key: (institution, key_hash(key)) for key, institution in dict(items).items()}
        async with self._database.keyed() as db:
            found = await find_callers(db, list(digests.values()), self._clock())
        return [found.get(digests[key]) for key, _ in items]


@dataclass(frozen=True, slots=True)
class ProductKey:
    """An application of one product, with the product key that its vendor built into it.

    A request of a route that signs takes several `places` of the fair queue: a signature takes the
    processor for as long as many usual requests.
    """

    places: int = 1
    security: str = "productKey"
    alternative_security: str | None = None

    def describe(self) -> str:
        """Return a line for the API page."""
        return "Requires a product key."

    async def admit(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Look up the product key, and count the request against its rate limit, if it has one.

        Then read the body and wait for the request's turn.

        Raises:
            Refused: `Unauthorized`, `RateLimited`, `PayloadTooLarge`.
            QueueFull: too many requests of its applications are waiting.
        """
        lookup: ProductKeyLookup = connection.app.state["product_keys"]
        context = context_of(connection)
        await lookup.admit(context, context.headers)
        if isinstance(connection, Request):
            await connection.body()
        await lookup.take_turn(context, self.places)


def provide_product_caller(request: Request[Any, Any, Any]) -> ProductCaller:
    """Return the caller that the route's access admitted."""
    return product_caller(context_of(request))


def product_caller(context: RequestContext) -> ProductCaller:
    """Return the caller that the route's access admitted."""
    caller = context.caller
    if not isinstance(caller, ProductCaller):
        raise TypeError("this route does not take a product key")
    return caller
