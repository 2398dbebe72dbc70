"""The most sessions of a license at once: exact under a race, and found by an index."""

import asyncio
import json
from datetime import date
from typing import Any
from uuid import UUID

import pytest
from sessions.factories import written
from sqlalchemy import text
from world import World

from licet_server.kit.platform import Platform
from licet_server.kit.together import change_together
from licet_server.sessions.rules.model import Peak
from licet_server.sessions.storage import peaks as storage

CAP, CLIENTS = 12, 20
MANY = 20_000
_FILL = f"""
INSERT INTO session_peaks (institution_id, license_id, day, product_id, peak)
SELECT institution_id, id, date '2000-01-01' + n, product_id, 1
FROM licenses, generate_series(1, {MANY}) n WHERE id = :license
"""


async def peaks_of(platform: Platform, license_: dict[str, Any]) -> dict[date, int]:
    statement = text("SELECT day, peak FROM session_peaks WHERE license_id = :id")
    async with platform.database.reading() as db:
        rows = (await db.execute(statement, {"id": license_["id"]})).all()
    return {row.day: row.peak for row in rows}


async def test_a_peak_is_what_was_reached_under_a_race(world: World) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=CAP)
    today = world.clock().date()
    for wanted in (5, CLIENTS):
        answers = await asyncio.gather(
            *(world.connect(made, f"machine-{wanted}-{n}") for n in range(wanted))
        )
        started = [answer.json() for answer in answers if answer.status_code == 201]
        assert len(started) == min(wanted, CAP)
        assert await peaks_of(world.platform, made) == {today: len(started)}
        for session in started:
            await world.disconnect(session)
    await world.connected(made)
    assert await peaks_of(world.platform, made) == {today: CAP}


async def test_no_peak_is_kept_where_nothing_is_limited(world: World) -> None:
    made = await world.issue("Perpetual")
    answer = await world.connect(made)
    assert answer.status_code in {201, 403}
    assert await peaks_of(world.platform, made) == {}


async def test_peaks_end_with_their_license(world: World) -> None:
    made = await world.issue("Floating")
    await world.connected(made)
    await world.owner.ok("DELETE", f"/api/licenses/{made['id']}")
    assert await peaks_of(world.platform, made) == {}


@pytest.mark.undivided
async def test_a_peak_is_found_among_many(world: World) -> None:
    made = await world.issue("Floating")
    today = world.clock().date()
    async with world.platform.database.transaction() as db:
        await db.execute(text(_FILL), {"license": made["id"]})
    reached = Peak(
        institution_id=UUID(world.owner.institution_id),
        license_id=UUID(made["id"]),
        day=today,
        product_id=UUID(world.product["id"]),
        peak=7,
    )
    names = ("institution_id", "license_id", "day", "product_id", "peak")
    given = {f"reached_{name}": [getattr(reached, name)] for name in names}
    async with world.platform.database.keyed_transaction() as db:
        await change_together(db, storage.raising([reached]))
        explained = text(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {written(storage.RAISE)}")
        answer = (await db.execute(explained, given)).scalar_one()
    [plan] = json.loads(answer) if isinstance(answer, str) else answer
    assert "Seq Scan" not in str(plan)
    assert plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"] < 20
    assert (await peaks_of(world.platform, made))[today] == 7
    await world.owner.ok("DELETE", f"/api/licenses/{made['id']}")
