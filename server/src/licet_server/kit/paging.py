"""Lists: numbered pages for people, the keyset walk for programs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType
from sqlalchemy import ColumnElement, Row, Select, func, literal, select

from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_field

Item = TypeVar("Item")
Other = TypeVar("Other")

DEEPEST_ROW = 10_000


class Listing(Struct, Generic[Item], rename="camel"):
    """A page with `page`, `pageSize` and `totalCount`, or a step of the walk with `nextAfter`.

    `totalCountCapped` is there, and true, where more rows match than are counted.
    """

    items: list[Item]
    page: int | UnsetType = UNSET
    page_size: int | UnsetType = UNSET
    total_count: int | UnsetType = UNSET
    total_count_capped: bool | UnsetType = UNSET
    next_after: UUID | UnsetType | None = UNSET

    def of(self, convert: Callable[[Item], Other]) -> "Listing[Other]":
        """The same listing with each item converted."""
        return Listing(
            [convert(item) for item in self.items],
            self.page,
            self.page_size,
            self.total_count,
            self.total_count_capped,
            self.next_after,
        )


@dataclass(frozen=True, slots=True)
class Paging:
    """What the caller asked for. `after` set means the keyset walk, in creation order."""

    page: int = 1
    page_size: int = 25
    sort: str | None = None
    after: UUID | None = None


async def fetch_listing(
    db: Connection,
    statement: Select[Any],
    paging: Paging,
    *,
    id_column: ColumnElement[UUID],
    sortable: Mapping[str, ColumnElement[Any]],
    total: int | None = None,
) -> Listing[Row[Any]]:
    """Run `statement`, which has no order yet, for the page or step asked for.

    Without `sort` the newest come first. Every order ends in the id, so that pages never overlap.
    `total` is the number of rows where the caller knows it; otherwise they are counted, up to the
    last row that pages reach.

    Raises:
        Refused: for an unknown sort field, or a page beyond row 10,000.
    """
    if paging.after is not None:
        return await _fetch_step(db, statement, paging.after, paging.page_size, id_column)
    if paging.page * paging.page_size > DEEPEST_ROW:
        raise bad_field(
            "page", f"reaches beyond row {DEEPEST_ROW}. Walk the list with ?after=<id> instead."
        )
    ordered = statement.order_by(*_order(paging.sort, sortable, id_column))
    start = (paging.page - 1) * paging.page_size
    rows = (await db.execute(ordered.limit(paging.page_size).offset(start))).all()
    if total is None:
        total = await _count(db, statement, rows, start, paging.page_size)
        if total > DEEPEST_ROW:
            return Listing(list(rows), paging.page, paging.page_size, DEEPEST_ROW, True)
    return Listing(list(rows), paging.page, paging.page_size, total)


async def _fetch_step(
    db: Connection,
    statement: Select[Any],
    after: UUID,
    page_size: int,
    id_column: ColumnElement[UUID],
) -> Listing[Row[Any]]:
    step = statement.where(id_column > after).order_by(id_column).limit(page_size + 1)
    rows = (await db.execute(step)).all()
    is_last = len(rows) <= page_size
    shown = list(rows[:page_size])
    return Listing(shown, next_after=None if is_last else shown[-1].id)


def _order(
    sort: str | None, sortable: Mapping[str, ColumnElement[Any]], id_column: ColumnElement[UUID]
) -> list[ColumnElement[Any]]:
    if sort is None:
        return [id_column.desc()]
    name = sort.removeprefix("-")
    column = sortable.get(name)
    if column is None:
        raise bad_field("sort", f"takes {', '.join(sorted(sortable))}, with - for descending.")
    if sort.startswith("-"):
        return [column.desc(), id_column.desc()]
    return [column.asc(), id_column.asc()]


async def _count(
    db: Connection, statement: Select[Any], rows: Sequence[Any], start: int, page_size: int
) -> int:
    """Count only where the page itself does not tell, and one row more than pages reach."""
    if (rows or start == 0) and len(rows) < page_size:
        return start + len(rows)
    matching = statement.with_only_columns(literal(1), maintain_column_froms=True)
    counted = select(func.count()).select_from(matching.limit(DEEPEST_ROW + 1).subquery())
    return int((await db.execute(counted)).scalar_one())


def contains(column: ColumnElement[str], text: str) -> ColumnElement[bool]:
    """Whether the column contains the text, without regard to case and with no wildcards."""
    return func.lower(column).contains(text.lower(), autoescape=True)
