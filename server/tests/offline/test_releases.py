"""Releases: a proof by file or code frees the seat at once, and once; nothing else does."""

from typing import Any

import pytest
from catalog.factories import bad_fields, refusal
from offline.machine import APPROVAL, PREVIEW, SELF_SERVICE, Machine
from world import World

ONE_SEAT = {"maxActiveUsersCount": 1, **SELF_SERVICE}
OUTDATED = (409, "OfflineRequestOutdated")
RELEASED = {"state": "Released", "file": None, "fileName": None, "code": None, "endsAt": None}


async def one_seat(world: World, **fields: Any) -> dict[str, Any]:
    return await world.issue("Concurrent", **{**ONE_SEAT, **fields})


async def taken(world: World, path: str) -> None:
    """Download a file for the machine as an operator does, without a request."""
    answer = await world.owner.send("GET", path, params={"hardwareId": "machine-1"})
    assert answer.status_code == 200, answer.text


async def removals(world: World, device: dict[str, Any]) -> list[str]:
    """Return the reasons for which a device was removed."""
    events = await world.events_of(device["id"])
    return [item["data"]["reason"] for item in events if item["kind"] == "activation.deleted"]


async def test_a_release_by_file_frees_the_seat_at_once_and_once(world: World) -> None:
    license_ = await one_seat(world)
    machine, next_one = Machine(world, license_), Machine(world, license_, "machine-2")
    await machine.answered()
    [device] = await world.devices(license_)
    assert refusal(await next_one.ask()) == (409, "MaxActivationsReached")
    text = machine.sign("Release", file="any")
    shown = (await machine.send(text, PREVIEW)).json()
    assert (shown["kind"], shown["state"], shown["approval"]) == ("Release", "New", False)
    assert (await machine.send(text)).json() == RELEASED
    assert await machine.seats() == 0
    await next_one.answered()
    assert (await machine.send(text)).json() == RELEASED, "the same again"
    assert await machine.seats() == 1, "the seat of the next machine stays"
    assert await removals(world, device) == ["OfflineRelease"]
    [row] = await machine.rows(state="Released")
    assert row["hardwareId"] == "machine-1"


async def test_what_was_asked_before_a_release_is_not_answered_after_it(world: World) -> None:
    machine = Machine(world, await one_seat(world))
    await machine.answered()
    old, later = machine.last, machine.sign("Refresh")
    assert (await machine.ask("Release")).status_code == 200
    for text in (old, later):
        assert refusal(await machine.send(text)) == OUTDATED
    await machine.answered()


async def test_a_release_by_code_frees_the_seat_at_once_and_once(world: World) -> None:
    license_ = await one_seat(world)
    machine = Machine(world, license_)
    given = await machine.answered(base="base-1")
    key = {"licenseKey": license_["licenseKey"]}
    for is_of_base in (True, False):
        file_id = "base-1" if is_of_base else (await machine.claims_in(given))["jti"]
        code = machine.release_code(file_id)
        assert bad_fields(await machine.send(code)) == ["licenseKey"]
        shown = (await machine.send(code, PREVIEW, **key)).json()
        assert (shown["kind"], shown["state"]) == ("Release", "New")
        assert shown["hardwareIdEnding"] == "hine-1"
        assert (await machine.send(code, **key)).json() == RELEASED
        assert (await machine.send(code, **key)).json() == RELEASED
        assert (await machine.send(code, PREVIEW, **key)).json()["state"] == "Released"
        assert await machine.seats() == 0
        machine.seq -= 1
        assert (await machine.ask("Release")).json() == RELEASED, "by file, of the same seq"
        await machine.answered(base="base-1")
        # The newer answer has the same base file, and another file.
        expected = OUTDATED if is_of_base else (400, "InvalidRequest")
        assert refusal(await machine.send(code, **key)) == expected
        assert await machine.seats() == 1
        given = await machine.answered("Refresh", base="base-1")


async def test_a_code_of_another_machine_or_file_releases_nothing(world: World) -> None:
    license_ = await one_seat(world)
    machine = Machine(world, license_)
    await machine.answered(base="base-1")
    key = {"licenseKey": license_["licenseKey"]}
    assert bad_fields(await machine.send(machine.release_code("other"), **key)) == ["request"]
    stranger = Machine(world, license_)
    assert bad_fields(await machine.send(stranger.release_code("base-1"), **key)) == ["request"]
    first, second, *others = machine.release_code("base-1").split("-")
    wrong = "7" if second[0] == "Z" else "Z"
    mistyped = "-".join([first, wrong + second[1:], *others])
    answer = await machine.send(mistyped, **key)
    assert bad_fields(answer) == ["request"]
    assert "group 2" in answer.text
    unknown = await machine.send(machine.release_code("base-1"), licenseKey="UNKNOWN-KEY-1234")
    assert refusal(unknown) == (404, "LicenseNotFound")
    assert await machine.seats() == 1


async def test_a_machine_that_never_had_an_answer_releases_nobody(world: World) -> None:
    """Else whoever knows the key could free the seat of a machine by its hardware ID."""
    license_ = await one_seat(world, **APPROVAL)
    assert (await world.activate(license_, "machine-1")).status_code == 201
    thief = Machine(world, license_)
    assert (await thief.ask()).status_code == 202
    assert refusal(await thief.ask("Release")) == (404, "ActivationNotFound")
    assert await thief.seats() == 1


async def test_a_blocked_machine_cannot_release_itself(world: World) -> None:
    machine = Machine(world, await one_seat(world))
    await machine.answered()
    [device] = await world.devices(machine.license)
    await world.operate(device, "block")
    assert refusal(await machine.ask("Release")) == (403, "DeviceBlocked")
    assert await machine.seats() == 1


async def test_a_file_that_was_got_otherwise_keeps_the_seat_until_its_end(world: World) -> None:
    """Before or after the answer: else a seat could be used twice by a file that stays behind."""
    for first in (True, False):
        license_ = await one_seat(world, activationMode="Offline")
        machine = Machine(world, license_)
        path = f"/api/licenses/{license_['id']}/file"
        if first:
            await taken(world, path)
        await machine.answered()
        if not first:
            await taken(world, path)
        assert (await machine.ask("Release")).json() == RELEASED
        assert await machine.seats() == 1
        [device] = await world.devices(license_)
        assert (device["status"], device["seatFreeAt"]) == ("Released", "2030-02-14T12:00:00Z")


async def test_a_file_that_ends_with_a_code_keeps_the_seat_too(world: World) -> None:
    """Both end with the license and the day: else the file and the next machine use one seat."""
    license_ = await one_seat(
        world, activationMode="Offline", expirationDate="2030-02-01T00:00:00Z"
    )
    machine = Machine(world, license_)
    await machine.answered(base="base-1")
    await taken(world, f"/api/licenses/{license_['id']}/file")
    assert (await machine.ask("Release")).json() == RELEASED
    assert await machine.seats() == 1


async def test_a_release_covers_the_earlier_answers_that_end_later(world: World) -> None:
    """They do, once the vendor has shortened the lifetime of files."""
    machine = Machine(world, await one_seat(world))
    path = f"/api/products/{world.product['id']}"
    for kind, days in (("Activate", 60), ("Refresh", 5)):
        await world.owner.ok("PUT", path, {"settings": {"offlineFileLifetimeDays": days}})
        await machine.answered(kind)
    assert (await machine.ask("Release")).json() == RELEASED
    assert await machine.seats() == 0


async def test_a_job_does_not_release_the_answers_of_the_others(world: World) -> None:
    """All jobs of a CI project have one hardware ID and one seat, and each has its own key."""
    license_ = await one_seat(world)
    jobs = [Machine(world, license_, f"h1j-{'a' * 40}") for _ in range(2)]
    for job in jobs:
        await job.answered()
    assert (await jobs[0].ask("Release")).json() == RELEASED
    assert await jobs[0].seats() == 1
    assert (await jobs[1].ask("Release")).json() == RELEASED
    assert await jobs[1].seats() == 0


async def test_a_release_has_a_number_of_its_own(world: World) -> None:
    """Else a machine could release itself and have its request answered once more."""
    machine = Machine(world, await one_seat(world))
    await machine.answered()
    machine.seq -= 1
    release = machine.sign("Release")
    assert refusal(await machine.send(release)) == OUTDATED
    assert await machine.seats() == 1


async def test_operators_take_releases_too(world: World) -> None:
    license_ = await one_seat(world, offlineActivation="Off")
    machine = Machine(world, license_)
    path = f"/api/licenses/{license_['id']}/offline"
    await world.owner.ok("POST", path, {"request": machine.sign(base="base-1")})
    code = machine.release_code("base-1")
    assert await world.owner.ok("POST", path, {"request": code}) == RELEASED
    assert await machine.seats() == 0
    await world.owner.ok("POST", path, {"request": machine.sign()})
    text = machine.sign("Release")
    assert await world.owner.ok("POST", path, {"request": text}) == RELEASED
    assert await machine.seats() == 0


async def test_everybody_brings_a_release_of_a_license_that_takes_no_requests(world: World) -> None:
    license_ = await one_seat(world, offlineActivation="Off")
    machine = Machine(world, license_)
    path = f"/api/licenses/{license_['id']}/offline"
    await world.owner.ok("POST", path, {"request": machine.sign()})
    text, key = machine.sign("Release"), {"licenseKey": license_["licenseKey"]}
    assert refusal(await machine.send(text)) == (404, "LicenseNotFound")
    assert (await machine.send(text, PREVIEW, **key)).json()["state"] == "New"
    assert (await machine.send(text, **key)).json() == RELEASED
    assert await machine.seats() == 0


@pytest.mark.parametrize("model", ["NodeLocked", "Perpetual", "Subscription"])
async def test_other_models_hold_no_seat_for_a_file(world: World, model: str) -> None:
    license_ = await world.issue(model, **SELF_SERVICE)
    machine = Machine(world, license_)
    await machine.answered()
    assert (await machine.ask("Release")).json() == RELEASED
    assert await world.devices(license_) == []
    await machine.answered()
    [device] = await world.devices(license_)
    await world.operate(device, "deactivate")
    assert await world.devices(license_) == []
    other = Machine(world, license_, "machine-2")
    await other.answered()
