"""Devices enroll with a key of their own kind, and never learn the license key."""

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Any

import httpx
import pytest
from applications import AnotherServer
from catalog.factories import refusal
from devices.books import assert_counters_match, events_in, rows_of
from devices.test_trials import set_up
from devices.unlocked import count_then_take, remove_locks
from licenses.factories import make_product, product_key
from sqlalchemy import func, select
from world import Vendor, World, through

from licet_server.devices.storage import seats as stored_seats
from licet_server.devices.tables import activations, enrollment_keys
from licet_server.licenses.service import device_tokens
from licet_server.licenses.tables import device_tokens as stored_tokens

INVALID = (401, "EnrollmentKeyInvalid")
UNKNOWN = (404, "LicenseNotFound")


@pytest.fixture
async def elsewhere(world: World, another_server: AnotherServer) -> AsyncIterator[Vendor]:
    """The vendor's product through another server."""
    async with through(await another_server(), world) as there:
        yield there


def place_of(license_: dict[str, Any]) -> str:
    return f"/api/licenses/{license_['id']}/enrollment-keys"


async def key_of(world: World, license_: dict[str, Any], **fields: Any) -> dict[str, Any]:
    body = {"name": "Image 2031", **fields}
    return dict(await world.owner.ok("POST", place_of(license_), body))


async def enroll(
    vendor: Vendor, key: dict[str, Any], machine: str, **fields: Any
) -> httpx.Response:
    body = {"enrollmentKey": key["secret"], "hardwareId": machine, **fields}
    return await vendor.call("POST", "/api/activations/enroll", body)


async def enrolled(
    vendor: Vendor, key: dict[str, Any], machine: str, **fields: Any
) -> dict[str, Any]:
    """The license as the device knows it: by its token."""
    answer = await enroll(vendor, key, machine, **fields)
    assert answer.status_code in {200, 201}, answer.text
    return {**answer.json(), "licenseKey": answer.json()["deviceToken"]}


async def fleet(world: World, seats: int = 2, **fields: Any) -> tuple[dict[str, Any], ...]:
    """A license and an enrollment key of it."""
    license_ = await world.issue("Concurrent", maxActiveUsersCount=seats)
    return license_, await key_of(world, license_, **fields)


async def test_a_secret_is_shown_once_and_stored_as_a_hash(world: World) -> None:
    license_, key = await fleet(world, maxDevices=5, ipAllowList=["203.0.113.0/24"])
    assert key["secret"].startswith("licet_ek_")
    [listed] = (await world.owner.ok("GET", place_of(license_)))["items"]
    assert listed == {name: value for name, value in key.items() if name != "secret"}
    assert (listed["maxDevices"], listed["enrolledDevices"]) == (5, 0)
    [row] = await rows_of(world.platform, enrollment_keys, license_)
    assert key["secret"].encode() not in row["secret_hash"]
    [made] = await events_in(world.platform, world, "enrollment_key.created")
    assert made["data"]["name"] == "Image 2031"
    assert key["secret"] not in str(made)
    await world.owner.ok("DELETE", f"{place_of(license_)}/{key['id']}")
    assert (await world.owner.ok("GET", place_of(license_)))["items"] == []
    assert await events_in(world.platform, world, "enrollment_key.deleted")


async def test_an_enrolled_device_uses_every_route_with_its_token(world: World) -> None:
    license_, key = await fleet(world)
    answer = await enroll(world, key, "machine-1", deviceName="Kiosk 1")
    assert answer.status_code == 201
    token = answer.json()["deviceToken"]
    assert answer.json() | {"seatsUsed": 1, "seatsTotal": 2, "status": "Active"} == answer.json()
    mine = {"id": license_["id"], "licenseKey": token}
    verdict = await world.validate(mine, "machine-1", signed=True, nonce="n-1")
    assert (verdict["valid"], verdict["license"]["id"]) == (True, license_["id"])
    assert (await world.activate(mine, "machine-1")).status_code == 200
    session = await world.connected(mine, "machine-1")
    assert (await world.heartbeat(session)).status_code == 200
    query = {"licenseKey": token, "hardwareId": "machine-1"}
    for path in ("/api/updates/latest",):
        found = await world.owner.client.get(path, params=query, headers=world.key)
        assert found.status_code == 200, found.text
    sent = await world.call("POST", "/api/telemetry", {**query, "events": [{"name": "started"}]})
    assert sent.status_code in {202, 400}
    assert refusal(await world.consume(mine, hardwareId="machine-1"))[1] == "NotMeteredLicense"
    assert (await world.deactivate(mine, "machine-1")).status_code == 204
    # The token ends with the seat; the device enrolls again.
    assert (await world.validate(mine, "machine-1"))["status"] == "LicenseNotFound"
    assert (await enroll(world, key, "machine-1")).status_code == 201


async def test_a_token_works_on_its_device_only(world: World) -> None:
    _, key = await fleet(world)
    mine, other = await enrolled(world, key, "machine-1"), await enrolled(world, key, "machine-2")
    forged = {
        "licenseKey": mine["licenseKey"][:-1] + ("0" if mine["licenseKey"][-1] != "0" else "1")
    }
    for license_, machine in ((mine, "machine-2"), (other, "machine-1"), (forged, "machine-1")):
        assert (await world.validate(license_, machine))["status"] == "LicenseNotFound"
        assert refusal(await world.activate(license_, machine)) == UNKNOWN
        assert refusal(await world.connect(license_, machine)) == UNKNOWN
        assert refusal(await world.refresh(license_, machine)) == UNKNOWN
        assert refusal(await world.deactivate(license_, machine)) == UNKNOWN
    assert (await world.validate(mine))["status"] == "LicenseNotFound"
    apart = await make_product(world.owner, name="Another")
    foreign = Vendor(world.owner, apart, {"X-API-KEY": await product_key(world.owner, apart)})
    assert refusal(await foreign.activate(mine, "machine-1")) == UNKNOWN
    assert refusal(await enroll(foreign, key, "machine-1")) == INVALID


async def test_a_file_of_an_enrolled_device_has_no_license_key(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2, activationMode="Offline")
    mine = await enrolled(world, await key_of(world, license_), "machine-1")
    plain = (await world.refresh(mine, "machine-1")).json()["file"]
    claims = await world.claims_of(plain)
    assert "key" not in claims["license"]
    assert license_["licenseKey"] not in str(claims)
    assert claims["hardwareIds"] == ["machine-1"]
    sealed = await world.refresh(mine, "machine-1", protected=True)
    assert sealed.status_code == 200
    known = await world.refresh(license_, "machine-1")
    assert (await world.claims_of(known.json()["file"]))["license"]["key"] == license_["licenseKey"]


async def test_enrolling_again_returns_the_seat_with_another_token(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device_tokens, "TOKENS_KEPT", 2)
    license_, key = await fleet(world, 1, maxDevices=1)
    tokens = [await enrolled(world, key, "machine-1")]
    for _ in range(2):
        world.clock.advance(seconds=1)
        again = await enroll(world, key, "machine-1")
        assert again.status_code == 200
        tokens.append({"licenseKey": again.json()["deviceToken"]})
    verdicts = [(await world.validate(token, "machine-1"))["status"] for token in tokens]
    assert verdicts == ["LicenseNotFound", "Valid", "Valid"]
    [listed] = (await world.owner.ok("GET", place_of(license_)))["items"]
    assert listed["enrolledDevices"] == 1
    assert listed["lastUsedAt"] is not None
    [device] = await world.devices(license_)
    await world.operate(device, "block")
    assert (await world.validate(tokens[-1], "machine-1"))["status"] == "DeviceBlocked"
    assert refusal(await enroll(world, key, "machine-1")) == (403, "DeviceBlocked")
    await world.operate(device, "deactivate")
    assert await rows_of(world.platform, stored_tokens, license_) == []
    assert refusal(await enroll(world, key, "machine-1")) == INVALID, "the key is used up"
    await assert_counters_match(world.platform, license_)


async def test_a_key_that_ended_enrolls_no_device_and_ends_none(world: World) -> None:
    license_, key = await fleet(world)
    mine = await enrolled(world, key, "machine-1")
    await world.owner.ok("DELETE", f"{place_of(license_)}/{key['id']}")
    assert refusal(await enroll(world, key, "machine-1")) == INVALID
    assert (await world.validate(mine, "machine-1"))["valid"]
    afar = await key_of(world, license_, ipAllowList=["192.0.2.0/24"])
    assert refusal(await enroll(world, afar, "machine-2")) == INVALID
    ends = (world.clock() + timedelta(hours=1)).isoformat()
    short = await key_of(world, license_, expiresAt=ends)
    world.clock.advance(hours=2)
    await world.owner.sign_in()
    assert refusal(await enroll(world, short, "machine-2")) == INVALID
    lasting = await key_of(world, license_)
    await world.owner.ok("POST", f"/api/licenses/{license_['id']}/suspend", {})
    assert refusal(await enroll(world, lasting, "machine-2")) == (400, "LicenseInvalid")
    assert refusal(await enroll(world, {"secret": "licet_ek_none"}, "machine-2")) == INVALID


async def test_only_concurrent_licenses_have_enrollment_keys(world: World) -> None:
    perpetual = await world.issue("Perpetual")
    made = await world.owner.send("POST", place_of(perpetual), {"name": "Image"})
    assert refusal(made) == (409, "Conflict")
    license_, key = await fleet(world)
    body = {"type": "Perpetual"}
    await world.owner.ok("POST", f"/api/licenses/{license_['id']}/convert", body)
    assert refusal(await enroll(world, key, "machine-1")) == INVALID


async def arrive(
    vendors: list[Vendor], key: dict[str, Any], machines: Sequence[str]
) -> dict[str, int]:
    """Enroll devices through both servers, 20 at once; one that finds no server free asks again."""
    places = asyncio.Semaphore(20)

    async def status_of(n: int, machine: str) -> int:
        async with places:
            status = 503
            while status == 503:
                status = (await enroll(vendors[n % 2], key, machine)).status_code
            return status

    statuses = await asyncio.gather(*(status_of(n, name) for n, name in enumerate(machines)))
    return dict(zip(machines, statuses, strict=True))


async def rush(vendors: list[Vendor], key: dict[str, Any], devices: int = 200) -> Counter[int]:
    """Enroll many devices at once."""
    machines = [f"machine-{n}" for n in range(devices)]
    return Counter((await arrive(vendors, key, machines)).values())


async def seats_of(world: World, license_: dict[str, Any]) -> int:
    statement = select(func.count()).where(
        activations.c.license_id == license_["id"], activations.c.holds_seat
    )
    async with world.platform.database.reading() as db:
        return int((await db.execute(statement)).scalar_one())


async def test_200_enrollments_share_50_seats(world: World, elsewhere: Vendor) -> None:
    license_, key = await fleet(world, 50)
    assert await rush([world, elsewhere], key) == {201: 50, 409: 150}
    assert await seats_of(world, license_) == 50
    await assert_counters_match(world.platform, license_)


async def test_30_enrollments_share_the_10_devices_of_a_key(
    world: World, elsewhere: Vendor
) -> None:
    license_, key = await fleet(world, 30, maxDevices=10)
    assert await rush([world, elsewhere], key, 30) == {201: 10, 401: 20}
    assert await seats_of(world, license_) == 10
    await assert_counters_match(world.platform, license_)


CONTAINERS, SEATS = int(os.environ.get("CONTAINERS", "12")), int(os.environ.get("SEATS", "10"))
GENERATIONS = int(os.environ.get("GENERATIONS", "3"))
"""`make drill-fleet` has more of each."""


async def test_containers_that_are_killed_and_recreated_wait_no_longer_than_the_idle_time(
    world: World, elsewhere: Vendor
) -> None:
    """All are killed without a word, and all start again at once, each time with new IDs."""
    await set_up(world, deviceIdleDays=1)
    license_, key = await fleet(world, SEATS)
    servers, waited = [world, elsewhere], Counter[timedelta]()
    for generation in range(GENERATIONS):
        begun = world.clock()
        waiting = [f"container-{generation}-{n}" for n in range(CONTAINERS)]
        while waiting:
            assert world.clock() - begun <= timedelta(days=1)
            statuses = await arrive(servers, key, waiting)
            assert set(statuses.values()) <= {201, 409}
            assert await seats_of(world, license_) == SEATS
            left = [name for name in waiting if statuses[name] == 409]
            waited[world.clock() - begun] += len(waiting) - len(left)
            waiting = left
            world.clock.advance(hours=12)
        world.clock.advance(days=1)
    assert waited[timedelta(0)] == SEATS * GENERATIONS, "as many start at once as there are seats"
    assert waited.total() == CONTAINERS * GENERATIONS
    await assert_counters_match(world.platform, license_)
    reclaimed = await events_in(world.platform, world, "activation.reclaimed")
    assert len(reclaimed) == CONTAINERS * GENERATIONS - SEATS
    for wait, containers in sorted(waited.items()):
        print(f"{containers:,} containers waited for {wait}")


async def test_control_without_locks_seats_are_oversold(
    world: World, elsewhere: Vendor, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove_locks(monkeypatch)
    monkeypatch.setattr(stored_seats, "increment_seats", count_then_take)
    seats = SEATS // 2
    for _ in range(6):
        license_, key = await fleet(world, seats)
        await rush([world, elsewhere], key, 4 * SEATS)
        if (held := await seats_of(world, license_)) > seats:
            print(f"Without locks, {held:,} devices hold {seats:,} seats")
            return
    pytest.fail("the control proves nothing: no seat was oversold without locks")
