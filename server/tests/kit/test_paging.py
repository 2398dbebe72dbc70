"""Lists: totals are exact up to the last row that pages reach, and say so beyond."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec import UNSET
from sqlalchemy import Integer, Uuid, bindparam, cast, func, literal, select
from statements import sent_statements

from licet_server.kit.database import create_engine
from licet_server.kit.errors import Refused
from licet_server.kit.paging import FilteredPages, Pages, Paging, fetch_listing
from licet_server.kit.platform import Platform


def rows(count: int):  # type: ignore[no-untyped-def]
    """A list of so many ids, made by the database."""
    series = func.generate_series(1, count).table_valued("number").render_derived(name="series")
    hex_id = func.lpad(func.to_hex(series.c.number), 32, "0")
    made = select(cast(hex_id, Uuid).label("id")).select_from(series).subquery("made")
    return select(made.c.id), made.c.id


@pytest.mark.parametrize(("count", "total", "capped"), [(0, 0, UNSET), (30, 30, UNSET)])
async def test_totals_are_exact(platform: Platform, count: int, total: int, capped: object) -> None:
    statement, id_column = rows(count)
    async with platform.database.reading() as db:
        listing = await fetch_listing(db, statement, Paging(), id_column=id_column, sortable={})
    assert (listing.total_count, listing.total_count_capped) == (total, capped)
    assert len(listing.items) == min(count, 25)


async def test_totals_stop_where_pages_stop(platform: Platform) -> None:
    statement, id_column = rows(10_005)
    async with platform.database.reading() as db:
        listing = await fetch_listing(db, statement, Paging(), id_column=id_column, sortable={})
        known = await fetch_listing(
            db, statement, Paging(), id_column=id_column, sortable={}, total=10_005
        )
    assert (listing.total_count, listing.total_count_capped) == (10_000, True)
    assert (known.total_count, known.total_count_capped) == (10_005, UNSET)


@pytest.mark.undivided
@pytest.mark.parametrize(("option", "statements"), [("", 2), ("distributed=true", 4)])
async def test_pages_with_values_of_their_own_are_one_statement_on_one_node(
    new_database: Callable[[], str], option: str, statements: int
) -> None:
    series = func.generate_series(1, 5).table_valued("number").render_derived(name="series")
    above = series.c.number > bindparam("above", type_=Integer)
    pages = Pages(
        select(series.c.number.label("id")).where(above),
        id_column=series.c.number,
        sortable={},
        total=select(literal(7)),
    )
    asked = [
        (Paging(page_size=2), {"above": 1}),
        (Paging(page_size=2, page=2), {"above": 0}),
        (Paging(), {"above": 9}),
    ]
    url = new_database()
    engine = create_engine(f"{url}{'&' if '?' in url else '?'}{option}" if option else url, 1)
    async with engine.connect() as db:
        with sent_statements() as sent:
            listings = await pages.fetch_each(db, None, asked, ids_of)
    await engine.dispose()
    assert [listing.items for listing in listings] == [[5, 4], [3, 2], []]
    assert [listing.total_count for listing in listings] == [7, 7, 7]
    assert len(sent) == statements  # an empty page has no row that says its total


def ids_of(columns: Sequence[Sequence[Any]]) -> list[int]:
    return [*columns[0]] if columns else []


async def test_the_deepest_page_is_the_last_that_is_answered(platform: Platform) -> None:
    statement, id_column = rows(10_005)
    async with platform.database.reading() as db:
        deepest = Paging(page=100, page_size=100)
        listing = await fetch_listing(db, statement, deepest, id_column=id_column, sortable={})
        assert len(listing.items) == 100
        beyond = Paging(page=101, page_size=100)
        with pytest.raises(Refused, match="after"):
            await fetch_listing(db, statement, beyond, id_column=id_column, sortable={})


@pytest.mark.parametrize(("count", "total", "capped"), [(30, 30, UNSET), (10_005, 10_000, True)])
async def test_narrowed_lists_show_the_same_however_many_match(
    platform: Platform, count: int, total: int, capped: object
) -> None:
    statement, id_column = rows(count)
    newest_first = statement.order_by(id_column.desc())
    async with platform.database.reading() as db:
        plain = await fetch_listing(db, statement, Paging(), id_column=id_column, sortable={})
        pages = FilteredPages(
            statement, id_column=id_column, sortable={}, scan=lambda _after: newest_first
        )
        narrowed = await pages.fetch(db, Paging())
    assert (narrowed.total_count, narrowed.total_count_capped) == (total, capped)
    assert narrowed == plain
