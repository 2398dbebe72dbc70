"""Update checks, and downloads from the URLs they return."""

from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from catalog.factories import bad_fields, refusal
from devices.factories import Shop
from licenses.factories import FUTURE, make_product, product_key
from testkit import FakeClock, Owner

from licet_server.kit.platform import Platform

CONTENT = b"the new version" * 1000


@pytest.fixture
async def shop(owner: Owner) -> Shop:
    """A product whose first release is 2.1.0."""
    product = await make_product(owner)
    return Shop(owner, product, {"X-API-KEY": await product_key(owner, product)})


async def release(shop: Shop, version: str, *files: str, **fields: Any) -> dict[str, Any]:
    """A published release with files, each `name` or `name@platform`."""
    body = {"version": version, "status": "Published", **fields}
    made: dict[str, Any] = await shop.owner.ok(
        "POST", f"/api/products/{shop.product['id']}/releases", body
    )
    for file in files:
        name, _, platform = file.partition("@")
        answer = await shop.owner.send(
            "POST",
            f"/api/releases/{made['id']}/files",
            files={"file": (name, CONTENT)},
            data={"platform": platform} if platform else {},
        )
        assert answer.status_code == 201, answer.text
    return made


async def ask(shop: Shop, **query: str) -> httpx.Response:
    return await shop.owner.client.get("/api/updates/latest", params=query, headers=shop.key)


async def check(shop: Shop, **query: str) -> dict[str, Any]:
    answer = await ask(shop, **query)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


async def download(shop: Shop, url: str, **headers: str) -> httpx.Response:
    """Download without credentials."""
    return await shop.owner.client.get(urlsplit(url).path, headers=headers)


@pytest.mark.specification("releases.updates")
async def test_an_application_finds_and_downloads_an_update(shop: Shop, platform: Platform) -> None:
    made = await release(shop, "2.2.0", "setup.exe@windows-x64", "notes.txt", notes="# New")
    update = await check(shop, currentVersion="2.1.0", platform="windows-x64")
    files = update.pop("files")
    assert update.pop("token")
    assert update == {
        "updateAvailable": True,
        "version": "2.2.0",
        "channel": "Stable",
        "releaseId": made["id"],
        "notes": "# New",
        "publishedAt": made["publishedAt"],
    }
    assert [(file["name"], file["platform"]) for file in files] == [
        ("setup.exe", "windows-x64"), ("notes.txt", None),
    ]  # fmt: skip
    assert files[0].keys() == {"name", "platform", "sizeBytes", "sha256", "downloadUrl"}
    assert files[0]["downloadUrl"].startswith(f"{platform.settings.address}/api/downloads/")
    got = await download(shop, files[0]["downloadUrl"])
    assert got.content == CONTENT
    assert got.headers["etag"] == f'"{files[0]["sha256"]}"'
    rest = await download(shop, files[0]["downloadUrl"], range="bytes=100-")
    assert (rest.status_code, rest.content) == (206, CONTENT[100:])


async def test_without_an_update_the_newest_release_is_returned_without_files(shop: Shop) -> None:
    made = await release(shop, "2.2.0", "setup.exe")
    for current in ("2.2.0", "2.2.0+build.7", "3.0.0"):
        update = await check(shop, currentVersion=current)
        assert (update["updateAvailable"], update["files"]) == (False, [])
        assert (update["version"], update["releaseId"]) == ("2.2.0", made["id"])


@pytest.mark.specification("releases.updates")
async def test_a_channel_holds_its_own_releases_only(shop: Shop) -> None:
    await release(shop, "3.0.0", channel="Beta")
    assert (await check(shop, currentVersion="2.0.0"))["version"] == "2.1.0"
    assert (await check(shop, currentVersion="2.0.0", channel=""))["channel"] == "Stable"
    beta = await check(shop, currentVersion="2.0.0", channel="beta")
    assert (beta["version"], beta["channel"]) == ("3.0.0", "Beta")
    assert await check(shop, currentVersion="2.0.0", channel="Nightly") == {
        "updateAvailable": False,
        "version": None,
        "channel": "Nightly",
        "releaseId": None,
        "notes": None,
        "publishedAt": None,
        "files": [],
        "token": None,
    }


async def test_only_published_releases_are_offered(shop: Shop) -> None:
    await release(shop, "5.0.0", status="Draft")
    bad = await release(shop, "4.0.0", "setup.exe")
    update = await check(shop, currentVersion="2.1.0")
    assert update["version"] == "4.0.0"
    await shop.owner.ok("PUT", f"/api/releases/{bad['id']}", {"status": "Yanked"})
    assert (await check(shop, currentVersion="2.0.0"))["version"] == "2.1.0"
    assert not (await check(shop, currentVersion="4.0.0"))["updateAvailable"]
    gone = await download(shop, update["files"][0]["downloadUrl"])
    assert refusal(gone) == (404, "NotFound")


@pytest.mark.specification("releases.updates")
async def test_a_platform_gets_its_files_and_those_for_all(shop: Shop) -> None:
    await release(shop, "2.2.0", "a@windows-x64", "b@linux-x64", "c")
    for platform, names in (
        ("windows-x64", ["a", "c"]),
        ("Linux-X64", ["b", "c"]),
        ("mac", ["c"]),
        ("", ["a", "b", "c"]),
    ):
        update = await check(shop, currentVersion="1.0.0", platform=platform)
        assert [file["name"] for file in update["files"]] == names


async def test_versions_of_any_form_are_accepted(shop: Shop) -> None:
    for current in ("", " ", "latest", "1", "1.2.3.4", "../..", "\u202e1.0.0", "9" * 100, "-1.0.0"):
        assert (await ask(shop, currentVersion=current)).status_code == 200, current
    assert bad_fields(await ask(shop, currentVersion="1" * 101)) == ["currentVersion"]
    assert bad_fields(await ask(shop, channel="x" * 51)) == ["channel"]
    assert bad_fields(await ask(shop, platform="x" * 51)) == ["platform"]
    assert bad_fields(await ask(shop, licenseKey="x" * 301)) == ["licenseKey"]


@pytest.mark.specification("releases.version-line")
async def test_a_license_is_offered_what_its_version_line_covers(shop: Shop) -> None:
    license_ = await shop.issue("Trial")
    await release(shop, "2.5.0")
    await release(shop, "3.0.0")
    key = license_["licenseKey"]
    assert (await check(shop, currentVersion="2.1.0"))["version"] == "3.0.0"
    assert (await check(shop, currentVersion="2.1.0", licenseKey=key))["version"] == "2.5.0"
    unknown = await ask(shop, currentVersion="2.1.0", licenseKey="AAAAA-AAAAA")
    assert refusal(unknown) == (404, "LicenseNotFound")


async def test_downloads_may_need_an_active_license(shop: Shop, clock: FakeClock) -> None:
    path = f"/api/products/{shop.product['id']}"
    await shop.owner.ok("PUT", path, {"settings": {"downloadsNeedLicense": True}})
    await release(shop, "2.2.0", "setup.exe")
    assert bad_fields(await ask(shop)) == ["licenseKey"]
    assert bad_fields(await ask(shop, licenseKey="")) == ["licenseKey"]
    good, suspended, revoked = [await shop.issue("Trial") for _ in range(3)]
    soon = await shop.issue("Trial", expirationDate="2030-01-15T12:30:00Z")
    await shop.owner.ok("POST", f"/api/licenses/{suspended['id']}/suspend", {})
    await shop.owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke", {})
    clock.advance(hours=1)
    for license_, wanted in (
        (suspended, (400, "LicenseInvalid")),
        (revoked, (400, "LicenseInvalid")),
        (soon, (400, "LicenseExpired")),
    ):
        assert refusal(await ask(shop, licenseKey=license_["licenseKey"])) == wanted
    update = await check(shop, licenseKey=good["licenseKey"])
    assert (await download(shop, update["files"][0]["downloadUrl"])).content == CONTENT
    assert good["expirationDate"] == FUTURE


async def test_a_download_url_expires_after_15_minutes_and_cannot_be_altered(
    shop: Shop, clock: FakeClock
) -> None:
    await release(shop, "2.2.0", "setup.exe")
    url = (await check(shop))["files"][0]["downloadUrl"]
    clock.advance(minutes=14, seconds=59)
    assert (await download(shop, url)).status_code == 200
    clock.advance(seconds=1)
    late = await download(shop, url)
    assert refusal(late) == (401, "Unauthorized")
    assert "Check for updates again" in late.json()["detail"]
    fresh = (await check(shop))["files"][0]["downloadUrl"]
    start, token = fresh.rsplit("/", 1)
    for place in range(0, len(token), 7):
        other = "A" if token[place] != "A" else "B"
        edited = f"{start}/{token[:place]}{other}{token[place + 1 :]}"
        assert refusal(await download(shop, edited)) == (401, "Unauthorized")
    for nonsense in ("x", token[:40], token + "AAAA", "%C3%A9", "." * 200, "=" * 8):
        assert refusal(await download(shop, f"{start}/{nonsense}")) == (401, "Unauthorized")


async def test_another_product_offers_nothing_of_this_one(shop: Shop, stranger: Owner) -> None:
    await release(shop, "2.2.0", "setup.exe")
    product = await make_product(stranger)
    other = Shop(stranger, product, {"X-API-KEY": await product_key(stranger, product)})
    update = await check(other, currentVersion="1.0.0")
    assert (update["version"], update["files"]) == ("2.1.0", [])
    license_ = await shop.issue("Trial")
    answer = await ask(other, licenseKey=license_["licenseKey"])
    assert refusal(answer) == (404, "LicenseNotFound")
