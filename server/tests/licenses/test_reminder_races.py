"""Several processes send the reminders of many licenses at the same time.

Runs on its own database, because reminders are sent for all institutions at once.
"""

import asyncio
import json
import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from licenses.reminder_log import DAY, ReminderLog, copies, remind, trial
from sqlalchemy import Engine, event, text
from testkit import Owner
from unhurried import unhurried, vacuum
from world import World

from licet_server.app import Application
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.reminders import Stage, stages_at
from licet_server.licenses.service import reminders
from licet_server.licenses.storage.reminders import claim_due


@pytest.fixture
def application(fresh_application: Application) -> Application:
    return fresh_application


@pytest.fixture
def log(platform: Platform) -> ReminderLog:
    return ReminderLog(platform)


async def test_several_processes_share_the_work(
    world: World, log: ReminderLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In small batches, so that one often reads just before another one commits."""
    monkeypatch.setattr(reminders, "BATCH_SIZE", 10)
    license_id = await trial(world.platform, world.owner, world.product, 2, world.clock)
    await copies(world.platform, license_id, 1_300, world.clock() + 2 * DAY, timedelta(seconds=1))
    done = 0
    while done < 1_301:
        done += sum(await asyncio.gather(*(remind(world.platform) for _ in range(6))))
    sent = await log.unread()
    assert len(sent) == sent.total() == done == 1_301


async def test_without_locks_reminders_are_sent_twice(
    world: World, log: ReminderLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control: a job that reads first and marks later."""
    license_id = await trial(world.platform, world.owner, world.product, 2, world.clock)
    both_have_read = asyncio.Barrier(2)

    async def read_then_mark(
        db: Connection, stages: Sequence[tuple[uuid.UUID, Stage]], limit: int, *_of: object
    ) -> dict[tuple[uuid.UUID, uuid.UUID], int]:
        found = text("SELECT institution_id, id FROM licenses WHERE reminded_for IS NULL")
        rows = (await db.execute(found)).all()
        await both_have_read.wait()
        mark = text("UPDATE licenses SET reminded_for = expiration_date, reminded_days = 7")
        await db.execute(mark)
        return {(row.institution_id, row.id): 7 for row in rows}

    monkeypatch.setattr(reminders.storage, "claim_due", read_then_mark)
    await asyncio.gather(remind(world.platform), remind(world.platform))
    sent = await log.unread()
    assert {item[0] for item in sent} == {license_id}
    assert sent.total() == 2


async def test_a_locked_license_is_left_for_the_next_run(world: World, log: ReminderLog) -> None:
    held, free = [
        await trial(world.platform, world.owner, world.product, 2, world.clock) for _ in range(2)
    ]
    async with world.platform.database.transaction() as db:
        hold = text(
            "SELECT id FROM licenses WHERE institution_id = :vendor AND id = :id FOR NO KEY UPDATE"
        )
        await db.execute(hold, {"vendor": world.owner.institution_id, "id": held})
        async with asyncio.timeout(10):
            assert await remind(world.platform) == 1
    assert {item[0] for item in await log.unread()} == {free}
    assert await remind(world.platform) == 1
    assert {item[0] for item in await log.unread()} == {held}


async def test_a_crash_sends_no_reminder_and_loses_none(
    world: World, log: ReminderLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    await trial(world.platform, world.owner, world.product, 2, world.clock)

    async def die(*_: Any) -> None:
        raise OSError("the process died")

    with monkeypatch.context() as patch:
        patch.setattr(reminders, "record_events", die)
        with pytest.raises(OSError, match="died"):
            await remind(world.platform)
    assert not await log.unread()
    assert await remind(world.platform) == 1


# --- plans -----------------------------------------------------------------------------------

MANY = 60_000


@pytest.mark.undivided
async def test_due_licenses_among_many_are_found_by_their_index(world: World) -> None:
    """Most licenses expired long ago and were reminded of, or expire in years."""
    license_id = await trial(world.platform, world.owner, world.product, 500, world.clock)
    await copies(
        world.platform, license_id, MANY, world.clock() - 1_000 * DAY, timedelta(minutes=60)
    )
    past = text(
        "UPDATE licenses SET reminded_for = expiration_date, reminded_days = 0 "
        "WHERE expiration_date < :now"
    )
    async with unhurried(world.platform) as db:
        await db.execute(past, {"now": world.clock()})
    assert await remind(world.platform) > 500
    await vacuum(world.platform, "licenses")
    world.clock.advance(minutes=90)
    plan = await explained(world.platform, world.owner, world.clock())
    nodes = list(walk(plan["Plan"]))
    names = {node.get("Index Name") for node in nodes}
    assert "licenses_due_reminders_idx" in names, json.dumps(plan)
    assert "Seq Scan" not in {node["Node Type"] for node in nodes if "Relation Name" in node}
    [found] = [node for node in nodes if node.get("Subplan Name") == "CTE found"]
    assert found["Shared Hit Blocks"] + found["Shared Read Blocks"] < 100


async def explained(platform: Platform, owner: Owner, now: datetime) -> Any:
    """The executed plan of the claim, which is rolled back afterwards."""
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
