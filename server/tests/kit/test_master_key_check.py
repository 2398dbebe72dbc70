"""A database belongs to one master key, and no process works on it with another."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text
from testkit import settings_for

from licet_server.app import open_platform
from licet_server.events.service.sealing import begin_chain
from licet_server.kit.keyring import MasterKeyMissing, new_master_key, write_key_file
from licet_server.kit.master_key import WrongMasterKey
from licet_server.kit.origin import CONSOLE
from licet_server.kit.settings import Settings
from licet_server.rotation import replace_lost_master_key, rotate_master_key


async def opened(settings: Settings) -> bytes:
    """Open the platform as a start does, and return what it would seal."""
    async with open_platform(settings) as platform:
        return platform.keyring.seal(b"a secret", "place")


@pytest.fixture
def fresh(new_database: Callable[[], str], tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path, database_url=new_database())


async def test_the_first_start_creates_a_key_and_later_ones_take_no_other(fresh: Settings) -> None:
    await opened(fresh)
    key = fresh.key_file.read_bytes()
    await opened(fresh)
    assert fresh.key_file.read_bytes() == key
    with pytest.raises(WrongMasterKey, match="LICET_MASTER_KEY is not the one of this database"):
        await opened(replace(fresh, master_keys=(new_master_key(),)))
    write_key_file(fresh.key_file, [new_master_key()])
    with pytest.raises(WrongMasterKey, match=r"master\.key is not the one of this database"):
        await opened(fresh)
    fresh.key_file.write_bytes(key)
    await opened(fresh)


async def test_a_missing_key_is_not_replaced_by_a_new_one(fresh: Settings) -> None:
    await opened(fresh)
    fresh.key_file.unlink()
    with pytest.raises(MasterKeyMissing, match="The secrets in the database need it"):
        await opened(fresh)
    assert not fresh.key_file.exists()


async def test_of_two_nodes_with_keys_of_their_own_only_the_first_starts(
    fresh: Settings, tmp_path: Path
) -> None:
    await opened(fresh)
    with pytest.raises(MasterKeyMissing):
        await opened(replace(fresh, data_dir=tmp_path / "second"))


async def test_a_database_from_before_the_check_is_held_to_its_secrets(
    new_database: Callable[[], str], tmp_path: Path
) -> None:
    settings = settings_for(new_database(), tmp_path)
    async with open_platform(settings) as platform, platform.unit_of_work(CONSOLE) as work:
        await begin_chain(work)  # with a sealed secret
        await work.db.execute(text("DELETE FROM master_key_canary"))
    with pytest.raises(WrongMasterKey):
        await opened(replace(settings, master_keys=(new_master_key(),)))
    await opened(settings)


async def test_a_rotation_takes_the_check_along(fresh: Settings) -> None:
    await opened(fresh)
    old = fresh.key_file.read_bytes()
    await asyncio.to_thread(rotate_master_key, fresh, lambda _: None)
    await opened(fresh)
    new = fresh.key_file.read_bytes().split()[0]
    fresh.key_file.write_bytes(old)
    with pytest.raises(WrongMasterKey):
        await opened(fresh)
    fresh.key_file.write_bytes(new)
    await opened(fresh)


async def test_a_rotation_adds_no_key_where_the_old_one_is_missing(fresh: Settings) -> None:
    await opened(fresh)
    fresh.key_file.unlink()
    with pytest.raises(MasterKeyMissing):
        await asyncio.to_thread(rotate_master_key, fresh, lambda _: None)
    assert not fresh.key_file.exists()


async def test_a_lost_key_is_replaced_on_demand_only(fresh: Settings) -> None:
    await opened(fresh)
    assert not await asyncio.to_thread(replace_lost_master_key, fresh, lambda _: None)
    fresh.key_file.unlink()
    assert await asyncio.to_thread(replace_lost_master_key, fresh, lambda _: None)
    await opened(fresh)
