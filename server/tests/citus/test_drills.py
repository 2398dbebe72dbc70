"""Nodes that die and shards that move while applications charge: nothing is lost or doubled.

A drill stops servers, so it has the cluster to itself, and the nodes have to be on this machine.
"""

import asyncio
import os
import time

import pytest
from citus.drilling import Drill, Server, ask

from licet_server.worker import dispatch_events

pytestmark = [
    pytest.mark.citus,
    pytest.mark.skipif("PYTEST_XDIST_WORKER" in os.environ, reason="needs the cluster for itself"),
]


async def test_a_worker_is_killed_under_load(drill: Drill) -> None:
    """Its institutions wait; the others are served, their jobs go on, and people sign in."""
    server = await Server.at(drill.dying_node)
    began = 0.0
    async with drill.load():
        before = drill.living.answers.copy()
        await asyncio.to_thread(server.kill)
        began = time.monotonic()
        try:
            await drill.dying.until(5, status=503)
            await drill.living.until(20)
            await _jobs_go_on(drill)
            await drill.sign_in()
            assert drill.living.answers.keys() == before.keys() == {200}
        finally:
            await asyncio.to_thread(server.start)
            back = time.monotonic()
        await drill.dying.until(10)
        print(f"away for {back - began:.1f} s, back after {time.monotonic() - back:.1f} s more")
    await drill.require_exact()


async def _jobs_go_on(drill: Drill) -> None:
    """The job that finds a node away fails; from then on it works for the others."""
    await drill.living.vendor.issue()
    platform = drill.application.platform
    with pytest.raises(Exception, match=r"remote node|essential"):
        await dispatch_events(platform)
    await dispatch_events(platform)
    left = "SELECT count(*) FROM events WHERE institution_id = $1::uuid AND NOT dispatched"
    [(waiting,)] = await ask(drill.nodes[0], left, drill.owners[1].institution_id)
    assert waiting == 0


async def test_a_worker_freezes_under_load(drill: Drill) -> None:
    """Nothing says that it is away: its institutions get 503 in time, the others are served."""
    server = await Server.at(drill.dying_node)
    async with drill.load():
        before = drill.living.answers.copy()
        await asyncio.to_thread(server.freeze)
        began = time.monotonic()
        try:
            await drill.dying.until(2, status=503)
            print(f"refused after {time.monotonic() - began:.1f} s")
            await drill.living.until(20)
            await drill.living.vendor.issue()
            await drill.sign_in()
            assert drill.living.answers.keys() == before.keys() == {200}
        finally:
            await asyncio.to_thread(server.thaw)
            back = time.monotonic()
        await drill.dying.until(10)
        print(f"frozen for {back - began:.1f} s, back after {time.monotonic() - back:.1f} s more")
    await drill.require_exact()


async def test_the_coordinator_is_killed_under_load(drill: Drill) -> None:
    server = await Server.at(drill.nodes[0])
    async with drill.load():
        await asyncio.to_thread(server.kill)
        try:
            for charges in (drill.dying, drill.living):
                await charges.until(5, status=503)
        finally:
            await asyncio.to_thread(server.start)
        for charges in (drill.dying, drill.living):
            await charges.until(10)
    await drill.require_exact()


async def test_shards_move_to_a_node_that_is_added_under_load(drill: Drill) -> None:
    """The coordinator takes shards, as a node does that is new."""
    coordinator = drill.nodes[0]
    await ask(
        coordinator,
        "SELECT citus_set_node_property($1, $2, 'shouldhaveshards', true)",
        coordinator.host,
        coordinator.port,
    )
    async with drill.load():
        began = time.monotonic()
        await ask(coordinator, "SELECT rebalance_table_shards('audit_chains')")
        print(f"moved in {time.monotonic() - began:.1f} s")
        for charges in (drill.dying, drill.living):
            await charges.until(10)
    [(placed,)] = await ask(
        coordinator,
        "SELECT count(DISTINCT groupid) FROM pg_dist_placement "
        "JOIN pg_dist_shard USING (shardid) "
        "WHERE logicalrelid = 'audit_chains'::regclass",
    )
    assert placed == 3
    await drill.require_exact()
