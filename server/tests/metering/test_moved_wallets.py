"""What a process has charged is added to the totals without a search; a search finds the rest."""

import asyncio
from typing import Any

import pytest
from plans import taken_down
from sqlalchemy import text
from world import World

from licet_server.app import Application
from licet_server.kit.platform import Platform, Shared
from licet_server.metering.service import moved, usage
from licet_server.metering.service.moved import MovedWallets
from licet_server.metering.service.usage import roll_up, roll_up_moved
from licet_server.worker import JOBS


@pytest.fixture
def application(fresh_application: Application) -> Application:
    """The application on a database of its own, whose wallets a search finds."""
    forget(fresh_application.platform)
    return fresh_application


def forget(platform: Platform) -> None:
    """Forget the charges of this process, as its end does."""
    with platform.shared.of(MovedWallets).taken():
        pass


@pytest.fixture
async def wallets(world: World) -> list[dict[str, Any]]:
    """Wallets whose grants are counted, and each of which was charged once since."""
    made = [await world.issue("MeteredCount", initialMeterBalance=100) for _ in range(3)]
    await roll_up(world.platform)
    for wallet in made:
        assert (await world.consume(wallet)).status_code == 200
    return made


async def counted(world: World) -> list[int]:
    async with world.platform.database.reading() as db:
        rows = await db.execute(text("SELECT counted FROM meter_counts ORDER BY license_id"))
        return [row.counted for row in rows]


async def test_only_charged_wallets_are_read(world: World, wallets: list[dict[str, Any]]) -> None:
    with taken_down("meter_counts") as taken:
        assert await roll_up_moved(world.platform) == len(wallets)
    assert taken
    assert all("unnest" in question.statement for question in taken)
    assert await counted(world) == [2, 2, 2]
    with taken_down("meter_counts") as taken:
        assert await roll_up_moved(world.platform) == 0
    assert taken == []


async def test_a_crash_loses_nothing(world: World, wallets: list[dict[str, Any]]) -> None:
    """A process that ends before its job runs forgets its charges; the next one finds them."""
    forget(world.platform)
    assert await roll_up_moved(world.platform) == 0
    assert await counted(world) == [1, 1, 1]
    assert await roll_up(world.platform) == len(wallets)
    assert await counted(world) == [2, 2, 2]


async def test_a_failed_run_is_made_up_for_by_the_next(
    world: World, wallets: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> int:
        raise ConnectionError

    with monkeypatch.context() as patched:
        patched.setattr(usage, "_count", fail)
        with pytest.raises(ConnectionError):
            await roll_up_moved(world.platform)
    await world.consume(wallets[0])
    assert await roll_up_moved(world.platform) == len(wallets) + 1


async def test_every_entry_is_counted_once_however_many_count(
    world: World, wallets: list[dict[str, Any]]
) -> None:
    keys = list(world.platform.shared.of(MovedWallets)._keys)
    jobs = []
    for _ in range(3):
        world.platform.shared.of(MovedWallets).add(keys)
        jobs += [roll_up_moved(world.platform), roll_up(world.platform)]
    assert sum(await asyncio.gather(*jobs)) == len(wallets)
    assert await counted(world) == [2, 2, 2]


async def test_what_is_remembered_is_bounded(
    world: World, wallets: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moved, "MOST", 4)
    await world.consume(wallets[0])
    for _ in range(2):
        await world.consume(await world.issue("MeteredCount", initialMeterBalance=100))
    assert len(world.platform.shared.of(MovedWallets)._keys) == 4
    await roll_up_moved(world.platform)
    assert await roll_up(world.platform) > 0


def test_all_wallets_are_searched_now_and_then_and_at_the_start() -> None:
    """A job runs when the process starts, and then after each interval."""
    intervals = {job.run: job.every_seconds for job in JOBS}
    assert intervals[roll_up] == 600
    assert intervals[roll_up_moved] == 15


def test_what_is_shared_is_created_once() -> None:
    shared = Shared()
    assert shared.of(MovedWallets) is shared.of(MovedWallets)
    assert shared.of(MovedWallets) is not Shared().of(MovedWallets)
