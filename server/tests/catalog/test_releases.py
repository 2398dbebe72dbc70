"""Releases: drafted, published once, yanked, published again."""

import asyncio
import uuid
from typing import Any

import pytest
from bodies import refused_fields
from catalog.factories import events_of, make_product, refusal
from testkit import FakeClock, Owner

from licet_server.catalog.reading import (
    find_release,
    product_names,
    release_versions,
)
from licet_server.catalog.schemas.products import ProductChange, ReleaseBody, ReleaseChange
from licet_server.kit.platform import Platform


async def make_release(owner: Owner, product: dict[str, Any], **fields: Any) -> dict[str, Any]:
    path = f"/api/products/{product['id']}/releases"
    made: dict[str, Any] = await owner.ok("POST", path, {"version": "2.0.0", **fields})
    return made


async def test_release_is_a_draft_until_it_is_published(
    owner: Owner, clock: FakeClock, platform: Platform
) -> None:
    product = await make_product(owner)
    draft = await make_release(owner, product, notes="# New")
    release_id = draft.pop("id")
    assert draft == {
        "productId": product["id"],
        "version": "2.0.0",
        "channel": "Stable",
        "status": "Draft",
        "notes": "# New",
        "publishedAt": None,
        "firstPublishedAt": None,
        "coverage": "Licensed",
        "createdAt": "2030-01-15T12:00:00Z",
        "updatedAt": "2030-01-15T12:00:00Z",
    }
    path = f"/api/releases/{release_id}"
    clock.advance(minutes=1)
    published = await owner.ok("PUT", path, {"status": "Published"})
    assert published["publishedAt"] == "2030-01-15T12:01:00Z"
    clock.advance(minutes=1)
    assert (await owner.ok("PUT", path, {"status": "Yanked"}))["status"] == "Yanked"
    clock.advance(minutes=1)
    again = await owner.ok("PUT", path, {"status": "Published", "notes": None})
    assert again["publishedAt"] == "2030-01-15T12:01:00Z"
    assert again["notes"] is None
    assert await owner.ok("GET", path) == again
    assert refusal(await owner.send("PUT", path, {"status": "Draft"})) == (409, "Conflict")
    kinds = [event["kind"] for event in await events_of(platform, release_id)]
    assert sorted(kinds) == sorted(
        ["release.created", *["release.updated"] * 3, *["release.published"] * 2]
    )


async def test_a_new_license_gets_the_highest_release_of_the_default_channel(
    owner: Owner, clock: FakeClock
) -> None:
    product = await make_product(owner)
    await owner.ok("POST", f"/api/Products/{product['id']}/keys/generate", {})

    async def issued() -> str:
        body = {"productId": product["id"], "type": "Perpetual", "licenseName": "A license"}
        return str((await owner.ok("POST", "/api/licenses", body))["releaseVersion"])

    assert await issued() == "1.0.0"
    await make_release(owner, product, version="3.0.0")
    second = await make_release(owner, product, version="2.0.0", status="Published")
    clock.advance(seconds=1)
    await make_release(owner, product, version="1.9.9", status="Published")
    await make_release(owner, product, version="2.1.0-rc.1", channel="Beta", status="Published")
    assert await issued() == "2.0.0"
    settings = {"settings": {"defaultChannel": "beta"}}
    changed = await owner.ok("PUT", f"/api/products/{product['id']}", settings)
    assert changed["settings"]["defaultChannel"] == "beta"
    assert await issued() == "2.1.0-rc.1"
    settings = {"settings": {"defaultChannel": "Nightly"}}
    await owner.ok("PUT", f"/api/products/{product['id']}", settings)
    await owner.ok("PUT", f"/api/releases/{second['id']}", {"status": "Yanked"})
    assert await issued() == "2.1.0-rc.1"
    assert refused_fields(ProductChange, {"settings": {"defaultChannel": ""}}) == [
        "settings.defaultChannel"
    ]
    path = f"/api/products/{product['id']}"
    padded = await owner.send("PUT", path, {"settings": {"defaultChannel": " Beta"}})
    assert padded.json()["errors"][0]["field"] == "settings.defaultChannel"


@pytest.mark.specification("releases.fields")
async def test_a_version_exists_once_per_channel(owner: Owner, clock: FakeClock) -> None:
    product = await make_product(owner)
    await make_release(owner, product, version="2.0.0-RC1", channel="Beta")
    path = f"/api/products/{product['id']}/releases"
    same = {"version": "2.0.0-rc1", "channel": "BETA"}
    assert refusal(await owner.send("POST", path, same)) == (409, "Conflict")
    other = await make_release(owner, product, version="2.0.0-rc1", channel="Stable")
    change = {"channel": "beta"}
    answer = await owner.send("PUT", f"/api/releases/{other['id']}", change)
    assert refusal(answer) == (409, "Conflict")
    race = {"version": "3"}
    answers = await asyncio.gather(*(owner.send("POST", path, race) for _ in range(6)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 5
    second = await make_product(owner, "Second")
    await make_release(owner, second, version="2.0.0-rc1", channel="Beta")


async def test_releases_are_listed_and_deleted(owner: Owner, clock: FakeClock) -> None:
    product = await make_product(owner)
    clock.advance(seconds=1)
    beta = await make_release(owner, product, version="2", channel="Beta")
    path = f"/api/products/{product['id']}/releases"
    listed = await owner.ok("GET", path)
    assert [item["version"] for item in listed["items"]] == ["2", "1.0.0"]
    by_channel = await owner.ok("GET", f"{path}?sort=-channel")
    assert [item["channel"] for item in by_channel["items"]] == ["Stable", "Beta"]
    file = await owner.send("GET", path, headers={"accept": "text/csv"})
    [_, first, second] = file.text.splitlines()
    assert (",1.0.0," in first, ",2," in second) == (True, True)
    assert (await owner.send("DELETE", f"/api/releases/{beta['id']}")).status_code == 204
    assert refusal(await owner.send("GET", f"/api/releases/{beta['id']}")) == (404, "NotFound")
    assert (await owner.ok("GET", path))["totalCount"] == 1


async def test_versions_and_names_are_looked_up_by_tenant(
    owner: Owner, stranger: Owner, platform: Platform
) -> None:
    product = await make_product(owner)
    release = await make_release(owner, product, version="2.0.0")
    mine, theirs = uuid.UUID(owner.institution_id), uuid.UUID(stranger.institution_id)
    product_id, release_id = uuid.UUID(product["id"]), uuid.UUID(release["id"])
    async with platform.database.reading() as db:
        versions = await release_versions(
            db, [(mine, release_id), (theirs, release_id), (mine, release_id)]
        )
        names = await product_names(db, [(mine, product_id), (mine, release_id)])
        assert await release_versions(db, [(theirs, release_id)]) == {}
        assert await product_names(db, []) == {}
        assert await find_release(db, mine, release_id, release_id) is None
        assert await find_release(db, theirs, product_id, release_id) is None
        found = await find_release(db, mine, product_id, release_id)
    assert versions == {release_id: "2.0.0"}
    assert names == {product_id: "Aurora"}
    assert found is not None
    assert found.version == "2.0.0"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"version": ""}, ["version"]),
        ({"version": "x" * 101}, ["version"]),
        ({"version": "1\x7f"}, ["version"]),
        ({"version": " 1"}, ["version"]),
        ({"version": None}, ["version"]),
        ({"version": 2}, ["version"]),
        ({"channel": ""}, ["channel"]),
        ({"channel": "x" * 51}, ["channel"]),
        ({"status": "published"}, ["status"]),
        ({"notes": "x" * 20_001}, ["notes"]),
        ({"notes": ["x"]}, ["notes"]),
        ({"notes": "nul\x00"}, ["notes"]),
        ({"publishedAt": "2030-01-01T00:00:00Z"}, ["publishedAt"]),
        ({"version": "", "channel": 1, "status": 2}, ["version", "channel", "status"]),
    ],
)
def test_bad_fields_are_named(fields: dict[str, Any], expected: list[str]) -> None:
    assert refused_fields(ReleaseBody, {"version": "2", **fields}) == expected
    assert refused_fields(ReleaseChange, fields) == expected


@pytest.mark.specification("releases.fields", "products.fields")
@pytest.mark.parametrize("version", ["1", "2.1.0-rc.1+7", "20300115", "Spring edition 2030", "é"])
async def test_a_version_may_have_any_form(owner: Owner, version: str) -> None:
    product = await make_product(owner, initialVersion=version, releaseChannel="Nightly")
    [first] = (await owner.ok("GET", f"/api/products/{product['id']}/releases"))["items"]
    assert (first["version"], first["channel"]) == (version, "Nightly")
    other = await make_release(owner, product, version=version, channel="Beta")
    assert (other["version"], other["channel"]) == (version, "Beta")
