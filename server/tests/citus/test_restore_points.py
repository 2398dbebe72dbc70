"""Backups of all nodes, restored to one moment that all of them know by its name."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from citus.drilling import BALANCE, Charges, Drill, Server, ask, free_port, tell_of_move
from patience import until_found

from licet_server.kit.database import metadata
from licet_server.kit.database_address import Address
from licet_server.kit.spreading import require_distributed

pytestmark = [
    pytest.mark.citus,
    pytest.mark.skipif("PYTEST_XDIST_WORKER" in os.environ, reason="needs the cluster for itself"),
]

_POINT = "before_the_accident"
_ARCHIVED = "SELECT FROM pg_stat_archiver WHERE last_archived_wal >= $1"
_SWITCHED = "SELECT pg_walfile_name(pg_switch_wal())"
_ENTRIES = """
SELECT count(*), count(DISTINCT idempotency_key), min(balance_after)
FROM meter_entries WHERE license_id = $1::uuid AND amount < 0
"""
_COPIES = "SELECT string_agg(name, ',' ORDER BY id) FROM institutions"
_RESTORED = "SELECT NOT pg_is_in_recovery()"


@dataclass(frozen=True)
class Archived:
    """A node whose log is archived from its base backup on."""

    server: Server
    address: Address
    log: Path
    base: Path

    async def until_archived(self) -> None:
        [(segment,)] = await ask(self.address, _SWITCHED)
        await until_found(lambda: ask(self.address, _ARCHIVED, segment))

    @asynccontextmanager
    async def restored(self) -> AsyncIterator[tuple[Server, Address]]:
        """Start another server as the node was at the restore point."""
        server = Server(self.base, self.server.programs)
        place = replace(self.address, port=free_port())
        (self.base / "recovery.signal").touch()
        shutil.chown(self.base / "recovery.signal", self.server.owner)
        # Whoever knows only where the old nodes are must not end their transactions.
        options = (
            f"port={place.port}",
            "archive_mode=off",
            "citus.recover_2pc_interval=-1",
            f"restore_command='cp {self.log}/%f %p'",
            f"recovery_target_name={_POINT}",
            "recovery_target_action=promote",
        )
        try:
            await asyncio.to_thread(server.start, *options)
            await until_found(lambda: _is_restored(place))
            yield server, place
        finally:
            if server.is_running():
                await asyncio.to_thread(server.stop)


@asynccontextmanager
async def archived(address: Address) -> AsyncIterator[Archived]:
    server = await Server.at(address)
    log, base = (Path(f"{server.folder}.{name}") for name in ("archive", "base"))
    for folder in (log, base):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
        shutil.chown(folder, server.owner)
    await asyncio.to_thread(server.stop)
    try:
        keep = f"archive_command='cp %p {log}/%f'"
        await asyncio.to_thread(server.start, "archive_mode=on", keep)
        url = f"postgresql://{address.user}@{address.host}:{address.port}/postgres"
        copy = server.programs / "pg_basebackup"
        command = (copy, "-D", base, "-d", url, "-X", "none", "--checkpoint=fast")
        await asyncio.to_thread(server.run, *command)
        yield Archived(server, address, log, base)
    finally:
        if server.is_running():
            await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)
        for folder in (log, base):
            shutil.rmtree(folder, ignore_errors=True)


async def _is_restored(place: Address) -> bool:
    [(is_done,)] = await ask(place, _RESTORED)
    return bool(is_done)


async def test_all_nodes_are_restored_to_one_moment(drill: Drill) -> None:
    charged = (drill.dying, drill.living)
    async with AsyncExitStack() as stack:
        nodes = [await stack.enter_async_context(archived(node)) for node in drill.nodes]
        async with drill.load():
            before = [len(charges.keys) for charges in charged]
            await ask(drill.nodes[0], "SELECT citus_create_restore_point($1)", _POINT)
            after = [_begun(charges) for charges in charged]
            for charges in charged:
                await charges.until(20)
        await drill.require_exact()
        await asyncio.gather(*(node.until_archived() for node in nodes))

        copies = [await stack.enter_async_context(node.restored()) for node in nodes]
        coordinator = copies[0][1]
        for old, (_, new) in zip(nodes, copies, strict=True):
            await tell_of_move(coordinator, old.address, new)
        await ask(coordinator, "SELECT recover_prepared_transactions()")
        await require_distributed(coordinator.url, metadata)
        for charges, least, most in zip(charged, before, after, strict=True):
            [row] = await ask(coordinator, _ENTRIES, charges.wallet["id"])
            number, keys, balance = row
            print(f"{len(charges.keys)} charges, {least} to {most} before the point: {number}")
            assert least <= number == keys <= most < len(charges.keys)
            assert balance == BALANCE - number
        names = {(await ask(place, _COPIES))[0][0] for _, place in copies}
        assert len(names) == 1


def _begun(charges: Charges) -> int:
    """Return how many charges may have been stored: those acknowledged, and one of each sender."""
    return len(charges.keys) + 2
