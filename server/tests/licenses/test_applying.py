"""Applying a policy to licenses: what would change, and what does."""

import asyncio
from typing import Any
from uuid import UUID

import pytest
from bodies import refused_fields
from licenses.factories import make_product
from locks import until_it_waits
from msgspec.structs import replace
from testkit import Owner
from world import World

from licet_server.kit.visibility import Visibility
from licet_server.licenses.schemas.policies import ApplyPolicyBody
from licet_server.licenses.service import applying
from licet_server.licenses.storage import records

UNKNOWN = "01900000-0000-7000-8000-000000000000"


async def make_policy(owner: Owner, product: dict[str, Any], **fields: Any) -> dict[str, Any]:
    body = {"productId": product["id"], "name": "Team", "type": "Concurrent", **fields}
    made: dict[str, Any] = await owner.ok("POST", "/api/policies", body)
    return made


async def issue(owner: Owner, policy: dict[str, Any], **fields: Any) -> dict[str, Any]:
    body = {"policyId": policy["id"], "issuedTo": "customer@example.com", **fields}
    made: dict[str, Any] = await owner.ok("POST", "/api/licenses", body)
    return made


async def apply(owner: Owner, policy: dict[str, Any], **body: Any) -> Any:
    return await owner.ok("POST", f"/api/policies/{policy['id']}/apply", body)


async def test_a_dry_run_tells_what_applying_changes(world: World) -> None:
    policy = await make_policy(
        world.owner, world.product, maxActiveUsersCount=5, metadata={"plan": "team"}
    )
    first = await issue(world.owner, policy, metadata={"crm": "1"})
    own = await issue(world.owner, policy, maxActiveUsersCount=9)
    change = {"maxActiveUsersCount": 9, "metadata": {"plan": "studio"}, "durationDays": 30}
    await world.owner.ok("PUT", f"/api/policies/{policy['id']}", change)
    told = await apply(world.owner, policy, all=True)
    assert told == {
        "dryRun": True,
        "changed": [
            {
                "id": first["id"],
                "licenseName": "Team",
                "changes": {
                    "maxActiveUsersCount": [5, 9],
                    "metadata": [{"plan": "team", "crm": "1"}, {"plan": "studio", "crm": "1"}],
                },
                "devicesOverLimit": 0,
            },
            {
                "id": own["id"],
                "licenseName": "Team",
                "changes": {"metadata": [{"plan": "team"}, {"plan": "studio"}]},
                "devicesOverLimit": 0,
            },
        ],
        "unchanged": 0,
        "refused": [],
        "nextAfter": None,
    }
    assert await world.owner.ok("GET", f"/api/licenses/{first['id']}") == first
    done = await apply(world.owner, policy, all=True, dryRun=False)
    assert done == {**told, "dryRun": False}
    after = await world.owner.ok("GET", f"/api/licenses/{first['id']}")
    assert (after["maxActiveUsersCount"], after["expirationDate"]) == (9, None)
    assert after["metadata"] == {"plan": "studio", "crm": "1"}
    recorded = (await world.events_of(first["id"]))[-1]
    assert recorded["kind"] == "license.updated"
    assert recorded["changes"] == told["changed"][0]["changes"]
    again = await apply(world.owner, policy, all=True, dryRun=False)
    assert (again["changed"], again["unchanged"]) == ([], 2)
    assert len(await world.events_of(first["id"])) == 2


async def test_a_dry_run_counts_the_devices_that_would_be_over_the_limit(world: World) -> None:
    policy = await make_policy(world.owner, world.product, maxActiveUsersCount=4)
    [busy, still_over, idle] = [await issue(world.owner, policy) for _ in range(3)]
    for n in range(3):
        await world.activate(busy, f"m-{n}")
        await world.activate(still_over, f"m-{n}")
    place = f"/api/licenses/{still_over['id']}"
    await world.owner.ok("PUT", place, {"maxActiveUsersCount": 1})
    await world.owner.ok("PUT", f"/api/policies/{policy['id']}", {"maxActiveUsersCount": 2})
    told = await apply(world.owner, policy, all=True)
    over = {item["id"]: item["devicesOverLimit"] for item in told["changed"]}
    assert over == {busy["id"]: 1, still_over["id"]: 1, idle["id"]: 0}
    done = await apply(world.owner, policy, all=True, dryRun=False)
    assert done == {**told, "dryRun": False}
    for license_id, count in over.items():
        found = await world.owner.ok("GET", f"/api/licenses/{license_id}")
        assert found["devicesOverLimit"] == count


async def test_licenses_that_cannot_take_it_are_refused(world: World) -> None:
    policy = await make_policy(world.owner, world.product, maxActiveUsersCount=5)
    other = await make_policy(world.owner, await make_product(world.owner, name="Other"))
    same = {"policyId": None, "productId": world.product["id"], "type": "Concurrent"}
    fits = await issue(world.owner, policy, **same, licenseName="Fits", maxActiveUsersCount=2)
    revoked = await issue(world.owner, policy)
    await world.owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke")
    elsewhere = await issue(world.owner, other, maxActiveUsersCount=1)
    model = await issue(world.owner, policy, type="Floating")
    ids = [fits["id"], revoked["id"], elsewhere["id"], model["id"], UNKNOWN, fits["id"]]
    told = await apply(world.owner, policy, licenseIds=ids, dryRun=False)
    assert [item["id"] for item in told["changed"]] == [fits["id"]]
    assert told["changed"][0]["changes"] == {
        "policyId": [None, policy["id"]],
        "maxActiveUsersCount": [2, 5],
    }
    assert [(item["id"], item["errorCode"]) for item in told["refused"]] == [
        (revoked["id"], "Conflict"),
        (elsewhere["id"], "Conflict"),
        (model["id"], "Conflict"),
        (UNKNOWN, "NotFound"),
    ]
    assert (await world.owner.ok("GET", f"/api/licenses/{fits['id']}"))["policyId"] == policy["id"]


async def test_all_licenses_are_walked_in_steps(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(applying, "MOST_AT_ONCE", 2)
    policy = await make_policy(world.owner, world.product, maxActiveUsersCount=5)
    made = [(await issue(world.owner, policy))["id"] for _ in range(5)]
    await world.owner.ok("PUT", f"/api/policies/{policy['id']}", {"maxActiveUsersCount": 6})
    walked, after = [], None
    for _ in range(3):
        told = await apply(world.owner, policy, all=True, dryRun=False, after=after)
        walked.append([item["id"] for item in told["changed"]])
        after = told["nextAfter"]
    assert walked == [made[:2], made[2:4], made[4:]]
    assert after is None


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, ["licenseIds"]),
        ({"all": True, "licenseIds": [UNKNOWN]}, ["licenseIds"]),
        ({"licenseIds": []}, ["licenseIds"]),
        ({"licenseIds": [UNKNOWN], "after": UNKNOWN}, ["after"]),
        ({"all": True, "after": 7}, ["after"]),
    ],
)
def test_bad_fields_are_named(body: dict[str, Any], expected: list[str]) -> None:
    assert refused_fields(ApplyPolicyBody, body) == expected


async def test_a_license_that_is_revoked_meanwhile_stays_as_it_is(world: World) -> None:
    """Applying waits for whoever has locked the license, and decides by what they did."""
    policy = await make_policy(world.owner, world.product, maxActiveUsersCount=5)
    license_ = await issue(world.owner, policy)
    await world.owner.ok("PUT", f"/api/policies/{policy['id']}", {"maxActiveUsersCount": 50})
    visibility = Visibility((UUID(world.owner.institution_id),))
    async with world.platform.database.transaction() as db:
        locked = await records.lock_license(db, visibility, UUID(license_["id"]))
        assert locked is not None
        running = asyncio.create_task(apply(world.owner, policy, all=True, dryRun=False))
        await until_it_waits(world.platform, running)
        await records.update_license(db, replace(locked, revoked_at=locked.created_at))
    told = await running
    assert (told["changed"], [item["id"] for item in told["refused"]]) == ([], [license_["id"]])
    assert (await world.owner.ok("GET", f"/api/licenses/{license_['id']}"))[
        "maxActiveUsersCount"
    ] == 5
