"""What the list says of the licenses, devices and payments of customers, and finds them by."""

from typing import Any

from connectors.factories import open_stall
from connectors.test_sales import sell
from identity.test_reset_and_api_keys import make_key
from statements import sent_statements
from testkit import FakeClock, Owner
from world import World

from licet_server.connectors.rules.model import ConnectorKind
from licet_server.kit.platform import Platform

SOON, LATER = "2030-02-01T00:00:00Z", "2031-02-01T00:00:00Z"


async def listed(owner: Owner, query: str = "") -> dict[str, dict[str, Any]]:
    found = await owner.ok("GET", f"/api/customers?{query}")
    assert found["totalCount"] == len(found["items"])
    return {item["name"]: item for item in found["items"]}


async def test_licenses_are_counted_by_status_and_found_by_it(world: World) -> None:
    for name in ("ada", "bob", "eva"):
        body = {"name": name, "email": f"{name}@example.com"}
        await world.owner.ok("POST", "/api/customers", body)
    await world.issue("Perpetual", issuedTo="ada@example.com")
    for end in (LATER, SOON):
        await world.issue("Subscription", issuedTo="ada@example.com", expirationDate=end)
    for act in ("suspend", "revoke"):
        license_ = await world.issue("Perpetual", issuedTo="bob@example.com")
        await world.owner.ok("POST", f"/api/licenses/{license_['id']}/{act}", {})
    used = await world.issue("Concurrent", issuedTo="bob@example.com")
    assert (await world.activate(used, "laptop")).is_success
    seen = world.clock.now
    world.clock.advance(days=30)
    await world.owner.sign_in()
    found = await listed(world.owner)
    counts = [f"{status}Licenses" for status in ("active", "suspended", "expired", "revoked")]
    assert {name: [item[it] for it in counts] for name, item in found.items()} == {
        "ada": [2, 0, 1, 0],
        "bob": [1, 1, 0, 1],
        "eva": [0, 0, 0, 0],
    }
    assert [found[name]["licenseCount"] for name in ("ada", "bob", "eva")] == [3, 3, 0]
    assert (found["ada"]["nextEnd"], found["bob"]["nextEnd"]) == (LATER, None)
    assert found["bob"]["lastSeenAt"] == seen.isoformat().replace("+00:00", "Z")
    assert found["ada"]["lastSeenAt"] is None
    by_holding = {it: {*await listed(world.owner, f"licenses={it}")} for it in HELD_BY}
    assert by_holding == HELD_BY
    assert {*await listed(world.owner, "licenses=Active&search=bob")} == {"bob"}


HELD_BY = {"Active": {"ada", "bob"}, "NoActive": {"eva"}, "Expired": {"ada"}}


async def test_a_license_in_grace_ends_with_it(world: World) -> None:
    await world.issue("Subscription", expirationDate=SOON, graceDays=30)
    world.clock.advance(days=30)
    await world.owner.sign_in()
    [customer] = (await listed(world.owner)).values()
    assert (customer["activeLicenses"], customer["nextEnd"]) == (1, "2030-03-03T00:00:00Z")


async def test_what_customers_paid_is_summed_for_those_who_see_orders(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock, ConnectorKind.GENERIC)
    await sell(stall, 1, amount="0.10")
    await sell(stall, 2, amount="0.20")
    await sell(stall, 2, "order.refunded", amount="0.05")
    await sell(stall, 3, amount="5", testMode=True)
    await sell(stall, 4, amount="7", currency="USD")
    [ada] = (await listed(owner)).values()
    assert ada["paid"] == [
        {"currency": "EUR", "amount": 0.3, "refunded": 0.05, "net": 0.25},
        {"currency": "USD", "amount": 7, "refunded": 0, "net": 7},
    ]
    for scopes, paid in ((["Customers.Read"], None), (["Connectors.Read"], ada["paid"])):
        key = await make_key(owner, scopes=["Customers.Read", *scopes])
        headers = {"x-api-key": key["secret"]}
        answer = await owner.client.get("/api/customers", headers=headers)
        assert [item["paid"] for item in answer.json()["items"]] == [paid]


async def test_a_page_of_customers_costs_as_many_statements_as_one(world: World) -> None:
    costs: list[int] = []
    for _ in range(2):
        await world.issue(issuedTo=f"{len(costs)}@example.com")
        with sent_statements() as sent:
            await listed(world.owner)
        costs.append(len(sent))
    assert costs[0] == costs[1]
