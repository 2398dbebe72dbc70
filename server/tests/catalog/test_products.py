"""Products: made, found, changed and deleted by those who may."""

import asyncio
import uuid
from typing import Any

import pytest
from bodies import refused_fields
from catalog.factories import (
    NOWHERE,
    bad_fields,
    make_features,
    make_keys,
    make_product,
    refusal,
)
from locks import until_it_waits
from patience import PATIENCE_S
from testkit import FakeClock, Owner

from licet_server.catalog.rules.model import ReleaseStatus
from licet_server.catalog.schemas.products import ProductBody
from licet_server.catalog.service.lookup import find_product
from licet_server.catalog.service.products import count_licenses
from licet_server.catalog.service.releases import add_release
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.visibility import Visibility


async def count(platform: Platform, product: dict[str, Any], by: int) -> None:
    async with platform.unit_of_work(Origin()) as work:
        place = uuid.UUID(product["institutionId"]), uuid.UUID(product["id"])
        await count_licenses(work, *place, by)


@pytest.mark.specification("products.fields", "products.image")
async def test_a_new_product_has_defaults_a_release_and_a_key(owner: Owner) -> None:
    made = await make_product(owner, description="Photo *editing*")
    product_id = made.pop("id")
    assert made == {
        "institutionId": owner.institution_id,
        "name": "Aurora",
        "description": "Photo *editing*",
        "mode": "Live",
        "imageUrl": None,
        "accessType": "Opened",
        "associatedInstitutionIds": [],
        "settings": {
            "heartbeatIntervalSeconds": 30,
            "sessionTimeoutSeconds": 90,
            "heartbeatMinSpacingSeconds": 5,
            "offlineFileLifetimeDays": None,
            "deviceReleasesPerYear": 3,
            "appDeviceRelease": "Off",
            "appReleasesPerYear": 3,
            "downloadsNeedLicense": False,
            "defaultChannel": "Stable",
            "trialOncePerDevice": False,
            "deviceIdleDays": None,
            "hardwareIdKinds": None,
        },
        "hasKeys": False,
        "licenseCount": 0,
        "createdAt": "2030-01-15T12:00:00Z",
        "updatedAt": "2030-01-15T12:00:00Z",
    }
    assert await owner.ok("GET", f"/api/Products/{product_id}") == {"id": product_id, **made}
    releases = await owner.ok("GET", f"/api/products/{product_id}/releases")
    [first] = releases["items"]
    assert (first["version"], first["channel"], first["status"]) == ("1.0.0", "Stable", "Published")
    credentials = await owner.ok("GET", f"/api/products/{product_id}/credentials")
    assert len(credentials["keys"]) == 1


@pytest.mark.specification("products.fields")
async def test_names_are_unique_per_institution_without_case(owner: Owner, stranger: Owner) -> None:
    first = await make_product(owner, "Ärger")
    body = {"name": "ÄRGER", "initialVersion": "1"}
    assert refusal(await owner.send("POST", "/api/products", body)) == (409, "Conflict")
    await make_product(stranger, "ärger")
    other = await make_product(owner, "Other")
    path = f"/api/products/{other['id']}"
    assert refusal(await owner.send("PUT", path, {"name": "ärGER"})) == (409, "Conflict")
    renamed = await owner.ok("PUT", f"/api/products/{first['id']}", {"name": "ärger"})
    assert renamed["name"] == "ärger"


async def test_one_of_concurrent_requests_for_a_name_succeeds(owner: Owner) -> None:
    body = {"name": "Race", "initialVersion": "1"}
    answers = await asyncio.gather(*(owner.send("POST", "/api/products", body) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7


async def test_a_change_keeps_missing_fields(owner: Owner, clock: FakeClock) -> None:
    made = await make_product(owner, description="First", settings={"deviceReleasesPerYear": 9})
    path = f"/api/products/{made['id']}"
    clock.advance(minutes=1)
    changed = await owner.ok("PUT", path, {"settings": {"offlineFileLifetimeDays": 14}})
    expected = {**made["settings"], "offlineFileLifetimeDays": 14}
    assert changed == {**made, "settings": expected, "updatedAt": "2030-01-15T12:01:00Z"}
    nulls = {"description": None, "settings": {"offlineFileLifetimeDays": None}}
    cleared = await owner.ok("PUT", path, nulls)
    assert cleared["description"] is None
    assert cleared["settings"] == made["settings"]
    clock.advance(minutes=1)
    assert await owner.ok("PUT", path, {}) == cleared
    assert await owner.ok("PUT", path, {"name": "Aurora"}) == cleared


async def test_settings_follow_a_longer_interval(owner: Owner) -> None:
    made = await make_product(owner, settings={"heartbeatIntervalSeconds": 60})
    assert made["settings"]["sessionTimeoutSeconds"] == 120
    path = f"/api/products/{made['id']}"
    change = {"settings": {"heartbeatIntervalSeconds": 3}}
    changed = await owner.ok("PUT", path, change)
    assert changed["settings"]["heartbeatMinSpacingSeconds"] == 1
    assert changed["settings"]["sessionTimeoutSeconds"] == 120
    change = {"settings": {"sessionTimeoutSeconds": 5}}
    assert bad_fields(await owner.send("PUT", path, change)) == ["settings.sessionTimeoutSeconds"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"name": ""}, ["name"]),
        ({"name": "   "}, ["name"]),
        ({"name": "x" * 201}, ["name"]),
        ({"name": "two\nlines"}, ["name"]),
        ({"name": " padded"}, ["name"]),
        ({"name": "nul\x00"}, ["name"]),
        ({"name": 5}, ["name"]),
        ({"name": None}, ["name"]),
        ({"initialVersion": "x" * 101}, ["initialVersion"]),
        ({"initialVersion": None}, ["initialVersion"]),
        ({"initialVersion": "1\t2"}, ["initialVersion"]),
        ({"releaseChannel": "x" * 51}, ["releaseChannel"]),
        ({"accessType": "opened"}, ["accessType"]),
        ({"accessType": 1}, ["accessType"]),
        ({"description": "x" * 20_001}, ["description"]),
        ({"institutionId": "no"}, ["institutionId"]),
        ({"associatedInstitutionIds": [NOWHERE]}, ["associatedInstitutionIds"]),
        (
            {"accessType": "Associated", "associatedInstitutionIds": ["no"]},
            ["associatedInstitutionIds[0]"],
        ),
        ({"associatedInstitutionIds": "x"}, ["associatedInstitutionIds"]),
        ({"settings": 5}, ["settings"]),
        ({"settings": {"heartbeatIntervalSeconds": 0}}, ["settings.heartbeatIntervalSeconds"]),
        ({"settings": {"heartbeatIntervalSeconds": -1}}, ["settings.heartbeatIntervalSeconds"]),
        ({"settings": {"heartbeatIntervalSeconds": 10**10}}, ["settings.heartbeatIntervalSeconds"]),
        ({"settings": {"heartbeatIntervalSeconds": 10**30}}, ["settings.heartbeatIntervalSeconds"]),
        ({"settings": {"heartbeatIntervalSeconds": 1.5}}, ["settings.heartbeatIntervalSeconds"]),
        ({"settings": {"heartbeatIntervalSeconds": True}}, ["settings.heartbeatIntervalSeconds"]),
        ({"settings": {"sessionTimeoutSeconds": 59}}, ["settings.sessionTimeoutSeconds"]),
        (
            {"settings": {"heartbeatMinSpacingSeconds": 31}},
            ["settings.heartbeatMinSpacingSeconds"],
        ),
        ({"settings": {"offlineFileLifetimeDays": 0}}, ["settings.offlineFileLifetimeDays"]),
        ({"settings": {"deviceReleasesPerYear": 1001}}, ["settings.deviceReleasesPerYear"]),
        ({"settings": {"downloadsNeedLicense": 1}}, ["settings.downloadsNeedLicense"]),
        ({"settings": {"surprise": 1}}, ["settings.surprise"]),
        ({"surprise": 1}, ["surprise"]),
        (
            {"name": "", "accessType": "X", "settings": {"deviceReleasesPerYear": -1}},
            ["name", "accessType", "settings.deviceReleasesPerYear"],
        ),
    ],
)
def test_bad_fields_are_named(fields: dict[str, Any], expected: list[str]) -> None:
    body = {"name": "Aurora", "initialVersion": "1.0.0", **fields}
    assert refused_fields(ProductBody, body) == expected


async def test_a_lone_surrogate_is_refused(owner: Owner) -> None:
    body = b'{"name": "\\ud800", "initialVersion": "1"}'
    headers = {**owner.headers, "content-type": "application/json"}
    answer = await owner.client.post("/api/products", content=body, headers=headers)
    assert answer.status_code == 400
    found = await owner.send("GET", "/api/products?search=%ED%A0%80%FF")
    assert found.status_code in {200, 400}


@pytest.mark.parametrize(
    "change",
    [
        {"name": None},
        {"accessType": None},
        {"settings": None},
        {"settings": {"sessionTimeoutSeconds": None}},
        {"settings": {"downloadsNeedLicense": None}},
    ],
)
async def test_null_does_not_clear_required_fields(owner: Owner, change: dict[str, Any]) -> None:
    made = await make_product(owner)
    assert len(bad_fields(await owner.send("PUT", f"/api/products/{made['id']}", change))) == 1


async def test_null_counts_as_missing_when_a_product_is_created(owner: Owner) -> None:
    nulls = dict.fromkeys(
        ["institutionId", "releaseChannel", "accessType", "associatedInstitutionIds"]
    )
    made = await make_product(
        owner, description=None, settings={"sessionTimeoutSeconds": None}, **nulls
    )
    assert made["accessType"] == "Opened"
    assert made["settings"]["sessionTimeoutSeconds"] == 90
    assert (await make_product(owner, "Second", settings=None))["settings"] == made["settings"]


async def test_lists_are_paged_sorted_and_searched(owner: Owner, clock: FakeClock) -> None:
    for name in ("Beta", "alpha", "Gamma 100%"):
        clock.advance(seconds=1)
        await make_product(owner, name)
    newest = await owner.ok("GET", "/api/products?pageSize=2")
    assert [item["name"] for item in newest["items"]] == ["Gamma 100%", "alpha"]
    assert (newest["page"], newest["pageSize"], newest["totalCount"]) == (1, 2, 3)
    sorted_names = await owner.ok("GET", "/api/products?sort=name")
    assert [item["name"] for item in sorted_names["items"]] == ["alpha", "Beta", "Gamma 100%"]
    walked, after = [], ""
    while after is not None:
        step = await owner.ok("GET", f"/api/products?pageSize=1&after={after}")
        walked += [item["name"] for item in step["items"]]
        after = step["nextAfter"]
    assert walked == ["Beta", "alpha", "Gamma 100%"]
    found = await owner.ok("GET", "/api/products?search=AL")
    assert [item["name"] for item in found["items"]] == ["alpha"]
    found = await owner.ok("GET", "/api/products", params={"search": "0%"})
    assert [item["name"] for item in found["items"]] == ["Gamma 100%"]
    assert (await owner.ok("GET", "/api/products?search=_"))["totalCount"] == 0
    assert bad_fields(await owner.send("GET", "/api/products?sort=secret")) == ["sort"]


async def test_lists_narrow_to_an_institution(owner: Owner, clock: FakeClock) -> None:
    clock.advance(seconds=1)
    second = (await owner.ok("POST", "/api/institutions", {"name": "Second"}))["id"]
    await make_product(owner, "In the first")
    await make_product(owner, "In the second", institutionId=second)
    assert (await owner.ok("GET", "/api/products"))["totalCount"] == 2
    found = await owner.ok("GET", f"/api/products?institutionId={second}")
    assert [item["name"] for item in found["items"]] == ["In the second"]


async def test_a_product_with_licenses_is_not_deleted(owner: Owner, platform: Platform) -> None:
    made = await make_product(owner)
    path = f"/api/products/{made['id']}"
    await count(platform, made, 1)
    assert (await owner.ok("GET", path))["licenseCount"] == 1
    assert refusal(await owner.send("DELETE", path)) == (409, "Conflict")
    await count(platform, made, -1)
    assert (await owner.send("DELETE", path)).status_code == 204
    assert refusal(await owner.send("GET", path)) == (404, "NotFound")


async def test_deleting_a_product_deletes_everything_in_it(owner: Owner) -> None:
    made = await make_product(owner)
    await make_keys(owner, made)
    await make_features(owner, made, "one", "two")
    body = {"name": "Set", "featureNames": ["one", "two"]}
    await owner.ok("POST", f"/api/products/{made['id']}/entitlement-sets", body)
    assert (await owner.send("DELETE", f"/api/products/{made['id']}")).status_code == 204
    institution = f"/api/institutions/{owner.institution_id}"
    assert (await owner.send("DELETE", institution)).status_code == 204


async def test_an_institution_with_products_is_not_deleted(owner: Owner) -> None:
    await make_product(owner)
    institution = f"/api/institutions/{owner.institution_id}"
    assert refusal(await owner.send("DELETE", institution)) == (409, "Conflict")


async def test_product_with_a_concurrently_issued_license_is_not_deleted(
    owner: Owner, platform: Platform
) -> None:
    """The deletion waits for the other transaction and then sees its license.

    Issuing first refers to the product and counts later; in between, neither may wait for the
    other.
    """
    made = await make_product(owner)
    place = uuid.UUID(made["institutionId"]), uuid.UUID(made["id"])
    async with platform.unit_of_work(Origin()) as work:
        product = await find_product(work.db, Visibility((place[0],)), place[1])
        assert product is not None
        await add_release(
            work, product, version="2", channel="Beta", status=ReleaseStatus.DRAFT, notes=None
        )
        deletion = asyncio.create_task(owner.send("DELETE", f"/api/products/{made['id']}"))
        await until_it_waits(platform, deletion)
        await asyncio.wait_for(count_licenses(work, *place, 1), PATIENCE_S)
        assert not deletion.done()
    assert refusal(await deletion) == (409, "Conflict")


async def test_concurrent_change_of_a_set_does_not_block_a_deletion(
    owner: Owner, platform: Platform
) -> None:
    """Both hold the product first, so that neither waits for the other."""
    for number in range(5):
        made = await make_product(owner, f"Product {number}")
        await make_features(owner, made, "one", "two")
        body: dict[str, Any] = {"name": "Set", "featureNames": ["one"]}
        path = f"/api/products/{made['id']}"
        the_set = await owner.ok("POST", f"{path}/entitlement-sets", body)
        change = {"featureNames": ["two", "one"]}
        changed, deleted = await asyncio.gather(
            owner.send("PUT", f"/api/entitlement-sets/{the_set['id']}", change),
            owner.send("DELETE", path),
        )
        assert changed.status_code in {200, 404}, changed.text
        assert deleted.status_code == 204, deleted.text


@pytest.mark.parametrize(
    ("name", "is_taken"),
    [
        ("Studio\u200b", False),
        ("Stu\u00addio", False),
        ("\u202eoidutS", False),
        ("Studio\u200d", False),
        ("Studio\u00a0Plus", False),
        ("Studio\u2009Plus", False),
        ("Studio\u2028Plus", False),
        ("Studio\u3164", False),
        ("Stu\u034fdio", False),
        ("\u5199\u771f\u3000\u5c4b", True),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", True),
        ("\U0001f469\u200d\U0001f4bb Studio", True),
    ],
)
async def test_products_are_no_invisible_twins(owner: Owner, name: str, is_taken: bool) -> None:
    body = {"name": name, "initialVersion": "1.0.0"}
    answer = await owner.send("POST", "/api/products", body)
    assert answer.is_success is is_taken, answer.text


async def test_a_name_in_another_form_of_unicode_is_the_same_name(owner: Owner) -> None:
    await make_product(owner, name="Caf\u00e9")
    twin = {"name": "Cafe\u0301", "initialVersion": "1.0.0"}
    assert (await owner.send("POST", "/api/products", twin)).status_code == 409


async def test_a_list_of_products_has_the_latest_release_if_it_is_asked_for(
    owner: Owner, clock: FakeClock
) -> None:
    product = await make_product(owner, name="Aurora")
    empty = await make_product(owner, name="Borealis")
    clock.advance(minutes=1)
    path = f"/api/products/{product['id']}/releases"
    for version, channel in (("3.0.0", "Beta"), ("2.1.0", "Stable"), ("9.0.0", "Stable")):
        clock.advance(minutes=1)
        body = {"version": version, "channel": channel}
        release = await owner.ok("POST", path, body)
        if version != "9.0.0":  # a draft
            await owner.ok("PUT", f"/api/releases/{release['id']}", {"status": "Published"})
    [only] = (await owner.ok("GET", f"/api/products/{empty['id']}/releases"))["items"]
    await owner.ok("PUT", f"/api/releases/{only['id']}", {"status": "Yanked"})

    names = ("latestVersion", "latestChannel", "latestPublishedAt")
    plain = (await owner.ok("GET", "/api/products?sort=name"))["items"]
    assert not any(name in it for it in plain for name in names)
    asked = (await owner.ok("GET", "/api/products?sort=name&include=LatestRelease"))["items"]
    assert [[it[name] for name in names] for it in asked] == [
        ["2.1.0", "Stable", "2030-01-15T12:03:00Z"],
        [None, None, None],
    ]
    answer = await owner.send("GET", "/api/products", headers={"accept": "text/csv"})
    assert ",2.1.0,Stable,2030-01-15T12:03:00Z" in answer.text
