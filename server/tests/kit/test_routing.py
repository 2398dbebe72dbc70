"""On a distributed database, a statement for rows of one institution names that one."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid5

import asyncpg
import pytest
from sqlalchemy import Boolean, bindparam, event, func, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from licet_server.catalog.tables import products, releases
from licet_server.events.tables import audit_chains, event_topics
from licet_server.kit.database import (
    Id,
    Instant,
    String,
    create_engine,
    open_database,
    violated_constraint,
)
from licet_server.kit.statements import Arrays
from licet_server.licenses.tables import licenses

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


async def all_sent(
    engine: AsyncEngine, statement: Any, given: dict[str, Any]
) -> list[tuple[str, Any]]:
    """Run a statement; returns what the driver gets, texts with values."""
    found: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, text: str, values: Any, *_: Any) -> None:
        found.append((text, values))

    event.listen(engine.sync_engine, "before_cursor_execute", note)
    async with engine.begin() as db:
        await db.execute(statement, given)
    return found


async def sent(engine: AsyncEngine, statement: Any, given: dict[str, Any]) -> tuple[str, Any]:
    [only] = await all_sent(engine, statement, given)
    return only


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


@pytest.mark.parametrize("statement", [NAMES, NAMES.with_for_update(of=products)])
async def test_rows_of_several_institutions(
    engine: AsyncEngine, request: pytest.FixtureRequest, statement: Any
) -> None:
    """Each of their nodes is sent its own rows; one PostgreSQL gets one statement."""
    rows = [(ONE, UUID(int=1)), (OTHER, UUID(int=2)), (ONE, UUID(int=3))]
    found = await all_sent(engine, statement, WANTED.given(rows))
    if is_distributed(engine, request):
        named = [[value for value in values if isinstance(value, UUID)] for _, values in found]
        assert named == [[one] for one in sorted((ONE, OTHER))]
    else:
        [(text, _)] = found
        assert "wanted.institution_id" in text.partition("WHERE")[2]


async def test_figures_of_several_institutions_are_added_up_at_once(engine: AsyncEngine) -> None:
    figure = select(func.count()).where(
        products.c.institution_id == WANTED.c.institution_id, products.c.id == WANTED.c.id
    )
    [(text, _)] = await all_sent(engine, figure, WANTED.given([(ONE, ONE), (OTHER, ONE)]))
    assert "wanted.institution_id" in text.partition("WHERE")[2]


async def test_no_rows(engine: AsyncEngine) -> None:
    _, values = await sent(engine, NAMES, WANTED.given([]))
    assert ONE not in values


async def test_the_next_rows_may_be_of_another_institution(
    engine: AsyncEngine, request: pytest.FixtureRequest
) -> None:
    for institution in (ONE, OTHER, ONE):
        _, values = await sent(engine, NAMES, WANTED.given([(institution, institution)]))
        assert (institution in values) is is_distributed(engine, request)


LOCK = select(products.c.id).where(products.c.id == OTHER).with_for_update(key_share=True)


async def test_a_lock_names_the_institution_of_the_row(
    engine: AsyncEngine, request: pytest.FixtureRequest
) -> None:
    """Rows of one node are locked at a time: where nothing names it, the row is found first."""
    several = LOCK.where(products.c.institution_id.in_([ONE, OTHER]))
    *found, (text, _) = await all_sent(engine, several, {})
    assert "FOR NO KEY UPDATE" in text
    assert [("DISTINCT" in text, "FOR" in text) for text, _ in found] == [(True, False)] * (
        is_distributed(engine, request)
    )
    assert ("products.institution_id = $" in text) is is_distributed(engine, request)


async def test_a_lock_that_names_its_institution_needs_nothing_else(engine: AsyncEngine) -> None:
    text, _ = await sent(engine, LOCK.where(products.c.institution_id == ONE), {})
    assert text.count("institution_id =") == 1


async def test_every_table_names_the_institution(
    engine: AsyncEngine, request: pytest.FixtureRequest
) -> None:
    """Nothing follows from a join for Citus, nor from a subquery that belongs to a row."""
    live = (
        select(func.count())
        .where(
            releases.c.institution_id == products.c.institution_id,
            releases.c.product_id == products.c.id,
        )
        .scalar_subquery()
    )
    statement = select(live).where(
        products.c.institution_id == WANTED.c.institution_id, products.c.id == WANTED.c.id
    )
    text, _ = await sent(engine, statement, WANTED.given([(ONE, ONE)]))
    assert ("releases.institution_id = $" in text) is is_distributed(engine, request)


async def test_plans_are_made_for_the_values(new_database: Callable[[], str]) -> None:
    """Citus refuses most generic plans, and has crashed on some."""
    url = new_database()
    database = open_database(f"{url}{'&' if '?' in url else '?'}distributed=true", 1)
    for connection in (database.reading(), database.keyed(), database.relaxed()):
        async with connection as db:
            shown = await db.execute(text("SHOW plan_cache_mode"))
            assert shown.scalar_one() == "force_custom_plan"
    await database.close()


@pytest.mark.parametrize(
    ("told", "name"),
    [
        (
            'duplicate key value violates unique constraint "products_name_key_102115"',
            "products_name_key",
        ),
        ('new row for relation "x_102008" violates check constraint "x_check"', "x_check"),
        ("division by zero", None),
    ],
)
def test_a_constraint_is_known_by_the_words_of_a_node(told: str, name: str | None) -> None:
    raised = Exception()
    raised.__cause__ = asyncpg.UniqueViolationError(told)
    assert violated_constraint(IntegrityError(None, None, raised)) == name


ADDED = Arrays("added", institution_id=Id, topic=String)
ADD = upsert(event_topics).from_select(
    ["institution_id", "topic", "recorded_at"],
    select(ADDED.c.institution_id, ADDED.c.topic, bindparam("now", type_=Instant)),
)
KEEP = ADD.on_conflict_do_update(
    index_elements=["institution_id", "topic"],
    set_={"recorded_at": ADD.excluded.recorded_at},
    where=event_topics.c.recorded_at < bindparam("now", type_=Instant),
).returning(event_topics.c.topic)


@pytest.mark.parametrize("topics", [["a"], ["a", "b"], []])
async def test_rows_are_inserted_as_values(
    engine: AsyncEngine, request: pytest.FixtureRequest, topics: list[str]
) -> None:
    """What an INSERT selects, Citus would carry to every node, and commit on each of them."""
    now = datetime(2030, 1, 1, tzinfo=UTC)
    given = {**ADDED.given([(ONE, topic) for topic in topics]), "now": now}
    async with engine.begin() as db:
        key = "event_topics_institution_id_fkey"
        await db.execute(text(f"ALTER TABLE event_topics DROP CONSTRAINT {key}"))
    for again in (False, True):
        async with engine.begin() as db:
            stored = (await db.execute(KEEP, given)).scalars().all()
        assert sorted(stored) == ([] if again else topics)
    texts = [sent for sent, _ in await all_sent(engine, KEEP, given)]
    if is_distributed(engine, request):
        assert ["VALUES" in sent for sent in texts] == [True] * bool(topics)
    else:
        assert ["unnest" in sent for sent in texts] == [True]


async def test_a_column_may_have_another_name_in_the_database(engine: AsyncEngine) -> None:
    labelled = Arrays("labelled", institution_id=Id, labels=licenses.c.labels.type)
    columns = [licenses.c.institution_id, licenses.c.labels]
    add = upsert(licenses).from_select(columns, select(*labelled.c))
    async with engine.begin() as db:
        assert (await db.execute(add, labelled.given([]))).rowcount == 0


async def test_what_is_joined_is_of_the_institution_that_is_named(
    engine: AsyncEngine, request: pytest.FixtureRequest
) -> None:
    """Citus infers it from no join, and would not lock a row of one institution then."""
    released = select(func.count()).where(
        releases.c.institution_id == products.c.institution_id,
        releases.c.product_id == products.c.id,
    )
    locked = (
        select(products.c.name, released.scalar_subquery())
        .where(products.c.institution_id == bindparam("mine", type_=Id))
        .with_for_update(of=products)
    )
    text, _ = await sent(engine, locked, {"mine": ONE})
    is_named = "releases.institution_id = $" in text
    assert is_named is is_distributed(engine, request)


_WITHOUT_OTHER = f"""
CREATE FUNCTION answers(institution uuid) RETURNS boolean LANGUAGE plpgsql COST 100000 AS $$
BEGIN
    IF institution = '{OTHER}' THEN
        RAISE 'connection to the remote node b:5432 failed' USING ERRCODE = '08006';
    END IF;
    RETURN true;
END $$;
CREATE TABLE pg_dist_node AS SELECT * FROM
    (VALUES (1, 'a', 5432, 'primary', true), (2, 'b', 5432, 'primary', true))
    AS nodes(groupid, nodename, nodeport, noderole, isactive);
CREATE TABLE pg_dist_placement AS
    SELECT * FROM (VALUES (1, 1), (2, 2)) AS placed(groupid, shardid);
CREATE FUNCTION citus_check_connection_to_node(name text, port int) RETURNS boolean
    LANGUAGE sql AS $$ SELECT name = 'a' $$;
CREATE FUNCTION get_shard_id_for_distribution_column(name text, id uuid) RETURNS int
    LANGUAGE sql AS $$ SELECT CASE WHEN id = '{OTHER}' THEN 2 ELSE 1 END $$;
INSERT INTO audit_chains (institution_id, id, secret, number, seal, mark, sealed_at)
VALUES ('{ONE}', '{ONE}', '', 0, '', '', now()), ('{OTHER}', '{OTHER}', '', 0, '', '', now());
INSERT INTO institutions (id, name, created_at) VALUES ('{ONE}', '', now()), ('{OTHER}', '', now())
"""
"""What stands in for Citus while the node of one institution is away."""


async def test_jobs_go_on_with_the_institutions_of_nodes_that_are_there(
    new_database: Callable[[], str],
) -> None:
    url = new_database()
    engine = create_engine(f"{url}{'&' if '?' in url else '?'}distributed=true", 1)
    there = func.answers(audit_chains.c.institution_id, type_=Boolean)
    claim = select(audit_chains.c.institution_id).where(there).with_for_update()
    async with engine.begin() as db:
        raw = await db.get_raw_connection()
        await raw.driver_connection.execute(_WITHOUT_OTHER)
    with pytest.raises(DBAPIError, match="remote node"):
        async with engine.begin() as db:
            await db.execute(claim)
    async with engine.begin() as db:
        assert (await db.execute(claim)).scalars().all() == [ONE]
    await engine.dispose()


async def test_a_job_locks_as_many_rows_of_however_many_institutions(engine: AsyncEngine) -> None:
    chains = (
        "INSERT INTO audit_chains (institution_id, id, secret, number, seal, mark, sealed_at) "
        "SELECT gen_random_uuid(), gen_random_uuid(), '', 0, '', '', now() "
        "FROM generate_series(1, 250)"
    )
    claim = select(audit_chains.c.id).limit(bindparam("most")).with_for_update(skip_locked=True)
    async with engine.begin() as db:
        await db.execute(text(chains))
        for most in (7, 220, 1_000):
            claimed = (await db.execute(claim, {"most": most})).scalars().all()
            assert len(set(claimed)) == len(claimed) == min(most, 250)
