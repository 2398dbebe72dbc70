"""The database: engine, column types, and connections for reading and for changing.

What is specific to the driver (asyncpg) is in this module, `connecting` and `direct`.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import msgspec
from sqlalchemy import (
    BindParameter,
    Column,
    DateTime,
    Dialect,
    ForeignKeyConstraint,
    LargeBinary,
    MetaData,
    Numeric,
    PrimaryKeyConstraint,
    Text,
    Uuid,
    bindparam,
    event,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DisconnectionError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeDecorator, TypeEngine

from licet_server.kit.connecting import (
    CountingPool,
    PoolFigures,
    connect_arguments,
    figures_of,
)
from licet_server.kit.database_address import Address
from licet_server.kit.direct import DirectEngine
from licet_server.kit.outages import Autocommitting, committing, is_unavailable
from licet_server.kit.routing import RoutedEngine

Connection = AsyncConnection
"""What storage modules run statements on; features use only this name."""

metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pkey",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
        "fk": "%(table_name)s_%(column_0_N_name)s_fkey",
        "ix": "%(table_name)s_%(column_0_N_name)s_idx",
        "ck": "%(table_name)s_%(constraint_name)s_check",
    }
)
"""All tables of the service. Each feature's `tables` module adds its own."""

GLOBAL = {"tenant": False}
"""Marks a table (`info=GLOBAL`) that belongs to the instance rather than to an institution."""

REFERENCE = {"tenant": False, "reference": True}
"""Marks a table of the instance that statements about institutions join, or that their tables refer
to: a database that is spread by institution keeps a copy on every node."""

SEALED = {"sealed": True}
"""Marks a column (`info=SEALED`) with sealed values, so that key rotation finds it."""


def personal(replacement: object = None) -> dict[str, object]:
    """Mark a column (`info=personal()`) that may identify a person.

    `replacement` takes the place of a value when the person is erased.
    """
    return {"personal": True, "replacement": replacement}


ABOUT_HOLDER = {"about_holder": True}
"""Marks a table (`info=ABOUT_HOLDER`) whose personal columns are about the holder of a license:
that of `license_id`, or of the row itself."""

FREQUENT_VACUUM = {"autovacuum_vacuum_scale_factor": 0.02, "autovacuum_vacuum_threshold": 10_000}
"""Storage parameters of a table whose old rows are deleted all the time: the space of deleted rows
is used again before the table has grown by a fiftieth."""

Id = Uuid(as_uuid=True)
Instant = DateTime(timezone=True)
Json = JSONB(none_as_null=True)
Bytes = LargeBinary
String = Text


def own_key() -> Sequence[SchemaItem]:
    """Return the columns `institution_id` and `id`, and the primary key that they are."""
    return (
        Column("institution_id", Id, nullable=False),
        Column("id", Id, nullable=False),
        PrimaryKeyConstraint("institution_id", "id"),
    )


def belongs_to(column: str, target: str) -> ForeignKeyConstraint:
    """Return a foreign key to a row of the same institution, which deletes this one with it.

    Example:
        >>> belongs_to("product_id", "products.id")
    """
    return refers_to(column, target, ondelete="CASCADE")


def refers_to(
    column: str, target: str, *, name: str | None = None, ondelete: str | None = None
) -> ForeignKeyConstraint:
    """Return a foreign key to a row of the same institution, which is not deleted before."""
    [table, _] = target.split(".")
    tenant = "institution_id"
    return ForeignKeyConstraint(
        [tenant, column], [f"{table}.{tenant}", target], name=name, ondelete=ondelete
    )


Process = Callable[[Any], Any]
"""What reads the values of a column."""


class Finite(TypeDecorator[Decimal]):
    """An exact decimal. What is stored and no number (NaN) is read as 0."""

    impl = Numeric
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Process:
        """Return what reads an amount, which the driver returns as a decimal."""
        return _finite


def _finite(value: Decimal | None) -> Decimal | None:
    # The only decimal that does not equal itself.
    return _NO_AMOUNT if value != value else value  # noqa: PLR0124


_NO_AMOUNT = Decimal(0)
Amount = Finite(24, 6)

KEYED_POOL_SIZE = 6
RELAXED_POOL_SIZE = 3
LOOK_UPS_AT_ONCE = 2
CHANGES_AT_ONCE = 2
"""How many look-ups and changes of operators use the keyed pool at a time; applications have the
rest."""
SURVEYS_AT_ONCE = 2

_NUMBER = re.compile(r"_?\d+\Z")
_CONSTRAINT = re.compile(r'constraint "([^"]+)"')

_json_encoder = msgspec.json.Encoder(decimal_format="number")

_STATEMENT_TIMEOUT_MS = 15_000
_LOCK_TIMEOUT_MS = 5_000
_PLAN_SECONDS = 60


# PostgreSQL switches to a generic plan after five runs, which is disastrous for lists: such a plan
# cannot distinguish a rare word from a common one, nor the first page from the last.
_SETTINGS = {"plan_cache_mode": "force_custom_plan"}
# Only look-ups by key run here, and their plan is the same for all values: planning would cost more
# than running them. A plan may be created for an empty table, so plans that read whole tables are
# disabled; the remaining nested loops lock rows in the order of the given keys. Among its indexes
# the planner may choose wrongly while a table is small, which is why plans live for a minute.
_KEYED_SETTINGS = {
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
}
# A transaction that has asked several nodes could not write tables that every node has. The other
# setting would make the driver's first look at a type take seconds.
_SPREAD_SETTINGS = {
    "citus.multi_shard_modify_mode": "sequential",
    "citus.override_table_visibility": "off",
}
_RELAXED_SETTINGS = {**_KEYED_SETTINGS, "synchronous_commit": "off"}


def create_engine(
    url: str, pool_size: int, settings: Mapping[str, str] = _SETTINGS, recycle_seconds: int = -1
) -> AsyncEngine:
    """Create an engine with these PostgreSQL settings on every connection.

    Connections are replaced when they are `recycle_seconds` old, if that is not negative.
    """
    server_settings = {
        "application_name": "licet",
        "timezone": "UTC",
        "statement_timeout": str(_STATEMENT_TIMEOUT_MS),
        "lock_timeout": str(_LOCK_TIMEOUT_MS),
        "jit": "off",
        # Ten times the default: to start workers takes longer than a search by an index.
        "parallel_setup_cost": "10000",
        **(_SPREAD_SETTINGS if Address.of_url(url).is_distributed else {}),
        **settings,
    }
    engine = create_async_engine(
        "postgresql+asyncpg://",
        poolclass=CountingPool,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=10,
        pool_pre_ping=False,
        pool_recycle=recycle_seconds,
        pool_use_lifo=True,
        json_serializer=lambda value: _json_encoder.encode(value).decode(),
        json_deserializer=msgspec.json.decode,
        connect_args=connect_arguments(url, server_settings),
    )
    kind = RoutedEngine if Address.of_url(url).is_distributed else DirectEngine
    return kind(engine.sync_engine)


def array_parameter(name: str, kind: TypeEngine[Any] | type[TypeEngine[Any]]) -> BindParameter[Any]:
    """Return a parameter that holds a list, so that one prebuilt statement serves any number."""
    return bindparam(name, type_=ARRAY(kind, dimensions=1))


class Database:
    """Connections for reading (autocommit, one round trip per statement) and for changing.

    Statements that find every row by its key, as those of applications do, run on connections that
    keep their plans. Everything else is planned for its values.
    """

    def __init__(self, engine: AsyncEngine, keyed: AsyncEngine, relaxed: AsyncEngine) -> None:
        self._engine = engine
        self._autocommit = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._snapshot = engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        self._keyed_engine = keyed
        self._keyed = keyed.execution_options(isolation_level="AUTOCOMMIT")
        self._relaxed_engine = relaxed
        self._relaxed = relaxed.execution_options(isolation_level="AUTOCOMMIT")
        self._look_ups = asyncio.Semaphore(LOOK_UPS_AT_ONCE)
        self._changes = asyncio.Semaphore(CHANGES_AT_ONCE)
        self._surveys = asyncio.Semaphore(SURVEYS_AT_ONCE)

    def reading(self) -> Autocommitting:
        """Open a connection in autocommit, for reads and independent single statements."""
        return Autocommitting(self._autocommit)

    def transaction(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Open a transaction: committed at the end, rolled back if the block raises.

        Raises:
            OutcomeUnknown: when the connection was lost while it was being committed.
        """
        return committing(self._engine)

    def snapshot(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Open a read-only snapshot, for several statements whose figures must agree."""
        return committing(self._snapshot)

    @asynccontextmanager
    async def surveying(self) -> AsyncIterator[AsyncConnection]:
        """Open a snapshot for a request that computes much, such as a search: few run at a time.

        Each step of one delays every other request of this process by its computing time.
        """
        async with self._surveys, self.snapshot() as connection:
            yield connection

    def keyed(self) -> Autocommitting:
        """Open an autocommit connection for statements that find every row by its key."""
        return Autocommitting(self._keyed)

    def looking_up(self) -> Autocommitting:
        """Open a keyed connection for a look-up of an operator; some are left to applications."""
        return Autocommitting(self._keyed, self._look_ups)

    def keyed_transaction(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Open a transaction of statements that find every row by its key.

        Raises:
            OutcomeUnknown: as `transaction`.
        """
        return committing(self._keyed_engine)

    @asynccontextmanager
    async def changing_by_key(self) -> AsyncIterator[AsyncConnection]:
        """Open a keyed transaction for a change of an operator; some are left to applications.

        Raises:
            OutcomeUnknown: as `transaction`.
        """
        async with self._changes, self.keyed_transaction() as connection:
            yield connection

    def relaxed(self) -> Autocommitting:
        """Open a keyed connection for writes that a crash may lose, such as heartbeats.

        A statement returns before it is on disk. It is still atomic and visible to all other
        connections.
        """
        return Autocommitting(self._relaxed)

    def pools(self) -> dict[str, PoolFigures]:
        """Return the state of the pools: for most work, by key, and for writes without waiting."""
        return {
            "main": figures_of(self._engine),
            "keyed": figures_of(self._keyed_engine),
            "relaxed": figures_of(self._relaxed_engine),
        }

    def engines(self) -> tuple[AsyncEngine, ...]:
        """Return what has the pools."""
        return self._engine, self._keyed_engine, self._relaxed_engine

    async def close(self) -> None:
        """Close every connection."""
        for engine in self.engines():
            await engine.dispose()


def open_database(
    url: str, pool_size: int, postgres: Mapping[str, str] = MappingProxyType({})
) -> Database:
    """Open the database at `postgresql+asyncpg://...`.

    At most `pool_size` connections serve most work, and a few more the statements by key. The pools
    are small on purpose: contended rows get slower with more connections. `postgres` are settings
    of PostgreSQL that take the place of the usual ones, but for how statements by key are planned.
    """
    # Citus refuses generic plans of more than a look-up in one table, and may crash on them.
    plans = _SETTINGS if Address.of_url(url).is_distributed else {}
    engines = (
        create_engine(url, pool_size, {**_SETTINGS, **postgres}),
        create_engine(
            url, KEYED_POOL_SIZE, {**postgres, **_KEYED_SETTINGS, **plans}, _PLAN_SECONDS
        ),
        create_engine(url, RELAXED_POOL_SIZE, {**_RELAXED_SETTINGS, **plans}, _PLAN_SECONDS),
    )
    _leave_frozen_server(engines)
    return Database(*engines)


def _leave_frozen_server(engines: Sequence[AsyncEngine]) -> None:
    """Replace the connections of all engines once one of them was lost, or not answered in time.

    The others lead to the same server, and each would cost a request its answer. They are not
    closed politely, since that would wait for the server once more.
    """
    pools: list[Any] = [engine.pool for engine in engines]

    def connect(_connection: Any, record: ConnectionPoolEntry) -> None:
        record.info["since"] = time.monotonic()

    def handle_error(context: ExceptionContext) -> None:
        is_silent = isinstance(context.original_exception, TimeoutError)
        if (is_silent and context.connection is not None) or context.is_disconnect:
            _leave(pools, time.monotonic())

    def checkout(_connection: Any, record: ConnectionPoolEntry, _proxy: Any) -> None:
        if record.info["since"] < pools[0].left_at:
            raise DisconnectionError

    def close(connection: Any, record: ConnectionPoolEntry) -> None:
        left_at = pools[0].left_at
        if record.info.get("since", left_at) < left_at:
            connection.driver_connection.terminate()

    for engine in engines:
        for listener in (connect, handle_error, checkout, close):
            event.listen(engine.sync_engine, listener.__name__, listener)


def _leave(pools: Iterable[Any], now: float) -> None:
    for pool in pools:
        pool.left_at = now


def violated_constraint(error: IntegrityError) -> str | None:
    """Return the name of the violated constraint, to distinguish conflicts.

    In a table with partitions or shards, their number ends the name, and is left out.
    """
    cause = getattr(error.orig, "__cause__", None)
    name: Any = getattr(cause, "constraint_name", None)
    if name is None and (named := _CONSTRAINT.search(str(cause))):
        name = named[1]  # Citus passes on the message of a node, but not this field
    return _NUMBER.sub("", name) if isinstance(name, str) else None


def concerns_one_item(error: Exception) -> bool:
    """Return whether a smaller batch could succeed: not while the database is unavailable."""
    return not is_unavailable(error)
