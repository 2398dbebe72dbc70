"""Flags of the OpenFeature Remote Evaluation Protocol."""

from typing import Any

import httpx
import pytest
from world import World

FLAGS = "/ofrep/v1/evaluate/flags"


async def evaluate(
    world: World, license_: dict[str, Any], key: str = "", tag: str = "", **context: Any
) -> httpx.Response:
    body = {"context": {"licenseKey": license_["licenseKey"], "targetingKey": "u-1", **context}}
    headers = {**world.key, "If-None-Match": tag}
    path = f"{FLAGS}/{key}" if key else FLAGS
    return await world.owner.client.post(path, json=body, headers=headers)


def values(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    return {flag["key"]: flag["value"] for flag in answer.json()["flags"]}


@pytest.fixture
async def granting(world: World) -> dict[str, Any]:
    """What issues a license for two of the three features of the product."""
    path = f"/api/products/{world.product['id']}"
    for name, kind in {"export": "Flag", "projects": "Number", "scan": "Flag"}.items():
        await world.owner.ok("POST", f"{path}/features", {"name": name, "kind": kind})
    entries = [{"featureName": "export"}, {"featureName": "projects", "value": 25}]
    made = await world.owner.ok(
        "POST", f"{path}/entitlement-sets", {"name": "Basic", "entries": entries}
    )
    return {"entitlementSetId": made["id"]}


async def test_a_license_grants_its_features_and_their_values(
    world: World, granting: dict[str, Any]
) -> None:
    license_ = await world.issue("Perpetual", **granting)
    answer = await evaluate(world, license_)
    assert values(answer) == {"export": True, "projects": 25}
    assert answer.json()["metadata"] == {"licenseStatus": "Valid"}
    single = (await evaluate(world, license_, "Projects")).json()
    assert single == {
        "key": "Projects",
        "value": 25,
        "reason": "STATIC",
        "metadata": {"licenseStatus": "Valid"},
    }


async def test_a_license_without_restrictions_grants_all_features_of_its_product(
    world: World, granting: dict[str, Any]
) -> None:
    license_ = await world.issue("Perpetual", featureValues={"projects": 5})
    assert values(await evaluate(world, license_)) == {
        "export": True,
        "projects": 5,
        "scan": True,
    }
    assert (await evaluate(world, license_, "gone")).status_code == 404


async def test_what_a_license_does_not_grant_is_not_found(
    world: World, granting: dict[str, Any]
) -> None:
    license_ = await world.issue("Perpetual", **granting)
    answer = await evaluate(world, license_, "scan")
    assert answer.status_code == 404
    assert answer.json() == {
        "key": "scan",
        "errorCode": "FLAG_NOT_FOUND",
        "errorDetails": "The license does not grant it.",
    }


async def test_an_invalid_license_grants_nothing_and_says_why(
    world: World, granting: dict[str, Any]
) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1, **granting)
    without_seat = await evaluate(world, license_, hardwareId="machine-1")
    assert values(without_seat) == {}
    await world.activate(license_, "machine-1")
    assert len(values(await evaluate(world, license_, hardwareId="machine-1"))) == 2
    await world.owner.ok("POST", f"/api/licenses/{license_['id']}/revoke")
    revoked = await evaluate(world, license_, hardwareId="machine-1")
    assert revoked.json() == {"flags": [], "metadata": {"licenseStatus": "Revoked"}}
    single = await evaluate(world, license_, "export", hardwareId="machine-1")
    assert (single.status_code, single.json()["errorCode"]) == (404, "FLAG_NOT_FOUND")
    assert "revoked" in single.json()["errorDetails"]


async def test_unchanged_flags_are_sent_once(world: World, granting: dict[str, Any]) -> None:
    license_ = await world.issue("Perpetual", **granting)
    tag = (await evaluate(world, license_)).headers["etag"]
    unchanged = await evaluate(world, license_, tag=tag)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert unchanged.headers["etag"] == tag
    await world.owner.ok("POST", f"/api/licenses/{license_['id']}/suspend")
    changed = await evaluate(world, license_, tag=tag)
    assert values(changed) == {}
    assert changed.headers["etag"] != tag


async def test_only_applications_of_the_product_evaluate(
    world: World, granting: dict[str, Any]
) -> None:
    license_ = await world.issue("Perpetual", **granting)
    body = {"context": {"licenseKey": license_["licenseKey"]}}
    assert (await world.owner.client.post(FLAGS, json=body)).status_code == 401
    for wrong in ({}, {"context": {"targetingKey": "u-1"}}, {"context": 7}):
        assert (await world.call("POST", FLAGS, wrong)).status_code == 400
