"""On a distributed database, a statement for rows of one institution names that one."""

from collections.abc import AsyncIterator, Callable
from typing import Any
from uuid import UUID, uuid5

import pytest
from sqlalchemy import event, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from licet_server.catalog.tables import products
from licet_server.kit.database import Id, String, create_engine
from licet_server.kit.statements import Arrays

ONE, OTHER = (uuid5(UUID(int=0), name) for name in ("one", "other"))
WANTED = Arrays("wanted", institution_id=Id, id=Id)
NAMES = select(WANTED.c.institution_id, products.c.name).where(
    products.c.institution_id == WANTED.c.institution_id, products.c.id == WANTED.c.id
)
RENAMED = Arrays("renamed", institution_id=Id, id=Id, name=String)
RENAME = (
    update(products)
    .where(products.c.institution_id == RENAMED.c.institution_id, products.c.id == RENAMED.c.id)
    .values(name=RENAMED.c.name)
)


@pytest.fixture(params=["", "distributed=true"])
async def engine(
    request: pytest.FixtureRequest, new_database: Callable[[], str]
) -> AsyncIterator[AsyncEngine]:
    url = new_database()
    joined = f"{url}{'&' if '?' in url else '?'}{request.param}" if request.param else url
    made = create_engine(joined, 1)
    yield made
    await made.dispose()


async def sent(engine: AsyncEngine, statement: Any, given: dict[str, Any]) -> tuple[str, Any]:
    """Run a statement; returns its text and its values as the driver gets them."""
    found: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, text: str, values: Any, *_: Any) -> None:
        found.append((text, values))

    event.listen(engine.sync_engine, "before_cursor_execute", note)
    async with engine.begin() as db:
        await db.execute(statement, given)
    return found[-1]


def is_distributed(engine: AsyncEngine, request: pytest.FixtureRequest) -> bool:
    return "distributed" in request.node.callspec.id


@pytest.mark.parametrize("statement", [NAMES, RENAME])
async def test_rows_of_one_institution(
    engine: AsyncEngine, request: pytest.FixtureRequest, statement: Any
) -> None:
    arrays = WANTED if statement is NAMES else RENAMED
    rows = [(ONE, UUID(int=n), "new")[: len(arrays.c)] for n in range(3)]
    text, values = await sent(engine, statement, arrays.given(rows))
    is_named = f"{arrays.table.name}.institution_id" not in text.partition("WHERE")[2]
    assert is_named == (ONE in values) == is_distributed(engine, request)


async def test_rows_of_several_institutions_stay_a_batch(engine: AsyncEngine) -> None:
    text, values = await sent(engine, NAMES, WANTED.given([(ONE, ONE), (OTHER, ONE)]))
    assert "wanted.institution_id" in text.partition("WHERE")[2]
    assert ONE not in values


async def test_no_rows(engine: AsyncEngine) -> None:
    _, values = await sent(engine, NAMES, WANTED.given([]))
    assert ONE not in values


async def test_the_next_rows_may_be_of_another_institution(
    engine: AsyncEngine, request: pytest.FixtureRequest
) -> None:
    for institution in (ONE, OTHER, ONE):
        _, values = await sent(engine, NAMES, WANTED.given([(institution, institution)]))
        assert (institution in values) is is_distributed(engine, request)
