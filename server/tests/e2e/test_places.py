"""Places for exports and event streams under race: several server processes, real connections.

The service never serves one too many, and one that lacks the protection is seen to do so.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from e2e.fleet import SERVERS, Fleet, fleet_on
from e2e.process import NO_TLS
from locks import WAITING
from patience import PATIENCE_S, until, until_found
from sqlalchemy import text
from volumes import is_long

from licet_server.kit.database import Connection
from licet_server.kit.passwords import Passwords
from licet_server.kit.web.csv import EXPORTS
from licet_server.notifications.http import STREAMS

CALLS = 12


class Caller:
    """The Owner, who asks each server in turn and leaves responses open."""

    def __init__(self, fleet: Fleet, stack: AsyncExitStack) -> None:
        self._fleet, self._stack = fleet, stack
        self._headers = dict(fleet.vendor.owner.headers)
        self._bodies: list[AsyncIterator[bytes]] = []

    async def open(self, n: int, path: str, accept: str) -> int:
        """Return the server that serves the response, or -1 if it was refused for the limit."""
        client = await self._stack.enter_async_context(
            httpx.AsyncClient(timeout=PATIENCE_S, trust_env=False, verify=NO_TLS)
        )
        server = n % SERVERS
        request = client.build_request(
            "GET",
            f"http://127.0.0.1:{self._fleet.ports[server]}{path}",
            headers={**self._headers, "accept": accept},
        )
        response = await client.send(request, stream=True)
        if response.status_code == 200:
            body = response.aiter_raw()
            self._bodies.append(body)  # one that nobody refers to closes its connection
            await anext(body)
            return server
        problem = json.loads(await response.aread())
        assert (response.status_code, problem["errorCode"]) == (429, "RateLimited"), problem
        assert int(response.headers["retry-after"]) > 0
        await client.aclose()
        return -1

    def begin_many(self, path: str, accept: str) -> list[asyncio.Task[int]]:
        return [asyncio.create_task(self.open(n, path, accept)) for n in range(CALLS)]

    async def open_many(self, path: str, accept: str) -> Counter[int]:
        """Open responses at the same time, and count them by server."""
        return Counter(await asyncio.gather(*self.begin_many(path, accept)))

    async def export(self, n: int = 0) -> int:
        return await self.open(n, "/api/customers", "text/csv")

    async def follow(self, n: int = 0) -> int:
        return await self.open(n, "/api/notifications/stream", "*/*")


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


async def export_at_once(fleet: Fleet, caller: Caller, served: int) -> Counter[int]:
    """Count exports by server, of which this many wait for their first page at the same time."""
    async with fleet.platform.database.transaction() as db:
        await db.execute(text("LOCK TABLE customers IN ACCESS EXCLUSIVE MODE"))
        exports = caller.begin_many("/api/customers", "text/csv")
        await until(lambda: sum(export.done() for export in exports) == CALLS - served)
        async with fleet.platform.database.reading() as other:
            await until_found(lambda: _wait(other, served))
    return Counter(await asyncio.gather(*exports))


async def _wait(db: Connection, count: int) -> bool:
    return int((await db.execute(WAITING)).scalar_one()) >= count


async def test_places_are_counted_over_all_processes(
    new_database: Callable[[], str],
    tmp_path: Path,
    fast_passwords: Passwords,
    stack: AsyncExitStack,
) -> None:
    async with fleet_on(new_database(), tmp_path, fast_passwords) as fleet:
        caller = Caller(fleet, stack)
        streams = await caller.open_many("/api/notifications/stream", "*/*")
        assert streams == {**streams, -1: CALLS - STREAMS.per_user}
        async with AsyncExitStack() as own:
            exports = await export_at_once(fleet, Caller(fleet, own), EXPORTS.per_user)
            assert exports == {**exports, -1: CALLS - EXPORTS.per_user}
        # Their places are free again, those of exports that were hung up on and those that ended.
        await until_found(lambda: served(caller.export))
        if is_long():
            killed = max((count, server) for server, count in streams.items() if server >= 0)[1]
            fleet.kill(killed)
            await until_found(lambda: served(lambda: caller.follow(killed + 1)))


async def served(call: Callable[[], object]) -> bool:
    return await call() >= 0  # type: ignore[misc, no-any-return]


async def test_without_places_all_are_served(
    new_database: Callable[[], str],
    tmp_path: Path,
    fast_passwords: Passwords,
    stack: AsyncExitStack,
) -> None:
    async with fleet_on(new_database(), tmp_path, fast_passwords, "places") as fleet:
        caller = Caller(fleet, stack)
        assert (await caller.open_many("/api/notifications/stream", "*/*"))[-1] == 0
        assert (await export_at_once(fleet, caller, CALLS))[-1] == 0
