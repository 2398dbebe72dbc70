"""Telemetry is kept for as long as its institution says."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import text
from telemetry.factories import TelemetryVendor, event, open_telemetry_vendor
from testkit import FakeClock, Owner

from licet_server.kit.platform import Platform
from licet_server.telemetry.service.reading import purge_old_events

TABLES = (
    "telemetry_events",
    "telemetry_name_days",
    "telemetry_device_months",
    "telemetry_tallies",
)


async def keep_for(platform: Platform, owner: Owner, days: int) -> None:
    async with platform.database.transaction() as db:
        await db.execute(
            text("UPDATE institutions SET telemetry_retention_days = :days WHERE id = :one"),
            {"days": days, "one": owner.institution_id},
        )


async def left(platform: Platform, owner: Owner) -> dict[str, int]:
    found = {}
    async with platform.database.reading() as db:
        for table in TABLES:
            rows = await db.execute(
                text(f"SELECT count(*) FROM {table} WHERE institution_id = :one"),
                {"one": owner.institution_id},
            )
            found[table] = rows.scalar_one()
    return found


async def count_all(platform: Platform) -> int:
    async with platform.database.reading() as db:
        counts = [await db.execute(text(f"SELECT count(*) FROM {name}")) for name in TABLES]
    return sum(int(count.scalar_one()) for count in counts)


async def test_events_are_kept_for_90_days(
    vendor: TelemetryVendor, platform: Platform, clock: FakeClock
) -> None:
    await vendor.sent(event("old"), hardwareId="one")
    clock.advance(days=45)
    await vendor.sent(event("young", clock.now), hardwareId="one")
    clock.advance(days=45)
    await purge_old_events(platform)
    await vendor.owner.sign_in()
    assert [item["name"] for item in await vendor.events()] == ["young", "old"]
    clock.advance(seconds=1)
    await purge_old_events(platform)
    assert [item["name"] for item in await vendor.events()] == ["young"]


async def test_figures_begin_with_the_first_day_that_is_kept(
    vendor: TelemetryVendor, platform: Platform, clock: FakeClock
) -> None:
    for days in (0, 4, 6, 8, 20):
        await vendor.sent(event("start", clock.now - timedelta(days=days)), hardwareId=f"m{days}")
    await keep_for(platform, vendor.owner, 7)
    await purge_old_events(platform)
    figures = await vendor.figures()
    assert (figures["events"], figures["devices"]) == (3, 3)
    found = [row["date"] for row in figures["dailyTrend"] if row["devices"]]
    assert found == ["2030-01-09", "2030-01-11", "2030-01-15"]
    assert await purge_old_events(platform) == 0


async def test_a_device_of_two_days_loses_the_older_one(
    vendor: TelemetryVendor, platform: Platform, clock: FakeClock
) -> None:
    long_ago, today = clock.now - timedelta(days=10), clock.now
    await vendor.sent(event("start", long_ago), event("start", today), hardwareId="one")
    await keep_for(platform, vendor.owner, 7)
    await purge_old_events(platform)
    figures = await vendor.figures()
    assert [row["date"] for row in figures["dailyTrend"] if row["devices"]] == ["2030-01-15"]
    assert figures["devices"] == 1


async def test_nothing_is_kept_after_the_retention_period(
    vendor: TelemetryVendor, platform: Platform, clock: FakeClock
) -> None:
    await vendor.sent(event("a", clock.now + timedelta(days=1)), event("b"), hardwareId="one")
    clock.advance(days=93)
    for _ in range(2):
        await purge_old_events(platform)
    assert set((await left(platform, vendor.owner)).values()) == {0}


async def test_each_institution_has_its_own_retention_period(
    vendor: TelemetryVendor, stranger: Owner, platform: Platform, clock: FakeClock
) -> None:
    other = await open_telemetry_vendor(stranger)
    await vendor.sent(event())
    await other.sent(event())
    await keep_for(platform, vendor.owner, 1)
    clock.advance(days=2)
    await purge_old_events(platform)
    await vendor.owner.sign_in()
    await stranger.sign_in()
    assert await vendor.events() == []
    assert len(await other.events()) == 1


async def test_a_deleted_product_leaves_nothing(
    vendor: TelemetryVendor, platform: Platform
) -> None:
    await vendor.sent(event(), hardwareId="one")
    await vendor.owner.ok("DELETE", f"/api/products/{vendor.product['id']}")
    await purge_old_events(platform)
    assert set((await left(platform, vendor.owner)).values()) == {0}


async def test_several_processes_purge_at_once(
    vendor: TelemetryVendor, platform: Platform, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("licet_server.telemetry.service.reading.BATCH_ROWS", 20)
    for _ in range(5):
        await vendor.sent(*([event()] * 100), hardwareId="one")
    clock.advance(days=91)
    before = await count_all(platform)
    counts = await asyncio.gather(*(purge_old_events(platform) for _ in range(4)))
    assert sum(counts) == before - await count_all(platform)
    for _ in range(2):
        await purge_old_events(platform)
    assert (await left(platform, vendor.owner))["telemetry_events"] == 0
