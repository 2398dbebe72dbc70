"""Activations through HTTP: seats, idempotency, caps, and the terms of the license behind them."""

import asyncio
from typing import Any

import pytest
from catalog.factories import refusal
from devices.books import assert_counters_match, state_of
from licenses.factories import FUTURE
from sqlalchemy import text
from testkit import Owner
from world import World, open_vendor


@pytest.mark.specification("runtime.activate")
async def test_activating_a_device_is_idempotent(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2)
    first = await world.activate(license_, "machine-1", deviceName="DemoClient", os="Linux")
    assert first.status_code == 201, first.text
    made = first.json()
    assert made == {
        "activationId": made["activationId"],
        "status": "Active",
        "seatsUsed": 1,
        "seatsTotal": 2,
        "activatedAt": "2030-01-15T12:00:00Z",
        "deviceKey": None,
        "test": False,
    }
    again = await world.activate(license_, "machine-1")
    assert (again.status_code, again.json()) == (200, made)
    [device] = await world.devices(license_)
    assert (device["deviceName"], device["os"], device["status"]) == (
        "DemoClient",
        "Linux",
        "Active",
    )
    assert (await world.read(license_))["seatsUsed"] == 1


async def test_details_are_updated_and_omitted_ones_are_kept(world: World) -> None:
    license_ = await world.issue("Concurrent")
    said = {
        "deviceName": "DemoClient",
        "os": "Linux",
        "appVersion": "2.0.0",
        "metadata": {"room": "1"},
    }
    made = (await world.activate(license_, "machine-1", **said)).json()
    world.clock.advance(minutes=5)
    for fields in ({"appVersion": "2.1.0"}, {"os": "", "metadata": {}}, {"deviceName": None}):
        assert (await world.activate(license_, "machine-1", **fields)).json() == made
    [device] = await world.devices(license_)
    assert device == {
        "id": made["activationId"],
        "licenseId": license_["id"],
        "hardwareId": "machine-1",
        **said,
        "appVersion": "2.1.0",
        "status": "Active",
        "createdAt": "2030-01-15T12:00:00Z",
        "lastSeenAt": "2030-01-15T12:05:00Z",
        "fileEndsAt": None,
        "releasedAt": None,
        "seatFreeAt": None,
        "deviceKey": None,
        "components": [],
        "drifts": [],
        "licenseStatus": "Active",
        "reclaimable": False,
    }


@pytest.mark.parametrize("model", ["Perpetual", "Concurrent", "NodeLocked"])
async def test_activating_again_takes_no_lock_and_answers_alike(world: World, model: str) -> None:
    license_ = await world.issue(model)
    said = {"deviceName": "DemoClient", "os": "Linux", "metadata": {"room": "1"}}
    made = (await world.activate(license_, "machine-1", **said)).json()
    changed = await world.activate(license_, "machine-1", appVersion="2.0.0")
    async with world.platform.database.transaction() as db:
        for table, column in (("licenses", "id"), ("device_counters", "license_id")):
            row = f"institution_id = :vendor AND {column} = :id"
            given = {"vendor": world.owner.institution_id, "id": license_["id"]}
            await db.execute(text(f"SELECT 1 FROM {table} WHERE {row} FOR UPDATE"), given)
        async with asyncio.timeout(4):
            again = await world.activate(license_, "machine-1", **said, appVersion="2.0.0")
    assert [(answer.status_code, answer.json()) for answer in (changed, again)] == [(200, made)] * 2


async def test_activating_again_after_an_hour_updates_when_the_device_was_seen(
    world: World,
) -> None:
    license_ = await world.issue("Concurrent")
    seen = []
    for minutes in (0, 59, 1):
        world.clock.advance(minutes=minutes)
        await world.activate(license_, "machine-1")
        async with world.platform.database.reading() as db:
            stored = "SELECT last_seen_at FROM activations WHERE license_id = :id"
            last = (await db.execute(text(stored), {"id": license_["id"]})).scalar_one()
        seen.append(f"{last:%H:%M}")
    assert seen == ["12:00", "12:00", "13:00"]


async def test_activating_again_is_refused_where_device_or_license_no_longer_allow_it(
    world: World,
) -> None:
    license_ = await world.issue("Concurrent")
    device = (await world.activate(license_, "machine-1")).json()["activationId"]
    await world.operate(device, "block")
    assert refusal(await world.activate(license_, "machine-1")) == (403, "DeviceBlocked")
    await world.operate(device, "unblock")
    assert (await world.activate(license_, "machine-1")).status_code == 200
    place = f"/api/licenses/{license_['id']}"
    await world.owner.send("POST", f"{place}/suspend")
    assert refusal(await world.activate(license_, "machine-1"))[1] == "LicenseInvalid"
    await world.owner.send("POST", f"{place}/reinstate")
    await world.deactivate(license_, "machine-1")
    assert (await world.activate(license_, "machine-1")).status_code == 201


async def test_hardware_ids_are_compared_exactly(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=9)
    machines = ["Machine", "machine", " machine", "machine ", "mäschine", "机器" * 128, "x" * 256]
    for machine in machines:
        assert (await world.activate(license_, machine)).status_code == 201, machine
    assert sorted(item["hardwareId"] for item in await world.devices(license_)) == sorted(machines)


async def test_unknown_fields_are_ignored(world: World) -> None:
    license_ = await world.issue("Perpetual")
    assert (await world.activate(license_, "machine-1", future={"x": 1})).status_code == 201


@pytest.mark.specification("runtime.no-cap")
@pytest.mark.parametrize(
    "model", ["Perpetual", "Trial", "Subscription", "Floating", "MeteredToken", "MeteredCount"]
)
async def test_models_without_a_cap_admit_and_count_every_device(world: World, model: str) -> None:
    license_ = await world.issue(model)
    for n in range(1, 6):
        answer = (await world.activate(license_, f"machine-{n}")).json()
        assert (answer["status"], answer["seatsUsed"], answer["seatsTotal"]) == ("Active", n, None)


@pytest.mark.specification("models.node-locked")
async def test_a_node_locked_license_has_one_seat(world: World) -> None:
    license_ = await world.issue("NodeLocked")
    mine = await world.activate(license_, "machine-1")
    assert (mine.status_code, mine.json()["status"]) == (201, "Active")
    assert (mine.json()["seatsUsed"], mine.json()["seatsTotal"]) == (1, 1)
    assert (await world.activate(license_, "machine-1")).status_code == 200
    other = await world.activate(license_, "machine-2")
    assert refusal(other) == (409, "MaxActivationsReached")
    assert (other.json()["seatsUsed"], other.json()["seatsTotal"]) == (1, 1)
    await assert_counters_match(world.platform, license_)


@pytest.mark.specification("models.concurrent", "runtime.max-activations")
async def test_the_cap_is_enforced(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1)
    assert (await world.activate(license_, "machine-1")).status_code == 201
    full = await world.activate(license_, "machine-2")
    assert refusal(full) == (409, "MaxActivationsReached")
    assert (full.json()["seatsUsed"], full.json()["seatsTotal"]) == (1, 1)
    assert (await world.activate(license_, "machine-1")).status_code == 200
    await assert_counters_match(world.platform, license_)


async def test_a_changed_cap_applies_at_once_and_removes_no_device(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=3)
    place = f"/api/licenses/{license_['id']}"
    for n in range(3):
        assert (await world.activate(license_, f"machine-{n}")).status_code == 201
    lowered = await world.owner.ok("PUT", place, {"maxActiveUsersCount": 1})
    assert (lowered["seatsUsed"], lowered["devicesOverLimit"]) == (1, 2)
    for machine in ("machine-1", "machine-3"):
        full = await world.activate(license_, machine)
        assert refusal(full) == (409, "MaxActivationsReached")
        assert (full.json()["seatsUsed"], full.json()["seatsTotal"]) == (1, 1)
    for n in range(2):  # each gives its seat to the next
        again = await world.activate(license_, f"machine-{n}")
        assert (again.status_code, again.json()["seatsUsed"]) == (200, 1)
        assert (await world.deactivate(license_, f"machine-{n}")).status_code == 204
        assert (await world.activate(license_, "machine-3")).status_code == 409
    assert (await world.deactivate(license_, "machine-2")).status_code == 204
    assert (await world.activate(license_, "machine-3")).status_code == 201
    await world.owner.ok("PUT", place, {"maxActiveUsersCount": 2})
    assert (await world.activate(license_, "machine-4")).json()["seatsUsed"] == 2
    assert (await world.activate(license_, "machine-5")).status_code == 409
    await assert_counters_match(world.platform, license_)


async def test_the_operator_chooses_who_stays_under_a_lower_cap(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=3)
    place = f"/api/licenses/{license_['id']}"
    for n in range(3):
        assert (await world.activate(license_, f"m-{n}")).status_code == 201
    ids = {item["hardwareId"]: item["id"] for item in await world.devices(license_)}

    async def keeping(*names: str, **fields: Any) -> list[str]:
        body = {"keepActivationIds": [ids[name] for name in names], **fields}
        told = (await world.owner.ok("PUT", place, body))["overLimit"]
        over = await world.devices(license_, status="OverLimit")
        assert [item["id"] for item in told] == [item["id"] for item in over]
        return [item["hardwareId"] for item in over]

    assert await keeping("m-2", maxActiveUsersCount=1) == ["m-1", "m-0"]
    assert await keeping("m-1") == ["m-2", "m-0"]  # under the same cap
    too_many = {"keepActivationIds": [ids["m-0"], ids["m-1"]]}
    refused = await world.owner.send("PUT", place, too_many)
    assert [item["field"] for item in refused.json()["errors"]] == ["keepActivationIds"]
    assert await keeping("m-0", maxActiveUsersCount=2) == ["m-2"]
    assert await keeping(maxActiveUsersCount=3) == []
    await assert_counters_match(world.platform, license_)
    bound = await world.issue("NodeLocked")
    await world.activate(bound, "m-9")
    [device] = await world.devices(bound)
    body = {"keepActivationIds": [device["id"]]}
    refused = await world.owner.send("PUT", f"/api/licenses/{bound['id']}", body)
    assert [item["field"] for item in refused.json()["errors"]] == ["keepActivationIds"]


async def test_a_trial_keeps_its_devices_as_a_concurrent_license(world: World) -> None:
    license_ = await world.issue("Trial")
    for n in range(3):
        assert (await world.activate(license_, f"machine-{n}")).json()["seatsTotal"] is None
    terms = {"type": "Concurrent", "maxActiveUsersCount": 2}
    license_ = await world.owner.ok("POST", f"/api/licenses/{license_['id']}/convert", terms)
    assert (license_["seatsUsed"], license_["maxActiveUsersCount"]) == (2, 2)
    kept = await world.activate(license_, "machine-1")
    assert (kept.status_code, kept.json()["seatsUsed"], kept.json()["seatsTotal"]) == (200, 2, 2)
    for machine in ("machine-2", "machine-3"):
        assert (await world.activate(license_, machine)).status_code == 409
    await assert_counters_match(world.platform, license_)


ENDED = {
    "revoked": ("LicenseInvalid", "revoke"),
    "suspended": ("LicenseInvalid", "suspend"),
    "expired": ("LicenseExpired", None),
}


@pytest.mark.parametrize("how", ENDED)
async def test_a_license_that_is_not_active_admits_no_device(world: World, how: str) -> None:
    code, action = ENDED[how]
    license_ = await world.issue("Trial", expirationDate="2030-01-15T12:10:00Z")
    await world.activate(license_, "machine-1")
    if action is not None:
        await world.owner.ok("POST", f"/api/licenses/{license_['id']}/{action}")
    world.clock.advance(minutes=10)
    before = await state_of(world.platform, license_)
    for machine in ("machine-1", "machine-2"):
        assert refusal(await world.activate(license_, machine, os="BeOS")) == (400, code)
    assert await state_of(world.platform, license_) == before
    if how == "suspended":
        await world.owner.ok("POST", f"/api/licenses/{license_['id']}/reinstate")
    if how != "revoked":
        change = {"expirationDate": FUTURE}
        await world.owner.ok("PUT", f"/api/licenses/{license_['id']}", change)
        assert (await world.activate(license_, "machine-1")).status_code == 200


async def test_deleting_a_license_deletes_its_devices(world: World) -> None:
    license_ = await world.issue("NodeLocked")
    for machine in ("machine-1", "machine-2"):
        await world.activate(license_, machine)
    [device] = await world.devices(license_)
    await world.owner.ok("DELETE", f"/api/licenses/{license_['id']}")
    left = await state_of(world.platform, license_)
    for name in ("activations", "device_counters", "access_attempts"):
        assert left[name] == []
    assert refusal(await world.activate(license_, "machine-1")) == (404, "LicenseNotFound")
    for action in ("approve", "unblock", "block", "deactivate"):
        assert refusal(await world.operate(device, action)) == (404, "NotFound"), action


async def test_a_license_key_is_valid_for_its_own_product_only(
    world: World, stranger: Owner
) -> None:
    license_ = await world.issue("Perpetual")
    sibling = await open_vendor(world.owner, name="Sibling")
    foreign = await open_vendor(stranger)
    for other in (sibling, foreign):
        assert refusal(await other.activate(license_, "machine-1")) == (404, "LicenseNotFound")
    assert refusal(await world.activate({"licenseKey": "no-such-key"}, "machine-1")) == (
        404,
        "LicenseNotFound",
    )


async def test_the_list_is_filtered_by_status(world: World) -> None:
    license_ = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
    made: dict[str, Any] = {}
    for name in ("active", "blocked", "pending"):
        made[name] = (await world.activate(license_, f"{name}-machine")).json()["activationId"]
    await world.operate(made["active"], "approve")
    await world.operate(made["blocked"], "block")
    for name, activation_id in made.items():
        found = await world.devices(license_, status=name.capitalize())
        assert [item["id"] for item in found] == [activation_id]
        assert found[0]["status"] == name.capitalize()
    assert len(await world.devices(license_)) == 3
    by_name = await world.devices(license_, sort="deviceName")
    assert len(by_name) == 3
    wrong = f"/api/licenses/{license_['id']}/activations?status=Broken"
    assert refusal(await world.owner.send("GET", wrong)) == (400, "InvalidRequest")


async def test_each_license_has_its_own_devices(world: World) -> None:
    licenses = [await world.issue("Concurrent", maxActiveUsersCount=1) for _ in range(3)]
    answers = await asyncio.gather(*(world.activate(item, "machine-1") for item in licenses))
    assert [answer.status_code for answer in answers] == [201] * 3
    assert len({answer.json()["activationId"] for answer in answers}) == 3
