"""A date without a time lasts until the end of that day in the institution's time zone."""

from typing import Any

import pytest
from licenses.factories import license_body
from world import World

from licet_server.licenses.service.reminders import remind_of_expiry
from licet_server.sessions.service.ending import SessionLicenseHooks
from licet_server.worker import dispatch_events

DAY = "2031-01-31"
IN_UTC = "2031-01-31T23:59:59.999999Z"
IN_BERLIN = "2031-01-31T22:59:59.999999Z"


async def set_zone(world: World, name: str) -> None:
    path = f"/api/institutions/{world.owner.institution_id}/settings"
    changed = await world.owner.ok("PUT", path, {"timeZone": name})
    assert changed["timeZone"] == name
    assert (await world.owner.ok("GET", path))["timeZone"] == name


async def test_the_default_is_utc(world: World) -> None:
    path = f"/api/institutions/{world.owner.institution_id}/settings"
    assert (await world.owner.ok("GET", path))["timeZone"] == "UTC"
    assert (await world.issue("Trial", expirationDate=DAY))["expirationDate"] == IN_UTC


async def test_every_way_to_set_an_end(world: World) -> None:
    await set_zone(world, "Europe/Berlin")
    license_ = await world.issue("Trial", expirationDate=DAY)
    assert license_["expirationDate"] == IN_BERLIN
    path = f"/api/licenses/{license_['id']}"
    changed = await world.owner.ok("PUT", path, {"expirationDate": "2031-07-31"})
    assert changed["expirationDate"] == "2031-07-31T21:59:59.999999Z"
    body = {"action": "extend", "ids": [license_["id"]], "expirationDate": "2032-01-31"}
    assert (await world.owner.ok("POST", "/api/licenses/bulk", body))["done"] == 1
    assert (await world.read(license_))["expirationDate"] == "2032-01-31T22:59:59.999999Z"
    body = {"type": "Subscription", "expirationDate": DAY}
    converted = await world.owner.ok("POST", f"{path}/convert", body)
    assert converted["expirationDate"] == IN_BERLIN
    policy = {"productId": world.product["id"], "name": "Yearly", "type": "Perpetual"}
    policy = await world.owner.ok("POST", "/api/policies", policy)
    body = {"policyId": policy["id"], "expirationDate": DAY}
    issued = await world.owner.ok("POST", "/api/licenses", body)
    assert issued["expirationDate"] == IN_BERLIN


async def test_an_api_key_lasts_until_the_end_of_its_day(world: World) -> None:
    await set_zone(world, "Europe/Berlin")
    body = {"name": "Build", "scopes": ["Licenses.Read"], "expirationDate": DAY}
    made = await world.owner.ok("POST", "/api/api-keys", body)
    assert made["expirationDate"] == IN_BERLIN
    body["expirationDate"] = "9999-12-31T23:59:59-14:00"
    assert (await world.owner.ok("POST", "/api/api-keys", body))["expirationDate"] is None
    body["expirationDate"] = "2030-01-13"
    await refused(world, "POST", "/api/api-keys", body, "must be in the future")


async def test_a_reminder_names_the_day_of_the_zone(world: World) -> None:
    await set_zone(world, "Europe/Berlin")
    await world.issue("Trial", licenseName="Northwind", expirationDate="2030-02-10")
    world.clock.advance(days=26)
    await world.owner.sign_in()
    await remind_of_expiry(world.platform, SessionLicenseHooks())
    await dispatch_events(world.platform)
    told = (await world.owner.ok("GET", "/api/notifications"))["items"]
    assert any("ends on February 10, 2030 at 23:59 CET." in item["body"] for item in told), told


async def test_today_lasts_until_its_end(world: World) -> None:
    license_ = await world.issue("Trial", expirationDate="2030-01-15")  # at 12:00 of that day
    world.clock.advance(hours=11, minutes=59, seconds=59)
    assert (await world.validate(license_))["status"] == "Valid"
    world.clock.advance(seconds=1)
    assert (await world.validate(license_))["status"] == "Expired"


async def test_a_day_that_is_over_in_the_zone(world: World) -> None:
    await set_zone(world, "Pacific/Kiritimati")  # where it is the 16th already
    body = license_body(world.product, "Trial", expirationDate="2030-01-15")
    await refused(world, "POST", "/api/licenses", body, "must be in the future")
    license_ = await world.issue("Trial", expirationDate="2030-01-16")
    path = f"/api/licenses/{license_['id']}"
    await refused(world, "PUT", path, {"expirationDate": "2030-01-15"}, "must be in the future")
    body = {"type": "Subscription", "expirationDate": "2030-01-15"}
    await refused(world, "POST", f"{path}/convert", body, "must be in the future")
    for fields in ({"action": "extend"}, {"action": "convert", "type": "Subscription"}):
        body = {"ids": [license_["id"]], "expirationDate": "2030-01-15", **fields}
        answer = await world.owner.ok("POST", "/api/licenses/bulk", body)
        assert [item["errorCode"] for item in answer["refused"]] == ["InvalidRequest"]


async def test_an_expired_license_is_not_extended_to_a_day_that_is_over(world: World) -> None:
    await set_zone(world, "Pacific/Kiritimati")
    license_ = await world.issue("Trial", expirationDate="2030-01-15T12:30:00Z")
    world.clock.advance(hours=23)  # it is the 17th there, and the 16th where days end last
    await world.owner.sign_in()
    body = {"action": "extend", "ids": [license_["id"]], "expirationDate": "2030-01-16"}
    [refused] = (await world.owner.ok("POST", "/api/licenses/bulk", body))["refused"]
    assert "must be in the future" in refused["detail"]
    assert (await world.read(license_))["expirationDate"] == "2030-01-15T12:30:00Z"


@pytest.mark.parametrize(
    ("end", "message"),
    [
        ("2031-01-31T09:30:00", "has no time zone. Write a day such as 2031-01-31"),
        ("2031-01-31 09:30", "has no time zone"),
        ("soon", "is not a date. Write a day"),
        ("2031-02-30", "is not a date"),
        (1_924_992_000, "is not a date"),
        ("2030-01-13", "must be in the future"),
    ],
)
async def test_what_is_refused(world: World, end: Any, message: str) -> None:
    body = license_body(world.product, "Perpetual", expirationDate=end)
    await refused(world, "POST", "/api/licenses", body, message)


@pytest.mark.parametrize("name", ["", "Berlin", "europe/berlin", "+02:00", "../etc/passwd", None])
async def test_what_is_no_time_zone(world: World, name: str | None) -> None:
    path = f"/api/institutions/{world.owner.institution_id}/settings"
    answer = await world.owner.send("PUT", path, {"timeZone": name})
    assert answer.status_code == 400
    assert [item["field"] for item in answer.json()["errors"]] == ["timeZone"]


async def refused(world: World, method: str, path: str, body: Any, message: str) -> None:
    answer = await world.owner.send(method, path, body)
    assert answer.status_code == 400, answer.text
    [error] = answer.json()["errors"]
    assert error["field"] == "expirationDate"
    assert message in error["message"]
