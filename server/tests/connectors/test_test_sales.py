"""Sales of test mode buy licenses of Test products, and other sales never do."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest
from connectors.factories import Stall, make_policy, open_stall
from connectors.shops import Shop
from connectors.test_addresses import in_test_mode
from licenses.clocks import Clocked
from licenses.factories import make_product
from sqlalchemy import select
from testkit import FakeClock, Owner

from licet_server.connectors.rules import lemon_squeezy
from licet_server.connectors.rules.model import ConnectorKind
from licet_server.events.tables import events
from licet_server.kit.platform import Platform
from licet_server.licenses.service import lifecycle


@pytest.fixture(params=list(ConnectorKind))
async def stall(
    request: pytest.FixtureRequest, owner: Owner, platform: Platform, clock: FakeClock
) -> Stall:
    return await open_stall(owner, platform, clock, request.param)


async def sell_in_test_mode(stall: Stall) -> dict[str, Any]:
    """Paddle has a sandbox for it, whose events say nothing of their mode."""
    if stall.kind is ConnectorKind.PADDLE:
        change = {"apiUrl": "https://sandbox-api.paddle.com"}
        await stall.owner.ok("PUT", f"/api/connectors/{stall.connector['id']}", change)
    shop = stall.shop()
    shop.buy()
    for sent in shop.sent:
        if stall.kind is not ConnectorKind.PADDLE:
            in_test_mode(stall.kind, sent.body)
    return await stall.sell(shop)


async def with_test_rules(stall: Stall, *, alone: bool = False) -> dict[str, Any]:
    """Give the connector rules for tests beside those that it has, or in place of them."""
    test = await make_product(stall.owner, name="Aurora tests", mode="Test")
    policy = await make_policy(stall.owner, test, name="Basic")
    rules = [
        {"match": {"price": price}, "policyId": policy["id"]}
        for price in ("price_basic", "price_pro", "price_team")
    ]
    path = f"/api/connectors/{stall.connector['id']}"
    kept = [] if alone else stall.connector["rules"]
    await stall.owner.ok("PUT", path, {"rules": [*kept, *rules]})
    return test


async def test_a_sale_of_test_mode_buys_a_license_of_a_test_product(stall: Stall) -> None:
    test = await with_test_rules(stall)
    order = await sell_in_test_mode(stall)
    assert (order["testMode"], order["status"], order["problem"]) == (True, "Fulfilled", None)
    licenses = await stall.licenses(order)
    assert {(item["productId"], item["test"]) for item in licenses} == {(test["id"], True)}
    home = await stall.owner.ok("GET", f"/api/institutions/{stall.owner.institution_id}/home")
    assert home["now"]["licenses"] == 0
    async with stall.platform.database.reading() as db:
        rows = await db.execute(select(events.c.data).where(events.c.subject_id == order["id"]))
        marks = [data["test"] for data in rows.scalars()]
    assert marks
    assert set(marks) == {True}


async def test_a_live_sale_buys_none_of_a_test_product(stall: Stall) -> None:
    await with_test_rules(stall)
    shop = stall.shop()
    shop.buy()
    order = await stall.sell(shop)
    licenses = await stall.licenses(order)
    assert {item["productId"] for item in licenses} == {stall.product["id"]}
    assert {item["test"] for item in licenses} == {False}


async def test_a_live_sale_matches_no_rule_for_tests(stall: Stall) -> None:
    await with_test_rules(stall, alone=True)
    shop = stall.shop()
    shop.buy()
    order = await stall.sell(shop)
    assert (order["status"], order["licenseIds"]) == ("Unmatched", [])


async def test_a_sale_of_test_mode_that_waited_is_matched_by_a_new_rule(stall: Stall) -> None:
    order = await sell_in_test_mode(stall)
    assert (order["status"], order["licenseIds"]) == ("Open", [])
    home = await stall.owner.ok("GET", f"/api/institutions/{stall.owner.institution_id}/home")
    assert "UnmatchedOrder" not in json.dumps(home["waiting"]["items"])
    await with_test_rules(stall)
    await stall.work_off()
    [order] = await stall.orders()
    assert order["status"] == "Fulfilled"


@pytest.mark.parametrize("mark", [("meta",), ("data", "attributes")])
def test_lemon_squeezy_marks_a_test_in_either_place(mark: tuple[str, ...]) -> None:
    shop = Shop(ConnectorKind.LEMON_SQUEEZY, "marked", "a@example.com", FakeClock()())
    shop.buy()
    for sent in shop.sent:
        place = sent.body
        for name in mark:
            place = place[name]
        place["test_mode"] = True
        fact = lemon_squeezy.fact_of(sent.body)
        assert fact is not None
        assert fact.is_test


@dataclass
class Behind:
    """A buyer of a Test product who has stopped paying, and what happens to the license."""

    stall: Stall
    product: dict[str, Any]
    order: dict[str, Any]
    suspended_at: datetime

    async def clock(self) -> Clocked:
        owner, product = self.stall.owner, self.product
        made = await owner.ok("POST", "/api/test-clocks", {"productId": product["id"]})
        return Clocked(owner, product, {}, self.stall.platform, self.stall.clock, made["id"])

    async def status(self) -> str:
        [found] = await self.stall.licenses(self.order)
        return str(found["status"])

    async def pass_time(self, days: int) -> None:
        """Let real time pass, in which the shop says nothing."""
        self.stall.clock.advance(days=days)
        await self.stall.owner.sign_in()
        await self.stall.work_off()


@pytest.fixture
async def behind(owner: Owner, platform: Platform, clock: FakeClock) -> Behind:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    product = await with_test_rules(stall)
    shop = stall.shop()
    shop.buy()
    shop.fail()
    for sent in shop.sent:
        in_test_mode(stall.kind, sent.body)
    return Behind(stall, product, await stall.sell(shop), shop.at + timedelta(days=7))


async def test_a_failed_payment_suspends_by_the_clock_of_the_product(behind: Behind) -> None:
    clocked = await behind.clock()
    await behind.pass_time(days=100)
    assert await behind.status() == "Active", "the clock stands still"
    at = behind.suspended_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    await clocked.advance(to=at)
    assert await behind.status() == "Suspended"
    assert [item for item in await clocked.told() if item[1] == "license.suspended"] == [
        (at, "license.suspended")
    ]
    assert (await clocked.advance(until="NextEvent"))["now"] == at, "nothing is left to do"


async def test_a_failed_payment_suspends_in_real_time_without_a_clock(behind: Behind) -> None:
    clocked = await behind.clock()
    await behind.pass_time(days=36)
    assert await behind.status() == "Active", "the clock stands still"
    await clocked.owner.send("DELETE", clocked.path)
    await behind.pass_time(days=0)
    assert await behind.status() == "Active", "a day is left"
    await behind.pass_time(days=2)
    assert await behind.status() == "Suspended"


async def test_an_order_that_fails_by_the_clock_is_retried_in_real_time(
    behind: Behind, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocked = await behind.clock()
    with monkeypatch.context() as broken:
        broken.setattr(lifecycle, "suspend", None)
        assert (await clocked.advance(days=100))["status"] == "Ready"
    assert await behind.status() == "Expired"
    [order] = await behind.stall.orders()
    assert order["problem"] is not None
    behind.stall.clock.advance(minutes=1)
    await behind.stall.work_off()
    assert await behind.status() == "Suspended"
    [order] = await behind.stall.orders()
    assert (order["problem"], order["nextAttemptAt"]) == (None, None)
