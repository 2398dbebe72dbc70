"""Requests of applications commit on the one node that has the rows, without two phases."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from sqlalchemy import event
from testkit import FakeClock, FastPasswords, running, settings_for
from world import World

from licet_server.app import Application
from licet_server.kit.database_address import Address

pytestmark = pytest.mark.citus

_AT_ONCE = 40


@dataclass
class Remote:
    """What the coordinator sends to the workers, with the worker that it sends it to."""

    sent: list[tuple[str, str]] = field(default_factory=list)

    def note(self, _connection: Any, message: Any) -> None:
        text = message.message
        if text.startswith("issuing "):
            worker = message.detail.partition(" connectionId")[0]
            self.sent.append((text.removeprefix("issuing "), worker))


@pytest.fixture
def remote() -> Remote:
    return Remote()


@pytest.fixture
async def application(
    new_database: Callable[[], str],
    tmp_path: Path,
    clock: FakeClock,
    fast_passwords: FastPasswords,
    remote: Remote,
) -> AsyncIterator[Application]:
    """The application on a database that tells its clients what it sends to the workers."""
    url = await asyncio.to_thread(new_database)
    address = Address.of_url(url)
    coordinator = await asyncpg.connect(
        host=address.host, port=address.port, user=address.user, database=address.database
    )
    await coordinator.execute(
        f"ALTER DATABASE {address.database} SET citus.log_remote_commands = on"
    )
    await coordinator.close()

    def listen(connection: Any, _record: Any) -> None:
        connection.driver_connection.add_log_listener(remote.note)

    async with running(settings_for(url, tmp_path), clock, fast_passwords) as app:
        for engine in app.platform.database.engines():
            event.listen(engine.sync_engine, "connect", listen)
            await engine.dispose()
        yield app


async def test_requests_of_applications_commit_on_one_node(world: World, remote: Remote) -> None:
    pool = await world.issue("Floating", maxActiveUsersCount=5)
    wallet = await world.issue("MeteredToken", initialMeterBalance=100)
    locked = await world.issue("NodeLocked")
    await world.priced()
    session = await world.connected(pool)
    requests: dict[str, Callable[[], Awaitable[Any]]] = {
        "validate": lambda: world.validate(locked),
        "activate": lambda: world.activate(locked, "machine-1"),
        "connect": lambda: world.connected(pool, "machine-2"),
        "heartbeat": lambda: world.heartbeat(session),
        "disconnect": lambda: world.disconnect(session),
        "consume": lambda: world.consumed(wallet),
    }
    # A session that starts, as the first of a day, and a charge of a new feature write most.
    found = {}
    for name, send in requests.items():
        remote.sent.clear()
        await send()
        prepared = [text for text, _ in remote.sent if "PREPARE" in text]
        found[name] = (len({worker for _, worker in remote.sent}), prepared)
    assert found == dict.fromkeys(requests, (1, []))


async def test_charges_of_a_busy_wallet_share_statements(world: World, remote: Remote) -> None:
    """Those that arrive while others are charged are charged together."""
    wallet = await world.issue("MeteredCount", initialMeterBalance=1_000)
    await world.consumed(wallet)
    remote.sent.clear()
    await asyncio.gather(*(world.consumed(wallet) for _ in range(_AT_ONCE)))
    updates = [text for text, _ in remote.sent if "UPDATE" in text and "meter_wallets" in text]
    assert 1 <= len(updates) <= _AT_ONCE // 4
    assert len({worker for _, worker in remote.sent}) == 1
    assert (await world.balance(wallet)) == 1_000 - 1 - _AT_ONCE
