"""What applications requested of a license: counted beside the requests, stored in batches."""

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from catalog.factories import refusal
from plans import taken_down
from sqlalchemy import select
from statements import sent_statements
from testkit import client_of
from world import World, open_vendor

from licet_server.app import Application
from licet_server.devices.rules.requests import MAX_ROWS
from licet_server.devices.service import requests as service
from licet_server.devices.service.requests import RequestLog, purge_requests
from licet_server.devices.tables import license_requests
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.runtime import ACCEPTED, RequestNote

VALIDATE = "/api/licenses/validate"
MACHINE = "machine-number-0001"


async def requests_of(world: World, license_: dict[str, Any], **query: Any) -> list[dict[str, Any]]:
    path = f"/api/licenses/{license_['id']}/requests"
    return list((await world.owner.ok("GET", path, params=query))["items"])


async def seen(world: World, license_: dict[str, Any]) -> dict[tuple[str, str], int]:
    """Return how often each route had each status."""
    found = await requests_of(world, license_, pageSize=100)
    return {(item["route"], item["status"]): item["count"] for item in found}


def note_of(license_: dict[str, Any], institution_id: UUID, machine: str = MACHINE) -> RequestNote:
    return RequestNote(license_id=(institution_id, UUID(license_["id"])), hardware_id=machine)


async def stored(platform: Platform, license_: dict[str, Any]) -> list[int]:
    statement = select(license_requests.c.request_count).where(
        license_requests.c.license_id == UUID(license_["id"])
    )
    async with platform.database.reading() as db:
        return list((await db.execute(statement)).scalars())


async def test_requests_of_a_device_with_one_status_are_one_row(
    world: World, application: Application
) -> None:
    license_ = await world.issue()
    await world.validate(license_, MACHINE, deviceName="Studio Mac", appVersion="1.0.0")
    world.clock.advance(minutes=5)
    body = {"licenseKey": license_["licenseKey"], "hardwareId": MACHINE, "appVersion": "1.0.1"}
    async with client_of(application, "198.51.100.7") as elsewhere:
        await elsewhere.post(VALIDATE, json=body, headers=world.key)
    [row] = await requests_of(world, license_)
    assert row == {
        "id": row["id"],
        "route": VALIDATE,
        "status": "Valid",
        "hardwareId": "mach…0001",
        "deviceName": "Studio Mac",
        "appVersion": "1.0.1",
        "ipAddress": "198.51.100.7",
        "count": 2,
        "firstSeenAt": "2030-01-15T12:00:00Z",
        "lastSeenAt": "2030-01-15T12:05:00Z",
    }


async def test_refusals_are_rows_of_their_own(world: World) -> None:
    license_ = await world.issue("NodeLocked")
    await world.validate(license_, MACHINE)
    await world.validate(license_, "another-machine-2")
    answer = await world.activate(license_, "another-machine-2")
    assert refusal(answer)[1] == "MaxActivationsReached"
    await world.owner.ok("POST", f"/api/licenses/{license_['id']}/revoke", {"reason": "Refund"})
    await world.validate(license_, MACHINE)
    assert refusal(await world.refresh(license_, MACHINE))[1] == "LicenseInvalid"
    assert await seen(world, license_) == {
        (VALIDATE, "Valid"): 1,
        (VALIDATE, "HardwareMismatch"): 1,
        ("/api/activations", "MaxActivationsReached"): 1,
        (VALIDATE, "Revoked"): 1,
        ("/api/licenses/refresh", "LicenseInvalid"): 1,
    }


async def test_every_route_of_applications_is_counted(world: World) -> None:
    pool = await world.issue("Floating")
    session = await world.connected(pool, MACHINE)
    for _ in range(3):
        await world.heartbeat(session)
        world.clock.advance(minutes=1)
    await world.disconnect(session)
    assert refusal(await world.heartbeat(session))[1] == "SessionNotFound"
    query = {"licenseKey": pool["licenseKey"], "hardwareId": MACHINE}
    await world.owner.client.get("/api/updates/latest", params=query, headers=world.key)
    await world.consume(pool, hardwareId=MACHINE)
    event = {"licenseKey": pool["licenseKey"], "hardwareId": MACHINE, "events": []}
    await world.call("POST", "/api/telemetry", event)
    found = await requests_of(world, pool)
    assert {item["hardwareId"] for item in found} == {"mach…0001"}
    counts = await seen(world, pool)
    counts.pop(("/api/telemetry", ACCEPTED), None)
    assert counts == {
        ("/api/sessions/connect", ACCEPTED): 1,
        ("/api/sessions/heartbeat", ACCEPTED): 3,
        ("/api/sessions/heartbeat", "SessionNotFound"): 1,
        ("/api/sessions/disconnect", ACCEPTED): 1,
        ("/api/updates/latest", ACCEPTED): 1,
        ("/api/meter/consume", "NotMeteredLicense"): 1,
    }


async def test_activations_are_counted_with_their_outcome(world: World) -> None:
    license_ = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    assert (await world.activate(license_, MACHINE, deviceName="Ada")).status_code == 202
    seats = await world.issue("Concurrent", maxActiveUsersCount=1)
    await world.activate(seats, MACHINE)
    await world.activate(seats, "another-machine-2")
    await world.deactivate(seats, MACHINE)
    assert await seen(world, license_) == {("/api/activations", "PendingApproval"): 1}
    assert await seen(world, seats) == {
        ("/api/activations", ACCEPTED): 1,
        ("/api/activations", "MaxActivationsReached"): 1,
        ("/api/activations/current", ACCEPTED): 1,
    }


async def test_each_license_of_a_common_request_is_counted(world: World) -> None:
    one, other = await world.issue(), await world.issue()
    keys = [one["licenseKey"], other["licenseKey"], one["licenseKey"], "ABCDE-FGHIJ-KLMNP-QRSTU"]
    body = {"requests": [{"licenseKey": key, "hardwareId": MACHINE} for key in keys]}
    assert (await world.call("POST", "/api/licenses/validate-many", body)).is_success
    route = "/api/licenses/validate-many"
    assert await seen(world, one) == {(route, "Valid"): 2}
    assert await seen(world, other) == {(route, "Valid"): 1}


async def test_wrong_passwords_are_counted(world: World) -> None:
    license_ = await world.issue(username="ada", password="correct horse battery")
    await world.validate(license_, username="ada", password="wrong")
    answer = await world.activate(license_, MACHINE, username="ada", password="wrong")
    assert refusal(answer)[1] == "InvalidCredentials"
    assert await seen(world, license_) == {
        (VALIDATE, "CredentialsInvalid"): 1,
        ("/api/activations", "InvalidCredentials"): 1,
    }


async def test_unknown_keys_and_keys_of_another_product_leave_nothing(
    world: World, new_owner: Callable[..., Any], platform: Platform
) -> None:
    license_ = await world.issue()
    other = await open_vendor(await new_owner("other@example.com"))
    body = {"licenseKey": license_["licenseKey"], "hardwareId": MACHINE}
    answer = await other.call("POST", VALIDATE, body)
    assert answer.json()["status"] == "LicenseNotFound"
    await other.call("POST", "/api/activations", body)
    assert await requests_of(world, license_) == []
    assert await stored(platform, license_) == []


async def test_a_request_costs_no_statement_more(world: World, platform: Platform) -> None:
    license_ = await world.issue()
    await world.validate(license_, MACHINE)
    await requests_of(world, license_)
    with taken_down("INSERT INTO license_requests", "INSERT") as inserted:
        with sent_statements() as sent:
            await world.validate(license_, MACHINE)
        assert not [text for text in sent if "license_requests" in text]
        await requests_of(world, license_)
    assert len(inserted) == 1


async def test_a_batch_is_one_statement_for_all_licenses(world: World, platform: Platform) -> None:
    log = RequestLog(platform)
    licenses = [await world.issue() for _ in range(3)]
    institution_id = UUID(licenses[0]["institutionId"])
    for license_ in licenses:
        for number in range(4):
            note = note_of(license_, institution_id, f"machine-number-{number}")
            log.count(note, VALIDATE, "Valid", "192.0.2.1")
    with sent_statements() as sent:
        await log.flush()
    assert sum("INSERT" in text for text in sent) == 1
    assert not [text for text in sent if "customer" in text], "for names of devices alone"
    assert [len(await stored(platform, item)) for item in licenses] == [4, 4, 4]


async def test_two_processes_lose_no_count(world: World, platform: Platform) -> None:
    licenses = [await world.issue() for _ in range(5)]
    institution_id = UUID(licenses[0]["institutionId"])
    notes = [
        note_of(license_, institution_id, f"machine-number-{number}")
        for license_ in licenses
        for number in range(20)
    ]

    async def serve(log: RequestLog, given: list[RequestNote]) -> None:
        for _ in range(10):
            for note in given:
                log.count(note, VALIDATE, "Valid", "192.0.2.1")
            await log.flush()

    await asyncio.gather(
        serve(RequestLog(platform), notes), serve(RequestLog(platform), notes[::-1])
    )
    assert [await stored(platform, item) for item in licenses] == [[20] * 20] * 5


async def test_a_license_keeps_its_latest_200_rows(world: World, platform: Platform) -> None:
    license_ = await world.issue()
    institution_id = UUID(license_["institutionId"])
    for first in (0, MAX_ROWS):
        log = RequestLog(platform)
        for number in range(first, first + 150):
            note = note_of(license_, institution_id, f"machine-number-{number:04}")
            log.count(note, VALIDATE, "Valid", "192.0.2.1")
        await log.flush()
        world.clock.advance(minutes=1)
    assert len(await stored(platform, license_)) == MAX_ROWS
    found: list[dict[str, Any]] = []
    after = str(UUID(int=0))
    while after:
        path = f"/api/licenses/{license_['id']}/requests"
        page = await world.owner.ok("GET", path, params={"after": after, "pageSize": 60})
        found += page["items"]
        after = page["nextAfter"]
    assert len({item["id"] for item in found}) == MAX_ROWS
    assert sum(item["lastSeenAt"] == "2030-01-15T12:01:00Z" for item in found) == 150


async def test_what_is_full_or_cannot_be_stored_is_dropped_and_counted(
    world: World, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dropped() -> float:
        name = "licet_license_requests_dropped_total"
        return platform.metrics.registry.get_sample_value(name) or 0

    before = dropped()
    monkeypatch.setattr(service, "MAX_WAITING", 2)
    license_ = await world.issue()
    log = RequestLog(platform)
    institution_id = UUID(license_["institutionId"])
    for number in (1, 2, 3, 1):
        note = note_of(license_, institution_id, f"machine-number-{number}")
        log.count(note, VALIDATE, "Valid", "192.0.2.1")
    await log.aclose()
    assert sorted(await stored(platform, license_)) == [1, 2]
    assert dropped() == before + 1


@pytest.mark.parametrize("device_name", [None, "Studio Mac"])
async def test_a_deleted_license_does_not_lose_the_others(
    world: World, platform: Platform, device_name: str | None
) -> None:
    license_ = await world.issue()
    institution_id = UUID(license_["institutionId"])
    log = RequestLog(platform)
    for item in ({"id": str(UUID(int=7))}, license_):
        note = note_of(item, institution_id)
        note.device_name = device_name
        log.count(note, VALIDATE, "Valid", "192.0.2.1")
    await log.flush()
    assert await stored(platform, license_) == [1]


async def test_rows_are_deleted_after_30_days_without_a_request(
    world: World, platform: Platform
) -> None:
    old, used = await world.issue(), await world.issue()
    institution_id = UUID(old["institutionId"])
    log = RequestLog(platform)
    for days, licenses in ((20, (old, used)), (11, (used,))):
        for license_ in licenses:
            log.count(note_of(license_, institution_id), VALIDATE, "Valid", "192.0.2.1")
        await log.flush()
        world.clock.advance(days=days)
    await purge_requests(platform)
    assert await stored(platform, old) == []
    assert await stored(platform, used) == [2]


async def test_requests_are_listed_like_all_lists(
    world: World, new_owner: Callable[..., Any]
) -> None:
    license_ = await world.issue()
    await world.validate(license_, MACHINE)
    path = f"/api/licenses/{license_['id']}/requests"
    stranger = await new_owner("stranger@example.com")
    assert (await stranger.send("GET", path)).status_code == 404
    assert refusal(await world.owner.send("GET", f"{path}?sort=name"))[0] == 400
    assert refusal(await world.owner.send("GET", f"{path}?wrong=1"))[0] == 400
