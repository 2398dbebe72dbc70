"""Nodes that die and shards that move while applications charge: nothing is lost or doubled.

A drill stops servers, so it has the cluster to itself, and the nodes have to be on this machine.
"""

import asyncio
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from metering.factories import new_key
from patience import until
from testkit import FakeClock, FastPasswords, Owner, running, settings_for
from world import Vendor, open_vendor

from licet_server.app import Application
from licet_server.kit.database_address import Address
from licet_server.worker import dispatch_events

pytestmark = [
    pytest.mark.citus,
    pytest.mark.skipif("PYTEST_XDIST_WORKER" in os.environ, reason="needs the cluster for itself"),
]

_BALANCE = 1_000_000
_NODE_OF = """
SELECT nodename, nodeport FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
WHERE shardid = get_shard_id_for_distribution_column('audit_chains', $1::uuid)
"""
_PREPARED = "SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database()"


async def connect(address: Address) -> Any:
    return await asyncpg.connect(
        host=address.host, port=address.port, user=address.user, database=address.database
    )


async def ask(address: Address, query: str, *values: Any) -> Any:
    connection = await connect(address)
    try:
        return await connection.fetch(query, *values)
    finally:
        await connection.close()


class Server:
    """The PostgreSQL of a node, which can be killed and started again."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self._folder, self._programs = folder, programs

    @classmethod
    async def at(cls, address: Address) -> "Server":
        [(folder,)] = await ask(address, "SHOW data_directory")
        [(programs,)] = await ask(address, "SELECT setting FROM pg_config WHERE name = 'BINDIR'")
        server = cls(Path(folder), Path(programs))
        if not server.is_here():
            pytest.skip("the nodes are on other machines")
        return server

    def is_here(self) -> bool:
        return Path(self._folder, "postmaster.pid").is_file()

    def kill(self) -> None:
        """Kill it as a crash does, and return once it is gone."""
        children = self._processes()
        os.kill(self._postmaster(), signal.SIGKILL)
        for pid in children:
            while Path(f"/proc/{pid}/stat").is_file() and "postgres" in _name(pid):
                time.sleep(0.05)

    def freeze(self) -> None:
        """Stop each of its processes where it is: connections stay open, and nothing answers."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        for pid in (self._postmaster(), *self._processes()):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _postmaster(self) -> int:
        return int(Path(self._folder, "postmaster.pid").read_text().split()[0])

    def _processes(self) -> list[int]:
        parent = self._postmaster()
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True, check=True
        )
        return [int(pid) for pid in listed.stdout.split()]

    def start(self) -> None:
        """Start it, and return once it accepts connections."""
        subprocess.run(
            [
                self._programs / "pg_ctl",
                "-D",
                self._folder,
                "-l",
                f"{self._folder}.log",
                "-w",
                "-t",
                "600",
                "start",
            ],
            user=self._folder.stat().st_uid,
            env={"HOME": str(self._folder)},  # nodes look there for certificates
            check=True,
            stdout=subprocess.DEVNULL,
        )


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text()
    except OSError:
        return ""


@dataclass
class Charges:
    """The charges of one vendor: each is sent with its key until it is acknowledged."""

    vendor: Vendor
    wallet: dict[str, Any]
    keys: list[str] = field(default_factory=list)
    answers: Counter[int] = field(default_factory=Counter)
    slowest: float = 0.0

    async def send(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            key, status = new_key(), 0
            while status != 200:
                began = time.monotonic()
                status = (await self.vendor.consume(self.wallet, idempotencyKey=key)).status_code
                self.slowest = max(self.slowest, time.monotonic() - began)
                self.answers[status] += 1
                await asyncio.sleep(0 if status == 200 else 0.1)
            self.keys.append(key)

    async def until(self, more: int, status: int = 200) -> None:
        """Wait for more answers with a status."""
        wanted = self.answers[status] + more
        await until(lambda: self.answers[status] >= wanted)

    def __str__(self) -> str:
        told = ", ".join(f"{number} x {status}" for status, number in sorted(self.answers.items()))
        return f"{told}; {len(self.keys)} acknowledged; slowest {self.slowest:.2f} s"


@dataclass
class Drill:
    """The application on a cluster, and two vendors whose rows are on different nodes."""

    application: Application
    nodes: list[Address]
    dying: Charges
    living: Charges
    owners: tuple[Owner, Owner]
    dying_node: Address

    @asynccontextmanager
    async def load(self) -> AsyncIterator[None]:
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as senders:
            for charges in (self.dying, self.living):
                for _ in range(2):
                    senders.create_task(charges.send(stop))
            try:
                for charges in (self.dying, self.living):
                    await charges.until(10)
                yield
            finally:
                stop.set()

    async def require_exact(self) -> None:
        """Check that each charge is in the ledger once, and no transaction is left half-done."""
        for name, charges in (("its vendor", self.dying), ("the other", self.living)):
            print(f"{name}: {charges}")
            query = "SELECT count(*) FROM meter_entries WHERE license_id = $1::uuid AND amount < 0"
            [(entries,)] = await ask(self.nodes[0], query, charges.wallet["id"])
            assert entries == len(charges.keys)
            balance = await charges.vendor.balance(charges.wallet)
            assert float(balance) == _BALANCE - len(charges.keys)
        await ask(self.nodes[0], "SELECT recover_prepared_transactions()")
        assert [await ask(node, _PREPARED) for node in self.nodes] == [[(0,)]] * len(self.nodes)


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
        wallet = await vendor.issue("MeteredCount", initialMeterBalance=_BALANCE)
        await vendor.priced(cost=1)
        found[tuple(node)] = (owner, Charges(vendor, wallet))
    (place, (one, dying)), (_, (other, living)) = found.items()
    [address] = [node for node in nodes if (node.host, node.port) == place]
    return Drill(application, nodes, dying, living, (one, other), address)


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
            await drill.owners[1].sign_in()
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
    """Nothing says that it is away: its institutions get 503 in time, the others are served.

    Nobody signs in where it is the first worker, which holds the locks of users.
    """
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
