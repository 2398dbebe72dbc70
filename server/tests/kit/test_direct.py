"""A statement that is run directly does what it does when SQLAlchemy runs it."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any
from uuid import UUID
from weakref import ref

import pytest
import sqlalchemy.ext.asyncio.engine
from sqlalchemy import (
    CheckConstraint,
    Column,
    Enum,
    Integer,
    MetaData,
    Table,
    bindparam,
    func,
    insert,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import DBAPIError, IntegrityError, MultipleResultsFound, StatementError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.util import greenlet_spawn
from statements import sent_statements

from licet_server.kit import direct
from licet_server.kit.clock import system_clock
from licet_server.kit.connecting import CountingPool
from licet_server.kit.database import (
    Amount,
    Bytes,
    Database,
    Id,
    Instant,
    Json,
    String,
    _leave,
    create_engine,
    open_database,
    violated_constraint,
)
from licet_server.kit.outages import OutcomeUnknown
from licet_server.kit.statements import insert_rows
from licet_server.kit.stored_json import JsonOf


class Color(StrEnum):
    """A kind of value that is stored by name."""

    RED = "Red"
    BLUE = "Blue"


things = Table(
    "things",
    MetaData(),
    Column("id", Id, primary_key=True),
    Column("amount", Amount),
    Column("at", Instant),
    Column("data", Json),
    Column("labels", JsonOf(dict[str, str])),
    Column("raw", Bytes),
    Column("color", Enum(Color, native_enum=False)),
    Column("ids", ARRAY(Id)),
    Column("amounts", ARRAY(Amount)),
    Column("name", String, server_default="none"),
    Column("size", Integer, CheckConstraint("size > 0", name="size_check")),
)
FULL = {
    "id": UUID(int=1),
    "amount": Decimal("123456789012345678.123456"),
    "at": datetime(8999, 12, 31, 23, 59, 59, 999_999, UTC),
    "data": {"a": [1, None, "é", {"b": False}], "n": Decimal("1.10")},
    "labels": {"a": "b"},
    "raw": b"\0\xff",
    "color": Color.BLUE,
    "ids": [UUID(int=2), UUID(int=3)],
    "amounts": [Decimal("0.000001"), None],
    "name": "x",
    "size": 1,
}
EMPTY = dict.fromkeys(FULL) | {"id": UUID(int=2)}
MANY = {"id": UUID(int=3), "data": [], "ids": [], "amounts": [], "color": Color.RED}
ADD = insert(things)
EACH = select(things).order_by(things.c.id)
ONE = select(things).where(things.c.id == bindparam("wanted", type_=Id))
RESIZE = (
    update(things)
    .where(things.c.id == bindparam("wanted", type_=Id))
    .values(size=bindparam("to"))
    .returning(things.c.size)
)


@pytest.fixture
async def database(new_database: Callable[[], str]) -> AsyncIterator[Database]:
    url = new_database()
    engine = create_async_engine(url)
    async with engine.begin() as db:
        await db.run_sync(things.metadata.create_all)
    await engine.dispose()
    opened = open_database(url, 2)
    yield opened
    await opened.close()


@pytest.fixture
def directly(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of statements that were run directly."""
    texts: list[str] = []
    run = direct.DirectConnection._run

    async def note(connection: Any, statement: Any, how: Any, values: Any) -> Any:
        texts.append(how.text)
        return await run(connection, statement, how, values)

    monkeypatch.setattr(direct.DirectConnection, "_run", note)
    return texts


async def test_values_of_each_kind_come_back_alike(database: Database, directly: list[str]) -> None:
    async with database.transaction() as db:
        for row in (FULL, EMPTY, MANY):
            await db.execute(insert(things), row)
        by_sqlalchemy = (await db.execute(EACH)).all()
        await db.execute(things.delete())
        for row in (FULL, FULL | {"id": UUID(int=9)}, EMPTY, MANY):
            assert (await db.execute(ADD, row)).rowcount == 1
        await db.execute(things.delete().where(things.c.id == UUID(int=9)))
    async with database.reading() as db:
        found = (await db.execute(EACH)).all()
    assert [text.partition(" ")[0] for text in directly] == ["INSERT"] * 2 + ["SELECT"]
    assert found == by_sqlalchemy
    assert found[0]._asdict() == FULL | {"data": {**FULL["data"], "n": 1.1}}  # type: ignore[dict-item]
    assert [type(value) for value in found[0]] == [type(value) for value in by_sqlalchemy[0]]
    assert found[2].name == "none"


@pytest.mark.parametrize("kept", [(FULL, EMPTY, MANY), (EMPTY,), ()])
async def test_columns_have_the_values_of_rows(database: Database, kept: Sequence[Any]) -> None:
    async with database.transaction() as db:
        for row in kept:
            await db.execute(insert(things), row)
    async with database.reading() as db:
        by_sqlalchemy = direct.columns_of(await db.execute(every := select(things)))
        columns = direct.columns_of(await db.execute(every))
        rows = (await db.execute(every)).all()
    assert [*zip(*columns, strict=True)] == [*zip(*by_sqlalchemy, strict=True)] == rows


async def test_many_rows_are_one_statement(database: Database) -> None:
    """Values of each kind that an array can hold; a row that is refused takes the others along."""
    names = [name for name in FULL if name not in {"ids", "amounts"}]
    full, empty = ({name: row[name] for name in names} for row in (FULL, EMPTY))
    async with database.transaction() as db:
        for row in (full, empty):
            await db.execute(ADD, row)
        one_by_one = (await db.execute(EACH)).all()
        await db.rollback()
    with sent_statements() as sent:
        async with database.transaction() as db:
            await insert_rows(db, things, [full, empty])
    assert [item for item in sent if "INSERT" in item] == sent
    assert len(sent) == 1
    async with database.reading() as db:
        assert (await db.execute(EACH)).all() == one_by_one
    refused = [full | {"id": UUID(int=3)}, full | {"id": UUID(int=4), "size": -1}]
    with pytest.raises(IntegrityError) as error:
        async with database.transaction() as db:
            await insert_rows(db, things, refused)
    assert violated_constraint(error.value) == "size_check"
    async with database.reading() as db:
        assert len((await db.execute(EACH)).all()) == 2


async def test_rows_are_read_in_every_way(database: Database) -> None:
    async with database.keyed() as db:
        for row in (FULL, MANY):
            await db.execute(ADD, row)
        for _ in range(2):
            assert await db.scalar(ONE, {"wanted": UUID(int=1)}) == UUID(int=1)
            assert await db.scalar(ONE, {"wanted": UUID(int=9)}) is None
            rows = await db.execute(EACH)
            assert [row._mapping[things.c.id] for row in rows] == [FULL["id"], MANY["id"]]
            assert (await db.execute(EACH)).mappings().first()["name"] == "x"  # type: ignore[index]
            with pytest.raises(MultipleResultsFound):
                (await db.execute(EACH)).one()
            changed = await db.execute(RESIZE, {"wanted": UUID(int=1), "to": 7})
            assert (changed.rowcount, changed.scalar_one()) == (1, 7)


async def test_values_that_are_missing_or_wrong_are_refused_as_ever(database: Database) -> None:
    async with database.keyed() as db:
        await db.execute(ONE, {"wanted": UUID(int=1)})
        for given, error in (({}, StatementError), ({"wanted": 7}, DBAPIError)):
            with pytest.raises(error):
                await db.execute(ONE, given)
        assert (await db.execute(ONE, {"wanted": UUID(int=1)})).first() is None


async def test_a_list_that_is_given_may_have_any_length(database: Database) -> None:
    listed = select(things.c.id).where(things.c.id.in_(bindparam("some", expanding=True)))
    fixed = select(things.c.id).where(things.c.id.in_([UUID(int=1), UUID(int=2)]))
    async with database.keyed() as db:
        for row in (FULL, EMPTY, MANY):
            await db.execute(ADD, row)
        for ids in ([1], [1, 3], [], [1, 2, 3]):
            some = [UUID(int=n) for n in ids]
            found = set(await db.scalars(listed, {"some": some}))
            assert found == set(some)
        for _ in range(2):
            assert set(await db.scalars(fixed)) == {UUID(int=1), UUID(int=2)}


async def test_a_violation_names_its_constraint_and_leaves_a_savepoint_usable(
    database: Database, directly: list[str]
) -> None:
    row = {"id": UUID(int=1), "size": 1}
    async with database.transaction() as db:
        await db.execute(ADD, row)
        for _ in range(2):
            with pytest.raises(IntegrityError) as caught:
                async with db.begin_nested():
                    await db.execute(ADD, row)
            assert violated_constraint(caught.value) == "things_pkey"
        with pytest.raises(IntegrityError) as caught:
            async with db.begin_nested():
                await db.execute(ADD, {"id": UUID(int=2), "size": 0})
        assert violated_constraint(caught.value) == "size_check"
        assert (await db.execute(ADD, {"id": UUID(int=3), "size": 1})).rowcount == 1
    assert len(directly) == 4
    async with database.reading() as db:
        assert await db.scalar(select(func.count()).select_from(things)) == 2


async def test_what_fails_in_a_transaction_undoes_it(database: Database) -> None:
    async with database.reading() as db:
        await db.execute(ADD, FULL)
    with pytest.raises(IntegrityError):  # noqa: PT012
        async with database.transaction() as db:
            await db.execute(RESIZE, {"wanted": UUID(int=1), "to": 5})
            await db.execute(ADD, FULL)
    async with database.reading() as db:
        assert (await db.execute(ONE, {"wanted": UUID(int=1)})).one().size == 1
    assert {figures.in_use for figures in database.pools().values()} == {0}


@pytest.mark.parametrize("is_read", [True, False])
async def test_a_connection_that_was_lost_is_left(database: Database, is_read: bool) -> None:
    end = func.pg_terminate_backend(func.pg_backend_pid()).cast(Integer)
    read = select(end).where(bindparam("now", type_=Integer) == 1)
    change = update(things).where(bindparam("now", type_=Integer) == 1).values(size=end)
    sent = read if is_read else change
    async with database.keyed() as db:
        pid = await db.scalar(select(func.pg_backend_pid()))
        await db.execute(ADD, FULL)
        await db.execute(sent, {"now": 0})
    with pytest.raises(DBAPIError if is_read else OutcomeUnknown):
        async with database.keyed() as db:
            await db.execute(sent, {"now": 1})
    async with database.keyed() as db:
        assert await db.scalar(select(func.pg_backend_pid())) != pid
    assert {figures.in_use for figures in database.pools().values()} == {0}


@pytest.fixture
def greenlets(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the functions that were called in a greenlet of their own."""
    names: list[str] = []

    async def note(function: Any, *args: Any, **named: Any) -> Any:
        names.append(function.__name__)
        return await greenlet_spawn(function, *args, **named)

    monkeypatch.setattr(direct, "greenlet_spawn", note)
    monkeypatch.setattr(sqlalchemy.ext.asyncio.engine, "greenlet_spawn", note)
    return names


async def test_what_waits_for_nothing_needs_no_greenlet(
    database: Database, greenlets: list[str]
) -> None:
    for opened in (database.keyed, database.keyed_transaction):
        async with opened() as db:
            await db.execute(ONE, {"wanted": UUID(int=1)})
    greenlets.clear()
    for _ in range(2):
        async with database.keyed() as db:
            await db.execute(ONE, {"wanted": UUID(int=1)})
    assert greenlets == []
    async with database.keyed_transaction() as db:
        await db.execute(ONE, {"wanted": UUID(int=1)})
    assert greenlets == ["__exit__"]


@pytest.mark.parametrize("why", ["old", "lost", "left", "closed"])
async def test_a_connection_that_is_to_be_replaced_is_taken_in_a_greenlet(
    database: Database, greenlets: list[str], monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    taken: list[None] = []
    connect = CountingPool.connect

    def count(pool: CountingPool) -> Any:
        taken.append(None)
        return connect(pool)

    monkeypatch.setattr(CountingPool, "connect", count)
    backend = select(func.pg_backend_pid())
    async with database.keyed() as db:
        pid = await db.scalar(backend)
        record = db._pooled._connection_record
    pool: Any = db.sync_engine.pool
    match why:
        case "old":
            record.starttime -= 61
        case "lost":
            pool._invalidate_time = system_clock().timestamp()
        case "left":
            _leave([engine.pool for engine in database.engines()], time.monotonic())
        case "closed":
            async with database.keyed() as db:
                await db.invalidate()
    greenlets.clear()
    taken.clear()
    async with database.keyed() as db:
        assert await db.scalar(backend) != pid
    assert "raw_connection" in greenlets
    assert len(taken) == 1
    assert {figures.in_use for figures in database.pools().values()} == {0}


@pytest.mark.filterwarnings("ignore:coroutine")
async def test_a_connection_that_grows_old_while_it_is_taken_is_replaced(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = select(func.pg_backend_pid())
    async with database.keyed() as db:
        pid = await db.scalar(backend)
        record = db._pooled._connection_record
    monkeypatch.setattr(CountingPool, "is_ready", lambda _: True)
    record.starttime -= 61
    async with database.keyed() as db:
        assert await db.scalar(backend) != pid
    assert {figures.in_use for figures in database.pools().values()} == {0}


async def test_a_cancelled_statement_gives_its_connection_up(database: Database) -> None:
    wait = select(func.pg_sleep(bindparam("seconds")), func.pg_backend_pid())
    for opened in (database.keyed, database.keyed_transaction):
        async with opened() as db:
            before = (await db.execute(wait, {"seconds": 0.0})).one()

        async def sleep(opened: Any = opened) -> None:
            async with opened() as db:
                await db.execute(wait, {"seconds": 60.0})

        task = asyncio.create_task(sleep())
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        async with opened() as db:
            after = (await db.execute(wait, {"seconds": 0.0})).one()
        assert after[1] != before[1]
    assert {figures.in_use for figures in database.pools().values()} == {0}


async def test_autocommit_ends_with_the_connection(new_database: Callable[[], str]) -> None:
    engine: AsyncEngine = create_engine(new_database(), 1)
    alone = engine.execution_options(isolation_level="AUTOCOMMIT")
    once = select(func.pg_current_xact_id().cast(String))
    try:
        for _ in range(3):
            async with alone.connect() as db:
                assert await db.scalar(once) != await db.scalar(once)
            async with engine.begin() as db:
                assert await db.scalar(once) == await db.scalar(once)
    finally:
        await engine.dispose()


async def test_listeners_hear_of_each_run(database: Database, directly: list[str]) -> None:
    async with database.keyed() as db:
        with sent_statements() as sent:
            for _ in range(3):
                await db.execute(ONE, {"wanted": UUID(int=1)})
        assert len(sent) == 3
        assert len(set(sent)) == 1
        assert directly == []
        await db.execute(ONE, {"wanted": UUID(int=1)})
    assert directly == sent[:1]


def _of_subquery() -> Any:
    inner = select(things.c.id, things.c.size.label("n")).subquery()
    return select(inner.c.n, func.count()).group_by(inner.c.n)


def _of_update() -> Any:
    changed = update(things).values(size=2).returning(things.c.id).cte("changed")
    return select(things).join(changed, things.c.id == changed.c.id)


DROPPED: dict[str, Callable[[], Any]] = {
    "plain": lambda: select(things),
    "subquery": _of_subquery,
    "update in a CTE": _of_update,
    "scalar subquery": lambda: select(select(func.max(things.c.size)).scalar_subquery()),
    "union": lambda: union_all(select(things.c.id), select(things.c.id)),
    "insert of rows": lambda: insert(things).from_select(["id"], select(things.c.id)),
}


@pytest.mark.parametrize("build", DROPPED.values(), ids=DROPPED)
async def test_a_statement_that_is_dropped_is_forgotten(
    database: Database, build: Callable[[], Any]
) -> None:
    """SQLAlchemy's own cache keeps the first statement of a kind; this one is the second."""
    async with database.keyed() as db:
        await db.execute(build())
        statement = build()
        await db.execute(statement)
        await db.execute(statement)
        dropped, known = ref(statement), len(direct._runs)
        assert direct._runs[statement][()] is not None
        del statement
        gc.collect()
    assert dropped() is None
    assert len(direct._runs) < known
