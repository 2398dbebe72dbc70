"""What end users download with their licenses."""

from typing import Any

import httpx
from catalog.factories import refusal
from portal.people import LICENSES, EndUser, NewEndUser
from world import Vendor, World

CONTENT = b"the installer"


async def publish(vendor: Vendor, version: str, *, channel: str = "Stable") -> dict[str, Any]:
    """A published release with a file."""
    path = f"/api/products/{vendor.product['id']}/releases"
    body = {"version": version, "channel": channel, "status": "Published"}
    release = dict(await vendor.owner.ok("POST", path, body))
    answer = await vendor.owner.client.post(
        f"/api/releases/{release['id']}/files",
        headers=vendor.owner.headers,
        data={"platform": "linux-x64"},
        files={"file": (f"setup-{version}.bin", CONTENT)},
    )
    assert answer.status_code == 201, answer.text
    return release


async def downloads(user: EndUser, license_: dict[str, Any]) -> httpx.Response:
    return await user.send("GET", f"{LICENSES}/{license_['id']}/downloads")


async def test_files_of_published_releases_are_listed(world: World, user: EndUser) -> None:
    made = await world.issue("Trial", issuedTo=user.email)
    assert (await downloads(user, made)).json()["items"] == []
    older = await publish(world, "2.2.0")
    world.clock.advance(seconds=1)
    newer = await publish(world, "2.3.0-rc.1", channel="Beta")
    answer = (await downloads(user, made)).json()
    assert [item["releaseId"] for item in answer["items"]] == [newer["id"], older["id"]]
    assert answer["totalCount"] == 2
    [file] = answer["items"][1]["files"]
    assert (file["name"], file["platform"]) == ("setup-2.2.0.bin", "linux-x64")
    assert file["sizeBytes"] == len(CONTENT)
    fetched = await user.client.get(file["downloadUrl"])
    assert fetched.content == CONTENT
    world.clock.advance(minutes=16)
    assert refusal(await user.client.get(file["downloadUrl"])) == (401, "Unauthorized")


async def test_drafts_yanked_and_uncovered_versions_are_omitted(
    world: World, user: EndUser
) -> None:
    made = await world.issue("Trial", issuedTo=user.email)
    yanked = await publish(world, "2.4.0")
    await world.owner.ok("PUT", f"/api/releases/{yanked['id']}", {"status": "Yanked"})
    await publish(world, "3.0.0")
    assert (await downloads(user, made)).json()["items"] == []


async def test_an_inactive_license_if_downloads_need_one(world: World, user: EndUser) -> None:
    made = await world.issue("Trial", issuedTo=user.email)
    await publish(world, "2.2.0")
    await world.owner.ok("POST", f"/api/licenses/{made['id']}/suspend", {})
    assert len((await downloads(user, made)).json()["items"]) == 1
    needed = {"settings": {"downloadsNeedLicense": True}}
    await world.owner.ok("PUT", f"/api/products/{world.product['id']}", needed)
    assert refusal(await downloads(user, made)) == (400, "LicenseInvalid")


async def test_a_license_of_another_user_is_not_found(
    world: World, user: EndUser, new_end_user: NewEndUser
) -> None:
    made = await world.issue("Trial", issuedTo=user.email)
    other = await new_end_user()
    assert refusal(await downloads(other, made)) == (404, "NotFound")
