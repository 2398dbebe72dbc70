"""Which telemetry is accepted, and what vendors see of it."""

import json
from datetime import timedelta
from typing import Any

import pytest
from bodies import refused_fields
from catalog.factories import bad_fields, refusal
from sqlalchemy import text
from telemetry.factories import TelemetryVendor, event, open_telemetry_vendor
from testkit import FakeClock, Owner

from licet_server.kit.platform import Platform
from licet_server.telemetry.schemas import TelemetryBody


async def test_vendors_see_what_comes_in(vendor: TelemetryVendor, clock: FakeClock) -> None:
    license_ = await vendor.issue("Perpetual")
    at = "2030-01-15T12:30:00+01:00"
    accepted = await vendor.sent(
        event("file.exported", at, format="pdf", pages=12, scale=0.5, signed=True),
        licenseKey=license_["licenseKey"],
        hardwareId="machine-1",
    )
    assert accepted == 1
    clock.advance(seconds=1)
    assert await vendor.sent(event("started")) == 1
    later, first = await vendor.events()
    assert later["name"] == "started"
    assert (later["licenseId"], later["device"], later["properties"]) == (None, None, {})
    assert first["occurredAt"] == "2030-01-15T11:30:00Z"
    assert first["receivedAt"] == "2030-01-15T12:00:00Z"
    assert first["licenseId"] == license_["id"]
    assert first["properties"] == {"format": "pdf", "pages": 12, "scale": 0.5, "signed": True}


async def test_no_hardware_id_is_stored(vendor: TelemetryVendor, platform: Platform) -> None:
    await vendor.sent(event(), event("other"), hardwareId="a-very-telling-machine")
    async with platform.database.reading() as db:
        for table in ("telemetry_events", "telemetry_device_months"):
            rows = await db.execute(
                text(f"SELECT to_jsonb(t)::text FROM {table} t WHERE institution_id = :one"),
                {"one": vendor.owner.institution_id},
            )
            found = "\n".join(rows.scalars())
            assert found
            assert "telling" not in found
            assert b"a-very-telling-machine".hex() not in found
    first, second = await vendor.events()
    assert first["device"] == second["device"] is not None


async def test_a_device_has_another_hash_at_another_vendor(
    vendor: TelemetryVendor, stranger: Owner
) -> None:
    other = await open_telemetry_vendor(stranger)
    await vendor.sent(event(), hardwareId="machine-1")
    await other.sent(event(), hardwareId="machine-1")
    [ours], [theirs] = await vendor.events(), await other.events()
    assert ours["device"] != theirs["device"]


async def test_implausible_times_are_dropped(vendor: TelemetryVendor, clock: FakeClock) -> None:
    now = clock.now
    accepted = await vendor.sent(
        event("last month", now - timedelta(days=30)),
        event("too old", now - timedelta(days=30, seconds=1)),
        event("a wrong clock", now + timedelta(days=1)),
        event("too far ahead", now + timedelta(days=1, seconds=1)),
        event("never", "0001-01-01T00:00:00+14:00"),
        event("the end", "9999-12-31T23:59:59.999999-14:00"),
    )
    assert accepted == 2
    assert {item["name"] for item in await vendor.events()} == {"last month", "a wrong clock"}
    assert await vendor.sent(event("too old", now - timedelta(days=31))) == 0


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ({"events": []}, "events"),
        ({"events": [event()] * 101}, "events"),
        ({"events": {"name": "a", "occurredAt": "2030-01-15T12:00:00Z"}}, "events"),
        ({"events": [event(), event("")]}, "events[1].name"),
        ({"events": [event("x" * 101)]}, "events[0].name"),
        ({"events": [event("   ")]}, "events[0].name"),
        ({"events": [event(), event(at="2030-01-15T12:00:00")]}, "events[1].occurredAt"),
        ({"events": [event(**{f"p{n}": n for n in range(21)})]}, "events[0].properties"),
        ({"events": [event(**{"": 1})]}, "events[0].properties"),
        ({"events": [event(**{"x" * 51: 1})]}, "events[0].properties"),
        ({"events": [event(a="x" * 501)]}, "events[0].properties"),
        ({"events": [event(a={"b": 1})]}, "events[0].properties"),
        ({"events": [event(a=[1])]}, "events[0].properties"),
        ({"events": [event(a=None)]}, "events[0].properties"),
        ({"events": [event(a="\0")]}, "events[0].properties.a"),
        ({}, "events"),
    ],
)
def test_bad_fields_are_named(bad: Any, field: str) -> None:
    assert refused_fields(TelemetryBody, bad) == [field]


async def test_unknown_fields_are_ignored(vendor: TelemetryVendor) -> None:
    assert await vendor.sent({**event(), "severity": 3}, channel="Beta") == 1


async def test_numbers_beyond_floats_are_refused(vendor: TelemetryVendor) -> None:
    headers = {**vendor.key, "content-type": "application/json"}
    for number in ("1e400", "1e300", f"1{'0' * 18}"):
        body = json.dumps({"events": [event(x=7)]}).replace("7}", f"{number}}}")
        answer = await vendor.owner.client.post("/api/telemetry", content=body, headers=headers)
        assert bad_fields(answer) == ["events[0].properties"]
    assert await vendor.events() == []


async def test_an_unknown_license_is_refused_and_counted_as_a_guess(
    vendor: TelemetryVendor,
) -> None:
    for _ in range(120):
        answer = await vendor.send(event(), licenseKey="AAAAA-AAAAA-AAAAA-AAAAA-AAAAA")
        assert refusal(answer) == (404, "LicenseNotFound")
    answer = await vendor.send(event(), licenseKey="AAAAA-AAAAA-AAAAA-AAAAA-AAAAA")
    assert refusal(answer) == (429, "RateLimited")
    assert await vendor.events() == []


async def test_an_inactive_license_can_still_be_reported(vendor: TelemetryVendor) -> None:
    license_ = await vendor.issue("Trial")
    await vendor.owner.ok("POST", f"/api/licenses/{license_['id']}/revoke")
    assert await vendor.sent(event(), licenseKey=license_["licenseKey"]) == 1


async def test_a_blocked_device_is_refused(vendor: TelemetryVendor) -> None:
    license_ = await vendor.issue("Concurrent")
    activation = (await vendor.activate(license_, "machine-1")).json()
    await vendor.operate(activation["activationId"], "block")
    named = {"licenseKey": license_["licenseKey"], "hardwareId": "machine-1"}
    assert refusal(await vendor.send(event(), **named)) == (403, "DeviceBlocked")
    assert await vendor.events() == []
    assert await vendor.sent(event(), **{**named, "hardwareId": "machine-2"}) == 1


async def test_lists_are_narrowed_and_walked(vendor: TelemetryVendor, clock: FakeClock) -> None:
    for number in range(5):
        await vendor.sent(event(f"event.{number % 2}", clock.now, number=number))
        clock.advance(minutes=1)
    newest = await vendor.events(pageSize=2)
    assert [item["properties"]["number"] for item in newest] == [4, 3]
    odd = await vendor.events(name="event.1", sort="receivedAt")
    assert [item["properties"]["number"] for item in odd] == [1, 3]
    between = {"from": "2030-01-15T12:01:00Z", "to": "2030-01-15T12:03:00Z"}
    assert [item["properties"]["number"] for item in await vendor.events(**between)] == [2, 1]
    path = f"/api/products/{vendor.product['id']}/telemetry"
    step = await vendor.owner.ok("GET", path, params={"after": "", "pageSize": 3})
    rest = await vendor.owner.ok("GET", path, params={"after": step["nextAfter"], "pageSize": 3})
    walked = [item["properties"]["number"] for item in step["items"] + rest["items"]]
    assert walked == [0, 1, 2, 3, 4]
    assert rest["nextAfter"] is None
    assert await vendor.events(**{"from": "9999-12-31T23:59:59Z"}) == []


async def test_strangers_see_nothing(vendor: TelemetryVendor, stranger: Owner) -> None:
    await vendor.sent(event(), hardwareId="machine-1")
    theirs = await stranger.ok("GET", "/api/statistics/telemetry")
    assert (theirs["events"], theirs["devices"]) == (0, 0)


async def test_a_request_of_more_than_64_kb_is_refused(vendor: TelemetryVendor) -> None:
    long = {f"key {number}": "x" * 500 for number in range(6)}
    answer = await vendor.send(*(event("long", **long) for _ in range(21)))
    assert refusal(answer) == (413, "PayloadTooLarge")
    assert await vendor.sent(*(event("long", **long) for _ in range(15))) == 15
    assert len(await vendor.events()) == 15
