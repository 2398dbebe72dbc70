"""Update checks, and downloads from the URLs they return."""

import json
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from catalog.factories import bad_fields, refusal
from joserfc import jws
from joserfc.jwk import RSAKey
from licenses.factories import FUTURE, make_product, product_key
from testkit import Owner
from world import Vendor, World

from licet_server.licenses.rules.keys import signed_hash

CONTENT = b"the new version" * 1000


async def release(vendor: Vendor, version: str, *files: str, **fields: Any) -> dict[str, Any]:
    """A published release with files, each `name` or `name@platform`."""
    body = {"version": version, "status": "Published", **fields}
    made: dict[str, Any] = await vendor.owner.ok(
        "POST", f"/api/products/{vendor.product['id']}/releases", body
    )
    for file in files:
        name, _, platform = file.partition("@")
        answer = await vendor.owner.send(
            "POST",
            f"/api/releases/{made['id']}/files",
            files={"file": (name, CONTENT)},
            data={"platform": platform} if platform else {},
        )
        assert answer.status_code == 201, answer.text
    return made


async def ask(vendor: Vendor, **query: str) -> httpx.Response:
    return await vendor.owner.client.get("/api/updates/latest", params=query, headers=vendor.key)


async def check(vendor: Vendor, **query: str) -> dict[str, Any]:
    answer = await ask(vendor, **query)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


async def download(vendor: Vendor, url: str, **headers: str) -> httpx.Response:
    """Download without credentials."""
    return await vendor.owner.client.get(urlsplit(url).path, headers=headers)


@pytest.mark.specification("releases.updates")
async def test_an_application_finds_and_downloads_an_update(world: World) -> None:
    made = await release(world, "2.2.0", "setup.exe@windows-x64", "notes.txt", notes="# New")
    update = await check(world, currentVersion="2.1.0", platform="windows-x64")
    files = update.pop("files")
    assert update.pop("token")
    assert update.pop("answer") is None, "the application sent no nonce"
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
    assert files[0]["downloadUrl"].startswith(f"{world.platform.settings.address}/api/downloads/")
    got = await download(world, files[0]["downloadUrl"])
    assert got.content == CONTENT
    assert got.headers["etag"] == f'"{files[0]["sha256"]}"'
    rest = await download(world, files[0]["downloadUrl"], range="bytes=100-")
    assert (rest.status_code, rest.content) == (206, CONTENT[100:])


async def test_without_an_update_the_newest_release_is_returned_without_files(world: World) -> None:
    made = await release(world, "2.2.0", "setup.exe")
    for current in ("2.2.0", "2.2.0+build.7", "3.0.0"):
        update = await check(world, currentVersion=current)
        assert (update["updateAvailable"], update["files"]) == (False, [])
        assert (update["version"], update["releaseId"]) == ("2.2.0", made["id"])


@pytest.mark.specification("releases.updates")
async def test_channel_offers_its_own_releases_only(world: World) -> None:
    await release(world, "3.0.0", channel="Beta")
    assert (await check(world, currentVersion="2.0.0"))["version"] == "2.1.0"
    assert (await check(world, currentVersion="2.0.0", channel=""))["channel"] == "Stable"
    beta = await check(world, currentVersion="2.0.0", channel="beta")
    assert (beta["version"], beta["channel"]) == ("3.0.0", "Beta")
    assert await check(world, currentVersion="2.0.0", channel="Nightly") == {
        "updateAvailable": False,
        "version": None,
        "channel": "Nightly",
        "releaseId": None,
        "notes": None,
        "publishedAt": None,
        "files": [],
        "token": None,
        "answer": None,
    }


async def test_only_published_releases_are_offered(world: World) -> None:
    await release(world, "5.0.0", status="Draft")
    bad = await release(world, "4.0.0", "setup.exe")
    update = await check(world, currentVersion="2.1.0")
    assert update["version"] == "4.0.0"
    await world.owner.ok("PUT", f"/api/releases/{bad['id']}", {"status": "Yanked"})
    assert (await check(world, currentVersion="2.0.0"))["version"] == "2.1.0"
    assert not (await check(world, currentVersion="4.0.0"))["updateAvailable"]
    gone = await download(world, update["files"][0]["downloadUrl"])
    assert refusal(gone) == (404, "NotFound")


@pytest.mark.specification("releases.updates")
async def test_a_platform_gets_its_files_and_those_for_all(world: World) -> None:
    await release(world, "2.2.0", "a@windows-x64", "b@linux-x64", "c")
    for platform, names in (
        ("windows-x64", ["a", "c"]),
        ("Linux-X64", ["b", "c"]),
        ("mac", ["c"]),
        ("", ["a", "b", "c"]),
    ):
        update = await check(world, currentVersion="1.0.0", platform=platform)
        assert [file["name"] for file in update["files"]] == names


async def test_a_platform_is_offered_the_newest_release_that_it_can_install(world: World) -> None:
    await release(world, "2.3.0")
    announced = await check(world, currentVersion="1.0.0", platform="mac")
    assert announced["version"] == "2.3.0"
    await release(world, "2.4.0", "a@windows-x64", "b@linux-x64")
    await release(world, "2.5.0", "a@windows-x64")
    for platform, version in (("windows-x64", "2.5.0"), ("LINUX-x64", "2.4.0"), ("", "2.5.0")):
        update = await check(world, currentVersion="2.3.0", platform=platform)
        assert (update["updateAvailable"], update["version"]) == (True, version), platform
    latest = await check(world, currentVersion="2.4.0", platform="linux-x64")
    assert latest["updateAvailable"] is False
    nothing = await check(world, currentVersion="2.3.0", platform="mac")
    assert (nothing["updateAvailable"], nothing["version"]) == (False, None)


async def test_versions_of_any_form_are_accepted(world: World) -> None:
    for current in ("", " ", "latest", "1", "1.2.3.4", "../..", "\u202e1.0.0", "9" * 100, "-1.0.0"):
        assert (await ask(world, currentVersion=current)).status_code == 200, current
    assert bad_fields(await ask(world, currentVersion="1" * 101)) == ["currentVersion"]
    assert bad_fields(await ask(world, channel="x" * 51)) == ["channel"]
    assert bad_fields(await ask(world, platform="x" * 51)) == ["platform"]
    assert bad_fields(await ask(world, licenseKey="x" * 301)) == ["licenseKey"]


@pytest.mark.specification("releases.version-line")
async def test_a_license_is_offered_what_its_version_line_covers(world: World) -> None:
    license_ = await world.issue("Trial")
    await release(world, "2.5.0")
    await release(world, "3.0.0")
    key = license_["licenseKey"]
    assert (await check(world, currentVersion="2.1.0"))["version"] == "3.0.0"
    assert (await check(world, currentVersion="2.1.0", licenseKey=key))["version"] == "2.5.0"
    unknown = await ask(world, currentVersion="2.1.0", licenseKey="AAAAA-AAAAA")
    assert refusal(unknown) == (404, "LicenseNotFound")


async def test_downloads_can_require_an_active_license(world: World) -> None:
    path = f"/api/products/{world.product['id']}"
    await world.owner.ok("PUT", path, {"settings": {"downloadsNeedLicense": True}})
    await release(world, "2.2.0", "setup.exe")
    assert bad_fields(await ask(world)) == ["licenseKey"]
    assert bad_fields(await ask(world, licenseKey="")) == ["licenseKey"]
    good, suspended, revoked = [await world.issue("Trial") for _ in range(3)]
    soon = await world.issue("Trial", expirationDate="2030-01-15T12:30:00Z")
    await world.owner.ok("POST", f"/api/licenses/{suspended['id']}/suspend", {})
    await world.owner.ok("POST", f"/api/licenses/{revoked['id']}/revoke", {})
    world.clock.advance(hours=1)
    for license_, wanted in (
        (suspended, (400, "LicenseInvalid")),
        (revoked, (400, "LicenseInvalid")),
        (soon, (400, "LicenseExpired")),
    ):
        assert refusal(await ask(world, licenseKey=license_["licenseKey"])) == wanted
    update = await check(world, licenseKey=good["licenseKey"])
    assert (await download(world, update["files"][0]["downloadUrl"])).content == CONTENT
    assert good["expirationDate"] == FUTURE


async def test_a_download_url_expires_after_15_minutes_and_cannot_be_altered(world: World) -> None:
    await release(world, "2.2.0", "setup.exe")
    url = (await check(world))["files"][0]["downloadUrl"]
    world.clock.advance(minutes=14, seconds=59)
    assert (await download(world, url)).status_code == 200
    world.clock.advance(seconds=1)
    late = await download(world, url)
    assert refusal(late) == (401, "Unauthorized")
    assert "Check for updates again" in late.json()["detail"]
    fresh = (await check(world))["files"][0]["downloadUrl"]
    start, token = fresh.rsplit("/", 1)
    for place in range(0, len(token), 7):
        other = "A" if token[place] != "A" else "B"
        edited = f"{start}/{token[:place]}{other}{token[place + 1 :]}"
        assert refusal(await download(world, edited)) == (401, "Unauthorized")
    for nonsense in ("x", token[:40], token + "AAAA", "%C3%A9", "." * 200, "=" * 8):
        assert refusal(await download(world, f"{start}/{nonsense}")) == (401, "Unauthorized")


async def test_product_offers_only_its_own_releases(world: World, stranger: Owner) -> None:
    await release(world, "2.2.0", "setup.exe")
    product = await make_product(stranger)
    other = Vendor(stranger, product, {"X-API-KEY": await product_key(stranger, product)})
    update = await check(other, currentVersion="1.0.0")
    assert (update["version"], update["files"]) == ("2.1.0", [])
    license_ = await world.issue("Trial")
    answer = await ask(other, licenseKey=license_["licenseKey"])
    assert refusal(answer) == (404, "LicenseNotFound")


async def signed_answer(vendor: World, **query: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The response to a query with a nonce, and the verified claims of its answer."""
    update = await check(vendor, nonce="of-this-request", **query)
    keys = await vendor.owner.ok("GET", f"/api/products/{vendor.product['id']}/keys/public")
    key = RSAKey.import_key(keys["publicKeyPem"])
    token = jws.deserialize_compact(update["answer"], key, algorithms=["RS256"])
    assert token.headers()["typ"] == "update+jwt"
    claims: dict[str, Any] = json.loads(token.payload)
    assert claims.pop("aud") == vendor.product["id"]
    assert claims.pop("iat") == int(vendor.clock.now.timestamp())
    assert claims.pop("nonce") == "of-this-request"
    return update, claims


async def test_each_answer_is_signed_for_its_request(world: World) -> None:
    await release(world, "2.2.0")
    key = (await world.issue())["licenseKey"]
    _, claims = await signed_answer(
        world, currentVersion="2.1.0", platform="linux", channel="stable", licenseKey=key.lower()
    )
    assert claims == {
        "channel": "Stable",
        "currentVersion": "2.1.0",
        "platform": "linux",
        "licenseKeyHash": signed_hash(key),
        "updateAvailable": True,
        "version": "2.2.0",
    }
    update, claims = await signed_answer(world, currentVersion="2.2.0")
    assert (update["token"] is None, claims["updateAvailable"]) == (False, False)
    assert (claims["version"], claims["licenseKeyHash"]) == ("2.2.0", None)
    _, claims = await signed_answer(world, channel="Nightly")
    assert (claims["version"], claims["channel"]) == (None, "Nightly")
