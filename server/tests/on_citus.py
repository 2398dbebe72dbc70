"""A run of the tests on a Citus cluster that is there already: `LICET_CITUS_URL=... pytest`.

The URL is that of a superuser's connection to the coordinator, in a database whose cluster has its
nodes. Each test database is a copy, on every node, of one that was spread once for the run: the
metadata of Citus names hosts, ports and tables, and no database.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections import Counter
from collections.abc import Awaitable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from not_on_citus import reason_of
from on_partitions import MARKER

if TYPE_CHECKING:
    import pytest

    from licet_server.kit.database_address import Address

VARIABLE = "LICET_CITUS_URL"
_PROPERTY = "citus"
_NEEDS_CLUSTER = "citus"
_SETTINGS = ("citus.shard_count = 4",)
_LOCALE = "TEMPLATE template0 LOCALE 'C.UTF-8'"
"""What the database of the service has without a cluster, too."""
_UUIDV7 = """
CREATE FUNCTION uuidv7() RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT CAST(encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
        substring(int8send(CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)) FROM 3)
        FROM 1 FOR 6), 52, 1), 53, 1), 'hex') AS uuid)
$$
"""
"""What PostgreSQL has from version 18 on, and tests fill tables with."""
_EXPECTED = ("23", "25006", "40", "55P03", "57014")
"""What a statement may fail with that Citus has planned and run."""

fresh: set[tuple[str, str, str]] = set()
"""Statements since the last look: their kind, who sends it, and why it was refused."""


def is_on() -> bool:
    return VARIABLE in os.environ


def added_up(count: str) -> str:
    """Return the query that counts something on the coordinator and on all workers."""
    on_workers = f"SELECT sum(CAST(result AS bigint)) FROM run_command_on_workers($${count}$$)"
    return f"SELECT ({count}) + ({on_workers})"


def configure(config: pytest.Config) -> None:
    """Spread what databases are copied from, and tell applications that theirs is spread."""
    if not is_on():
        return
    from testkit import database_options

    database_options["distributed"] = "true"
    if not hasattr(config, "workerinput"):
        _done(_spread_template(_nodes()))


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that need whole tables or batches; without a cluster, those for one."""
    marker = MARKER if is_on() else _NEEDS_CLUSTER
    left_out = [
        item
        for item in items
        if item.get_closest_marker(marker) or (is_on() and reason_of(item.nodeid))
    ]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def _done(work: Awaitable[Any]) -> Any:
    """Wait for work of another loop, since the one of the test is running."""

    async def run() -> Any:
        return await work

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, run()).result()


async def _run(address: Address, *statements: str) -> Any:
    import asyncpg

    connection = await asyncpg.connect(
        host=address.host,
        port=address.port,
        user=address.user,
        password=address.password or None,
        database=address.database,
    )
    try:
        for statement in statements:
            rows = await connection.fetch(statement)
        return rows
    finally:
        await connection.close()


def _nodes() -> list[Address]:
    from licet_server.kit.database_address import Address

    home = Address.of_url(os.environ[VARIABLE])
    nodes = "SELECT nodename, nodeport FROM pg_dist_node WHERE isactive ORDER BY groupid"
    return [replace(home, host=name, port=port) for name, port in _done(_run(home, nodes))]


def _template() -> str:
    """Return the name of the database that others are copies of; another schema has another."""
    from licet_server.kit.database import metadata
    from licet_server.kit.placement import citus_statements
    from licet_server.migrations import versions

    files = sorted(Path(*versions.__path__).glob("*.*"))
    content = [path.read_bytes() for path in files]
    content += [_LOCALE.encode(), _UUIDV7.encode(), *map(str.encode, _SETTINGS)]
    content += [statement.encode() for statement in citus_statements(metadata)]
    return f"licet_template_{hashlib.sha256(b''.join(content)).hexdigest()[:12]}"


async def _spread_template(nodes: list[Address]) -> None:
    from licet_server.kit.database import metadata
    from licet_server.kit.placement import citus_statements

    name = _template()
    is_done = f"SELECT FROM pg_database WHERE datname = '{name}' AND NOT datallowconn"
    if await _run(nodes[-1], is_done):
        return
    coordinator = await _create_migrated(nodes, name)
    if not await _run(coordinator, "SELECT FROM pg_proc WHERE proname = 'uuidv7'"):
        await _run(coordinator, _UUIDV7)
    await _run(coordinator, *citus_statements(metadata))
    end = f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{name}'"
    for node in nodes:
        await _run(node, f"ALTER DATABASE {name} ALLOW_CONNECTIONS false", end)


async def _create_migrated(nodes: list[Address], name: str) -> Address:
    """Create a database of the cluster that is migrated and not spread."""
    from licet_server.migrations import migrate

    await _create(nodes, name)
    coordinator, *workers = (node.of_database(name) for node in nodes)
    for node in (coordinator, *workers):
        await _run(node, "CREATE EXTENSION citus")
    await _run(
        coordinator,
        f"SELECT citus_set_coordinator_host('{coordinator.host}', {coordinator.port})",
        *(f"SELECT citus_add_node('{node.host}', {node.port})" for node in workers),
    )
    await migrate(coordinator.url)
    return coordinator


async def _create(nodes: list[Address], name: str, source: str = _LOCALE) -> None:
    for node in nodes:
        await _run(node, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        await _run(node, f"CREATE DATABASE {name} {source}")
        await _run(node, *(f"ALTER DATABASE {name} SET {item}" for item in _SETTINGS))


class CitusServer:
    """The cluster of a run, as the tests of one process see it."""

    def __init__(self, folder: Path, prefix: str) -> None:
        self.folder = folder
        self._prefix = f"licet_test_{prefix}"
        self._nodes = _nodes()

    def create_database(self, name: str, *, template: str | None = None) -> Address:
        """Create a spread database. Two processes may use the same name for one of their own."""
        full = f"{self._prefix}_{name}"
        _done(_create(self._nodes, full, f"TEMPLATE {_template()}"))
        return self._nodes[0].of_database(full)

    def create_migrated(self, name: str) -> list[Address]:
        """Create a database that is not spread yet; returns its address on each node."""
        full = f"{self._prefix}_{name}"
        _done(_create_migrated(self._nodes, full))
        return self.nodes_of(full)

    def nodes_of(self, database: str) -> list[Address]:
        """Return the address of a database on each node, the coordinator first."""
        return [node.of_database(database) for node in self._nodes]

    def drop_databases(self) -> None:
        """Drop what this process has created."""
        _done(self._drop())

    async def _drop(self) -> None:
        for node in self._nodes:
            found = f"SELECT datname FROM pg_database WHERE datname LIKE '{self._prefix}_%'"
            for (name,) in await _run(node, found):
                await _run(node, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@contextmanager
def server(prefix: str) -> Iterator[CitusServer]:
    """Use the cluster for the tests of a process."""
    from shared_postgres import create_folder
    from sqlalchemy import Engine, event

    made = CitusServer(create_folder("licet-run-"), prefix)
    listeners: dict[str, Any] = {
        "do_execute": _note,
        "do_executemany": _note,
        "handle_error": _note_refused,
    }
    for name, listener in listeners.items():
        event.listen(Engine, name, listener)
    try:
        yield made
    finally:
        for name, listener in listeners.items():
            event.remove(Engine, name, listener)
        made.drop_databases()


def _note(_cursor: Any, statement: str, _values: Any, _context: Any) -> None:
    _take(statement, "")


def _note_refused(context: Any) -> None:
    from licet_server.kit.outages import sqlstate_of

    state = sqlstate_of(context.sqlalchemy_exception or context.original_exception) or "?"
    if not state.startswith(_EXPECTED):
        _take(context.statement or "", f"{state} {context.original_exception}")


def _take(statement: str, refused: str) -> None:
    from statement_log import kind_of, sender

    sent_by = sender()
    if sent_by is not None:
        fresh.add((kind_of(statement), sent_by, refused))


def tell(request: pytest.FixtureRequest) -> None:
    """Keep with the report of a test what it has sent."""
    request.node.user_properties.append((_PROPERTY, sorted(fresh)))
    fresh.clear()


def describe(config: pytest.Config, reports: list[Any]) -> list[str]:
    """Count the kinds of statements of a run; all are in pytest's cache, as `licet/citus`."""
    if not is_on():
        return []
    found = [
        tuple(item)
        for report in reports
        if getattr(report, "when", None) == "teardown"
        for name, items in report.user_properties
        if name == _PROPERTY
        for item in items
    ]
    kinds = {(kind, sent_by) for kind, sent_by, _ in found}
    refused = {(kind, sent_by): why for kind, sent_by, why in found if why}
    if config.cache is not None:
        kept = sorted((sent_by, refused.get((kind, sent_by), ""), kind) for kind, sent_by in kinds)
        config.cache.set("licet/citus", kept)
    places = Counter(sent_by for _, sent_by in refused)
    return [
        f"{len(kinds)} kinds of statements on Citus, {len(refused)} refused:",
        *(f"{number:7} {place}" for place, number in sorted(places.items())),
    ]
