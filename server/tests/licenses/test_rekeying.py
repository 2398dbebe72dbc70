"""A new key for a license, and the old one during its grace."""

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any

import pytest
from sqlalchemy import text
from world import World


async def rekey(world: World, license_: dict[str, Any], **fields: Any) -> dict[str, Any]:
    path = f"/api/licenses/{license_['id']}/rekey"
    return dict(await world.owner.ok("POST", path, fields or None))


async def status(world: World, license_: dict[str, Any]) -> str:
    return str((await world.validate(license_, "machine-1"))["status"])


async def test_a_new_key_replaces_the_old_one_at_once(world: World) -> None:
    made = await world.issue("Concurrent", maxActiveUsersCount=1, notes="kept")
    assert (await world.activate(made, "machine-1")).status_code == 201
    changed = await rekey(world, made)
    assert changed["licenseKey"] != made["licenseKey"]
    same = {"licenseKey", "updatedAt"}
    assert {k: v for k, v in changed.items() if k not in same} == {
        k: v for k, v in (await world.read(made)).items() if k not in same
    }
    assert await status(world, made) == "LicenseNotFound"
    assert await status(world, changed) == "Valid"
    assert (await world.activate(changed, "machine-1")).status_code == 200, "it keeps its seat"
    for answer in (
        await world.activate(made, "machine-1"),
        await world.refresh(made, "machine-1"),
        await world.deactivate(made, "machine-1"),
    ):
        assert (answer.status_code, answer.json()["errorCode"]) == (404, "LicenseNotFound")


async def test_the_old_key_works_until_its_grace_ends(world: World) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=2)
    changed = await rekey(world, made, graceDays=7)
    await world.connected(made)
    assert (await world.connected(changed, "machine-2"))["seatsUsed"] == 2, "both take its seats"
    world.clock.advance(days=7, seconds=-1)
    assert await status(world, made) == "Valid"
    world.clock.advance(seconds=1)
    assert await status(world, made) == "LicenseNotFound"
    assert await status(world, changed) == "Valid"


@pytest.mark.parametrize("protected", [False, True])
async def test_verdict_and_file_fit_the_key_that_asked(world: World, protected: bool) -> None:
    made = await world.issue("Perpetual")
    changed = await rekey(world, made, graceDays=1)
    for license_ in (made, changed):
        key = license_["licenseKey"]
        verdict = await world.validate(license_, signed=True, nonce="n")
        claims = await world.claims_of(verdict["token"])
        normal = key.replace("-", "").encode()
        digest = urlsafe_b64encode(sha256(normal).digest()).rstrip(b"=").decode()
        assert claims["licenseKeyHash"] == digest
        file = (await world.refresh(license_, protected=protected)).json()["file"]
        if not protected:
            assert (await world.claims_of(file))["license"]["key"] == key
        else:
            assert file.count(".") == 4


async def test_a_rekey_ends_the_grace_of_earlier_keys(world: World) -> None:
    first = await world.issue("Perpetual")
    second = await rekey(world, first, graceDays=30)
    third = await rekey(world, second, graceDays=1)
    world.clock.advance(hours=23)
    assert [await status(world, item) for item in (first, second, third)] == ["Valid"] * 3
    await world.owner.sign_in()
    fourth = await rekey(world, third)
    assert [await status(world, item) for item in (first, second, third)] == ["LicenseNotFound"] * 3
    assert await status(world, fourth) == "Valid"


async def test_a_former_key_can_be_issued_again_and_belongs_to_the_new_license(
    world: World,
) -> None:
    made = await world.issue("Perpetual", licenseName="Old")
    await rekey(world, made, graceDays=30)
    again = await world.issue("Perpetual", licenseName="New", licenseKey=made["licenseKey"])
    assert (await world.validate(made))["license"]["id"] == again["id"]


async def test_a_rekey_is_refused_for_a_revoked_license_and_a_bad_grace(world: World) -> None:
    made = await world.issue("Perpetual")
    path = f"/api/licenses/{made['id']}/rekey"
    for grace in (-1, 1.5, "7", 1_000_000):
        answer = await world.owner.send("POST", path, {"graceDays": grace})
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "graceDays")
    await world.owner.ok("POST", f"/api/licenses/{made['id']}/revoke")
    answer = await world.owner.send("POST", path)
    assert (answer.status_code, answer.json()["errorCode"]) == (409, "Conflict")


async def test_a_rekey_is_recorded_without_keys(world: World) -> None:
    made = await world.issue("Perpetual")
    changed = await rekey(world, made)
    async with world.platform.database.reading() as db:
        found = await db.execute(
            text("SELECT kind, data::text, changes::text FROM events WHERE subject_id = :id"),
            {"id": made["id"]},
        )
        kinds = {kind: f"{data} {changes}" for kind, data, changes in found}
    assert set(kinds) == {"license.created", "license.rekeyed"}
    for key in (made["licenseKey"], changed["licenseKey"]):
        assert key not in kinds["license.rekeyed"]
