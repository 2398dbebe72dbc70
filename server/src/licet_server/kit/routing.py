"""Sends statements to the nodes of their institutions, where a database is spread by institution.

Such a database (Citus) sends a statement to one node if every table in it is compared with one and
the same value. It does not see that all rows of an array are of one institution, infers nothing
from a join, and locks rows of one institution at a time. So each statement is run here as it would
be without, or once for each institution that it is about.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple
from uuid import UUID
from weakref import WeakKeyDictionary, WeakSet

from sqlalchemy import (
    ARRAY,
    CTE,
    Alias,
    BindParameter,
    Cast,
    Column,
    ColumnClause,
    Executable,
    FromClause,
    Insert,
    Join,
    Select,
    Subquery,
    Table,
    TableValuedAlias,
    Uuid,
    any_,
    bindparam,
    or_,
    select,
    text,
)
from sqlalchemy.engine.result import SimpleResultMetaData
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql import operators, visitors
from sqlalchemy.sql.dml import UpdateBase
from sqlalchemy.sql.elements import BooleanClauseList, ClauseElement, Over
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.sql.selectable import SelectBase

from licet_server.kit.direct import Answer, DirectConnection, DirectEngine, Given
from licet_server.kit.outages import is_node_lost

TENANT = "institution_id"
"""The column that every table of tenants has, and that a distributed database is spread by."""

ONE_OF_EACH = {"one_of_each": True}
"""Marks the table of tenants (`info=ONE_OF_EACH`) that has one row for each institution. Where a
database is spread, other rows of institutions are joined to it, and not to a list of their IDs."""

EACH_INSTITUTION = "each_institution"
"""What a statement calls the list of institutions that it joins the rows of each to."""

_ONE = f"one_{TENANT}"
_NOBODY = UUID(int=0)
_INSTITUTIONS_AT_ONCE = 100
"""How many institutions a job looks for at a time that locks up to a number of rows of any."""
_AFTER = "after_institution"
_ONLY = "living_institutions"
# A disabled node has no rows: Citus disables none that has.
_ARE_AWAY = text("""
    SELECT count(*) FROM pg_dist_node
    WHERE noderole = 'primary' AND isactive
    AND NOT citus_check_connection_to_node(nodename, nodeport)
""")
# What belongs to no institution has rows with an ID of nulls.
_LIVING = text("""
    WITH living AS MATERIALIZED (
        SELECT groupid FROM pg_dist_node
        WHERE noderole = 'primary' AND isactive
        AND citus_check_connection_to_node(nodename, nodeport)
    )
    SELECT ids.id FROM (SELECT id FROM institutions UNION ALL SELECT CAST(:nobody AS uuid)) ids
    JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('audit_chains', ids.id)
    JOIN living USING (groupid)
""")
_HOLD = text("SELECT pg_advisory_xact_lock(key) FROM unnest(CAST(:keys AS bigint[])) AS key")
_without_node: WeakSet[Any] = WeakSet()
"""The pools of connections to a database that has lost a node, as far as is known."""
_AGGREGATES = {"array_agg", "bit_or", "bool_or", "count", "max", "min", "sum"}


class RoutedConnection(DirectConnection):
    """A connection whose statements name the institutions that they are about."""

    __slots__ = ()

    async def execute(
        self,
        statement: Executable,
        parameters: Given | Sequence[Given] | None = None,
        *,
        execution_options: Mapping[str, Any] | None = None,
    ) -> Any:
        """Run a statement, once or for each of its institutions; its rows have been fetched."""
        is_other = not isinstance(statement, (SelectBase, UpdateBase))
        if is_other or execution_options is not None or isinstance(parameters, Sequence):
            return await super().execute(statement, parameters, execution_options=execution_options)
        if statement not in _ways:
            _ways[statement] = _way_of(statement)
        way, given = _ways[statement], parameters or {}
        if isinstance(way, _Route):
            return await self._follow(way, statement, given)
        if isinstance(way, _Insertion):
            return await self._insert(way, given)
        return await super().execute(statement if way is None else way, parameters)

    async def _follow(self, way: "_Route", statement: Executable, given: Given) -> Any:
        try:
            return await self._run_for_each(way, statement, given)
        except DBAPIError as error:
            if is_node_lost(error):
                _without_node.add(self.sync_engine.pool)
            raise

    async def _find(self, find: "_Finding", given: Given) -> set[UUID]:
        """Find institutions with rows to lock; while a node is away, those of the other nodes."""
        if (pool := self.sync_engine.pool) not in _without_node:
            return set((await super().execute(find.all, given)).scalars())
        if not (await super().execute(_ARE_AWAY)).scalar_one():
            _without_node.discard(pool)
        living = list((await super().execute(_LIVING, {"nobody": _NOBODY})).scalars())
        return set((await super().execute(find.of_living, {**given, _ONLY: living})).scalars())

    async def _run_for_each(self, way: "_Route", statement: Executable, given: Given) -> Any:
        if way.find is None:
            institutions = {one for array in way.arrays for one in given.get(array, ())}
        else:
            institutions = await self._find(way.find, given)
        if len(institutions) > 1 and way.is_whole:
            return await super().execute(statement, given)
        answers: list[_Fetched] = []
        left = _value_of(way.limit, given)
        while True:
            for one in sorted(institutions) or [_NOBODY]:
                mine = given if len(institutions) < 2 else way.rows_of(given, one)
                answer = await super().execute(way.named, {**mine, _ONE: one})
                if len(institutions) < 2 and not answers:
                    return answer
                answers.append(_fetched(answer))
                if left is not None and (left := left - answers[-1].number) <= 0:
                    return _joined(answers)
            if way.find is None or left is None or len(institutions) < _INSTITUTIONS_AT_ONCE:
                return _joined(answers)
            institutions = await self._find(way.find, {**given, _AFTER: max(institutions)})
            if not institutions:
                return _joined(answers)

    async def _insert(self, route: "_Insertion", given: Given) -> Any:
        rows = route.given_rows(given)
        if rows is None:
            rows = [tuple(row) for row in await self.execute(route.select, given)]
        if not rows:
            return Answer(
                SimpleResultMetaData(list(map(str, route.plain.exported_columns.keys()))), (), 0
            )
        if len(rows) == 1:
            values = dict(zip(route.parameters, rows[0], strict=True))
            return await super().execute(route.one, {**given, **values})
        listed = [dict(zip(route.columns, row, strict=True)) for row in rows]
        return await super().execute(route.plain.values(listed), given)


class RoutedEngine(DirectEngine):
    """An engine for a database that is spread by institution."""

    _connection_cls = RoutedConnection


def is_distributed(db: AsyncConnection) -> bool:
    """Return whether a connection leads to a database that is spread by institution."""
    return isinstance(db, RoutedConnection)


async def hold_rows(db: AsyncConnection, ids: Iterable[UUID]) -> None:
    """Lock rows that every node has a copy of, on the coordinator, until the transaction ends.

    Citus would lock them on the first worker, which may be away. Only those who call this wait for
    each other: whoever changes such a row must.
    """
    await db.execute(_HOLD, {"keys": sorted(map(_key_of, ids))})


def _key_of(row: UUID) -> int:
    """Return the half of an ID that is random; two rows with one key wait for each other."""
    return int.from_bytes(row.bytes[8:], signed=True)


def naming(statement: Any, institution: Any, *, joined: bool = False) -> Any:
    """Compare each table of tenants in a statement with the institution, also in subqueries.

    With `joined`, only those that are joined to others by their institution.
    """

    def add(clause: Any) -> None:
        tables = clause.get_final_froms() if isinstance(clause, Select) else [clause.table]
        conditions = [*_conditions(clause.whereclause), *_join_conditions(tables)]
        named = [item.left for item in conditions if _names_one(item)]
        equal = [side for item in conditions if _is_join(item) for side in (item.left, item.right)]
        clause._where_criteria += tuple(
            table.c[TENANT] == institution
            for table in _tenant_tables(tables)
            if not any(table.c[TENANT] is column for column in named)
            and (not joined or any(table.c[TENANT] is column for column in equal))
        )

    return visitors.cloned_traverse(statement, {}, {"select": add, "update": add, "delete": add})


class _Finding(NamedTuple):
    """How to find institutions: all of them, or only those in `_ONLY`."""

    all: Select[Any]
    of_living: Select[Any]


class _Route(NamedTuple):
    """How to run a statement by institution.

    `arrays` are the parameters that name an institution for each row, `find` finds the institutions
    of the rows that a statement locks, if it names none. `named` is the statement for one
    institution; without it, the statement is run as it is. One that `is_whole` gives other rows
    if it is run for one institution after the other. `limit` is the number of rows to lock.
    """

    arrays: frozenset[str] = frozenset()
    find: _Finding | None = None
    named: Any = None
    is_whole: bool = False
    limit: Any = None

    def rows_of(self, given: Given, institution: UUID) -> dict[str, Any]:
        """Return the parameters with those rows of the arrays that are of the institution."""
        mine = dict(given)
        for array in self.arrays & given.keys():
            rows = array.removesuffix(TENANT)
            places = [n for n, one in enumerate(given[array]) if one == institution]
            for name, values in given.items():
                if name.startswith(rows) and isinstance(values, list):
                    mine[name] = [values[n] for n in places]
        return mine


class _Insertion(NamedTuple):
    """How to insert, as values, what a statement selects from arrays.

    Citus would run the selection on the coordinator, write what it finds to a file for every node,
    and commit on each of them; and a violated constraint would be an internal error.
    """

    plain: Insert
    one: Insert
    columns: list[str]
    parameters: list[str]
    select: Select[Any]

    def given_rows(self, given: Given) -> list[tuple[Any, ...]] | None:
        """Return the rows if no database is needed to tell them."""
        if self.select.whereclause is not None:
            return None
        values: list[Any] = []
        for item in self.select.selected_columns:
            plain = item.clause if isinstance(item, Cast) else getattr(item, "element", item)
            if isinstance(plain, ColumnClause) and isinstance(plain.table, TableValuedAlias):
                values.append(given[f"{plain.table.name}_{plain.name}"])
            elif isinstance(plain, BindParameter):
                values.append(repeat(given.get(plain.key, plain.effective_value)))
            else:
                return None
        return list(zip(*values, strict=False))


_Way = _Route | _Insertion | Executable | None
_ways: WeakKeyDictionary[Executable, _Way] = WeakKeyDictionary()


def _insertion_of(statement: Insert) -> _Insertion | None:
    """Return how to insert what is selected from arrays alone; nothing if it is not."""
    rows = statement.select
    if not isinstance(rows, Select) or rows._group_by_clauses:
        return None
    tables = rows.get_final_froms()
    if not tables or not all(isinstance(table, TableValuedAlias) for table in tables):
        return None
    columns: list[str] = list(statement._select_names or ())
    plain = statement._generate()
    plain.select = plain._select_names = None
    table = statement.table
    row = {name: bindparam(f"row_{name}", type_=table.c[name].type) for name in columns}
    return _Insertion(plain, plain.values(row), columns, [f"row_{x}" for x in columns], rows)


def _way_of(statement: Any) -> "_Way":
    """Return how to run a statement, or what to run in its place; nothing if it runs as it is."""
    if isinstance(statement, Insert) and (insertion := _insertion_of(statement)) is not None:
        return insertion
    for part in visitors.iterate(statement):
        if isinstance(part, TableValuedAlias) and part.name == EACH_INSTITUTION:
            replaced: Executable = _swapped(statement, part, _spread_list(part, statement))
            return replaced
    return _route_of(statement) or _named_alike(statement)


def _named_alike(statement: Any) -> Executable | None:
    """Return a statement that names its institution once with it named for what is joined, too."""
    named = [
        item.right
        for item in _conditions(getattr(statement, "whereclause", None))
        if _names_one(item)
    ]
    if not named or not any(map(_is_join, visitors.iterate(statement))):
        return None
    alike: Executable = naming(statement, named[0], joined=True)
    return alike


def _route_of(statement: Any) -> _Route | None:
    one = bindparam(_ONE, type_=Uuid(as_uuid=True))
    arrays: set[str] = set()

    def name(element: Any, **_: Any) -> Any:
        """Put the one institution in the place of that of the row."""
        rows = element.table if isinstance(element, ColumnClause) else None
        if not isinstance(rows, TableValuedAlias) or element.name != TENANT:
            return None
        arrays.add(f"{rows.name}_{TENANT}")
        return one.label(TENANT)

    named = naming(visitors.replacement_traverse(statement, {}, name), one)
    joined = _joined_to(statement) if isinstance(statement, UpdateBase) else set()
    for table in joined:
        # What a change joins is not part of it for a traversal that replaces.
        swapped = naming(visitors.replacement_traverse(table, {}, name), one)
        named = _swapped(named, table, swapped)
    if arrays:
        return _Route(frozenset(arrays), None, named, _is_whole(statement))
    for part in (statement, *joined):
        for lock in visitors.iterate(part):
            if not isinstance(lock, Select) or lock._for_update_arg is None:
                continue
            if (find := _finding(lock)) is not None:
                return _Route(frozenset(), find, named, limit=lock._limit_clause)
    return None


def _joined_to(change: UpdateBase) -> set[Any]:
    """Return the subqueries whose columns a change compares or stores."""
    found = set()
    rest: list[Any] = list(change.get_children())
    while rest:
        clause = rest.pop()
        if isinstance(clause, ColumnClause) and isinstance(clause.table, (CTE, Subquery)):
            found.add(clause.table)
        elif not isinstance(clause, (SelectBase, Table)):
            rest.extend(clause.get_children())
    return found


def _spread_list(listed: TableValuedAlias, statement: Any) -> Subquery:
    """Return the same institutions from a table that is spread as their rows are.

    Citus does not join a list with the first rows of each, but the rows of one table with those of
    another on the same node.
    """
    function: Any = listed.element
    ids = [item for given in function.clauses for item in given.clauses]
    known = next(part for part in visitors.iterate(statement) if isinstance(part, Table)).metadata
    [table] = (table for table in known.tables.values() if table.info == ONE_OF_EACH)
    column = table.c[TENANT]
    return select(column.label("id")).where(column.in_(ids)).subquery(EACH_INSTITUTION)


def _swapped(change: Any, table: Any, other: Any) -> Any:
    def swap(element: Any, **_: Any) -> Any:
        if element is table:
            return other
        is_of_table = isinstance(element, ColumnClause) and element.table is table
        return other.c[element.key] if is_of_table else None

    return visitors.replacement_traverse(change, {}, swap)


def _finding(lock: Select[Any]) -> _Finding | None:
    """Return what finds the institutions of the rows to lock; nothing if the statement names it."""
    locking: Any = lock._for_update_arg
    tables = list(_tenant_tables(locking.of or lock.get_final_froms()))
    if not tables or any(map(_names_one, _conditions(lock.whereclause))):
        return None
    plain = lock._generate()
    plain._for_update_arg = None
    column = tables[0].c[TENANT]
    found = plain.with_only_columns(column, maintain_column_froms=True).order_by(None).distinct()
    if lock._limit_clause is not None:
        after = bindparam(_AFTER, None, type_=Uuid(as_uuid=True))
        found = found.where(or_(after.is_(None), column > after))
        found = found.order_by(column).limit(_INSTITUTIONS_AT_ONCE)
    living = bindparam(_ONLY, type_=ARRAY(Uuid(as_uuid=True)))
    return _Finding(found, found.where(column == any_(living)))


def _conditions(clause: Any) -> Iterator[Any]:
    if isinstance(clause, BooleanClauseList) and clause.operator is operators.and_:
        for part in clause.clauses:
            yield from _conditions(part)
    elif clause is not None:
        yield clause


def _names_one(condition: Any) -> bool:
    return (
        getattr(condition, "operator", None) is operators.eq
        and isinstance(condition.left, Column)
        and condition.left.name == TENANT
        and isinstance(getattr(condition.right, "element", condition.right), BindParameter)
    )


def _is_join(condition: Any) -> bool:
    """Return whether rows are joined by their institution."""
    return getattr(condition, "operator", None) is operators.eq and all(
        isinstance(side, ColumnClause) and side.name == TENANT
        for side in (condition.left, condition.right)
    )


def _join_conditions(tables: Iterable[FromClause]) -> Iterator[Any]:
    for table in tables:
        if isinstance(table, Join):
            yield from _conditions(table.onclause)
            yield from _join_conditions([table.left, table.right])


def _tenant_tables(clauses: Iterable[FromClause]) -> Iterator[Any]:
    """Return the tables that are spread; the optional side of an outer join is left out."""
    for clause in clauses:
        if isinstance(clause, Join):
            yield from _tenant_tables(
                [clause.left] if clause.isouter else [clause.left, clause.right]
            )
            continue
        table = clause.element if isinstance(clause, Alias) else clause
        if isinstance(table, Table) and table.info.get("tenant", True) and TENANT in table.c:
            yield clause


def _is_whole(statement: Any) -> bool:
    """Return whether the rows of a statement are made of those of several institutions."""
    if not isinstance(statement, Select):
        return isinstance(statement, SelectBase)
    if statement._for_update_arg is not None:
        return False
    if any(getattr(item, "name", None) == TENANT for item in statement._group_by_clauses):
        return False
    return bool(
        statement._group_by_clauses
        or statement._distinct
        or statement._limit_clause is not None
        or any(map(_adds_up, statement._raw_columns))
    )


def _adds_up(clause: ClauseElement) -> bool:
    if isinstance(clause, FunctionElement) and getattr(clause, "name", None) in _AGGREGATES:
        return True
    if isinstance(clause, (SelectBase, Table)) or _is_of_one(clause):
        return False
    return any(map(_adds_up, clause.get_children()))


def _is_of_one(clause: ClauseElement) -> bool:
    """Return whether a clause is a window of the rows of one institution."""
    parts = clause.partition_by if isinstance(clause, Over) else None
    return parts is not None and any(
        getattr(part, "name", None) == TENANT for part in parts.get_children()
    )


def _value_of(limit: Any, given: Given) -> int | None:
    if not isinstance(limit, BindParameter):
        return None
    value: int = given.get(limit.key, limit.effective_value)
    return value


class _Fetched(NamedTuple):
    metadata: Any
    rows: list[Any]
    number: int


def _fetched(answer: Any) -> _Fetched:
    if not answer._metadata.returns_rows:
        return _Fetched(answer._metadata, [], answer.rowcount)
    rows = list(answer._raw_row_iterator())
    return _Fetched(answer._metadata, rows, len(rows))


def _joined(answers: Sequence[_Fetched]) -> Answer:
    rows = [row for answer in answers for row in answer.rows]
    return Answer(answers[0].metadata, rows, sum(answer.number for answer in answers))
