"""Runs statements on the driver directly, once SQLAlchemy has compiled and run them.

The first run of a statement object is SQLAlchemy's. What it found out is kept with the object: the
text, the order of the values, how each is encoded, and how rows are read. From then on only values
change. Transactions, errors, lost connections and events remain SQLAlchemy's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, CursorResult, Executable, IteratorResult
from sqlalchemy.dialects.postgresql.asyncpg import PGExecutionContext_asyncpg
from sqlalchemy.engine.result import ResultMetaData
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.util import greenlet_spawn

Given = Mapping[str, Any]


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
_UNGIVEN: Given = {}


class Answer(IteratorResult[*tuple[Any, ...]]):
    """The rows of a statement, and how many there are or were changed."""

    def __init__(self, metadata: ResultMetaData, rows: Any, rowcount: int) -> None:
        super().__init__(metadata, iter(rows))
        self.rowcount = rowcount


class _Execution(PGExecutionContext_asyncpg):
    """What listeners of SQLAlchemy's events get to know of a statement that is run directly."""

    def __init__(self, connection: Connection, cursor: Any, statement: Any) -> None:
        self.root_connection = connection
        self.dialect = connection.dialect
        self.cursor = cursor
        self.invoked_statement = statement


class DirectConnection(AsyncConnection):
    """A connection of SQLAlchemy that spends no more on a known statement than it must."""

    __slots__ = ()

    async def execute(  # type: ignore[override]
        self,
        statement: Executable,
        parameters: Given | Sequence[Given] | None = None,
        *,
        execution_options: Mapping[str, Any] | None = None,
    ) -> Any:
        """Run a statement; its rows have been fetched when this returns."""
        if execution_options is not None or isinstance(parameters, Sequence):
            return await super().execute(
                statement,
                parameters,  # type: ignore[arg-type]
                execution_options=execution_options,
            )
        connection = self._proxied
        sent, given = statement, parameters or _UNGIVEN
        for listener in connection.dispatch.before_execute:
            sent, _, given = listener(connection, sent, [], given, {})
        keys = tuple(given)
        runs = _runs.get(sent)
        if runs is not None and keys in runs:
            run = runs[keys]
            if run is not None and _is_ready(connection):
                try:
                    values = run.values(given)
                except Exception:  # noqa: BLE001 - to be raised as SQLAlchemy does
                    return await super().execute(statement, parameters)
                return await _execute(connection, sent, run, values)
            return await super().execute(statement, parameters)
        result = await super().execute(statement, parameters)
        _runs.setdefault(sent, {})[keys] = _learn(sent, given, result)
        return result


    async def __aexit__(self, *failure: object) -> None:
        """Return the connection to its pool; only a transaction that is open takes time to end."""
        pooled: Any = self._proxied._dbapi_connection
        if pooled is None or pooled.dbapi_connection._transaction is not None:
            await super().__aexit__(*failure)
        else:
            await self.close()


class DirectEngine(AsyncEngine):
    """An engine whose connections run known statements directly."""

    _connection_cls = DirectConnection

    def execution_options(self, **options: Any) -> "DirectEngine":
        """Return an engine for the same pool with these options."""
        return DirectEngine(self.sync_engine.execution_options(**options))


def _is_ready(connection: Connection) -> bool:
    """Return whether a statement can be sent at once; if not, SQLAlchemy knows what to do."""
    transaction, nested = connection._transaction, connection._nested_transaction
    opened = connection._trans_context_manager
    return (
        connection._dbapi_connection is not None
        and (transaction is None or transaction.is_active)
        and (nested is None or nested.is_active)
        and (opened is None or opened._transaction_is_active())
        and not connection._echo
    )


async def _execute(
    connection: Connection, statement: Executable, run: _Run, values: tuple[Any, ...]
) -> Answer:
    pooled: Any = connection._dbapi_connection
    dialect: Any = connection.dialect
    if connection._transaction is None:
        connection._autobegin()
    cursor = pooled.dbapi_connection.cursor()
    cursor._invalidate_schema_cache_asof = dialect._invalidate_schema_cache_asof
    before = connection.dispatch.before_cursor_execute
    after = connection.dispatch.after_cursor_execute
    execution = _Execution(connection, cursor, statement) if before or after else None
    text = run.text

    def announce() -> None:
        nonlocal text, values
        for listener in before:
            text, values = listener(connection, cursor, text, values, execution, False)

    def fail(error: BaseException) -> None:
        # SQLAlchemy reads the error at hand, and a greenlet begins with none.
        try:
            raise error
        except BaseException as raised:  # noqa: BLE001
            context = execution or _Execution(connection, cursor, statement)
            connection._handle_dbapi_exception(raised, text, values, cursor, context)

    try:
        if before:
            await greenlet_spawn(announce)
        await cursor._prepare_and_execute(text, values)
        if after:
            after(connection, cursor, text, values, execution, False)
    except BaseException as error:  # noqa: BLE001
        await greenlet_spawn(fail, error)
    return Answer(run.metadata, cursor._rows, cursor._rowcount)


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
    order = compiled.positiontup or []
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
