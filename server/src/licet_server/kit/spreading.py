"""Spreads a migrated database over the nodes of a Citus cluster, by institution."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import MetaData

from licet_server.kit.connecting import DatabaseRefused, connector
from licet_server.kit.nodes import has_citus, refusal, require_nodes
from licet_server.kit.placement import Step, spreading_steps

_SETTINGS = {
    "application_name": "licet distribute",
    "statement_timeout": "0",
    "citus.multi_shard_modify_mode": "sequential",
}
_SPREAD = """
SELECT table_name::text FROM citus_tables WHERE citus_table_type IN ('distributed', 'reference')
"""
_KEYS = """
SELECT conname FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace
"""
_IN_USE = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND application_name = 'licet'
"""


async def distribute(url: str, metadata: MetaData, say: Callable[[str], None]) -> int:
    """Spread the tables that are not spread yet, and return how many rows they have.

    Each table is one transaction, which counts its rows before and after. If it is interrupted, the
    next call goes on with the tables that are left.

    Raises:
        DatabaseRefused: when the service is running, a node is not set up as it must be, or a table
            had other rows afterwards, which is undone.
    """
    async with _connection(url) as connection:
        await require_nodes(connection)
        if await connection.fetchval(_IN_USE):
            raise DatabaseRefused("The service is running on this database. Stop it first.")
        left = await _steps(connection, metadata)
        total = 0
        for number, step in enumerate(left, 1):
            rows = await _take(connection, step)
            what = step.statement if step.table is None else f"{step.table}: {rows:,} rows"
            say(f"{number}/{len(left)} {what}")
            total += rows
        return total


async def require_distributed(url: str, metadata: MetaData) -> None:
    """Check, before the service starts, that a cluster is as `distributed=true` promises.

    One PostgreSQL without Citus takes the same statements, and is left alone.

    Raises:
        DatabaseRefused: when a node is not set up as it must be, or a table is not spread.
    """
    async with _connection(url) as connection:
        if not await has_citus(connection):
            return
        await require_nodes(connection)
        if left := await list_left(connection, metadata):
            named = ", ".join(left[:5]) + (", ..." if len(left) > 5 else "")
            raise refusal(
                [f"{len(left)} tables are not spread ({named}). Run licet-server distribute."]
            )


async def list_left(connection: Any, metadata: MetaData) -> list[str]:
    """Return the tables of a cluster that are to be spread, and are not."""
    return [step.table for step in await _steps(connection, metadata) if step.table is not None]


@asynccontextmanager
async def _connection(url: str) -> AsyncIterator[Any]:
    connection = await connector(url, _SETTINGS, command_timeout=None)()
    try:
        yield connection
    finally:
        await connection.close()


async def _steps(connection: Any, metadata: MetaData) -> list[Step]:
    spread = {name for (name,) in await connection.fetch(_SPREAD)}
    keys = {name for (name,) in await connection.fetch(_KEYS)}
    return spreading_steps(metadata, spread=spread, keys=keys)


async def _take(connection: Any, step: Step) -> int:
    if step.table is None:
        await connection.execute(step.statement)
        return 0
    count = f"SELECT count(*) FROM {step.table}"  # noqa: S608 - the name is of our own tables
    async with connection.transaction():
        before: int = await connection.fetchval(count)
        await connection.execute(step.statement)
        after: int = await connection.fetchval(count)
        if after != before:
            raise DatabaseRefused(
                f"{step.table} had {before:,} rows before and {after:,} afterwards. Nothing of it "
                "has changed: it is as it was."
            )
    # What the coordinator had is hidden now, but would still be on its disk.
    await connection.execute(f"SELECT truncate_local_data_after_distributing_table('{step.table}')")
    return before
