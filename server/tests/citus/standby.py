"""A standby of a node, which has each commit before it is acknowledged."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from citus.drilling import Server, ask, free_port
from patience import until_found

from licet_server.kit.database_address import Address

_SYNCHRONOUS = "ALTER SYSTEM SET synchronous_standby_names = '*'"
_NOT_SYNCHRONOUS = "ALTER SYSTEM RESET synchronous_standby_names"
_FOLLOWS = "SELECT FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'"
_RELOAD = "SELECT pg_reload_conf()"


@asynccontextmanager
async def followed(server: Server, address: Address) -> AsyncIterator[tuple[Server, Address]]:
    """Give a server a standby; both are as they were in the end, whatever became of them."""
    folder = Path(f"{server.folder}.standby")
    place = replace(address, port=free_port())
    standby = Server(folder, server.programs)
    try:
        await asyncio.to_thread(_copy, server, address, folder)
        options = (f"port={place.port}", "hot_standby=on")
        await asyncio.to_thread(standby.start, *options)
        await ask(address, _SYNCHRONOUS)
        await ask(address, _RELOAD)
        await until_found(lambda: ask(address, _FOLLOWS))
        yield standby, place
    finally:
        if standby.is_here():
            await asyncio.to_thread(standby.stop)
        shutil.rmtree(folder, ignore_errors=True)
        if not server.is_running():
            await asyncio.to_thread(server.start)
        await ask(address, _NOT_SYNCHRONOUS)
        await ask(address, _RELOAD)


def _copy(server: Server, address: Address, folder: Path) -> None:
    folder.mkdir(mode=0o700)
    os.chown(folder, server.owner, server.folder.stat().st_gid)
    url = f"postgresql://{address.user}@{address.host}:{address.port}/postgres"
    copy = server.programs / "pg_basebackup"
    server.run(copy, "-D", folder, "-d", url, "-R", "-X", "stream", "--checkpoint=fast")
