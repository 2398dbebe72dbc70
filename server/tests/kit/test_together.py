"""Several statements in one round trip, and one after the other where a database is distributed."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from uuid import UUID, uuid5

import pytest
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine
from statements import sent_statements

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.events.storage.recording import insert_events
from licet_server.events.tables import audit_chains, event_topics, events
from licet_server.kit.database import Connection, Id, Instant, String, create_engine
from licet_server.kit.origin import Origin
from licet_server.kit.statements import Arrays
from licet_server.kit.together import change_together, fetch_together

pytestmark = pytest.mark.undivided

ONE, OTHER = (uuid5(UUID(int=0), name) for name in ("one", "other"))
NOW = datetime(2030, 1, 15, 12, tzinfo=UTC)
_NEW = Arrays("topic", institution_id=Id, topic=String, recorded_at=Instant)
_INSERT = insert(event_topics).from_select(
    ["institution_id", "topic", "recorded_at"], select(*_NEW.c)
)
_UNTIE = "ALTER TABLE event_topics DROP CONSTRAINT event_topics_institution_id_fkey"
_CHAINS = Arrays("chain", institution_id=Id)
_CHANGED = Arrays("changed", institution_id=Id, topic=String, recorded_at=Instant)
_UPDATE = (
    update(event_topics)
    .where(
        event_topics.c.institution_id == _CHANGED.c.institution_id,
        event_topics.c.topic == _CHANGED.c.topic,
    )
    .values(recorded_at=_CHANGED.c.recorded_at)
)
_WANTED = Arrays("wanted", institution_id=Id, topic=String)
_LOCK = (
    select(event_topics.c.topic, event_topics.c.recorded_at)
    .where(
        event_topics.c.institution_id == _WANTED.c.institution_id,
        event_topics.c.topic == _WANTED.c.topic,
    )
    .order_by(event_topics.c.topic)
    .with_for_update(of=event_topics)
)
_COUNTED = Arrays("counted", institution_id=Id)
_COUNT = select(func.count(event_topics.c.topic).label("number")).where(
    event_topics.c.institution_id == _COUNTED.c.institution_id
)


@pytest.fixture(params=["", "distributed=true"], ids=["one statement", "one by one"])
async def engine(
    request: pytest.FixtureRequest, new_database: Callable[[], str]
) -> AsyncIterator[AsyncEngine]:
    url = new_database()
    joined = f"{url}{'&' if '?' in url else '?'}{request.param}" if request.param else url
    made = create_engine(joined, 1)
    async with made.begin() as db:  # so that no institution is needed
        await db.execute(text(_UNTIE))
    yield made
    await made.dispose()


async def test_rows_of_each_query_and_changes_that_do_not_depend_on_each_other(
    engine: AsyncEngine, request: pytest.FixtureRequest
) -> None:
    is_joined = "one statement" in request.node.callspec.id
    later = NOW.replace(hour=13)
    async with engine.begin() as db:
        first = [(ONE, "a", NOW), (ONE, "b", NOW)]
        await change_together(db, (_INSERT, _NEW.given(first)))
        with sent_statements() as sent:
            await change_together(
                db,
                (_UPDATE, _CHANGED.given([(ONE, "b", later)])),
                (_INSERT, _NEW.given([(ONE, "c", NOW)])),
            )
            found = await fetch_together(
                db,
                (_LOCK, _WANTED.given([(ONE, "b"), (ONE, "a")])),
                (_COUNT, _COUNTED.given([(ONE,)])),
            )
        assert [[tuple(row) for row in rows] for rows in found] == [
            [("a", NOW), ("b", later)],
            [(3,)],
        ]
        assert len(sent) == (2 if is_joined else 4)


@pytest.mark.parametrize("engine", [""], ids=["one statement"], indirect=True)
async def test_no_change_is_made_if_one_violates_a_constraint(engine: AsyncEngine) -> None:
    incomplete = insert(audit_chains).from_select(["institution_id"], select(*_CHAINS.c))
    async with engine.connect() as db:
        await db.execution_options(isolation_level="AUTOCOMMIT")
        with pytest.raises(IntegrityError, match="audit_chains"):
            await change_together(
                db,
                (_INSERT, _NEW.given([(ONE, "a", NOW)])),
                (incomplete, _CHAINS.given([(ONE,)])),
            )
        assert (await db.execute(select(event_topics.c.topic))).all() == []


@pytest.mark.parametrize("engine", [""], ids=["one statement"], indirect=True)
async def test_parameters_of_one_name_are_rejected(engine: AsyncEngine) -> None:
    change = (_INSERT, _NEW.given([(ONE, "a", NOW)]))
    async with engine.connect() as db:
        with pytest.raises(ValueError, match="parameter of the same name"):
            await change_together(db, change, change)


async def permanent_events(db: Connection, license_id: UUID) -> int:
    statement = select(func.count()).where(events.c.license_id == license_id, events.c.permanent)
    return int((await db.execute(statement)).scalar_one())


async def test_a_batch_of_events_keeps_the_bound_of_each_license(engine: AsyncEngine) -> None:
    busy, quiet = uuid5(ONE, "busy"), uuid5(OTHER, "quiet")

    def event(institution_id: UUID, license_id: UUID) -> tuple[Event, Origin]:
        made = Event(
            kind=EventKind.SESSION_STARTED,
            institution_id=institution_id,
            subject_id=license_id,
            data={"licenseId": license_id},
        )
        return made, Origin(actor_kind="ProductKey")

    async with engine.begin() as db:
        await insert_events(db, [event(ONE, busy)] * 30, NOW)
        await insert_events(db, [*[event(ONE, busy)] * 90, event(OTHER, quiet)], NOW)
        assert await permanent_events(db, busy) == 100
        assert await permanent_events(db, quiet) == 1
