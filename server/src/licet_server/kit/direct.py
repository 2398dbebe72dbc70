"""Runs statements on the driver directly, once SQLAlchemy has compiled and run them.

The first run of a statement object is SQLAlchemy's. What it found out is kept with the object: the
text, the order of the values, how each is encoded, and how rows are read. From then on only values
change. Transactions, errors, lost connections and events remain SQLAlchemy's.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, CursorResult, Executable, IteratorResult
from sqlalchemy.dialects.postgresql.asyncpg import PGExecutionContext_asyncpg
from sqlalchemy.engine.result import ResultMetaData
from sqlalchemy.exc import MissingGreenlet
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncTransaction
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.util import greenlet_spawn

Given = Mapping[str, Any]
Taken = TypeVar("Taken")


class _Value(NamedTuple):
    """Where a value that callers give belongs among those of a statement."""

    position: int
    key: str
    encode: Any


@dataclass(frozen=True, slots=True)
class _Run:
    """How to run a statement with values for the same parameters as the first time."""

    text: str
    fixed: tuple[Any, ...]
    given: tuple[_Value, ...]
    metadata: ResultMetaData

    def values(self, given: Given) -> tuple[Any, ...]:
        """Return the values of a run, as the driver takes them."""
        values = list(self.fixed)
        for position, key, encode in self.given:
            value = given[key]
            values[position] = value if encode is None else encode(value)
        return tuple(values)


_runs: WeakKeyDictionary[Executable, dict[tuple[str, ...], _Run | None]] = WeakKeyDictionary()
_UNGIVEN: dict[str, Any] = {}


class Answer(IteratorResult[*tuple[Any, ...]]):
    """The rows of a statement, and how many there are or were changed."""

    def __init__(self, metadata: ResultMetaData, rows: Any, rowcount: int) -> None:
        super().__init__(metadata, iter(rows))
        self.rowcount = rowcount
        self._fetched = rows

    def by_column(self) -> list[Sequence[Any]]:
        """Return the values of each column, read as those of rows are; no columns without rows."""
        columns: list[Sequence[Any]] = [*zip(*self._fetched, strict=True)]
        processors: Any = self._metadata._effective_processors
        for at, process in enumerate(processors or ()):
            if columns and process is not None:
                columns[at] = _processed(columns[at], process)
        return columns


def columns_of(result: Any) -> list[Sequence[Any]]:
    """Return the values of each column of a result, also of one that SQLAlchemy has made.

    Many rows that become structs do so column by column in half the time, and nulls take none.
    """
    if isinstance(result, Answer):
        return result.by_column()
    return [*zip(*result.all(), strict=True)]


def _processed(column: Sequence[Any], process: Any) -> Sequence[Any]:
    if column.count(None) == len(column) and process(None) is None:
        return column
    return [*map(process, column)]


class _Execution(PGExecutionContext_asyncpg):
    """What listeners of SQLAlchemy's events get to know of a statement that is run directly."""

    def __init__(self, connection: Connection, cursor: Any, statement: Any) -> None:
        self.root_connection = connection
        self.dialect = connection.dialect
        self.cursor = cursor
        self.invoked_statement = statement


class DirectConnection(AsyncConnection):
    """A connection of SQLAlchemy that spends no more on a known statement than it must.

    While its statements commit on their own, are known, and nobody listens, it is no more than the
    connection of the driver with its place in the pool; SQLAlchemy's is made when it is needed.
    """

    __slots__ = ("_pooled",)

    _pooled: Any

    async def start(self, is_ctxmanager: bool = False) -> "DirectConnection":
        """Take a connection from the pool."""
        engine = self.sync_engine
        self._pooled = None
        if engine.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
            self.sync_connection = self._assign_proxied(await _take(engine.pool, engine.connect))
            return self
        try:
            self._pooled = await _take(engine.pool, engine.raw_connection)
        except engine.dialect.loaded_dbapi.Error as error:
            Connection._handle_dbapi_exception_noconnection(error, engine.dialect, engine)
        self._pooled.dbapi_connection.autocommit = True
        return self

    def begin(self) -> AsyncTransaction:
        """Return a transaction, which begins with the block that it is entered for."""
        return _Transaction(self)

    @property
    def _proxied(self) -> Connection:
        if self.sync_connection is None and self._pooled is not None:
            made = Connection(self.sync_engine, connection=self._pooled)
            self.sync_connection = self._assign_proxied(made)
        return super()._proxied

    async def close(self) -> None:
        """Return the connection to its pool."""
        pooled, self._pooled = self._pooled, None
        if pooled is None or self.sync_connection is not None:
            await super().close()
        else:
            pooled.dbapi_connection.autocommit = False
            pooled.close()  # nothing is open, so that nothing waits

    async def __aexit__(self, *failure: Any) -> None:
        """Return the connection to its pool; only a transaction that is open takes time to end."""
        made = self.sync_connection
        pooled: Any = self._pooled if made is None else made._dbapi_connection
        if pooled is None or pooled.dbapi_connection._transaction is not None:
            await super().__aexit__(*failure)
        elif made is None:
            await self.close()
        else:
            made.close()  # as above

    async def execute(
        self,
        statement: Executable,
        parameters: Given | Sequence[Given] | None = None,
        *,
        execution_options: Mapping[str, Any] | None = None,
    ) -> Any:
        """Run a statement; its rows have been fetched when this returns."""
        given = _UNGIVEN if parameters is None else parameters
        # Not by their abstract classes, which would cost as much as a value.
        if execution_options is not None or not isinstance(given, dict):
            return await super().execute(
                statement,
                parameters,
                execution_options=execution_options,
            )
        events = self.sync_engine.dispatch
        sent = statement
        for listener in events.before_execute:
            sent, _, given = listener(self._proxied, sent, [], given, {})
        keys = tuple(given)
        runs = _runs.get(sent)
        if runs is None or keys not in runs:
            result = await super().execute(statement, parameters)
            _runs.setdefault(sent, {})[keys] = _learn(sent, given, result)
            return result
        run = runs[keys]
        if run is None or not self._is_ready():
            return await super().execute(statement, parameters)
        try:
            values = run.values(given)
        except Exception:  # noqa: BLE001 - SQLAlchemy says what is wrong with a value
            return await super().execute(statement, parameters)
        if events.before_cursor_execute or events.after_cursor_execute:
            return await self._observed(sent, run, values)
        return await self._run(sent, run, values)

    def _is_ready(self) -> bool:
        """Return whether a statement can be sent at once; if not, SQLAlchemy knows what to do."""
        made = self.sync_connection
        if made is None:
            return self._pooled is not None
        transaction, nested = made._transaction, made._nested_transaction
        opened = made._trans_context_manager
        return (
            made._dbapi_connection is not None
            and (transaction is None or transaction.is_active)
            and (nested is None or nested.is_active)
            and (opened is None or opened._transaction_is_active())
        )

    async def _run(self, statement: Executable, run: _Run, values: Sequence[Any]) -> Answer:
        driver = self._driver()
        try:
            rows, status = await _fetch(driver, run.text, values, self._types_changed_at())
        except BaseException as error:  # noqa: BLE001 - a cancelled run leaves the connection
            execution = _Execution(self._proxied, None, statement)
            await greenlet_spawn(_fail, execution, error, run.text, values)
        return Answer(run.metadata, rows, _count_in(status))

    async def _observed(self, statement: Executable, run: _Run, values: Any) -> Answer:
        """Run a statement while something listens, such as tracing."""
        connection, cursor = self._proxied, self._cursor()
        execution, text = _Execution(connection, cursor, statement), run.text

        def announce() -> None:
            nonlocal text, values
            for listener in connection.dispatch.before_cursor_execute:
                text, values = listener(connection, cursor, text, values, execution, False)

        try:
            await greenlet_spawn(announce)
            await cursor._prepare_and_execute(text, values)
            connection.dispatch.after_cursor_execute(
                connection, cursor, text, values, execution, False
            )
        except BaseException as error:  # noqa: BLE001
            await greenlet_spawn(_fail, execution, error, text, values)
        return Answer(run.metadata, cursor._rows, cursor._rowcount)

    def _cursor(self) -> Any:
        cursor = self._driver().cursor()
        cursor._invalidate_schema_cache_asof = self._types_changed_at()
        return cursor

    def _driver(self) -> Any:
        made = self.sync_connection
        if made is not None and made._transaction is None:
            made._autobegin()
        pooled: Any = self._pooled if made is None else made._dbapi_connection
        return pooled.dbapi_connection

    def _types_changed_at(self) -> float:
        dialect: Any = self.sync_engine.dialect
        at: float = dialect._invalidate_schema_cache_asof
        return at


class _Transaction(AsyncTransaction):
    """A transaction that begins at once: nothing is sent before its first statement."""

    async def start(self, is_ctxmanager: bool = False) -> "_Transaction":
        """Begin it."""
        self.sync_transaction = self._assign_proxied(self.connection._proxied.begin())
        if is_ctxmanager:
            self.sync_transaction.__enter__()
        return self


async def _take(pool: Any, take: Callable[[], Taken]) -> Taken:
    """Take a connection from its pool; in a greenlet only if that waits for something.

    A greenlet maps memory and gives it back, which takes longer than all else that is done here.
    """
    if pool.is_ready():
        try:
            return take()
        except MissingGreenlet:
            pass  # it is replaced as of this instant, and went back to the pool
    return await greenlet_spawn(take)


async def _fetch(
    driver: Any, text: str, values: Sequence[Any], types_changed_at: float
) -> tuple[list[Any], str]:
    """Run a statement as a cursor does, without one and what it would tell about the columns."""
    async with driver._execute_mutex:
        if driver._transaction is None:
            await driver._start_transaction()
        try:
            prepared, _ = await driver._prepare(text, types_changed_at)
            return await prepared.fetch(*values), prepared.get_statusmsg()
        except Exception as error:
            driver._handle_exception(error)
            raise


def _count_in(status: str) -> int:
    """Return how many rows a statement found or changed, by what the database says of it."""
    count = status.rpartition(" ")[2]
    return int(count) if count.isdigit() else -1


def _fail(execution: _Execution, error: BaseException, text: str, values: Any) -> NoReturn:
    """Raise an error as SQLAlchemy does, which leaves the connection if it was lost."""
    connection = execution.root_connection
    if connection._transaction is None:
        connection._autobegin()
    # It reads the error at hand, and a greenlet begins with none.
    try:
        raise error  # noqa: TRY301
    except BaseException as raised:  # noqa: BLE001
        connection._handle_dbapi_exception(raised, text, values, execution.cursor, execution)


class DirectEngine(AsyncEngine):
    """An engine whose connections run known statements directly."""

    _connection_cls = DirectConnection

    def execution_options(self, **options: Any) -> "DirectEngine":
        """Return an engine for the same pool with these options."""
        return type(self)(self.sync_engine.execution_options(**options))


def _learn(statement: Executable, given: Given, result: CursorResult[Any]) -> _Run | None:
    """Return how to run a statement again, or nothing if there is more to it than its values."""
    context: Any = getattr(result, "context", None)
    compiled = getattr(context, "compiled", None)
    if (
        not isinstance(compiled, SQLCompiler)
        or context.invoked_statement is not statement
        or context._is_server_side
        or compiled.isplaintext
        or compiled.escaped_bind_names
        or compiled.insert_prefetch
        or compiled.update_prefetch
        or compiled.implicit_returning
        or any(parameter.callable is not None for parameter in compiled.bind_names)
    ):
        return None
    processors: Mapping[str, Any] = compiled._bind_processors
    order: Sequence[str] = compiled.positiontup or []
    listed = compiled.literal_execute_params | compiled.post_compile_params
    if listed:
        if any(parameter.key in given for parameter in listed):
            return None
        all_values = compiled.construct_params(
            given, extracted_parameters=context.extracted_parameters, escape_names=False
        )
        expanded = compiled._process_parameters_for_postcompile(all_values)
        if expanded.statement != context.statement:
            return None
        order = expanded.positiontup or []
        processors = {**processors, **expanded.processors}
    keys = {name: parameter.key for parameter, name in compiled.bind_names.items()}
    values = tuple(
        _Value(position, key, processors.get(name))
        for position, name in enumerate(order)
        for key in (keys.get(name, name), name)[: 1 if keys.get(name, name) in given else 2]
        if key in given
    )
    sent = context.parameters[0]
    given_at = {value.position for value in values}
    fixed = tuple(None if n in given_at else value for n, value in enumerate(sent))
    run = _Run(context.statement, fixed, values, result._metadata)
    return run if run.values(given) == tuple(sent) else None
