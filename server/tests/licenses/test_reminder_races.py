"""Several processes look for what is due at once, among many licenses.

On a database of its own, since reminders are looked for in all institutions at once.
"""

import asyncio
import json
import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from licenses.diary import DAY, Diary, copies, trial
from licenses.factories import make_product
from sqlalchemy import Engine, event, text
from testkit import FakeClock, Owner

from licet_server.app import Application
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.reminders import Stage, stages_at
from licet_server.licenses.service import reminders
from licet_server.licenses.service.reminders import remind
from licet_server.licenses.storage.reminders import claim_due


@pytest.fixture
def application(fresh_application: Application) -> Application:
    return fresh_application


@pytest.fixture
async def product(owner: Owner) -> dict[str, Any]:
    return await make_product(owner)


@pytest.fixture
def diary(platform: Platform) -> Diary:
    return Diary(platform)


async def test_several_processes_share_the_work(
    owner: Owner,
    product: dict[str, Any],
    platform: Platform,
    clock: FakeClock,
    diary: Diary,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In small steps, so that one often looks just before another one commits."""
    monkeypatch.setattr(reminders, "BATCH_SIZE", 10)
    license_id = await trial(owner, product, 2, clock)
    await copies(platform, license_id, 1_300, clock() + 2 * DAY, timedelta(seconds=1))
    done = 0
    while done < 1_301:
        done += sum(await asyncio.gather(*(remind(platform) for _ in range(6))))
    told = await diary.news()
    assert len(told) == told.total() == done == 1_301


async def test_without_holding_them_licenses_are_told_of_twice(
    owner: Owner,
    product: dict[str, Any],
    platform: Platform,
    clock: FakeClock,
    diary: Diary,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A control: the same job, which looks first and marks later."""
    license_id = await trial(owner, product, 2, clock)
    both_have_looked = asyncio.Barrier(2)

    async def look_then_mark(
        db: Connection, stages: Sequence[tuple[uuid.UUID, Stage]], limit: int
    ) -> dict[tuple[uuid.UUID, uuid.UUID], int]:
        found = text("SELECT institution_id, id FROM licenses WHERE reminded_for IS NULL")
        rows = (await db.execute(found)).all()
        await both_have_looked.wait()
        mark = text("UPDATE licenses SET reminded_for = expiration_date, reminded_days = 7")
        await db.execute(mark)
        return {(row.institution_id, row.id): 7 for row in rows}

    monkeypatch.setattr(reminders.storage, "claim_due", look_then_mark)
    await asyncio.gather(remind(platform), remind(platform))
    told = await diary.news()
    assert {item[0] for item in told} == {license_id}
    assert told.total() == 2


async def test_a_license_that_somebody_holds_waits_for_the_next_round(
    owner: Owner, product: dict[str, Any], platform: Platform, clock: FakeClock, diary: Diary
) -> None:
    held, free = [await trial(owner, product, 2, clock) for _ in range(2)]
    async with platform.database.transaction() as db:
        hold = text("SELECT id FROM licenses WHERE id = :id FOR NO KEY UPDATE")
        await db.execute(hold, {"id": held})
        async with asyncio.timeout(10):
            assert await remind(platform) == 1
    assert {item[0] for item in await diary.news()} == {free}
    assert await remind(platform) == 1
    assert {item[0] for item in await diary.news()} == {held}


async def test_a_process_that_dies_tells_nothing_and_forgets_nothing(
    owner: Owner,
    product: dict[str, Any],
    platform: Platform,
    clock: FakeClock,
    diary: Diary,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await trial(owner, product, 2, clock)

    async def die(*_: Any) -> None:
        raise OSError("the process died")

    with monkeypatch.context() as patch:
        patch.setattr(reminders, "record_many", die)
        with pytest.raises(OSError, match="died"):
            await remind(platform)
    assert not await diary.news()
    assert await remind(platform) == 1


# --- plans -----------------------------------------------------------------------------------

MANY = 60_000


async def test_among_many_licenses_the_due_ones_are_found_by_their_index(
    owner: Owner, product: dict[str, Any], platform: Platform, clock: FakeClock
) -> None:
    """Most have ended long ago and were told of, or end in years."""
    license_id = await trial(owner, product, 500, clock)
    await copies(platform, license_id, MANY, clock() - 1_000 * DAY, timedelta(minutes=60))
    past = text(
        "UPDATE licenses SET reminded_for = expiration_date, reminded_days = 0 "
        "WHERE expiration_date < :now"
    )
    async with platform.database.transaction() as db:
        await db.execute(text("SET LOCAL statement_timeout = 0"))
        await db.execute(past, {"now": clock()})
    assert await remind(platform) > 500
    async with platform.database.reading() as db:
        await db.execute(text("VACUUM ANALYZE licenses"))
    clock.advance(minutes=90)
    plan = await explained(platform, owner, clock())
    nodes = list(walk(plan["Plan"]))
    assert "licenses_reminder_idx" in {node.get("Index Name") for node in nodes}
    assert "Seq Scan" not in {node["Node Type"] for node in nodes if "Relation Name" in node}
    [found] = [node for node in nodes if node.get("Subplan Name") == "CTE found"]
    assert found["Shared Hit Blocks"] + found["Shared Read Blocks"] < 100


async def explained(platform: Platform, owner: Owner, now: datetime) -> Any:
    """The plan of the claim as it runs, which is taken back afterwards."""
    stages = [(uuid.UUID(owner.institution_id), item) for item in stages_at([30, 7, 1], now)]
    async with platform.database.transaction() as db:
        taken: list[tuple[str, Any]] = []

        def note(_c: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
            taken.append((statement, values))

        event.listen(Engine, "before_cursor_execute", note)
        try:
            async with db.begin_nested() as attempt:
                await claim_due(db, stages, 500)
                await attempt.rollback()
        finally:
            event.remove(Engine, "before_cursor_execute", note)
        [(statement, values)] = [item for item in taken if "licenses" in item[0]]
        asked = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}"
        answer = (await db.exec_driver_sql(asked, values)).scalar_one()
        await db.rollback()
    [plan] = json.loads(answer) if isinstance(answer, str) else answer
    return plan


def walk(node: dict[str, Any]) -> Any:
    yield node
    for inner in node.get("Plans", []):
        yield from walk(inner)
