"""Idempotency records: kept for a day, and purged beside the requests."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from testkit import FakeClock, settings_for

from licet_server.app import build_platform
from licet_server.kit import idempotency
from licet_server.kit.idempotency import (
    KEPT_FOR,
    StoredResponse,
    claim,
    purge_idempotency_keys,
    store_response,
)
from licet_server.kit.platform import Platform

ROUTE, BODY = "POST /api/things", b"hash"


@pytest.fixture
async def quiet(new_database: Any, tmp_path: Any, clock: FakeClock) -> Any:
    """A platform on a database of its own, where no job and no other test writes."""
    platform = build_platform(settings_for(new_database(), tmp_path), clock)
    yield platform
    await platform.database.close()


async def use(platform: Platform, key: str) -> StoredResponse | None:
    async with platform.database.transaction() as db:
        stored = await claim(db, "caller", ROUTE, key, BODY, platform.clock())
        if stored is None:
            done = StoredResponse(201, key.encode())
            await store_response(db, "caller", ROUTE, key, done)
        return stored


async def keys(platform: Platform) -> list[str]:
    async with platform.database.reading() as db:
        found = await db.execute(text("SELECT key FROM idempotency_records ORDER BY key"))
        return list(found.scalars())


async def test_a_keyed_write_deletes_no_other_record(quiet: Platform, clock: FakeClock) -> None:
    await use(quiet, "old")
    clock.now += KEPT_FOR + timedelta(seconds=1)
    await use(quiet, "new")
    assert await keys(quiet) == ["new", "old"]


async def test_a_key_is_remembered_for_its_time_and_then_free_again(
    quiet: Platform, clock: FakeClock
) -> None:
    assert await use(quiet, "one") is None
    clock.now += KEPT_FOR
    assert await purge_idempotency_keys(quiet) == 0
    assert await use(quiet, "one") == StoredResponse(201, b"one")
    clock.now += timedelta(seconds=1)
    assert await use(quiet, "one") is None
    clock.now += KEPT_FOR
    assert await use(quiet, "one") == StoredResponse(201, b"one")


async def test_expired_records_are_purged_in_bounded_slices(
    quiet: Platform, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "BATCH_SIZE", 2)
    monkeypatch.setattr(idempotency, "_BATCHES_PER_RUN", 2)
    for number in range(5):
        await use(quiet, f"old-{number}")
        clock.now += timedelta(seconds=1)
    clock.now += KEPT_FOR
    await use(quiet, "new")
    assert await purge_idempotency_keys(quiet) == 4
    assert await keys(quiet) == ["new", "old-4"]
    assert await purge_idempotency_keys(quiet) == 1
    assert await keys(quiet) == ["new"]


async def test_expired_records_are_found_by_an_index(quiet: Platform) -> None:
    rows = """
        INSERT INTO idempotency_records (caller, route, key, body_hash, created_at)
        SELECT 'caller', 'route', n::text, '', now() + n * interval '1 second'
        FROM generate_series(1, 5000) n
    """
    async with quiet.database.transaction() as db:
        await db.execute(text(rows))
        await db.execute(text("ANALYZE idempotency_records"))
        plan = await db.execute(
            text(
                "EXPLAIN SELECT key FROM idempotency_records WHERE created_at < now()"
                " ORDER BY created_at LIMIT 1000 FOR UPDATE SKIP LOCKED"
            )
        )
        assert "idempotency_records_created_at_idx" in "\n".join(plan.scalars())
