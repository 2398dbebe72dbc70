"""A database that stands still, or is locked: requests end in bounded time and work again later."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from e2e.process import children_of
from sqlalchemy import text
from testkit import FakeClock, Owner, running, settings_for
from volumes import is_long

from licet_server.app import Application
from licet_server.kit import connecting
from licet_server.kit import database as database_module
from licet_server.kit.connecting import connect_arguments
from licet_server.kit.database import open_database
from licet_server.kit.outages import OutcomeUnknown
from licet_server.kit.passwords import Passwords
from licet_server.kit.postgres import EmbeddedPostgres, temporary_postgres
from licet_server.migrations import migrate

COMMAND_TIMEOUT_S = connecting.COMMAND_TIMEOUT_S if is_long() else 5.0


@pytest.fixture(scope="module")
def cluster() -> Iterator[EmbeddedPostgres]:
    with temporary_postgres() as server:
        asyncio.run(migrate(server.url))
        yield server


@pytest.fixture
async def application(
    cluster: EmbeddedPostgres,
    tmp_path: Path,
    clock: FakeClock,
    fast_passwords: Passwords,
    monkeypatch: pytest.MonkeyPatch,
) -> Any:
    monkeypatch.setattr(database_module, "_LOCK_TIMEOUT_MS", 200)
    impatient = partial(connect_arguments, command_timeout=COMMAND_TIMEOUT_S)
    monkeypatch.setattr(database_module, "connect_arguments", impatient)
    async with running(settings_for(cluster.url, tmp_path), clock, fast_passwords) as app:
        yield app


@contextmanager
def frozen(cluster: EmbeddedPostgres) -> Iterator[None]:
    """Stop the server and everything it started, as a machine that hangs does."""
    server = cluster.server_pid
    assert server is not None
    os.kill(server, signal.SIGSTOP)
    stopped = [server, *children_of(server)]
    for pid in stopped[1:]:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)


async def until_served(owner: Owner) -> None:
    async with asyncio.timeout(120):
        while not (await owner.send("GET", "/api/products")).is_success:
            await asyncio.to_thread(time.sleep, 0.1)


async def test_a_frozen_database_ends_requests_in_bounded_time(
    owner: Owner, client: httpx.AsyncClient, cluster: EmbeddedPostgres
) -> None:
    products = [{"name": f"Product {n}", "initialVersion": "1.0.0"} for n in range(12)]
    await until_served(owner)
    with frozen(cluster):
        requests = [
            asyncio.create_task(owner.send("POST", "/api/products", body)) for body in products
        ]
        requests += [asyncio.create_task(owner.send("GET", "/api/products")) for _ in range(12)]
        async with asyncio.timeout(10):
            ready = [await client.get("/health/ready") for _ in range(2)]
        assert {response.status_code for response in ready} == {503}
        assert (await client.get("/health/live")).status_code == 200
        async with asyncio.timeout(90):
            responses = await asyncio.gather(*requests)
        assert {response.status_code for response in responses} == {503}
        assert all(int(response.headers["retry-after"]) > 0 for response in responses)
    await until_served(owner)
    made = await asyncio.gather(*(owner.send("POST", "/api/products", body) for body in products))
    assert {response.status_code for response in made} <= {201, 409}
    assert (await client.get("/health/ready")).status_code == 200


async def test_one_timeout_drops_every_connection_to_a_frozen_server(
    cluster: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient = partial(connect_arguments, command_timeout=1.0)
    monkeypatch.setattr(database_module, "connect_arguments", impatient)
    database = open_database(cluster.url, 4)

    async def backend(connected: Any = database.reading) -> int:
        async with connected() as db:
            found = await db.execute(text("SELECT pg_backend_pid() FROM pg_sleep(0.3)"))
            return int(found.scalar_one())

    pools = [database.reading] * 4 + [database.keyed] * 2 + [database.relaxed] * 2
    pids = set(await asyncio.gather(*map(backend, pools)))
    assert len(pids) == len(pools)
    failed = 0
    for pid in pids:  # new connections are taken, as by a standby that was promoted
        os.kill(pid, signal.SIGSTOP)
    try:
        for pool in pools:
            try:
                await backend(pool)
            except OutcomeUnknown:
                failed += 1
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
        await database.close()
    assert failed == 1


async def test_a_locked_table_holds_no_request_for_long(
    owner: Owner, application: Application, cluster: EmbeddedPostgres
) -> None:
    async with application.platform.database.transaction() as db:
        await db.execute(text("LOCK TABLE products IN ACCESS EXCLUSIVE MODE"))
        response = await owner.send("GET", "/api/products")
        assert (response.status_code, response.json()["errorCode"]) == (503, "Unavailable")
        assert "Nothing was changed" in response.json()["detail"]
    assert (await owner.send("GET", "/api/products")).is_success
