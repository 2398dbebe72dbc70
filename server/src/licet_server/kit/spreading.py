"""Spreads a migrated database over the nodes of a Citus cluster, by institution."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
from sqlalchemy import MetaData

from licet_server.kit.connecting import DatabaseRefused, connector
from licet_server.kit.database_address import Address
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
REBALANCE = "SELECT citus_rebalance_start()"
"""Lets Citus move shards in the background."""

_MOVES = """
SELECT state,
       (SELECT sum(n::int) FROM jsonb_each_text(details->'task_state_counts') AS t (state, n)),
       coalesce((details->'task_state_counts'->>'done')::int, 0)
FROM citus_rebalance_status()
"""
_UNFINISHED = ("scheduled", "running", "failing", "cancelling")
_POLL_S = 1.0
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


def addition_of(node: Address) -> str:
    """Return the statement that adds a worker to a cluster."""
    host = node.host.replace("'", "''")
    return f"SELECT citus_add_node('{host}', {node.port})"


async def add_node(url: str, node: Address) -> None:
    """Add a worker to the cluster while the service runs. It holds no rows before a rebalance.

    Raises:
        DatabaseRefused: when it cannot be reached or is not set up as it must be; the cluster is
            as it was.
    """
    async with _connection(url) as connection, connection.transaction():
        await require_nodes(connection)
        try:
            await connection.execute(addition_of(node))
        except asyncpg.PostgresError as error:
            where = f"{node.host}:{node.port}"
            raise DatabaseRefused(f"{where} could not be added: {error}.") from error
        await require_nodes(connection)


async def rebalance(url: str, progress: Callable[[int, int], None]) -> int:
    """Move shards until all workers hold about as many, and return how many moves it took.

    The service goes on meanwhile. Citus moves in the background: the moves outlive this call, and
    the next one follows those that have begun. `progress` is called with the moves that are done
    and their total.

    Raises:
        DatabaseRefused: when a node is not set up as it must be, or a move failed.
    """
    async with _connection(url) as connection:
        await require_nodes(connection)
        if await _moves(connection) is None and not await connection.fetchval(REBALANCE):
            return 0
        while (moves := await _moves(connection)) is not None:
            progress(*moves)
            await asyncio.sleep(_POLL_S)
        state, total, done = await connection.fetchrow(_MOVES)
        if state != "finished":
            raise DatabaseRefused(
                f"Rebalancing is {state} after {done} of {total} moves. Every shard is whole, "
                "where it was or where it went. Ask citus_rebalance_status() why."
            )
        return int(total)


async def _moves(connection: Any) -> tuple[int, int] | None:
    """Return how many moves are done, and of how many, while Citus rebalances."""
    row = await connection.fetchrow(_MOVES)
    return None if row is None or row[0] not in _UNFINISHED else (row[2], row[1])


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
