"""Many licenses get another release, policy or entitlement set at once."""

from typing import Any

import pytest
from bodies import refused_fields
from catalog.factories import NOWHERE, refusal
from licenses.factories import issue, make_product
from licenses.test_bulk import PATH, bulk, codes, told
from sqlalchemy import Engine, event
from testkit import FakeClock, Owner
from world import World

from licet_server.licenses.schemas.bulk import BulkLicensesBody
from licet_server.licenses.storage import bulk as storage

CHOICES = {
    "setRelease": "softwareReleaseId",
    "applyPolicy": "policyId",
    "setEntitlementSet": "entitlementSetId",
}


async def made_in(owner: Owner, product: dict[str, Any], kind: str, **fields: Any) -> str:
    """Something that the action names, of a product; return its ID."""
    if kind == "applyPolicy":
        body = {"productId": product["id"], "name": "Team", "type": "Concurrent", **fields}
        return str((await owner.ok("POST", "/api/policies", body))["id"])
    path = f"/api/products/{product['id']}"
    if kind == "setRelease":
        body = {"version": "2.0.0", "channel": "Stable", **fields}
        return str((await owner.ok("POST", f"{path}/releases", body))["id"])
    body = {"name": "Pro", "entries": [], **fields}
    return str((await owner.ok("POST", f"{path}/entitlement-sets", body))["id"])


@pytest.mark.parametrize("action", CHOICES)
async def test_licenses_of_the_product_get_it_and_others_are_refused(
    world: World, action: str
) -> None:
    owner = world.owner
    chosen = {CHOICES[action]: await made_in(owner, world.product, action)}
    mine = [await world.issue("Concurrent") for _ in range(3)]
    revoked = await world.issue("Concurrent")
    await owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke")
    other = await issue(owner, await make_product(owner, name="Other"), "Concurrent")
    asked = (*mine, revoked, other)
    preview = await bulk(owner, action, *asked, query={"dryRun": "true"}, **chosen)
    assert (await world.read(mine[0])).items() >= {
        name: mine[0][name] for name in CHOICES.values()
    }.items()
    answer = await bulk(owner, action, *asked, **chosen)
    assert answer == preview
    refused = "Conflict" if action == "applyPolicy" else "InvalidRequest"
    assert (answer["done"], codes(answer)) == (3, {revoked["id"]: "Conflict", other["id"]: refused})
    for item in mine:
        assert (await world.read(item)).items() >= chosen.items()
        assert await told(world.platform, item) == [("license.updated", None)]
    assert (await bulk(owner, action, *mine, **chosen))["done"] == 3
    assert len(await told(world.platform, mine[0])) == 1, "nothing changed any more"


async def test_applying_a_policy_keeps_what_was_paid_for_and_own_pairs(world: World) -> None:
    policy = await made_in(
        world.owner,
        world.product,
        "applyPolicy",
        maxActiveUsersCount=9,
        durationMonths=1,
        graceDays=5,
        metadata={"plan": "team"},
    )
    made = await world.issue("Concurrent", metadata={"crm": "1"})
    floating = await world.issue("Floating")
    answer = await bulk(world.owner, "applyPolicy", made, floating, policyId=policy)
    assert (answer["done"], codes(answer)) == (1, {floating["id"]: "Conflict"})
    after = await world.read(made)
    assert (after["maxActiveUsersCount"], after["metadata"]) == (9, {"crm": "1", "plan": "team"})
    assert (after["expirationDate"], after["graceDays"]) == (made["expirationDate"], 0)


async def test_no_entitlement_set_is_chosen_with_null(world: World) -> None:
    chosen = await made_in(world.owner, world.product, "setEntitlementSet")
    made = await world.issue(entitlementSetId=chosen)
    await bulk(world.owner, "setEntitlementSet", made, entitlementSetId=None)
    assert (await world.read(made))["entitlementSetId"] is None


@pytest.mark.parametrize("action", CHOICES)
async def test_what_others_have_is_refused_for_all(
    world: World, stranger: Owner, action: str
) -> None:
    made = await world.issue("Concurrent")
    theirs = await made_in(stranger, await make_product(stranger), action)
    for unknown in (NOWHERE, theirs):
        body = {"action": action, "ids": [made["id"]], CHOICES[action]: unknown}
        answer = await world.owner.send("POST", PATH, body)
        assert refusal(answer) == (400, "InvalidRequest")
        assert [item["field"] for item in answer.json()["errors"]] == [CHOICES[action]]


@pytest.mark.parametrize("action", ["suspend", "extend", *CHOICES])
def test_an_action_names_what_it_lacks_and_what_it_does_not_take(action: str) -> None:
    takes = CHOICES.get(action, "expirationDate" if action == "extend" else None)
    body: dict[str, Any] = {"action": action, "ids": [NOWHERE]}
    if takes is not None:
        assert refused_fields(BulkLicensesBody, body, FakeClock()) == [takes]
    others = {name: NOWHERE for name in CHOICES.values() if name != takes}
    body |= others
    if action in CHOICES:
        body[CHOICES[action]] = NOWHERE
    if action == "extend":
        body["days"] = 5
    assert set(refused_fields(BulkLicensesBody, body, FakeClock())) == set(others)


@pytest.mark.parametrize("action", CHOICES)
async def test_as_many_statements_for_many(world: World, action: str) -> None:
    chosen = {CHOICES[action]: await made_in(world.owner, world.product, action)}

    async def statements(count: int) -> int:
        made = [await world.issue("Concurrent") for _ in range(count)]
        sent: list[str] = []

        def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            sent.append(statement)

        event.listen(Engine, "before_cursor_execute", note)
        try:
            assert (await bulk(world.owner, action, *made, **chosen))["done"] == count
        finally:
            event.remove(Engine, "before_cursor_execute", note)
        return len(sent)

    assert await statements(9) <= await statements(2)


async def test_what_is_deleted_meanwhile_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = await made_in(world.owner, world.product, "setEntitlementSet")
    made = await world.issue()
    save = storage.update_fields

    async def delete_first(*given: Any) -> None:
        await world.owner.ok("DELETE", f"/api/entitlement-sets/{chosen}")
        await save(*given)

    monkeypatch.setattr(storage, "update_fields", delete_first)
    body = {"action": "setEntitlementSet", "ids": [made["id"]], "entitlementSetId": chosen}
    answer = await world.owner.send("POST", PATH, body)
    assert refusal(answer) == (400, "InvalidRequest")
    assert answer.json()["errors"][0]["field"] == "entitlementSetId"
