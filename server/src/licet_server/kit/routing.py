"""For databases that are spread by institution: a statement names its institution as one value.

Statements for many rows take the institution of each row in an array. A distributed database does
not see that all of them are the same, and asks every node; given one value, it asks the right one.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import ColumnClause, Executable, TableValuedAlias, bindparam, event
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.sql import visitors

TENANT = "institution_id"
"""The column that every table of tenants has, and that a distributed database is spread by."""

_ONE = f"one_{TENANT}"


class _Routed(NamedTuple):
    """A statement for one institution, and the parameters that named one for each row."""

    statement: Any
    arrays: frozenset[str]


_routed: WeakKeyDictionary[Executable, _Routed] = WeakKeyDictionary()


def route_by_institution(engine: AsyncEngine) -> None:
    """Make the statements of an engine name their institution, if all of their rows are of one."""
    event.listen(engine.sync_engine, "before_execute", _route, retval=True)


def _route(
    _connection: Any, statement: Any, several: Any, given: Mapping[str, Any], _options: Any
) -> tuple[Any, Any, Any]:
    routed = _routed.get(statement)
    if routed is None:
        routed = _routed[statement] = _for_one_institution(statement)
    named = {institution for array in routed.arrays for institution in given.get(array, ())}
    if len(named) != 1:
        return statement, several, given
    return routed.statement, several, {**given, _ONE: named.pop()}


def _for_one_institution(statement: Any) -> _Routed:
    arrays = set()

    def name(element: Any, **_: Any) -> Any:
        """Put the one institution in the place of that of the row."""
        rows = element.table if isinstance(element, ColumnClause) else None
        if not isinstance(rows, TableValuedAlias) or element.name != TENANT:
            return None
        arrays.add(f"{rows.name}_{TENANT}")
        return bindparam(_ONE, type_=element.type).label(TENANT)

    return _Routed(visitors.replacement_traverse(statement, {}, name), frozenset(arrays))
