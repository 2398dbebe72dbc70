"""Statistics through HTTP: what there is now, what happened on which day, and for whom."""

from typing import Any

import pytest
from licenses.factories import FUTURE
from testkit import Owner
from world import Vendor, World, open_vendor


async def read(vendor: Vendor, kind: str, **query: Any) -> dict[str, Any]:
    return dict(await vendor.owner.ok("GET", f"/api/statistics/{kind}", params=query))


def days_with(trend: list[dict[str, Any]], name: str) -> dict[str, int]:
    return {row["date"]: row[name] for row in trend if row[name]}


async def connect(vendor: Vendor, license_: dict[str, Any], machine: str) -> str:
    body = {"licenseKey": license_["licenseKey"], "hardwareId": machine}
    answer = await vendor.call("POST", "/api/sessions/connect", body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["sessionId"])


async def test_licenses_are_counted(world: World) -> None:
    await world.issue("Perpetual")
    trial = await world.issue("Trial", expirationDate="2030-01-20T00:00:00Z")
    revoked = await world.issue("Subscription")
    world.clock.advance(days=1)
    await world.owner.sign_in()
    path = f"/api/licenses/{revoked['id']}"
    await world.owner.ok("POST", f"{path}/revoke")
    suspended = await world.issue("Floating")
    await world.owner.ok("POST", f"/api/licenses/{suspended['id']}/suspend")
    figures = await read(world, "licenses")
    assert figures["total"] == 4
    assert figures["byStatus"] == {"Active": 2, "Expired": 0, "Revoked": 1, "Suspended": 1}
    assert {name: count for name, count in figures["byType"].items() if count} == {
        "Perpetual": 1,
        "Trial": 1,
        "Subscription": 1,
        "Floating": 1,
    }
    assert len(figures["byType"]) == 8
    [product] = figures["byProduct"]
    assert (product["productName"], product["total"], product["active"]) == ("Aurora", 4, 2)
    assert figures["expiringIn30Days"] == 1
    assert (figures["created"], figures["revoked"]) == (4, 1)
    assert days_with(figures["dailyTrend"], "created") == {"2030-01-15": 3, "2030-01-16": 1}
    assert days_with(figures["dailyTrend"], "revoked") == {"2030-01-16": 1}
    world.clock.advance(days=10)
    await world.owner.sign_in()
    later = await read(world, "licenses")
    assert later["byStatus"]["Expired"] == 1
    assert later["expiringIn30Days"] == 0
    renewal = {"expirationDate": FUTURE}
    await world.owner.ok("PUT", f"/api/licenses/{trial['id']}", renewal)
    assert (await read(world, "licenses"))["renewed"] == 1


async def test_activations_are_counted(world: World) -> None:
    many = await world.issue("Concurrent", maxActiveUsersCount=2, licenseName="Many")
    one = await world.issue("NodeLocked", licenseName="One")
    await world.activate(many, "machine-1")
    second = (await world.activate(many, "machine-2")).json()
    assert (await world.activate(many, "machine-3")).status_code == 409
    await world.validate(one, "machine-1")
    await world.validate(one, "machine-2")
    await world.operate(second["activationId"], "block")
    world.clock.advance(days=1)
    await world.owner.sign_in()
    await world.deactivate(many, "machine-1")
    figures = await read(world, "activations")
    assert {name: figures[name] for name in ("total", "active", "pending", "blocked")} == {
        "total": 2,
        "active": 1,
        "pending": 0,
        "blocked": 1,
    }
    assert (figures["created"], figures["removed"], figures["limitReached"]) == (3, 1, 1)
    assert (figures["accessAttempts"], figures["unreviewedAccessAttempts"]) == (1, 1)
    assert days_with(figures["dailyTrend"], "removed") == {"2030-01-16": 1}
    assert days_with(figures["dailyTrend"], "blocked") == {"2030-01-15": 1}
    top = [
        (item["licenseName"], item["count"], item["seatsTotal"]) for item in figures["topLicenses"]
    ]
    assert sorted(top) == [("Many", 1, 2), ("One", 1, 1)]


async def test_sessions_are_counted(world: World) -> None:
    pool = await world.issue("Floating", maxActiveUsersCount=2, licenseName="Pool")
    other = await world.issue("Perpetual", licenseName="Other")
    first = await connect(world, pool, "machine-1")
    await connect(world, pool, "machine-2")
    await connect(world, other, "machine-1")
    body = {"licenseKey": pool["licenseKey"], "hardwareId": "machine-3"}
    assert (await world.call("POST", "/api/sessions/connect", body)).status_code == 409
    await world.call("POST", "/api/sessions/disconnect", {"sessionId": first})
    figures = await read(world, "sessions")
    assert (figures["live"], figures["started"], figures["ended"]) == (2, 3, 1)
    assert figures["limitReached"] == 1
    assert days_with(figures["dailyTrend"], "started") == {"2030-01-15": 3}
    top = {
        item["licenseName"]: (item["count"], item["seatsTotal"]) for item in figures["topLicenses"]
    }
    assert top == {"Pool": (1, 2), "Other": (1, None)}
    world.clock.advance(seconds=91)
    assert (await read(world, "sessions"))["live"] == 0


async def test_overview_sums_all_figures(world: World) -> None:
    pool = await world.issue("Floating")
    bound = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    await world.validate(bound, "machine-1")
    await connect(world, pool, "machine-1")
    figures = await read(world, "overview")
    assert figures == {
        "from": figures["from"],
        "to": "2030-01-16T00:00:00Z",
        "products": 1,
        "licenses": 2,
        "activeLicenses": 2,
        "expiringIn30Days": 0,
        "activations": 0,
        "pendingActivations": 1,
        "blockedActivations": 0,
        "liveSessions": 1,
        "unreviewedAccessAttempts": 0,
        "licensesCreated": 2,
        "activationsCreated": 1,
        "sessionsStarted": 1,
    }


@pytest.mark.parametrize("kind", ["overview", "licenses", "activations", "sessions"])
async def test_figures_cover_what_the_caller_sees(world: World, stranger: Owner, kind: str) -> None:
    await world.issue("Perpetual")
    other = await open_vendor(world.owner, name="Borealis")
    mine = {"institutionId": world.owner.institution_id, "productId": other.product["id"]}
    assert (await read(world, kind, **mine))["from"] == "2029-12-17T00:00:00Z"
    if kind == "overview":
        assert (await read(world, kind))["licenses"] == 1
        assert (await read(world, kind, productId=other.product["id"]))["licenses"] == 0
        assert (await stranger.ok("GET", f"/api/statistics/{kind}"))["licenses"] == 0


async def test_period_selects_days_and_times(world: World) -> None:
    await world.issue("Perpetual")
    days = {"from": "2030-01-14", "to": "2030-01-15"}
    figures = await read(world, "licenses", **days)
    assert (figures["from"], figures["to"]) == ("2030-01-14T00:00:00Z", "2030-01-16T00:00:00Z")
    assert [row["date"] for row in figures["dailyTrend"]] == ["2030-01-14", "2030-01-15"]
    times = {"from": "2030-01-15T13:00:00+02:00", "to": "2030-01-15T12:00:00Z"}
    exact = await read(world, "licenses", **times)
    assert (exact["from"], exact["created"]) == ("2030-01-15T11:00:00Z", 0)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"from": "yesterday"}, "from"),
        ({"to": "2030-13-01"}, "to"),
        ({"from": "2030-01-15T12:00:00"}, "from"),
        ({"from": "2030-01-15", "to": "2030-01-14"}, "from"),
        ({"from": "2020-01-01"}, "from"),
        ({"to": "0001-01-01"}, "to"),
        ({"to": "9999-12-31"}, "to"),
        ({"productId": "no-id"}, "productId"),
    ],
)
async def test_invalid_periods_are_rejected(
    world: World, query: dict[str, str], field: str
) -> None:
    answer = await world.owner.send("GET", "/api/statistics/licenses", params=query)
    assert answer.status_code == 400, answer.text
    assert [error["field"] for error in answer.json()["errors"]] == [field]
