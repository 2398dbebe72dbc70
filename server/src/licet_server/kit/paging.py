"""Lists: numbered pages for people, the keyset walk for programs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType
from sqlalchemy import CTE, ColumnElement, Row, Select, func, literal, select
from sqlalchemy.sql.util import ClauseAdapter

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

    def holding(self, items: "list[Other]") -> "Listing[Other]":
        """The same page or step with these items in place of its own."""
        return Listing(
            items,
            self.page,
            self.page_size,
            self.total_count,
            self.total_count_capped,
            self.next_after,
        )

    def of(self, convert: Callable[[Item], Other]) -> "Listing[Other]":
        """The same listing with each item converted."""
        return self.holding([convert(item) for item in self.items])


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
    ordered = statement.order_by(*_order(paging.sort, sortable, id_column))
    rows = await _fetch_page(db, ordered, paging)
    if total is not None:
        return Listing(rows, paging.page, paging.page_size, total)
    return _counted(rows, paging, await _count(db, statement, rows, paging))


async def fetch_filtered_listing(
    db: Connection,
    statement: Select[Any],
    paging: Paging,
    *,
    id_column: ColumnElement[UUID],
    sortable: Mapping[str, ColumnElement[Any]],
    newest_first: Select[Any] | None,
) -> Listing[Row[Any]]:
    """The same for filters whose matches the database cannot foresee.

    What matches is counted first. What pages reach is then all fetched and sorted, however much
    the database expected; where more match, `newest_first` asks the same as a walk from the newest
    on, if there is one and that is the order asked for.

    Raises:
        Refused: for an unknown sort field, or a page beyond row 10,000.
    """
    if paging.after is not None:
        return await _fetch_step(db, statement, paging.after, paging.page_size, id_column)
    order = _order(paging.sort, sortable, id_column)
    _require_reachable(paging)
    total = await _count_found(db, statement)
    if total <= DEEPEST_ROW:
        found = _set_apart(statement)
        place = ClauseAdapter(found)
        ordered = select(found).order_by(*(place.traverse(item) for item in order))
    elif newest_first is not None and paging.sort in {None, "-createdAt"}:
        ordered = newest_first
    else:
        ordered = statement.order_by(*order)
    return _counted(await _fetch_page(db, ordered, paging), paging, total)


async def _fetch_page(db: Connection, ordered: Select[Any], paging: Paging) -> list[Row[Any]]:
    _require_reachable(paging)
    start = (paging.page - 1) * paging.page_size
    return list((await db.execute(ordered.limit(paging.page_size).offset(start))).all())


def _require_reachable(paging: Paging) -> None:
    if paging.page * paging.page_size > DEEPEST_ROW:
        raise bad_field(
            "page", f"reaches beyond row {DEEPEST_ROW}. Walk the list with ?after=<id> instead."
        )


def _counted(rows: list[Row[Any]], paging: Paging, total: int) -> Listing[Row[Any]]:
    if total > DEEPEST_ROW:
        return Listing(rows, paging.page, paging.page_size, DEEPEST_ROW, True)
    return Listing(rows, paging.page, paging.page_size, total)


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
    db: Connection, statement: Select[Any], rows: Sequence[Any], paging: Paging
) -> int:
    """Count only where the page itself does not tell, and one row more than pages reach."""
    start = (paging.page - 1) * paging.page_size
    if (rows or start == 0) and len(rows) < paging.page_size:
        return start + len(rows)
    matching = statement.with_only_columns(literal(1), maintain_column_froms=True)
    counted = select(func.count()).select_from(matching.limit(DEEPEST_ROW + 1).subquery())
    return int((await db.execute(counted)).scalar_one())


async def _count_found(db: Connection, statement: Select[Any]) -> int:
    """Count by the plan for fetching all, which stops all the same one row beyond the pages.

    A plan that knew of the limit would hope to meet that many early, and for a rare word it would
    read the whole table in that hope.
    """
    matching = statement.with_only_columns(literal(1), maintain_column_froms=True)
    first = select(literal(1)).select_from(_set_apart(matching)).limit(DEEPEST_ROW + 1)
    counted = select(func.count()).select_from(first.subquery())
    return int((await db.execute(counted)).scalar_one())


def _set_apart(statement: Select[Any]) -> CTE:
    """The statement planned for itself, whatever is done with its rows."""
    return statement.cte("found").prefix_with("MATERIALIZED")


def contains(column: ColumnElement[str], text: str) -> ColumnElement[bool]:
    """Whether the column contains the text, without regard to case and with no wildcards."""
    return func.lower(column).contains(text.lower(), autoescape=True)
