"""The hot statements read few rows of a large pool, with and without planner statistics."""

import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from patience import until_found
from sessions.factories import written
from sqlalchemy import ClauseElement, text
from world import World

from licet_server.app import Application
from licet_server.kit.database import Connection
from licet_server.kit.together import change_together
from licet_server.sessions.rules.allocation import NO_LIMIT
from licet_server.sessions.storage import heartbeats
from licet_server.sessions.storage import pools as pool_storage
from licet_server.sessions.storage import slots as storage

POOL, FREE = 10_000, 20

_FILL = """
INSERT INTO session_slots (institution_id, license_id, n, session_id, product_id, hardware_id,
    instance_key, connected_at, expires_at)
SELECT :institution, :license, n, CASE WHEN n <= :live THEN gen_random_uuid() END, :product,
    'machine-' || n, CASE WHEN n <= :live THEN sha256(n::text::bytea) END, :now,
    CASE WHEN n <= :live THEN CAST(:now AS timestamptz) + interval '1 hour' END
FROM generate_series(1, :pool) AS n
"""
_SELL_MORE = """
INSERT INTO licenses (institution_id, id, product_id, software_release_id, type, license_key,
    normal_key, license_name, max_active_users_count, activation_mode, created_at, updated_at)
SELECT institution_id, gen_random_uuid(), product_id, software_release_id, type, 'FILL-' || n,
    'FILL-' || n, license_name, 1, activation_mode, created_at, updated_at
FROM licenses, generate_series(1, 5000) AS n
WHERE institution_id = :institution AND id = :license
"""


@pytest.fixture
def application(fresh_application: Application) -> Application:
    """The application on a database of its own.

    The planner counts the pages of an index, also those that hold only what other tests deleted.
    """
    return fresh_application


@pytest.fixture
async def pool(world: World) -> AsyncIterator[dict[str, Any]]:
    made = await world.issue("Floating", maxActiveUsersCount=POOL)
    given = {
        "institution": world.owner.institution_id,
        "license": made["id"],
        "product": world.product["id"],
        "now": world.clock(),
        "live": POOL - FREE,
        "pool": POOL,
    }
    async with world.platform.database.transaction() as db:
        await db.execute(text(_FILL), given)
        await db.execute(text(_SELL_MORE), given)
    yield made
    await world.owner.ok("DELETE", f"/api/licenses/{made['id']}")


async def explain(
    connection: AbstractAsyncContextManager[Connection],
    statement: ClauseElement,
    given: dict[str, Any],
) -> tuple[set[str], int]:
    """Return the indexes and tables that are scanned, and how many pages are read."""
    async with connection as db:
        explained = text(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {written(statement)}")
        answer = (await db.execute(explained, given)).scalar_one()
    [plan] = json.loads(answer) if isinstance(answer, str) else answer
    root = plan["Plan"]
    scanned: set[str] = set()

    def walk(node: dict[str, Any]) -> None:
        if node["Node Type"] == "Seq Scan":
            scanned.add(node["Relation Name"])
        if "Index Name" in node:
            scanned.add(node["Index Name"])
        for inner in node.get("Plans", []):
            walk(inner)

    walk(root)
    return scanned, root["Shared Hit Blocks"] + root["Shared Read Blocks"]


@pytest.mark.undivided
@pytest.mark.parametrize("analyzed", [False, True])
async def test_claims_and_heartbeats_use_their_indexes(
    world: World, pool: dict[str, Any], analyzed: bool
) -> None:
    database = world.platform.database
    owner = (UUID(world.owner.institution_id), UUID(pool["id"]))
    async with database.reading() as db:
        if analyzed:
            await db.execute(text("ANALYZE session_slots, licenses"))
        chosen = text(
            "SELECT n, session_id FROM session_slots WHERE license_id = :id AND n % 300 = 1"
        )
        sessions = (await db.execute(chosen, {"id": pool["id"]})).all()

    need = storage._NEEDS.given([(*owner, POOL, 10)])
    scanned, pages = await explain(database.keyed_transaction(), storage._LOCK_FREE, need)
    # The index of sessions lists the free slots of an institution as well. While they are few,
    # the planner may take either.
    assert scanned in ({"session_slots_free_idx"}, {"session_slots_session_key"})
    assert pages < 60

    keys = [(owner[0], session_id) for _, session_id in sessions]
    wanted = {**heartbeats._WANTED.given([(0, *key) for key in keys]), "param_1": 1}
    scanned, pages = await explain(database.relaxed(), heartbeats._BY_SESSIONS, wanted)
    assert scanned == {"session_slots_session_key", "licenses_pkey"}
    assert pages < 9 * len(sessions)

    now = world.clock()
    rows = [(*owner, n, session_id, now, None) for n, session_id in sessions]
    given = {**heartbeats._HEARTBEATS.given(rows), "now": now, "last_heartbeat_at": now}
    scanned, pages = await explain(database.relaxed(), heartbeats._EXTEND, given)
    assert scanned <= {"session_slots_pkey", "session_slots_session_key"}
    assert pages < 12 * len(sessions)

    asked, sent = pool_storage.counting([(*owner, NO_LIMIT, NO_LIMIT, POOL)], now)
    given = {**sent, "param_1": 1, "param_2": 1}
    read = [(await explain(database.keyed_transaction(), asked, given))[1]]
    async with database.transaction() as db:
        tomorrow = now + timedelta(days=1)
        await change_together(db, *pool_storage.storing([(owner, tomorrow)]))
    read.append((await explain(database.keyed_transaction(), asked, given))[1])
    assert read[1] < 60 < POOL / 50 < read[0], "free slots are counted instead of live sessions"

    own = storage._OWN.given([(owner[0], bytes([n]) * 32, POOL) for n in range(5)])
    scanned, pages = await explain(database.keyed_transaction(), storage._LOCK_OWN, own)
    assert "session_slots" not in scanned
    assert pages < 60


@pytest.mark.undivided
async def test_heartbeats_are_hot_updates(world: World) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=30)
    sessions = [await world.connected(made, f"m-{n}") for n in range(30)]
    statistics = text(
        "SELECT n_tup_upd, n_tup_upd - n_tup_hot_upd - n_tup_newpage_upd "
        "FROM pg_stat_user_tables WHERE relname = 'session_slots'"
    )

    async def updates() -> tuple[int, int]:
        """Return how many there were, and how many found room on their page and were not hot.

        A page has no room while anybody has an older snapshot, such as a task that is slow.
        """
        database = world.platform.database
        for open_ in (database.relaxed, database.keyed, database.reading):
            async with open_() as db:
                await db.execute(text("SELECT pg_stat_force_next_flush()"))
                await db.execute(text("SELECT 1"))
        async with world.platform.database.reading() as db:
            await db.execute(text("SELECT pg_stat_clear_snapshot()"))
            all_, warm = (await db.execute(statistics)).one()
        return int(all_), int(warm)

    all_before, warm_before = await updates()
    for _ in range(10):
        world.clock.advance(seconds=30)
        for session in sessions:
            assert (await world.heartbeat(session)).status_code == 200

    async def all_are_told() -> bool:
        """Whether connections have reported, which they do when they have rested."""
        return (await updates())[0] - all_before >= 10 * len(sessions)

    await until_found(all_are_told)
    assert (await updates())[1] - warm_before < len(sessions) / 2
