"""Runs several statements in one round trip: rows of different queries, or changes.

Each is written, kept and explained as a statement of its own; here they become parts of one. A
database that is spread by institution takes no such statement, and gets them one after the other.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    CompoundSelect,
    Select,
    cast,
    literal_column,
    null,
    select,
    true,
    union_all,
)
from sqlalchemy.sql.dml import UpdateBase

from licet_server.kit.database import Connection
from licet_server.kit.direct import Given
from licet_server.kit.routing import is_distributed

Query = tuple[Select[Any], Given]
"""A query and its parameters."""

Change = tuple[UpdateBase, Given]
"""A change and its parameters."""

Found = Sequence[Any]


async def fetch_together(db: Connection, *queries: Query) -> list[Found]:
    """Fetch the rows of each query, which run in this order and see the same snapshot.

    What a query locks after a wait is returned as it is then; other rows are of the time before.
    """
    if is_distributed(db):
        return [(await db.execute(*query)).all() for query in queries]
    joined, widths = _joined_queries(tuple(statement for statement, _ in queries))
    found: list[list[Sequence[Any]]] = [[] for _ in queries]
    for part, *values in await db.execute(joined, _parameters(queries)):
        first, last = widths[part]
        found[part].append(values[first:last])
    return list(found)


async def change_together(db: Connection, *changes: Change) -> Found:
    """Make changes of different rows, none of which sees what another does.

    Returns the rows that the last one returns.

    Raises:
        IntegrityError: when one of them violates a constraint; none is made then, except in a
            database that is spread by institution.
    """
    if len(changes) > 1 and not is_distributed(db):
        statements = tuple(statement for statement, _ in changes)
        changes = ((_joined_changes(statements), _parameters(changes)),)
    rows: Found = ()
    for statement, given in changes:
        result = await db.execute(statement, given)
        rows = result.all() if statement.exported_columns else ()
    return rows


def _parameters(parts: Sequence[tuple[Any, Given]]) -> dict[str, Any]:
    given = {name: value for _, values in parts for name, value in values.items()}
    if len(given) != sum(len(values) for _, values in parts):
        raise ValueError("Two statements that run together have a parameter of the same name.")
    return given


@cache
def _joined_queries(
    queries: tuple[Select[Any], ...],
) -> tuple[CompoundSelect[Any], list[tuple[int, int]]]:
    """Return one query, and which of its columns after the number of the part are of each part."""
    parts = [query.subquery(f"part_{number}") for number, query in enumerate(queries)]
    widths: list[tuple[int, int]] = []
    for part in parts:
        first = widths[-1][1] if widths else 0
        widths.append((first, first + len(part.c)))
    rows = [
        select(
            literal_column(str(number)).label("part"),
            *(
                (column if part is own else cast(null(), column.type)).label(f"of_{n}_{place}")
                for n, part in enumerate(parts)
                for place, column in enumerate(part.c)
            ),
        ).select_from(own)
        for number, own in enumerate(parts)
    ]
    return union_all(*rows), widths


@cache
def _joined_changes(changes: tuple[UpdateBase, ...]) -> UpdateBase:
    *others, last = changes
    for number, change in enumerate(others):
        last = last.add_cte(change.returning(true()).cte(f"change_{number}"))
    return last
