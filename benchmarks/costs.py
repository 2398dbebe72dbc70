"""What the database spent, by its own statistics.

The server is started with `SETTINGS`, and `keep_statistics` installs the extension in the
maintenance database, so that the service's own database has none.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

import asyncpg

from benchmarks.seed import connected
from licet_server.kit.postgres import EmbeddedPostgres

SETTINGS = {
    "shared_preload_libraries": "pg_stat_statements",
    "pg_stat_statements.track_planning": "on",
}
_TICKS_A_SECOND = 100
_COMMITS = 200
_COMMIT = "SELECT pg_logical_emit_message(true, 'benchmark', 'a commit that waits for the disk')"

_DATABASE = """
SELECT active_time AS active_ms, xact_commit AS transactions,
    pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS wal_bytes,
    (SELECT wal_fpi FROM pg_stat_wal) AS page_images
FROM pg_stat_database WHERE datname = $1
"""
_UPDATES = """
SELECT n_tup_upd AS updates, n_tup_hot_upd AS hot FROM pg_stat_user_tables WHERE relname = $1
"""
_SPENT = """
SELECT coalesce(sum(calls) FILTER (WHERE query !~* '^(begin|commit|rollback)'), 0)::bigint
        AS statements,
    coalesce(sum(calls), 0)::bigint AS round_trips,
    pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS wal_bytes
FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid WHERE datname = $1
"""
_ALL_UPDATES = """
SELECT coalesce(sum(n_tup_upd), 0)::bigint AS updates,
    coalesce(sum(n_tup_hot_upd), 0)::bigint AS hot FROM pg_stat_user_tables
"""
_STATEMENTS = """
SELECT query, calls, rows, total_exec_time + total_plan_time AS ms, wal_bytes::bigint AS wal_bytes,
    shared_blks_hit + shared_blks_read AS pages
FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid
WHERE datname = $1 AND calls > 0 ORDER BY ms DESC
"""


async def describe_commits(url: str) -> str:
    """Return a sentence that says whether commits wait for the disk, and for how long."""
    times = []
    async with connected(url) as db:
        mode: str = await db.fetchval("SHOW synchronous_commit")
        for _ in range(_COMMITS):
            started = perf_counter()
            await db.execute(_COMMIT)
            times.append(1000 * (perf_counter() - started))
    return (
        f"synchronous_commit is {mode}; a commit that waits for the disk takes "
        f"{median(times):.2f} ms here."
    )


@dataclass(frozen=True, slots=True)
class Spent:
    """What the service's database has done. Statements that begin and end transactions are round
    trips, too; `cpu_ms` is the CPU time of all its processes. Of the `updates` of rows, `hot` are
    those that stayed within their page.
    """

    statements: float
    round_trips: float
    wal_bytes: float
    updates: float
    hot: float
    cpu_ms: float

    def since(self, before: "Spent", requests: int) -> "Spent":
        """Return what each of these requests has cost."""
        return Spent(
            *((getattr(self, name) - getattr(before, name)) / requests for name in self.__slots__)
        )


def keep_statistics(cluster: EmbeddedPostgres) -> None:
    """Let a server that was started with `SETTINGS` count its statements."""

    async def install() -> None:
        async with connected(cluster.admin.url) as db:
            await db.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")

    asyncio.run(install())


def spent_by(cluster: EmbeddedPostgres) -> Spent:
    """Return what the service's database has done so far."""

    async def read() -> list[int]:
        name = cluster.address.database
        async with connected(cluster.admin.url) as db:
            [spent] = await db.fetch(_SPENT, name)
        async with connected(cluster.admin.of_database(name).url) as db:
            [updates] = await db.fetch(_ALL_UPDATES)
        return [*spent, *updates]

    statements, round_trips, wal_bytes, updates, hot = asyncio.run(read())
    return Spent(statements, round_trips, wal_bytes, updates, hot, _cpu_ms(cluster))


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of the service: how often it ran, for how many rows, and its cost.

    `pages` are those that it read, from the cache or from the disk.
    """

    text: str
    calls: int
    rows: int
    milliseconds: float
    wal_bytes: int
    pages: int


@dataclass(frozen=True, slots=True)
class Costs:
    """The cost of a run. `active_ms` is the time connections were busy, including waits for a core;
    `cpu_ms` is the CPU time of all server processes.
    """

    active_ms: float
    cpu_ms: float
    wal_bytes: int
    page_images: int
    updates: int
    hot: int
    statements: list[Statement]

    @property
    def hot_share(self) -> float:
        """The share of updates that stayed within their page."""
        return self.hot / max(1, self.updates)

    def statement(self, *words: str) -> Statement:
        """The most expensive statement that contains all these words."""
        return next(item for item in self.statements if all(word in item.text for word in words))


class CostMeter:
    """Reads the server's statistics twice and returns the difference.

    Updates are those of `table`. It waits before it reads, until idle connections have flushed
    their statistics.
    """

    def __init__(self, cluster: EmbeddedPostgres, table: str, settle_seconds: float) -> None:
        self._cluster = cluster
        self._table = table
        self._settle_seconds = settle_seconds
        self._before: tuple[float, dict[str, int]] = (0.0, {})

    async def start(self, *, checkpoint: bool) -> None:
        """Start, optionally after a checkpoint: each page's first change is then expensive."""
        await asyncio.sleep(self._settle_seconds)
        async with self._maintenance() as db:
            if checkpoint:
                await db.execute("CHECKPOINT")
            await db.execute("SELECT pg_stat_statements_reset()")
        self._before = await self._read()

    async def stop(self) -> Costs:
        """Return the cost since `start`."""
        await asyncio.sleep(self._settle_seconds)
        (cpu_before, before), (cpu, after) = self._before, await self._read()
        async with self._maintenance() as db:
            rows = await db.fetch(_STATEMENTS, self._cluster.address.database)
        spent = {name: after[name] - before[name] for name in after}
        return Costs(
            active_ms=spent["active_ms"],
            cpu_ms=cpu - cpu_before,
            wal_bytes=spent["wal_bytes"],
            page_images=spent["page_images"],
            updates=spent["updates"],
            hot=spent["hot"],
            statements=[Statement(*row.values()) for row in rows],
        )

    async def _read(self) -> tuple[float, dict[str, int]]:
        name = self._cluster.address.database
        async with self._maintenance() as db:
            [row] = await db.fetch(_DATABASE, name)
        async with connected(self._cluster.admin.of_database(name).url) as db:
            [updates] = await db.fetch(_UPDATES, self._table)
        return _cpu_ms(self._cluster), {**row, **updates}

    def _maintenance(self) -> "asyncpg.Connection[asyncpg.Record]":
        return connected(self._cluster.admin.url)


def _cpu_ms(cluster: EmbeddedPostgres) -> float:
    server = cluster.server_pid
    used = 0
    for process in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = process.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == server:
            used += int(fields[11]) + int(fields[12])
        elif int(process.parent.name) == (server or 0):
            # Including children that have exited.
            used += sum(int(field) for field in fields[11:15])
    return 1000 * used / _TICKS_A_SECOND
