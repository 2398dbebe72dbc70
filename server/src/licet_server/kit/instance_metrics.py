"""The figures of the whole instance, read from the database when Prometheus asks.

The answer is the same whichever process is asked. It is kept for some seconds, so that however
often somebody asks, the database is asked seldom; and it never waits long for the database.
"""

import asyncio
import shutil
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from sqlalchemy import text

from licet_server import __version__
from licet_server.kit.backlogs import Backlog, MeasureBacklog
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform

KEPT_SECONDS = 5.0
SIZES_KEPT_SECONDS = 60.0
PATIENCE_SECONDS = 2.0

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
    sizes: _Sizes
    backlogs: Mapping[str, Backlog]
    seats: int
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
        self._sizes_read = 0.0
        self._task: asyncio.Task[_Reading | None] | None = None
        self._task_started = 0.0

    async def render(self) -> bytes:
        """Return the figures in text format, after two seconds at most.

        Without an answer of the database, `licet_database_up` is 0, and its figures are missing.
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
            async with self._platform.database.keyed() as db:
                server = (await db.execute(_SERVER)).one()
                sizes = await self._read_sizes(db)
                backlogs = {
                    name: await measure(db, now) for name, measure in self._backlogs.items()
                }
                seats = await self._seats(db, now)
        except Exception:  # noqa: BLE001 - whatever it is, the database has no figures for us
            return None
        return _Reading(server, sizes, backlogs, seats.items, now)

    async def _read_sizes(self, db: Connection) -> _Sizes:
        if self._sizes is None or time.monotonic() - self._sizes_read > SIZES_KEPT_SECONDS:
            size = (await db.execute(_SIZE)).scalar_one()
            rows = await db.execute(_TABLE_SIZES)
            tables = {row.relname: row.bytes for row in rows}
            self._sizes = _Sizes(size, tables)
            self._sizes_read = time.monotonic()
        return self._sizes

    def _own(self) -> list[GaugeMetricFamily]:
        build = GaugeMetricFamily("licet_build_info", "The release.", labels=["version"])
        build.add_metric([__version__], 1)
        disk = shutil.disk_usage(self._platform.settings.data_dir)
        return [
            build,
            _gauge("licet_disk_free_bytes", "Free space of the data folder's disk.", disk.free),
            _gauge("licet_disk_size_bytes", "Size of the data folder's disk.", disk.total),
        ]


def _families(reading: _Reading | None) -> list[GaugeMetricFamily]:
    up = _gauge(
        "licet_database_up", "Whether the database gave its figures in time.", reading is not None
    )
    if reading is None:
        return [up]
    server, sizes = reading.server, reading.sizes
    return [
        up,
        _gauge("licet_database_writable", "Whether the database takes changes.", server.writable),
        _gauge("licet_database_bytes", "Size of the database.", sizes.database),
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
        _gauge("licet_seats_in_use", "Live sessions; estimated if there are many.", reading.seats),
        _table_sizes(sizes),
        *_backlog_families(reading),
    ]


def _backlog_families(reading: _Reading) -> list[GaugeMetricFamily]:
    items = GaugeMetricFamily(
        "licet_backlog_items", "What waits, counted up to 10,000.", labels=["backlog"]
    )
    ages = GaugeMetricFamily(
        "licet_backlog_oldest_seconds", "How late the oldest item is.", labels=["backlog"]
    )
    for name, backlog in reading.backlogs.items():
        items.add_metric([name], backlog.items)
        late = 0.0
        if backlog.due_since is not None:
            late = max((reading.now - backlog.due_since).total_seconds(), 0.0)
        ages.add_metric([name], late)
    return [items, ages]


def _table_sizes(sizes: _Sizes) -> GaugeMetricFamily:
    family = GaugeMetricFamily(
        "licet_table_bytes", "Size of a table with its indexes.", labels=["table"]
    )
    for name, size in sizes.tables.items():
        family.add_metric([name], size)
    return family


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, text, value=value)
