"""A cluster under load: the application, and two vendors whose rows are on different workers."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from citus.drilling import BALANCE, Charges, Drill, ask
from identity.people import enable_totp
from testkit import FakeClock, FastPasswords, Owner, running, settings_for
from world import open_vendor

from licet_server.app import Application
from licet_server.kit.database_address import Address

_NODE_OF = """
SELECT nodename, nodeport FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
WHERE shardid = get_shard_id_for_distribution_column('audit_chains', $1::uuid)
"""


@pytest.fixture
async def drill(
    application: Application, new_owner: Callable[..., Any], nodes: list[Address]
) -> Drill:
    found: dict[tuple[str, int], tuple[Owner, Charges]] = {}
    while len(found) < 2:
        owner = await new_owner()
        [node] = await ask(nodes[0], _NODE_OF, owner.institution_id)
        if tuple(node) in found:
            continue
        vendor = await open_vendor(owner)
        wallet = await vendor.issue("MeteredCount", initialMeterBalance=BALANCE)
        await vendor.priced(cost=1)
        found[tuple(node)] = (owner, Charges(vendor, wallet))
    # The first worker is the one that Citus would lock rows on that every node has a copy of.
    first = nodes[1]
    one, dying = found.pop((first.host, first.port))
    [(other, living)] = found.values()
    secret, _ = await enable_totp(other, application.platform.clock)
    return Drill(application, nodes, dying, living, (one, other), secret, first)


@pytest.fixture
async def nodes(new_database: Callable[[], str], postgres: Any) -> list[Address]:
    address = Address.of_url(await asyncio.to_thread(new_database))
    return list(postgres.nodes_of(address.database))


@pytest.fixture
async def application(
    nodes: list[Address], tmp_path: Path, clock: FakeClock, fast_passwords: FastPasswords
) -> AsyncIterator[Application]:
    async with running(settings_for(nodes[0].url, tmp_path), clock, fast_passwords) as app:
        yield app
