"""The figures of the whole instance, read from the database when Prometheus asks.

Every process returns the same figures. They are kept for some seconds, so that the database is
queried seldom, however often Prometheus scrapes; and a scrape never waits long for the database.
"""

import asyncio
import shutil
import time
from collections.abc import Awaitable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from licet_server import __version__
from licet_server.kit.backlogs import Backlog, MeasureBacklog
from licet_server.kit.backups.spool import measure_backups
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.kit.routing import is_distributed

KEPT_SECONDS = 5.0
SIZES_KEPT_SECONDS = 60.0
PATIENCE_SECONDS = 2.0

Figure = TypeVar("Figure")

# A locked table only makes its own figures missing.
_BOUNDS = text(
    "SELECT set_config('lock_timeout', '100ms', true), set_config('statement_timeout', '1s', true)"
)
_SERVER = text("""
    SELECT current_setting('transaction_read_only') = 'off' AS writable,
           current_setting('max_connections')::int AS connections_limit,
           (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')
               AS connections,
           (SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0)
            FROM pg_stat_activity WHERE datname = current_database()
            AND backend_type = 'client backend' AND pid <> pg_backend_pid())
               AS oldest_transaction
""")
_NODES = text("""
    SELECT nodename || ':' || nodeport AS node,
           citus_check_connection_to_node(nodename, nodeport) AS is_up
    FROM pg_dist_node WHERE noderole = 'primary' AND isactive
""")
_SIZE = text("SELECT pg_database_size(current_database())")
_TABLE_SIZES = text("""
    SELECT c.relname,
           coalesce(
               (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree(c.oid)),
               pg_total_relation_size(c.oid)
           )::bigint AS bytes
    FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace
    AND c.relkind IN ('r', 'p') AND NOT c.relispartition
""")


@dataclass(frozen=True, slots=True)
class _Sizes:
    database: int
    tables: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Reading:
    server: Any
    nodes: Mapping[str, bool]
    sizes: _Sizes | None
    backlogs: Mapping[str, Backlog | None]
    seats: Backlog | None
    now: datetime


class _Families:
    """What Prometheus calls a collector."""

    def __init__(self, families: Iterable[GaugeMetricFamily]) -> None:
        self._families = families

    def collect(self) -> Iterable[GaugeMetricFamily]:
        return self._families


class InstanceMetrics:
    """Reads the figures of the instance; one reading at a time."""

    def __init__(
        self, platform: Platform, backlogs: Mapping[str, MeasureBacklog], seats: MeasureBacklog
    ) -> None:
        self._platform = platform
        self._backlogs = backlogs
        self._seats = seats
        self._sizes: _Sizes | None = None
        self._sizes_read = float("-inf")
        self._task: asyncio.Task[_Reading | None] | None = None
        self._task_started = 0.0

    async def render(self) -> bytes:
        """Return the figures in text format, after two seconds at most.

        If the database does not respond, `licet_database_up` is 0, and its figures are missing.
        """
        now = time.monotonic()
        task = self._task
        if task is None or (task.done() and now - self._task_started > KEPT_SECONDS):
            task = self._task = asyncio.create_task(self._read(), name="instance metrics")
            self._task_started = now
        await asyncio.wait({task}, timeout=PATIENCE_SECONDS)
        reading = task.result() if task.done() else None
        registry = CollectorRegistry()
        registry.register(_Families([*self._own(), *_families(reading)]))
        return generate_latest(registry)

    async def _read(self) -> _Reading | None:
        now = self._platform.clock()
        try:
            async with self._platform.database.keyed_transaction() as db:
                await db.execute(_BOUNDS)
                server = (await db.execute(_SERVER)).one()
                nodes = (await _measured(db, _read_nodes(db)) if is_distributed(db) else None) or {}
                backlogs = {
                    name: await _measured(db, measure(db, now))
                    for name, measure in self._backlogs.items()
                }
                seats = await _measured(db, self._seats(db, now))
                if time.monotonic() - self._sizes_read > SIZES_KEPT_SECONDS:
                    self._sizes = await _measured(db, _read_sizes(db)) or self._sizes
                    self._sizes_read = time.monotonic()
        except Exception:  # noqa: BLE001 - whatever it is, the database has no figures for us
            return None
        return _Reading(server, nodes, self._sizes, backlogs, seats, now)

    def _own(self) -> list[GaugeMetricFamily]:
        disk = shutil.disk_usage(self._platform.settings.data_dir)
        return [
            _by("licet_build_info", "The release.", "version", {__version__: 1}),
            _gauge("licet_disk_free_bytes", "Free space of the data folder's disk.", disk.free),
            _gauge("licet_disk_size_bytes", "Size of the data folder's disk.", disk.total),
            *self._backups(),
        ]

    def _backups(self) -> list[GaugeMetricFamily]:
        settings = self._platform.settings
        status = measure_backups(settings.data_dir, self._platform.clock())
        if settings.backup_url is None or status is None:
            return []
        waiting, size = status.waiting_seconds, status.waiting_bytes
        told = "Since when changes wait for the store of backups."
        families = [
            _gauge("licet_backup_waiting_seconds", told, waiting),
            _gauge("licet_backup_waiting_bytes", "Compressed changes that wait for it.", size),
        ]
        if status.base_age_seconds is not None:
            age = status.base_age_seconds
            families.append(
                _gauge("licet_backup_base_age_seconds", "Age of the newest base backup.", age)
            )
        return families


async def _measured(db: Connection, figure: Awaitable[Figure]) -> Figure | None:
    """Return a figure, or `None` if the database does not give it in time."""
    try:
        async with db.begin_nested():
            return await figure
    except DBAPIError:
        return None


async def _read_nodes(db: Connection) -> Mapping[str, bool]:
    return {row.node: row.is_up for row in await db.execute(_NODES)}


async def _read_sizes(db: Connection) -> _Sizes:
    size = (await db.execute(_SIZE)).scalar_one()
    rows = await db.execute(_TABLE_SIZES)
    return _Sizes(size, {row.relname: row.bytes for row in rows})


def _families(reading: _Reading | None) -> list[GaugeMetricFamily]:
    up = _gauge(
        "licet_database_up", "Whether the database gave its figures in time.", reading is not None
    )
    if reading is None:
        return [up]
    server = reading.server
    families = [
        up,
        _gauge("licet_database_writable", "Whether the database takes changes.", server.writable),
        _gauge(
            "licet_database_connections",
            "Connections to the server of the database, of all its clients.",
            server.connections,
        ),
        _gauge(
            "licet_database_connections_limit",
            "Connections that the server of the database takes.",
            server.connections_limit,
        ),
        _gauge(
            "licet_database_oldest_transaction_seconds",
            "Age of the oldest open transaction.",
            float(server.oldest_transaction),
        ),
        *_backlog_families(reading),
    ]
    if reading.nodes:
        told = "Whether the coordinator reaches a node of a distributed database."
        families.append(_by("licet_database_node_up", told, "node", reading.nodes))
    if reading.sizes is not None:
        size = reading.sizes.database
        families += [
            _gauge("licet_database_bytes", "Size of the database.", size),
            _by(
                "licet_table_bytes",
                "Size of a table with its indexes.",
                "table",
                reading.sizes.tables,
            ),
        ]
    if reading.seats is not None:
        told = "Live sessions; estimated if there are many."
        families.append(_gauge("licet_seats_in_use", told, reading.seats.items))
    return families


def _backlog_families(reading: _Reading) -> list[GaugeMetricFamily]:
    measured = {name: it for name, it in reading.backlogs.items() if it is not None}
    counts = {name: it.items for name, it in measured.items()}
    ages = {name: _seconds_since(it.due_since, reading.now) for name, it in measured.items()}
    told = "What waits, counted up to 10,000."
    return [
        _by("licet_backlog_items", told, "backlog", counts),
        _by("licet_backlog_oldest_seconds", "How late the oldest item is.", "backlog", ages),
    ]


def _seconds_since(instant: datetime | None, now: datetime) -> float:
    return 0.0 if instant is None else max((now - instant).total_seconds(), 0.0)


def _by(name: str, text: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    """Return a gauge with a value for each value of a label."""
    family = GaugeMetricFamily(name, text, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, text, value=value)
