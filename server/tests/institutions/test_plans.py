"""Plans: how many products and licenses an institution may have, also under concurrency."""

import asyncio
from typing import Any

import pytest
from interleaving import meet_after
from licenses.factories import license_body, make_product
from testkit import Owner
from world import World

from licet_server.institutions.storage import institutions as storage
from licet_server.institutions.storage.institutions import fetch_institution
from licet_server.licenses.service import issuing


async def set_plan(admin: Owner, owner: Owner, plan: str, **limits: Any) -> dict[str, Any]:
    path = f"/api/institutions/{owner.institution_id}/plan"
    body = {"plan": plan, **({"limits": limits} if limits else {})}
    return dict(await admin.ok("PUT", path, body))


def outcome(answer: Any) -> tuple[int, str | None]:
    return answer.status_code, answer.json().get("errorCode")


async def new_product(owner: Owner, name: str) -> tuple[int, str | None]:
    body = {"name": name, "initialVersion": "1"}
    return outcome(await owner.send("POST", "/api/products", body))


async def new_license(owner: Owner, product: dict[str, Any]) -> tuple[int, str | None]:
    return outcome(await owner.send("POST", "/api/licenses", license_body(product)))


FULL = (402, "PlanLimitReached")
MADE = (201, None)


async def test_plans_are_unlimited_by_default(owner: Owner, admin: Owner) -> None:
    path = f"/api/institutions/{owner.institution_id}"
    shown = await owner.ok("GET", path)
    assert (shown["plan"], shown["limits"]) == ("Unlimited", {"products": None, "licenses": None})
    free = await set_plan(admin, owner, "Free")
    assert (free["plan"], free["limits"]) == ("Free", {"products": 3, "licenses": 100})
    assert await owner.ok("GET", path) == free
    own = await set_plan(admin, owner, "Pro", products=7)
    assert own["limits"] == {"products": 7, "licenses": 10_000}
    [changed, *_] = (await owner.ok("GET", f"{path}/audit?kind=institution.plan_changed"))["items"]
    assert changed["changes"] == {
        "plan": ["Free", "Pro"],
        "limits.products": [3, 7],
        "limits.licenses": [100, 10_000],
    }
    assert (await set_plan(admin, owner, "Unlimited"))["limits"] == {
        "products": None,
        "licenses": None,
    }


async def test_only_system_admins_set_plans(owner: Owner) -> None:
    path = f"/api/institutions/{owner.institution_id}/plan"
    assert outcome(await owner.send("PUT", path, {"plan": "Pro"})) == (403, "Forbidden")


async def test_bad_plans_are_refused(owner: Owner, admin: Owner) -> None:
    path = f"/api/institutions/{owner.institution_id}/plan"
    for body in (
        {},
        {"plan": "Gold"},
        {"plan": "Pro", "limits": {"products": -1}},
        {"plan": "Pro", "limits": {"seats": 1}},
        {"plan": "Pro", "limits": {"licenses": 1.5}},
    ):
        assert outcome(await admin.send("PUT", path, body)) == (400, "InvalidRequest"), body
    nowhere = "/api/institutions/01b92571-ea00-7032-a7e8-1d0429f5abbb/plan"
    assert outcome(await admin.send("PUT", nowhere, {"plan": "Pro"})) == (404, "NotFound")


async def test_no_more_products_and_licenses_than_the_plan_allows(
    world: World, admin: Owner
) -> None:
    await set_plan(admin, world.owner, "Free", products=2, licenses=2)
    assert await new_product(world.owner, "Second") == MADE
    answer = await world.owner.send(
        "POST", "/api/products", {"name": "Third", "initialVersion": "1"}
    )
    assert outcome(answer) == FULL
    assert (answer.json()["limit"], answer.json()["used"]) == (2, 2)
    assert [await new_license(world.owner, world.product) for _ in range(3)] == [MADE, MADE, FULL]
    [license_, _] = (await world.owner.ok("GET", "/api/licenses"))["items"]
    await world.owner.ok("DELETE", f"/api/licenses/{license_['id']}")
    assert [await new_license(world.owner, world.product) for _ in range(2)] == [MADE, FULL]
    await set_plan(admin, world.owner, "Free", licenses=0)
    assert len((await world.owner.ok("GET", "/api/licenses"))["items"]) == 2
    await set_plan(admin, world.owner, "Unlimited")
    assert await new_license(world.owner, world.product) == MADE


async def race(owner: Owner, product: dict[str, Any]) -> list[tuple[int, str | None]]:
    return await asyncio.gather(*(new_license(owner, product) for _ in range(12)))


@pytest.mark.specification("institutions.plans")
async def test_limits_are_exact_under_concurrency(owner: Owner, admin: Owner) -> None:
    await set_plan(admin, owner, "Free", products=4, licenses=5)
    product = await make_product(owner)
    licenses = await race(owner, product)
    assert (licenses.count(MADE), licenses.count(FULL)) == (5, 7)
    products = await asyncio.gather(*(new_product(owner, f"Product {n}") for n in range(9)))
    assert (products.count(MADE), products.count(FULL)) == (3, 6)


async def test_control_without_the_lock(
    world: World, admin: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    await set_plan(admin, world.owner, "Free", licenses=5)
    for _ in range(4):
        assert await new_license(world.owner, world.product) == MADE
    monkeypatch.setattr(storage, "lock_institution", fetch_institution)
    meet_after(monkeypatch, issuing, "total_licenses", asyncio.Barrier(2))
    outcomes = await asyncio.gather(*(new_license(world.owner, world.product) for _ in range(2)))
    assert outcomes == [MADE, MADE]
