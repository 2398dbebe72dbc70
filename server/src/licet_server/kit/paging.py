"""Lists: numbered pages for people, keyset pagination for programs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType
from sqlalchemy import CTE, ColumnElement, Integer, Row, Select, bindparam, func, literal, select
from sqlalchemy.sql.util import ClauseAdapter

from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_field
from licet_server.kit.statements import EachInstitution

Item = TypeVar("Item")
Other = TypeVar("Other")

DEEPEST_ROW = 10_000


class Listing(Struct, Generic[Item], rename="camel"):
    """A numbered page with `page`, `pageSize` and `totalCount`, or a keyset page with `nextAfter`.

    `totalCountCapped` is present, and true, when more rows match than are counted.
    """

    items: list[Item]
    page: int | UnsetType = UNSET
    page_size: int | UnsetType = UNSET
    total_count: int | UnsetType = UNSET
    total_count_capped: bool | UnsetType = UNSET
    next_after: UUID | UnsetType | None = UNSET

    def with_items(self, items: "list[Other]") -> "Listing[Other]":
        """Return this page with other items."""
        return Listing(
            items,
            self.page,
            self.page_size,
            self.total_count,
            self.total_count_capped,
            self.next_after,
        )

    def of(self, convert: Callable[[Item], Other]) -> "Listing[Other]":
        """Return this page with each item converted."""
        return self.with_items([convert(item) for item in self.items])


@dataclass(frozen=True, slots=True)
class Paging:
    """The requested page. If `after` is set, keyset pagination in creation order is used."""

    page: int = 1
    page_size: int = 25
    sort: str | None = None
    after: UUID | None = None

    @property
    def last_row(self) -> int:
        """The number of the last row of a numbered page."""
        return self.page * self.page_size


async def fetch_listing(
    db: Connection,
    statement: Select[Any],
    paging: Paging,
    *,
    id_column: ColumnElement[UUID],
    sortable: Mapping[str, ColumnElement[Any]],
    total: int | None = None,
) -> Listing[Row[Any]]:
    """Run the unordered `statement` for the requested page.

    Without `sort`, the newest rows come first. Every order ends with the ID, so pages never
    overlap. `total` is the number of rows if the caller knows it; otherwise they are counted, up to
    the last row that numbered pages reach.

    Raises:
        Refused: for an unknown sort field, or a page beyond row 10,000.
    """
    if paging.after is not None:
        return await _fetch_keyset_page(db, statement, paging.after, paging.page_size, id_column)
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
    scan: Select[Any] | None,
    each: EachInstitution | None = None,
) -> Listing[Row[Any]]:
    """Run a statement whose filters defeat the planner's row estimates.

    The matches are counted first. Up to 10,000 rows are then all fetched and sorted, whatever the
    planner estimated. If more match, `scan` is run instead, if given: the same query as a scan from
    the newest row on, or in creation order from `after` on. Other orders take the statement. With
    `each`, both are run for each institution, and `scan` is already within it.

    Raises:
        Refused: for an unknown sort field, or a page beyond row 10,000.
    """
    if paging.after is not None:
        left = statement.where(id_column > paging.after)
        if scan is not None and await _count_found(db, left) > DEEPEST_ROW:
            statement, id_column = scan, scan.selected_columns["id"]
        elif each is not None:
            statement = each.within(statement)
        return await _fetch_keyset_page(
            db, statement, paging.after, paging.page_size, id_column, each
        )
    order = _order(paging.sort, sortable, id_column)
    _require_reachable(paging)
    total = await _count_found(db, statement)
    if total <= DEEPEST_ROW:
        found = _materialized(statement)
        place = ClauseAdapter(found)
        ordered = select(found).order_by(*(place.traverse(item) for item in order))
    elif scan is not None and paging.sort in {None, "-createdAt"}:
        ordered = scan if each is None else each.merge(scan, order, paging.last_row)
    else:
        ordered = _ordered(statement, order, each, paging.last_row)
    return _counted(await _fetch_page(db, ordered, paging), paging, total)


def numbered(
    statement: Select[Any],
    sort: str | None,
    *,
    id_column: ColumnElement[UUID],
    sortable: Mapping[str, ColumnElement[Any]],
    each: EachInstitution | None = None,
) -> Select[Any]:
    """Order a statement for `fetch_numbered`; it can be kept, and run for every page.

    Raises:
        Refused: for an unknown sort field.
    """
    page_size, page_start = (bindparam(name, type_=Integer) for name in ("page_size", "page_start"))
    order = _order(sort, sortable, id_column)
    ordered = _ordered(statement, order, each, page_start + page_size)
    return ordered.limit(page_size).offset(page_start)


async def fetch_numbered(
    db: Connection, statement: Select[Any], paging: Paging, total: int
) -> Listing[Row[Any]]:
    """Run a statement of `numbered` for the requested page; `total` is the number of rows.

    Raises:
        Refused: for a page beyond row 10,000.
    """
    _require_reachable(paging)
    start = (paging.page - 1) * paging.page_size
    rows = await db.execute(statement, {"page_size": paging.page_size, "page_start": start})
    return Listing(list(rows.all()), paging.page, paging.page_size, total)


def _ordered(
    statement: Select[Any],
    order: Sequence[ColumnElement[Any]],
    each: EachInstitution | None,
    last_row: Any,
) -> Select[Any]:
    """Order a statement; of several institutions, only as far as the last row."""
    if each is None:
        return statement.order_by(*order)
    return each.merge(each.within(statement).order_by(*order), order, last_row)


async def _fetch_page(db: Connection, ordered: Select[Any], paging: Paging) -> list[Row[Any]]:
    _require_reachable(paging)
    start = (paging.page - 1) * paging.page_size
    return list((await db.execute(ordered.limit(paging.page_size).offset(start))).all())


def _require_reachable(paging: Paging) -> None:
    if paging.last_row > DEEPEST_ROW:
        raise bad_field(
            "page",
            f"reaches beyond row {DEEPEST_ROW:,}. Use ?after=<id> instead, which has no limit.",
        )


def _counted(rows: list[Row[Any]], paging: Paging, total: int) -> Listing[Row[Any]]:
    if total > DEEPEST_ROW:
        return Listing(rows, paging.page, paging.page_size, DEEPEST_ROW, True)
    return Listing(rows, paging.page, paging.page_size, total)


async def _fetch_keyset_page(
    db: Connection,
    statement: Select[Any],
    after: UUID,
    page_size: int,
    id_column: ColumnElement[UUID],
    each: EachInstitution | None = None,
) -> Listing[Row[Any]]:
    page = statement.where(id_column > after).order_by(None).order_by(id_column)
    if each is not None:
        page = each.merge(page, [id_column], page_size + 1)
    rows = (await db.execute(page.limit(page_size + 1))).all()
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
        raise bad_field(
            "sort",
            f"must be one of {', '.join(sorted(sortable))}; prefix it with - for descending order.",
        )
    if sort.startswith("-"):
        return [column.desc(), id_column.desc()]
    return [column.asc(), id_column.asc()]


async def _count(
    db: Connection, statement: Select[Any], rows: Sequence[Any], paging: Paging
) -> int:
    """Count only if the page does not imply the total, up to one row beyond the last page."""
    start = (paging.page - 1) * paging.page_size
    if (rows or start == 0) and len(rows) < paging.page_size:
        return start + len(rows)
    matching = statement.with_only_columns(literal(1), maintain_column_froms=True)
    counted = select(func.count()).select_from(matching.limit(DEEPEST_ROW + 1).subquery())
    return int((await db.execute(counted)).scalar_one())


async def _count_found(db: Connection, statement: Select[Any]) -> int:
    """Count with the plan for fetching all rows, but stop one row beyond the last page.

    A plan that knew the limit would assume that many matches come early, and for a rare word would
    scan the whole table.
    """
    matching = statement.with_only_columns(literal(1), maintain_column_froms=True)
    first = select(literal(1)).select_from(_materialized(matching)).limit(DEEPEST_ROW + 1)
    counted = select(func.count()).select_from(first.subquery())
    return int((await db.execute(counted)).scalar_one())


def _materialized(statement: Select[Any]) -> CTE:
    """Return the statement as a CTE that is planned independently of its use."""
    return statement.cte("found").prefix_with("MATERIALIZED")


def contains(column: ColumnElement[str], text: str) -> ColumnElement[bool]:
    """Return the condition that the column contains the text, ignoring case, without wildcards."""
    return func.lower(column).contains(text.lower(), autoescape=True)
