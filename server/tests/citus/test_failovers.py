"""A worker that is cut off the network, and one whose standby takes over, under load.

These drills restart servers, so they have the cluster to themselves, and the nodes have to be on
this machine.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from citus.drilling import Drill, Server, tell_of_move
from citus.network import moved_away
from citus.standby import followed

from licet_server.kit.database_address import Address

pytestmark = [
    pytest.mark.citus,
    pytest.mark.skipif("PYTEST_XDIST_WORKER" in os.environ, reason="needs the cluster for itself"),
]


async def _tell_of_move(drill: Drill, place: Address) -> None:
    """Tell the coordinator that the worker is at another place now."""
    old = drill.dying_node
    await tell_of_move(drill.nodes[0], old, place)
    drill.nodes[drill.nodes.index(old)] = drill.dying_node = place


@asynccontextmanager
async def _back_in_the_end(drill: Drill) -> AsyncIterator[Server]:
    """Tell of the move back, so that no node looks for the worker where it is no longer."""
    home = drill.dying_node
    server = await Server.at(home)
    try:
        yield server
    finally:
        await _tell_of_move(drill, home)


async def _others_are_served(drill: Drill) -> None:
    await drill.living.until(20)
    await drill.living.vendor.issue()
    await drill.sign_in()
    assert drill.living.answers.keys() == {200}


async def test_a_worker_is_cut_off_under_load(drill: Drill) -> None:
    """Nothing says that it is away, and what was sent to it may have arrived or not."""
    async with _back_in_the_end(drill) as server:
        with moved_away(server) as cable:
            await _tell_of_move(drill, replace(drill.dying_node, host=cable.host))
            async with drill.load():
                await asyncio.to_thread(cable.cut)
                began = time.monotonic()
                try:
                    await drill.dying.until(2, status=503)
                    print(f"refused after {time.monotonic() - began:.1f} s")
                    await _others_are_served(drill)
                finally:
                    await asyncio.to_thread(cable.mend)
                back = time.monotonic()
                await drill.dying.until(10)
                more = time.monotonic() - back
                print(f"cut for {back - began:.1f} s, back after {more:.1f} s more")
            await drill.require_exact()


async def test_a_standby_takes_over_under_load(drill: Drill) -> None:
    """The worker dies, its standby is promoted, and the coordinator is told where it is."""
    async with (
        _back_in_the_end(drill) as server,
        followed(server, drill.dying_node) as (standby, place),
    ):
        async with drill.load():
            await asyncio.to_thread(server.kill)
            began = time.monotonic()
            await drill.dying.until(5, status=503)
            await _others_are_served(drill)
            asked = time.monotonic()
            await asyncio.to_thread(standby.promote)
            await _tell_of_move(drill, place)
            moved = time.monotonic()
            await drill.dying.until(10)
            print(
                f"dead for {asked - began:.1f} s, promoted in {moved - asked:.1f} s, "
                f"back after {time.monotonic() - moved:.1f} s more"
            )
        await drill.require_exact()
