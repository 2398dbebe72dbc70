"""Figures of telemetry through HTTP: how much, on how many devices, when, and what."""

from datetime import timedelta
from typing import Any

from telemetry.factories import TelemetryVendor, event, open_telemetry_vendor
from testkit import FakeClock, Owner


def days_with(figures: dict[str, Any]) -> dict[str, tuple[int, int]]:
    trend = figures["dailyTrend"]
    return {row["date"]: (row["events"], row["devices"]) for row in trend if row["events"]}


def named(figures: dict[str, Any]) -> list[tuple[str, int, int]]:
    return [(row["name"], row["events"], row["devices"]) for row in figures["topNames"]]


async def test_each_device_and_license_counts_once(
    vendor: TelemetryVendor, clock: FakeClock
) -> None:
    first, second = await vendor.issue("Perpetual"), await vendor.issue("Perpetual")
    today, yesterday = clock.now, clock.now - timedelta(days=1)
    on_first = {"licenseKey": first["licenseKey"], "hardwareId": "one"}
    await vendor.sent(event("start", yesterday), event("start", today), **on_first)
    await vendor.sent(event("start", today), event("export", today), event("start"), **on_first)
    await vendor.sent(event("start", today), licenseKey=second["licenseKey"], hardwareId="two")
    await vendor.sent(event("export", yesterday))
    figures = await vendor.figures()
    assert (figures["events"], figures["devices"], figures["licenses"]) == (7, 2, 2)
    assert days_with(figures) == {"2030-01-14": (2, 1), "2030-01-15": (5, 2)}
    assert named(figures) == [("start", 5, 2), ("export", 2, 1)]
    assert len(figures["dailyTrend"]) == 30


async def test_periods_are_of_whole_days(vendor: TelemetryVendor, clock: FakeClock) -> None:
    await vendor.sent(*(event("start", clock.now - timedelta(days=n)) for n in range(20)))
    asked = {"from": "2030-01-13T15:00:00Z", "to": "2030-01-14T01:00:00Z"}
    figures = await vendor.figures(**asked)
    assert (figures["from"], figures["to"]) == ("2030-01-13T00:00:00Z", "2030-01-15T00:00:00Z")
    assert figures["events"] == 2
    over_new_year = await vendor.figures(**{"from": "2029-12-30", "to": "2030-01-01"})
    assert days_with(over_new_year) == {
        "2029-12-30": (1, 0),
        "2029-12-31": (1, 0),
        "2030-01-01": (1, 0),
    }


async def test_devices_count_in_the_period_alone(vendor: TelemetryVendor, clock: FakeClock) -> None:
    """A device seen before and after a period, but not in it, is not counted."""
    before, after = clock.now - timedelta(days=20), clock.now
    await vendor.sent(event("start", before), event("start", after), hardwareId="one")
    await vendor.sent(event("start", clock.now - timedelta(days=10)), hardwareId="two")
    figures = await vendor.figures(**{"from": "2030-01-02", "to": "2030-01-10"})
    assert (figures["events"], figures["devices"]) == (1, 1)
    assert named(figures) == [("start", 1, 1)]
    assert (await vendor.figures())["devices"] == 2


async def test_products_and_institutions_are_kept_apart(
    vendor: TelemetryVendor, owner: Owner, stranger: Owner
) -> None:
    other = await open_telemetry_vendor(owner, name="Borealis")
    theirs = await open_telemetry_vendor(stranger)
    await vendor.sent(event("start"), hardwareId="one")
    await other.sent(event("start"), event("stop"), hardwareId="one")
    await theirs.sent(event("start"), hardwareId="one")
    both = await vendor.figures()
    assert (both["events"], both["devices"]) == (3, 1)
    one = await vendor.figures(productId=other.product["id"])
    assert (one["events"], named(one)) == (2, [("start", 1, 1), ("stop", 1, 1)])
    answer = await vendor.owner.send(
        "GET", "/api/statistics/telemetry", params={"productId": theirs.product["id"]}
    )
    assert answer.status_code == 404


async def test_the_ten_most_frequent_are_named(vendor: TelemetryVendor) -> None:
    for number in range(12):
        await vendor.sent(*([event(f"event.{number:02}")] * (12 - number)))
    found = named(await vendor.figures())
    assert found[0] == ("event.00", 12, 0)
    assert [name for name, *_ in found] == [f"event.{n:02}" for n in range(10)]
