"""What waits to be done: how much, and since when; bounded, however much there is."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Float, Select, Table, bindparam, func, select, text
from sqlalchemy.sql.selectable import TableSample

from licet_server.kit.database import Connection

COUNTED = 10_000
"""The limit up to which waiting items are counted."""

_SAMPLED_PAGES = 500
_PAGES = text(
    "SELECT coalesce((SELECT sum(pg_relation_size(relid)) FROM pg_partition_tree(t)),"
    " pg_relation_size(t)) / current_setting('block_size')::int"
    " FROM CAST(:name AS regclass) AS t"
)


@dataclass(frozen=True, slots=True)
class Backlog:
    """What waits; `due_since` is since when the oldest item waits, if that is known."""

    items: int
    due_since: datetime | None


MeasureBacklog = Callable[[Connection, datetime], Awaitable[Backlog]]
"""Measures a backlog on a keyed connection."""


async def count_waiting(db: Connection, waiting: Select[tuple[Any]]) -> Backlog:
    """Count rows by the statement of their instants, up to `COUNTED`; an index must order them."""
    first = waiting.limit(COUNTED).subquery()
    [instant] = first.c
    row = (await db.execute(select(func.count(), func.min(instant)).select_from(first))).one()
    return Backlog(row[0], row[1])


def sample_of(table: Table) -> TableSample:
    """Return a sample of a table, of the size in the parameter `percent`."""
    return table.tablesample(func.system(bindparam("percent", type_=Float)))


async def sampled_percent(db: Connection, table: Table) -> float:
    """Return how much of a table to sample: all of it up to 4 MB, and 4 MB of a larger one."""
    pages = float((await db.execute(_PAGES, {"name": table.name})).scalar_one())
    return min(100.0, 100 * _SAMPLED_PAGES / max(pages, 1.0))
