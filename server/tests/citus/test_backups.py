"""A backup of a cluster has the rows of all nodes, and can be restored and spread again."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from on_citus import CitusServer

from licet_server.kit.clock import system_clock
from licet_server.kit.database import metadata
from licet_server.kit.database_address import Address
from licet_server.kit.postgres import backup, find_binaries
from licet_server.kit.settings import Settings
from licet_server.kit.spreading import distribute, require_distributed
from licet_server.restoring import list_foreign, restore_file

pytestmark = pytest.mark.citus

_ROWS = """
INSERT INTO institutions (id, name, created_at)
SELECT gen_random_uuid(), 'Vendor ' || n, now() FROM generate_series(1, 50) n;
INSERT INTO audit_chains (institution_id, id, secret, number, seal, mark, sealed_at)
SELECT id, gen_random_uuid(), '', 0, '', '', now() FROM institutions;
"""
_VENDORS = "SELECT v.id, v.name FROM institutions v JOIN audit_chains c ON c.institution_id = v.id"


async def _fetch(address: Address, *statements: str) -> list[Any]:
    connection = await asyncpg.connect(
        host=address.host, port=address.port, user=address.user, database=address.database
    )
    try:
        for statement in statements:
            rows = await connection.fetch(statement)
        return list(map(tuple, rows))
    finally:
        await connection.close()


def _restore(folder: Path, place: Address) -> None:
    settings, accept = Settings(data_dir=folder), lambda *_: None
    with (folder / "backup").open("rb") as content:
        restore_file(
            settings, content, system_clock, accept, binaries=find_binaries(), address=place
        )


async def test_a_backup_is_restored_and_spread_again(postgres: CitusServer, tmp_path: Path) -> None:
    nodes = await asyncio.to_thread(postgres.create_migrated, "backed_up")
    await distribute(nodes[0].url, metadata, lambda _: None)
    for statement in _ROWS.split(";\n")[:-1]:
        await _fetch(nodes[0], statement)
    vendors = await _fetch(nodes[0], _VENDORS)
    assert len(vendors) == 50

    spread = replace(nodes[0], options=(("distributed", "true"),))
    await asyncio.to_thread(backup, find_binaries(), spread, tmp_path / "backup")
    assert await asyncio.to_thread(list_foreign, find_binaries(), spread) == []

    place = nodes[0].of_database(f"{nodes[0].database}_2")
    others = [node.of_database(place.database) for node in nodes[1:]]
    for node in nodes:
        home = node.of_database("postgres")
        await _fetch(home, f"DROP DATABASE IF EXISTS {place.database} WITH (FORCE)")
        await _fetch(home, f"CREATE DATABASE {place.database}")
    try:
        await asyncio.to_thread(_restore, tmp_path, place)
        assert set(await _fetch(place, _VENDORS)) == set(vendors)
        for node in (place, *others):
            await _fetch(node, "CREATE EXTENSION citus")
        await _fetch(place, f"SELECT citus_set_coordinator_host('{place.host}', {place.port})")
        for node in others:
            await _fetch(place, f"SELECT citus_add_node('{node.host}', {node.port})")
        await distribute(place.url, metadata, lambda _: None)
        await require_distributed(place.url, metadata)
        assert set(await _fetch(place, _VENDORS)) == set(vendors)
    finally:
        for node in nodes:
            home = node.of_database("postgres")
            like = f"SELECT datname FROM pg_database WHERE datname LIKE '{place.database}%'"
            for (name,) in await _fetch(home, like):
                await _fetch(home, f"DROP DATABASE {name} WITH (FORCE)")
