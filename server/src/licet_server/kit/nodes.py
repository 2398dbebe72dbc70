"""Whether the nodes of a database that is spread by institution are set up as they must be.

What the service sets at its connections stays on the coordinator: a worker that waits for locks, or
computes days, as its own role settings say would do so silently. So the start looks at each node.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from licet_server.kit.connecting import DatabaseRefused

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
