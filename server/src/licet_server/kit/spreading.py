"""Spreads a migrated database over the nodes of a Citus cluster, by institution.

What the service sets at its connections stays on the coordinator: a worker that waits for locks, or
computes days, as its own role settings say would do so silently. So the start looks at each node.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import asyncpg
import msgspec
from sqlalchemy import MetaData

from licet_server.kit.connecting import DatabaseRefused, connector
from licet_server.kit.database_address import Address
from licet_server.kit.placement import Step, spreading_steps

WANTED = {"TimeZone": "UTC", "jit": "off", "lc_messages": "C", "lock_timeout": "5s"}
"""What the role of the service has to be set to on every node."""

_SUPPORTED = (13, 2)

# Its settings are those of a new connection between nodes, which the service's statements use.
_STATE = """
SELECT json_build_object(
    'role', current_user,
    'postgresql', current_setting('server_version_num')::int / 10000,
    'citus', (SELECT extversion FROM pg_extension WHERE extname = 'citus'),
    'settings', json_build_object(
        'TimeZone', current_setting('TimeZone'),
        'jit', current_setting('jit'),
        'lc_messages', current_setting('lc_messages'),
        'lock_timeout', current_setting('lock_timeout')),
    'prepared_max', current_setting('max_prepared_transactions')::int,
    'prepared', (SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database()
                 AND prepared < now() - interval '10 minutes'))
"""
_WORKERS = "SELECT count(*) FROM pg_dist_node WHERE groupid <> 0 AND shouldhaveshards"
_IS_WORKER = "SELECT groupid <> 0 FROM pg_dist_local_group"
_HAS_CITUS = "SELECT count(*) FROM pg_extension WHERE extname = 'citus'"
_ASK = """
SELECT nodename || ':' || nodeport AS name, success, result
FROM run_command_on_all_nodes($1) JOIN pg_dist_node USING (nodeid) ORDER BY groupid
"""
_SHARDS = """
SELECT coalesce((SELECT max(shard_count) FROM citus_tables WHERE citus_table_type = 'distributed'),
                current_setting('citus.shard_count')::int)
"""


class Node(msgspec.Struct, frozen=True):
    """What a node says of itself; `prepared` counts the transactions that nobody has ended."""

    role: str
    postgresql: int
    citus: str | None
    settings: dict[str, str]
    prepared_max: int
    prepared: int


class Cluster(NamedTuple):
    """The nodes by their address, those that gave no answer, and how the tables are divided."""

    nodes: dict[str, Node]
    silent: dict[str, str]
    workers: int
    shards: int


def faults_of(cluster: Cluster) -> list[str]:
    """Return, in sentences, what is wrong with a cluster; none if the service may use it.

    A node that gives no answer is no fault: the others serve their institutions meanwhile.
    """
    return [*_faults_of_all(cluster), *_faults_of_each(cluster.nodes.items())]


def _faults_of_all(cluster: Cluster) -> Iterator[str]:
    if cluster.workers == 0:
        yield "The cluster has no worker. Add one with citus_add_node."
    elif cluster.shards < cluster.workers:
        yield (
            f"The tables have {cluster.shards} shards for {cluster.workers} workers, so that some "
            "workers hold nothing. Run SELECT alter_distributed_table('audit_chains', "
            "shard_count => NUMBER, cascade_to_colocated => true)."
        )
    for what, found in (
        ("PostgreSQL", {node.postgresql for node in cluster.nodes.values()}),
        ("Citus", {node.citus for node in cluster.nodes.values() if node.citus}),
    ):
        if len(found) > 1:
            versions = " and ".join(sorted(map(str, found)))
            yield f"The nodes have different versions of {what}: {versions}. Use the newer one."


def _faults_of_each(nodes: Iterable[tuple[str, Node]]) -> Iterator[str]:
    for name, node in nodes:
        if node.citus is None:
            yield f"{name} has no extension citus. Run CREATE EXTENSION citus there."
        elif _version(node.citus) < _SUPPORTED:
            supported = ".".join(map(str, _SUPPORTED))
            yield f"{name} has Citus {node.citus}. Upgrade it to {supported} or a newer one."
        wrong = {
            key: node.settings.get(key)
            for key, value in WANTED.items()
            if node.settings.get(key) != value
        }
        if wrong:
            found = ", ".join(f"{key} {value}" for key, value in wrong.items())
            say = " ".join(f"ALTER ROLE {node.role} SET {key} = '{WANTED[key]}';" for key in wrong)
            yield f"On {name}, the role has other settings ({found}). Run there: {say}"
        if node.prepared_max == 0:
            yield f"{name} has max_prepared_transactions = 0. Set it to max_connections or more."
        if node.prepared:
            yield (
                f"{name} holds {node.prepared} prepared transactions that are older than "
                "10 minutes, and their locks. Run SELECT "
                "recover_prepared_transactions() on the coordinator, then look at "
                "pg_prepared_xacts."
            )


def _version(text: str) -> tuple[int, ...]:
    """Return 13.2 of "13.2-1"."""
    return tuple(int(part) for part in text.split("-", maxsplit=1)[0].split("."))


async def has_citus(connection: Any) -> bool:
    """Return whether the database of a connection has the extension."""
    return bool(await connection.fetchval(_HAS_CITUS))


async def require_nodes(connection: Any) -> Cluster:
    """Return the cluster of a connection to its coordinator, if the service may use it.

    Raises:
        DatabaseRefused: when a node is not set up as it must be; the message says which, and what
            to run there.
    """
    if not await has_citus(connection):
        raise refusal(
            ["It has no extension citus. Run CREATE EXTENSION citus in it, on each node."]
        )
    if await connection.fetchval(_IS_WORKER):  # processes hold users and institutions in one place
        raise refusal(["It is on a worker. Name the coordinator in DATABASE_URL."])
    cluster = await _look_at(connection)
    if faults := faults_of(cluster):
        raise refusal(faults)
    return cluster


async def _look_at(connection: Any) -> Cluster:
    nodes: dict[str, Node] = {}
    silent: dict[str, str] = {}
    for row in await connection.fetch(_ASK, _STATE):
        if row["success"]:
            nodes[row["name"]] = msgspec.json.decode(row["result"], type=Node)
        else:
            silent[row["name"]] = row["result"]
    workers = await connection.fetchval(_WORKERS)
    return Cluster(nodes, silent, workers, await connection.fetchval(_SHARDS))


def refusal(faults: Sequence[str]) -> DatabaseRefused:
    """Return the error that says all of what is wrong."""
    return DatabaseRefused(f"The database is not ready to be distributed. {' '.join(faults)}")


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
