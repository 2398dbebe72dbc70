"""`distribute` on a cluster: what it leaves after an interruption, and what the start refuses."""

import asyncio
from dataclasses import replace
from typing import Any

import asyncpg
import pytest
from on_citus import CitusServer

from licet_server.kit.connecting import DatabaseRefused
from licet_server.kit.database import metadata
from licet_server.kit.database_address import Address
from licet_server.kit.placement import Placement, tables_of
from licet_server.kit.spreading import (
    add_node,
    distribute,
    list_left,
    rebalance,
    require_distributed,
    require_nodes,
)

pytestmark = pytest.mark.citus

_ROWS = """
INSERT INTO institutions (id, name, created_at)
SELECT gen_random_uuid(), 'Vendor ' || n, now() FROM generate_series(1, 50) n;
INSERT INTO audit_chains (institution_id, id, secret, number, seal, mark, sealed_at)
SELECT id, gen_random_uuid(), '', 0, '', '', now() FROM institutions;
"""
_KEYS = """
SELECT conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid)
FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace
"""


class Interrupted(Exception):
    pass


async def connect(address: Address) -> Any:
    return await asyncpg.connect(
        host=address.host, port=address.port, user=address.user, database=address.database
    )


@pytest.fixture
async def nodes(postgres: CitusServer) -> list[Address]:
    return await asyncio.to_thread(postgres.create_migrated, "whole")


async def test_an_interrupted_distribution_goes_on_and_loses_nothing(
    nodes: list[Address],
) -> None:
    coordinator = await connect(nodes[0])
    await coordinator.execute(_ROWS)
    keys = {row[0] for row in await coordinator.fetch(_KEYS)}
    tables = {
        table.name
        for place in (Placement.DISTRIBUTED, Placement.REFERENCE)
        for table in tables_of(metadata, place)
    }
    assert set(await list_left(coordinator, metadata)) == tables

    said: list[str] = []

    def stop(line: str) -> None:
        said.append(line)
        if "create_distributed_table" in line or line.split(" ")[1] == "audit_chains:":
            raise Interrupted

    with pytest.raises(Interrupted):
        await distribute(nodes[0].url, metadata, stop)
    assert "audit_chains: 50 rows" in said[-1]
    with pytest.raises(DatabaseRefused, match=r"tables are not spread .* Run licet-server"):
        await require_distributed(nodes[0].url, metadata)
    left = set(await list_left(coordinator, metadata))
    assert "institutions" not in left
    assert left

    await distribute(nodes[0].url, metadata, said.append)
    await require_distributed(nodes[0].url, metadata)
    assert {row[0] for row in await coordinator.fetch(_KEYS)} >= keys
    for table in ("institutions", "audit_chains"):
        assert await coordinator.fetchval(f"SELECT count(*) FROM {table}") == 50
        assert await coordinator.fetchval(f"SELECT pg_relation_size('{table}')") == 0
    assert await distribute(nodes[0].url, metadata, said.append) == 0
    await coordinator.close()


async def test_a_node_with_other_settings_is_named(nodes: list[Address]) -> None:
    worker = await connect(nodes[-1])
    await worker.execute(
        f"ALTER ROLE CURRENT_USER IN DATABASE {nodes[-1].database} SET timezone = 'Asia/Tokyo'"
    )
    coordinator = await connect(nodes[0])
    with pytest.raises(DatabaseRefused, match=rf"On {nodes[-1].host}:{nodes[-1].port}, .*Tokyo"):
        await require_nodes(coordinator)
    await worker.close()
    await coordinator.close()


async def test_a_worker_is_not_taken_for_the_coordinator(nodes: list[Address]) -> None:
    worker = await connect(nodes[-1])
    with pytest.raises(DatabaseRefused, match="Name the coordinator"):
        await require_nodes(worker)
    await worker.close()


async def test_a_node_is_added_and_gets_its_share(nodes: list[Address]) -> None:
    *others, last = nodes
    coordinator = await connect(others[0])
    away = f"SELECT citus_remove_node('{last.host}', {last.port})"
    await coordinator.execute(away)
    await distribute(others[0].url, metadata, lambda _: None)
    held = (
        "SELECT count(*) FROM citus_shards WHERE nodeport = "
        f"{last.port} AND citus_table_type = 'distributed'"
    )

    nobody = replace(last, port=1)
    with pytest.raises(DatabaseRefused, match=rf"{nobody.host}:1 could not be added"):
        await add_node(others[0].url, nobody)
    worker = await connect(last)
    await worker.execute("SET citus.enable_ddl_propagation = off")
    in_database = f"ALTER ROLE CURRENT_USER IN DATABASE {last.database}"
    await worker.execute(f"{in_database} SET timezone = 'Asia/Tokyo'")
    with pytest.raises(DatabaseRefused, match=rf"On {last.host}:{last.port}, .*Tokyo"):
        await add_node(others[0].url, last)
    await worker.execute(f"{in_database} RESET timezone")
    await worker.close()

    await add_node(others[0].url, last)
    assert await coordinator.fetchval(held) == 0
    done: list[tuple[int, int]] = []
    assert await rebalance(others[0].url, lambda *moves: done.append(moves)) > 0
    assert done
    assert await coordinator.fetchval(held) > 0
    assert await rebalance(others[0].url, lambda *_: None) == 0
    await coordinator.close()
