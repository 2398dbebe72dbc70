"""What licenses refer to stays, and every odd value is refused in words."""

from typing import Any
from urllib.parse import quote

import pytest
from catalog.factories import make_features, make_keys, make_product, refusal
from testkit import FakeClock, Owner

ODD_VALUES: list[Any] = [
    None,
    True,
    -1,
    2**31,
    2**63,
    10**400,
    -0.5,
    1e300,
    "",
    " ",
    "\x00",
    "\u202e",
    "x" * 50_000,
    "\U0001f600",
    "%s'; --",
    [],
    [None],
    [[]],
    {},
    {"x": 1},
    {"settings": {}},
]


async def test_feature_set_or_release_in_use_is_not_deleted(owner: Owner, clock: FakeClock) -> None:
    product = await make_product(owner)
    await make_keys(owner, product)
    await make_features(owner, product, "one")
    path = f"/api/products/{product['id']}"
    body: dict[str, Any] = {"name": "Set", "featureNames": ["one"]}
    the_set = await owner.ok("POST", f"{path}/entitlement-sets", body)
    [release] = (await owner.ok("GET", f"{path}/releases"))["items"]
    license_ = await owner.ok(
        "POST",
        "/api/licenses",
        {
            "productId": product["id"],
            "type": "Perpetual",
            "licenseName": "Any",
            "softwareReleaseId": release["id"],
            "entitlementSetId": the_set["id"],
        },
    )
    held = [path, f"/api/releases/{release['id']}", f"/api/entitlement-sets/{the_set['id']}"]
    for thing in held:
        assert refusal(await owner.send("DELETE", thing)) == (409, "Conflict"), thing
    assert (await owner.ok("GET", path))["licenseCount"] == 1
    await owner.ok("DELETE", f"/api/licenses/{license_['id']}")
    for thing in reversed(held):
        assert (await owner.send("DELETE", thing)).status_code == 204, thing


@pytest.mark.parametrize("odd", ODD_VALUES, ids=lambda value: repr(value)[:20])
async def test_unusual_values_never_cause_a_server_error(owner: Owner, odd: Any) -> None:
    product = await make_product(owner)
    [feature] = await make_features(owner, product, "one")
    path = f"/api/products/{product['id']}"
    body: dict[str, Any] = {"name": "Set", "featureNames": []}
    the_set = (await owner.ok("POST", f"{path}/entitlement-sets", body))["id"]
    [release] = (await owner.ok("GET", f"{path}/releases"))["items"]
    fields = {
        ("POST", "/api/products"): [
            "institutionId", "name", "initialVersion", "releaseChannel", "accessType",
            "associatedInstitutionIds", "description", "settings",
        ],
        ("PUT", path): ["name", "accessType", "description", "settings"],
        ("POST", f"{path}/associations"): ["email", "institutionId"],
        ("POST", "/api/associations/accept"): ["token", "institutionId"],
        ("POST", f"{path}/credentials/rotate"): ["graceSeconds"],
        ("POST", f"{path}/releases"): ["version", "channel", "status", "notes"],
        ("PUT", f"/api/releases/{release['id']}"): ["version", "channel", "status", "notes"],
        ("POST", f"{path}/features"): ["name", "displayName", "description"],
        ("PUT", f"/api/features/{feature}"): ["name", "displayName", "description"],
        ("POST", f"{path}/entitlement-sets"): ["name", "featureNames"],
        ("PUT", f"/api/entitlement-sets/{the_set}"): ["name", "featureNames"],
    }  # fmt: skip
    good = {"name": "Good", "initialVersion": "1", "version": "9", "featureNames": []}
    for (method, route), names in fields.items():
        for name in names:
            sent = {key: value for key, value in good.items() if key in names} | {name: odd}
            answer = await owner.send(method, route, sent)
            assert answer.status_code < 500, (method, route, sent)
            if answer.status_code == 400:
                assert answer.json()["errors"], answer.text
        answer = await owner.send(method, route, odd)
        assert answer.status_code < 500, (method, route, odd)
    for parameter in ("search", "sort", "after", "page", "pageSize", "institutionId"):
        answer = await owner.send("GET", "/api/products", params={parameter: str(odd)[:5_000]})
        assert answer.status_code < 500, (parameter, odd)
    for thing in ("products", "releases", "features", "entitlement-sets"):
        answer = await owner.client.request(
            "DELETE", f"/api/{thing}/{quote(str(odd)[:50], safe='') or 'x'}", headers=owner.headers
        )
        assert answer.status_code in {400, 404, 405}, (thing, odd)
