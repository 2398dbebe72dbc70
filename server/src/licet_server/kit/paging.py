"""Lists: numbered pages for people, keyset pagination for programs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType
from sqlalchemy import CTE, ColumnElement, Integer, Row, Select, bindparam, func, literal, select
from sqlalchemy.sql.util import ClauseAdapter

from licet_server.kit.database import Connection, Id
from licet_server.kit.errors import bad_field
from licet_server.kit.repeated import Repeated
from licet_server.kit.routing import is_distributed
from licet_server.kit.statements import EachInstitution

Item = TypeVar("Item")
Other = TypeVar("Other")

DEEPEST_ROW = 10_000

Scan = Callable[[ColumnElement[UUID] | None], Select[Any]]
"""Returns a scan in creation order after an ID, or without one from the newest row on."""

ItemsOf = Callable[[Sequence[Sequence[Any]]], list[Item]]
"""Makes items of the columns of their rows, in that order; of no columns, no items."""

_PAGE_SIZE = bindparam("page_size", type_=Integer)
_PAGE_START = bindparam("page_start", type_=Integer)
_LAST_ROW = _PAGE_START + _PAGE_SIZE
_AFTER = bindparam("after", type_=Id)


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


class Pages:
    """The pages of a list. Its statements are built when they are needed first, and kept.

    `statement` is unordered. Without `sort`, the newest rows come first. Every order ends with the
    ID, so pages never overlap. With `each`, the statement is run for each institution. `total`
    selects the number of rows where that is stored; otherwise they are counted, up to the last row
    that numbered pages reach.
    """

    def __init__(
        self,
        statement: Select[Any],
        *,
        id_column: ColumnElement[UUID],
        sortable: Mapping[str, ColumnElement[Any]],
        each: EachInstitution | None = None,
        total: Select[Any] | None = None,
    ) -> None:
        self._statement = statement
        self._id_column = id_column
        self._sortable = sortable
        self._each = each
        self._total = total
        self._kept: dict[object, Select[Any]] = {}
        self._repeated: dict[str | None, Repeated] = {}

    async def fetch_each(
        self,
        db: Connection,
        sort: str | None,
        asked: Sequence[tuple[Paging, Mapping[str, Any]]],
        items_of: ItemsOf[Item],
    ) -> list[Listing[Item]]:
        """Fetch numbered pages in this order, each with its own values, as `fetch` does.

        Where the total is stored, one statement fetches them all; a distributed database takes no
        such statement. `items_of` makes the items.

        Raises:
            Refused: for an unknown sort field, or if one of the pages is beyond row 10,000.
        """
        total = self._total
        if len(asked) == 1 or total is None or is_distributed(db):
            rows = [await self.fetch(db, paging, given) for paging, given in asked]
            return [page.with_items(items_of([*zip(*page.items, strict=True)])) for page in rows]
        values = [_values_of(paging, given) for paging, given in asked]
        repeated = self._repeated.get(sort)
        if repeated is None:
            repeated = self._repeated[sort] = Repeated(self._page(sort, total), tuple(values[0]))
        columns = await repeated.fetch(db, values)
        *_, totals, places = columns or ((), ())
        found: list[list[Item]] = [[] for _ in asked]
        for place, item in zip(places, items_of(columns), strict=True):
            found[place].append(item)
        counts = dict(zip(places, totals, strict=True))
        listings = []
        for place, (paging, given) in enumerate(asked):
            count = counts[place] if place in counts else await _scalar(db, total, given)
            listings.append(Listing(found[place], paging.page, paging.page_size, int(count)))
        return listings

    async def fetch(
        self,
        db: Connection,
        paging: Paging,
        given: Mapping[str, Any] | None = None,
        *,
        total: int | None = None,
    ) -> Listing[Row[Any]]:
        """Fetch the requested page, with the values of the parameters of the statement.

        `total` is the number of rows if the caller knows it.

        Raises:
            Refused: for an unknown sort field, or a page beyond row 10,000.
        """
        given = given or {}
        if paging.after is not None:
            return await self._fetch_after(db, paging, given)
        rows = await self._fetch_numbered(db, paging, given)
        if self._total is not None:
            is_beside = rows and self._has_total_beside(db)
            total = int(rows[0].total_rows) if is_beside else await _scalar(db, self._total, given)
        if total is not None:
            return Listing(rows, paging.page, paging.page_size, total)
        return _counted(rows, paging, await self._count(db, rows, paging, given))

    async def _fetch_numbered(
        self, db: Connection, paging: Paging, given: Mapping[str, Any]
    ) -> list[Row[Any]]:
        total = self._total if self._has_total_beside(db) else None
        key = ("page", paging.sort, total is None)
        page = self._keep(key, lambda: self._page(paging.sort, total))
        return await _fetch_page(db, page, paging, given)

    def _has_total_beside(self, db: Connection) -> bool:
        """Return whether the total comes with the rows, which several nodes cannot send at once."""
        return self._total is not None and (self._each is None or not is_distributed(db))

    def _page(self, sort: str | None, total: Select[Any] | None) -> Select[Any]:
        page = _numbered(self._ordered(sort))
        if total is None:
            return page
        return page.add_columns(total.scalar_subquery().label("total_rows"))

    async def _fetch_after(
        self, db: Connection, paging: Paging, given: Mapping[str, Any]
    ) -> Listing[Row[Any]]:
        page = self._keep("after", lambda: _keyset(self._after(), self._id_column, self._each))
        return await _fetch_keyset_page(db, page, paging, given)

    def _ordered(self, sort: str | None) -> Select[Any]:
        """Order the statement; for several institutions, only as far as the last row."""
        order = self._order(sort)
        if self._each is None:
            return self._statement.order_by(*order)
        within = self._each.within(self._statement)
        return self._each.merge(within.order_by(*order), order, _LAST_ROW)

    def _after(self) -> Select[Any]:
        left = self._statement.where(self._id_column > _AFTER)
        return left if self._each is None else self._each.within(left)

    def _order(self, sort: str | None) -> list[ColumnElement[Any]]:
        return _order(sort, self._sortable, self._id_column)

    async def _count(
        self, db: Connection, rows: Sequence[Any], paging: Paging, given: Mapping[str, Any]
    ) -> int:
        """Count only if the page does not imply the total, up to one row beyond the last page."""
        start = (paging.page - 1) * paging.page_size
        if (rows or start == 0) and len(rows) < paging.page_size:
            return start + len(rows)
        return await _scalar(db, self._keep("count", self._counting), given)

    def _counting(self) -> Select[Any]:
        matching = _without_columns(self._statement).limit(DEEPEST_ROW + 1)
        return select(func.count()).select_from(matching.subquery())

    def _keep(self, key: object, build: Callable[[], Select[Any]]) -> Select[Any]:
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = build()
        return found


class FilteredPages(Pages):
    """The pages of a list whose filters defeat the planner's row estimates.

    The matches are counted first. Up to 10,000 rows are then all fetched and sorted, whatever the
    planner estimated. If more match, `scan` is run instead, if given: the same query as a scan from
    the newest row on, or if asked to, in creation order from the parameter `after` on. Other orders
    take the statement. With `each`, a scan is already within it.
    """

    def __init__(
        self,
        statement: Select[Any],
        *,
        id_column: ColumnElement[UUID],
        sortable: Mapping[str, ColumnElement[Any]],
        scan: Scan | None,
        each: EachInstitution | None = None,
    ) -> None:
        super().__init__(statement, id_column=id_column, sortable=sortable, each=each)
        self._scan = scan

    async def fetch(
        self,
        db: Connection,
        paging: Paging,
        given: Mapping[str, Any] | None = None,
        *,
        total: int | None = None,
    ) -> Listing[Row[Any]]:
        """Fetch the requested page; see `Pages.fetch`."""
        given = given or {}
        if paging.after is not None:
            return await self._fetch_after(db, paging, given)
        order = self._order(paging.sort)
        require_reachable(paging)
        if total is None:
            total = await _scalar(db, self._keep("count", self._counting), given)
        scan = self._scan
        if total <= DEEPEST_ROW:
            page = self._keep(("found", paging.sort), lambda: self._sorted(order))
        elif scan is not None and paging.sort in {None, "-createdAt"}:
            page = self._keep("scan", lambda: self._scanned(scan, order))
        else:
            page = self._keep(("page", paging.sort), lambda: _numbered(self._ordered(paging.sort)))
        return _counted(await _fetch_page(db, page, paging, given), paging, total)

    async def _fetch_after(
        self, db: Connection, paging: Paging, given: Mapping[str, Any]
    ) -> Listing[Row[Any]]:
        scan = self._scan
        if scan is not None and await self._has_many_after(db, paging, given):
            page = self._keep("scan after", lambda: self._scanned_after(scan))
            return await _fetch_keyset_page(db, page, paging, given)
        return await super()._fetch_after(db, paging, given)

    async def _has_many_after(
        self, db: Connection, paging: Paging, given: Mapping[str, Any]
    ) -> bool:
        left = self._keep(
            "count after", lambda: _counting_found(self._statement.where(self._id_column > _AFTER))
        )
        return await _scalar(db, left, {**given, "after": paging.after}) > DEEPEST_ROW

    def _counting(self) -> Select[Any]:
        return _counting_found(self._statement)

    def _sorted(self, order: Sequence[ColumnElement[Any]]) -> Select[Any]:
        found = _materialized(self._statement)
        place = ClauseAdapter(found)
        return _numbered(select(found).order_by(*(place.traverse(item) for item in order)))

    def _scanned(self, scan: Scan, order: Sequence[ColumnElement[Any]]) -> Select[Any]:
        scanned = scan(None)
        return _numbered(
            scanned if self._each is None else self._each.merge(scanned, order, _LAST_ROW)
        )

    def _scanned_after(self, scan: Scan) -> Select[Any]:
        scanned = scan(_AFTER)
        return _keyset(scanned, scanned.selected_columns["id"], self._each)


async def fetch_listing(
    db: Connection,
    statement: Select[Any],
    paging: Paging,
    *,
    id_column: ColumnElement[UUID],
    sortable: Mapping[str, ColumnElement[Any]],
    total: int | None = None,
) -> Listing[Row[Any]]:
    """Fetch a page of a statement that is not kept; see `Pages`."""
    pages = Pages(statement, id_column=id_column, sortable=sortable)
    return await pages.fetch(db, paging, total=total)


def _numbered(ordered: Select[Any]) -> Select[Any]:
    return ordered.limit(_PAGE_SIZE).offset(_PAGE_START)


def _keyset(
    statement: Select[Any], id_column: ColumnElement[UUID], each: EachInstitution | None
) -> Select[Any]:
    page = statement.order_by(None).order_by(id_column)
    if each is not None:
        page = each.merge(page, [id_column], _PAGE_SIZE + 1)
    return page.limit(_PAGE_SIZE + 1)


async def _fetch_page(
    db: Connection, page: Select[Any], paging: Paging, given: Mapping[str, Any]
) -> list[Row[Any]]:
    return list((await db.execute(page, _values_of(paging, given))).all())


def _values_of(paging: Paging, given: Mapping[str, Any]) -> dict[str, Any]:
    require_reachable(paging)
    start = (paging.page - 1) * paging.page_size
    return {**given, "page_size": paging.page_size, "page_start": start}


async def _fetch_keyset_page(
    db: Connection, page: Select[Any], paging: Paging, given: Mapping[str, Any]
) -> Listing[Row[Any]]:
    values = {**given, "page_size": paging.page_size, "after": paging.after}
    rows = (await db.execute(page, values)).all()
    is_last = len(rows) <= paging.page_size
    shown = list(rows[: paging.page_size])
    return Listing(shown, next_after=None if is_last else shown[-1].id)


def require_reachable(paging: Paging) -> None:
    """Check that a numbered page is one.

    Raises:
        Refused: for a page beyond row 10,000.
    """
    if paging.last_row > DEEPEST_ROW:
        raise bad_field(
            "page",
            f"reaches beyond row {DEEPEST_ROW:,}. Use ?after=<id> instead, which has no limit.",
        )


def _counted(rows: list[Row[Any]], paging: Paging, total: int) -> Listing[Row[Any]]:
    if total > DEEPEST_ROW:
        return Listing(rows, paging.page, paging.page_size, DEEPEST_ROW, True)
    return Listing(rows, paging.page, paging.page_size, total)


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


async def _scalar(db: Connection, statement: Select[Any], given: Mapping[str, Any]) -> int:
    return int((await db.execute(statement, given)).scalar_one())


def _counting_found(statement: Select[Any]) -> Select[Any]:
    """Count with the plan for fetching all rows, but stop one row beyond the last page.

    A plan that knew the limit would assume that many matches come early, and for a rare word would
    scan the whole table.
    """
    found = _materialized(_without_columns(statement))
    first = select(literal(1)).select_from(found).limit(DEEPEST_ROW + 1)
    return select(func.count()).select_from(first.subquery())


def _without_columns(statement: Select[Any]) -> Select[Any]:
    return statement.with_only_columns(literal(1), maintain_column_froms=True)


def _materialized(statement: Select[Any]) -> CTE:
    """Return the statement as a CTE that is planned independently of its use."""
    return statement.cte("found").prefix_with("MATERIALIZED")
