"""The limit of a product's day, raced with real commits."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from telemetry.factories import TelemetryVendor, event, open_telemetry_vendor, race
from testkit import FakeClock

from licet_server.kit.platform import Platform
from licet_server.telemetry.rules import EVENT_BYTES, ReportedEvent, size_of


async def fill_the_day(platform: Platform, vendor: TelemetryVendor, room: int) -> None:
    """Record that the product has sent all of today but the bytes of `room` equal events."""
    await vendor.sent(event())
    async with platform.database.transaction() as db:
        await db.execute(
            text(
                "UPDATE telemetry_tallies SET bytes = :limit - :room * bytes "
                "WHERE product_id = :one"
            ),
            {
                "limit": platform.settings.telemetry_bytes_per_day,
                "room": room,
                "one": vendor.product["id"],
            },
        )


async def stored(platform: Platform, vendor: TelemetryVendor) -> int:
    async with platform.database.reading() as db:
        rows = await db.execute(
            text("SELECT count(*) FROM telemetry_events WHERE product_id = :one"),
            {"one": vendor.product["id"]},
        )
        return int(rows.scalar_one())


async def test_beyond_the_budget_all_of_a_request_is_counted_and_dropped(
    vendor: TelemetryVendor, platform: Platform, clock: FakeClock
) -> None:
    await fill_the_day(platform, vendor, room=3)
    assert await vendor.sent(event(), event()) == 2
    assert await vendor.sent(event(), event()) == 0
    assert await vendor.sent(event()) == 0
    assert await stored(platform, vendor) == 3
    figures = await vendor.figures()
    assert (figures["events"], figures["dropped"]) == (3, 3)
    clock.advance(hours=12)
    assert await vendor.sent(event(at=clock.now)) == 1


async def test_a_product_may_send_100_mb_a_day_of_names_and_properties(platform: Platform) -> None:
    assert platform.settings.telemetry_bytes_per_day == 100_000_000
    small = ReportedEvent("a", FakeClock.START, {})
    large = ReportedEvent("ä" * 10, FakeClock.START, {"text": "x" * 500})
    assert size_of([small]) == EVENT_BYTES + len("a{}")
    assert size_of([large, small]) == size_of([small]) + EVENT_BYTES + 20 + 511


async def test_the_limit_is_of_one_product(vendor: TelemetryVendor, platform: Platform) -> None:
    other = await open_telemetry_vendor(vendor.owner, name="Borealis")
    await fill_the_day(platform, vendor, room=0)
    full, fine = await asyncio.gather(vendor.send(event()), other.send(event()))
    assert (full.json(), fine.json()) == ({"accepted": 0}, {"accepted": 1})


async def test_the_limit_holds_in_a_race(vendor: TelemetryVendor, platform: Platform) -> None:
    """Several processes add to one tally."""
    room, senders = 10, 40
    await fill_the_day(platform, vendor, room)
    assert set(await race(platform, vendor, [[event()]] * senders)) == {202}
    assert await stored(platform, vendor) == room + 1
    assert (await vendor.figures())["dropped"] == senders - room


async def test_the_totals_are_exact_in_a_race(vendor: TelemetryVendor, platform: Platform) -> None:
    """Many requests add to the same totals at once, and run into deadlocks."""
    parcels = [
        [event(f"event.{(n * 7 + k) % 5}", platform.clock() - timedelta(days=k)) for k in range(4)]
        for n in range(100)
    ]
    assert set(await race(platform, vendor, parcels, devices=10)) == {202}
    figures = await vendor.figures()
    assert (figures["events"], figures["devices"]) == (400, 10)
    assert [(row["events"], row["devices"]) for row in figures["topNames"]] == [(80, 8)] * 5
    assert [row["events"] for row in figures["dailyTrend"][-4:]] == [100] * 4
    assert await stored(platform, vendor) == 400


async def test_without_the_tally_the_race_goes_beyond_the_limit(
    vendor: TelemetryVendor, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control: a count that is read but not reserved lets too many in."""

    async def look(db: Any, day: Any, sent: Any) -> Any:
        rows = await db.execute(
            text("SELECT bytes FROM telemetry_tallies WHERE product_id = :one AND day = :day"),
            {"one": vendor.product["id"], "day": day},
        )
        there = rows.scalar_one()
        return {product: there + item.bytes for product, item in sent.items()}

    room, senders = 10, 40
    await fill_the_day(platform, vendor, room)
    monkeypatch.setattr("licet_server.telemetry.storage.events.add_to_tallies", look)
    await race(platform, vendor, [[event()]] * senders)
    assert await stored(platform, vendor) > room + 1
