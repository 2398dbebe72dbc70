"""Terms of months, of policies and of extensions, by the calendar of the institution."""

from typing import Any

import pytest
from bodies import refused_fields
from catalog.factories import NOWHERE, bad_fields
from licenses.test_bulk import bulk
from licenses.test_days import set_zone
from testkit import FakeClock
from world import World

from licet_server.licenses.schemas.bulk import BulkLicensesBody


def fields_of(**fields: Any) -> list[str]:
    body = {"action": "extend", "ids": [NOWHERE], **fields}
    return refused_fields(BulkLicensesBody, body, FakeClock())


async def make_policy(world: World, **fields: Any) -> dict[str, Any]:
    body = {"productId": world.product["id"], "name": "Monthly", "type": "Subscription", **fields}
    return dict(await world.owner.ok("POST", "/api/policies", body))


async def issue_under(world: World, policy: dict[str, Any], **fields: Any) -> dict[str, Any]:
    body = {"policyId": policy["id"], "issuedTo": "customer@example.com", **fields}
    return dict(await world.owner.ok("POST", "/api/licenses", body))


async def end_of(world: World, license_: dict[str, Any]) -> str:
    return str((await world.read(license_))["expirationDate"])


async def test_each_license_is_extended_from_its_own_end(world: World) -> None:
    ends = ("2031-01-31", "2032-02-29", "2031-06-15")
    made = [await world.issue("Subscription", expirationDate=f"{end}T10:00:00Z") for end in ends]
    answer = await bulk(world.owner, "extend", *made, months=12, days=None)
    assert answer["done"] == 3
    assert [await end_of(world, item) for item in made] == [
        "2032-01-31T10:00:00Z",
        "2033-02-28T10:00:00Z",
        "2032-06-15T10:00:00Z",
    ]


async def test_renewals_from_the_31st_return_to_it(world: World) -> None:
    made = await world.issue("Subscription", expirationDate="2031-01-31")
    ends = []
    for _ in range(3):
        await bulk(world.owner, "extend", made, months=1)
        ends.append((await end_of(world, made))[:10])
    assert ends == ["2031-02-28", "2031-03-31", "2031-04-30"]
    # An end that is chosen is the day that counts from then on.
    path = f"/api/licenses/{made['id']}"
    await world.owner.ok("PUT", path, {"expirationDate": "2031-06-30"})
    await bulk(world.owner, "extend", made, months=1)
    assert (await end_of(world, made))[:10] == "2031-07-30"


async def test_the_last_instant_of_a_day_stays_so_in_the_zone(world: World) -> None:
    await set_zone(world, "Europe/Berlin")
    made = await world.issue("Subscription", expirationDate="2031-01-31")
    assert await end_of(world, made) == "2031-01-31T22:59:59.999999Z"
    await bulk(world.owner, "extend", made, months=6)
    assert await end_of(world, made) == "2031-07-31T21:59:59.999999Z"
    await bulk(world.owner, "extend", made, days=180)
    assert await end_of(world, made) == "2032-01-27T22:59:59.999999Z"


async def test_a_policy_has_months(world: World) -> None:
    world.clock.advance(days=16)  # 31 January
    await world.owner.sign_in()
    policy = await make_policy(world, durationMonths=1)
    assert (policy["durationDays"], policy["durationMonths"]) == (None, 1)
    made = await issue_under(world, policy)
    assert made["expirationDate"] == "2030-02-28T12:00:00Z"
    await bulk(world.owner, "extend", made, months=1)
    assert await end_of(world, made) == "2030-03-31T12:00:00Z"
    given = await issue_under(world, policy, expirationDate="2031-01-31T00:00:00Z")
    assert given["expirationDate"] == "2031-01-31T00:00:00Z"


async def test_months_begin_with_the_first_use_in_the_zone(world: World) -> None:
    await set_zone(world, "Europe/Berlin")
    policy = await make_policy(world, durationMonths=3, termStarts="FirstUse")
    made = await issue_under(world, policy)
    assert (made["expirationDate"], made["termDays"], made["termMonths"]) == (None, None, 3)
    explained = await world.owner.ok("POST", f"/api/licenses/{made['id']}/explain", {})
    assert any("3 months, which begin with" in rule["detail"] for rule in explained["rules"])
    world.clock.advance(days=16)
    await world.owner.sign_in()
    assert (await world.validate(made))["status"] == "Valid"
    shown = await world.read(made)
    assert (shown["expirationDate"], shown["termMonths"]) == ("2030-04-30T11:00:00Z", None)
    await bulk(world.owner, "extend", made, months=1)
    assert await end_of(world, made) == "2030-05-31T11:00:00Z"


async def test_a_policy_has_days_or_months(world: World) -> None:
    body = {"productId": world.product["id"], "name": "Both", "type": "Subscription"}
    for fields, wrong in (
        ({"durationDays": 30, "durationMonths": 1}, ["durationMonths"]),
        ({"durationMonths": 0}, ["durationMonths"]),
        ({"durationMonths": 1_201}, ["durationMonths"]),
        ({"durationMonths": 1.5}, ["durationMonths"]),
        ({"durationMonths": "1"}, ["durationMonths"]),
        ({"termStarts": "FirstUse"}, ["durationDays"]),
    ):
        answer = await world.owner.send("POST", "/api/policies", {**body, **fields})
        assert bad_fields(answer) == wrong, fields
    policy = await make_policy(world, durationDays=30)
    path = f"/api/policies/{policy['id']}"
    both = await world.owner.send("PUT", path, {"durationDays": 30, "durationMonths": 1})
    assert bad_fields(both) == ["durationMonths"]
    for change, days, months in (
        ({"durationMonths": 12}, None, 12),
        ({"durationDays": 90}, 90, None),
        ({"durationMonths": None}, 90, None),
        ({"durationDays": None, "durationMonths": 1}, None, 1),
        ({"durationMonths": None}, None, None),
    ):
        changed = await world.owner.ok("PUT", path, change)
        assert (changed["durationDays"], changed["durationMonths"]) == (days, months)


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"months": 1, "days": 1}, ["expirationDate"]),
        ({"months": 1, "expirationDate": "2031-01-31"}, ["expirationDate"]),
        ({"months": 0}, ["months"]),
        ({"months": -1}, ["months"]),
        ({"months": 1_201}, ["months"]),
        ({"months": 10**30}, ["months"]),
    ],
)
def test_an_extension_is_one_of_three(fields: dict[str, Any], wrong: list[str]) -> None:
    assert fields_of(**fields) == wrong


async def test_an_extension_beyond_the_calendar_names_months(world: World) -> None:
    far = await world.issue("Subscription", expirationDate="8999-06-01T00:00:00Z")
    answer = await bulk(world.owner, "extend", far, months=1)
    assert answer["refused"][0]["errorCode"] == "InvalidRequest"
    expired = await world.issue("Subscription", expirationDate="2030-01-15T13:00:00Z")
    world.clock.advance(days=16)
    await world.owner.sign_in()
    await bulk(world.owner, "extend", expired, months=1)
    assert await end_of(world, expired) == "2030-02-28T12:00:00Z"
