"""End users release seats of devices they no longer have, as often as the product allows."""

from typing import Any

import pytest
from catalog.factories import refusal
from devices.books import assert_counters_match, events_in, state_of
from portal.people import LICENSES, EndUser, NewEndUser, releases_of
from world import Vendor, World


async def seated(vendor: Vendor, license_: dict[str, Any], machine: str) -> str:
    """Activate a device; returns its ID."""
    answer = await vendor.activate(license_, machine, deviceName=f"{machine}'s name")
    assert answer.status_code == 201, answer.text
    return str(answer.json()["activationId"])


async def release(vendor: Vendor, user: EndUser, license_: dict[str, Any], count: int) -> None:
    for n in range(count):
        device = await seated(vendor, license_, f"dead-{n}")
        assert (await user.release(license_, device)).status_code == 204


async def allow(vendor: Vendor, count: int) -> None:
    settings = {"settings": {"deviceReleasesPerYear": count}}
    await vendor.owner.ok("PUT", f"/api/products/{vendor.product['id']}", settings)


FOR_OPERATORS = {"licenseStatus", "metadata", "deviceKey", "components", "drifts"}


async def test_devices_are_shown_without_their_metadata_and_keys(
    world: World, user: EndUser
) -> None:
    made = await world.issue("Concurrent", issuedTo=user.email)
    await world.activate(made, "machine-1", os="Linux", metadata={"office": "12"})
    world.clock.advance(seconds=1)
    await seated(world, made, "machine-2")
    for_operators = await world.devices(made)
    assert await user.devices(made) == [
        {name: value for name, value in item.items() if name not in FOR_OPERATORS}
        for item in for_operators
    ]
    assert [item["hardwareId"] for item in for_operators] == ["machine-2", "machine-1"]
    assert [item["hardwareId"] for item in await user.devices(made, sort="createdAt")] == [
        "machine-1", "machine-2",
    ]  # fmt: skip
    assert await user.devices(made, status="Blocked") == []


async def test_a_device_is_reclaimable_as_the_vendor_sees_it(world: World, user: EndUser) -> None:
    await world.owner.ok(
        "PUT", f"/api/products/{world.product['id']}", {"settings": {"deviceIdleDays": 30}}
    )
    made = await world.issue("Concurrent", issuedTo=user.email)
    await seated(world, made, "gone")
    world.clock.advance(days=29, hours=23)
    await seated(world, made, "here")
    for hours, idle in ((0, []), (1, ["gone"])):
        world.clock.advance(hours=hours)
        await user.sign_in()
        found = [item["hardwareId"] for item in await user.devices(made) if item["reclaimable"]]
        assert found == idle


async def test_a_released_seat_is_free_at_once(world: World, user: EndUser) -> None:
    made = await world.issue("Concurrent", issuedTo=user.email, maxActiveUsersCount=1)
    dead = await seated(world, made, "dead")
    session = await world.connected(made, "dead")
    assert refusal(await world.activate(made, "new")) == (409, "MaxActivationsReached")
    answer = await user.release(made, dead)
    assert (answer.status_code, answer.content) == (204, b"")
    assert refusal(await world.heartbeat(session)) == (404, "SessionNotFound")
    [past] = await world.sessions(made, status="Ended")
    assert past["endReason"] == "Deactivated"
    await seated(world, made, "new")
    seen = await user.license(made)
    assert (seen["seatsUsed"], seen["deviceReleasesLeft"]) == (1, 2)
    assert refusal(await user.release(made, dead)) == (404, "NotFound")
    await assert_counters_match(world.platform, made)


async def test_a_live_seat_of_a_floating_license_is_free_at_once(
    world: World, user: EndUser
) -> None:
    made = await world.issue("Floating", issuedTo=user.email, maxActiveUsersCount=1)
    dead = await seated(world, made, "dead")
    await world.connected(made, "dead")
    assert refusal(await world.connect(made, "new")) == (409, "MaxConcurrentSessionsReached")
    assert (await user.release(made, dead)).status_code == 204
    await world.connected(made, "new")


async def test_live_sessions_are_shown_without_what_identifies_a_device(
    world: World, user: EndUser, new_end_user: NewEndUser
) -> None:
    made = await world.issue("Floating", issuedTo=user.email)
    path = f"{LICENSES}/{made['id']}/sessions"
    named = await world.connected(made, "machine-1", deviceName="Desk", instanceId="window-1")
    world.clock.advance(seconds=30)
    assert (await world.heartbeat(named)).status_code == 200
    ended = await world.connected(made, "machine-2")
    connected_at, seen_at = (f"2030-01-15T12:00:{second}Z" for second in ("00", "30"))
    assert (await user.ok("GET", path))["items"] == [
        {"deviceName": None, "connectedAt": seen_at, "lastHeartbeatAt": None, "leaseEndsAt": None},
        {
            "deviceName": "Desk",
            "connectedAt": connected_at,
            "lastHeartbeatAt": seen_at,
            "leaseEndsAt": None,
        },
    ]
    assert (await world.disconnect(ended)).status_code == 204
    [left] = (await user.ok("GET", path))["items"]
    assert left["deviceName"] == "Desk"
    other = await new_end_user()
    assert refusal(await other.send("GET", path)) == (404, "NotFound")


async def test_a_node_locked_license_is_free_for_the_next_machine(
    world: World, user: EndUser
) -> None:
    made = await world.issue("NodeLocked", issuedTo=user.email)
    await world.validate(made, "dead")
    [dead] = await user.devices(made)
    assert (await user.release(made, dead["id"])).status_code == 204
    assert (await world.validate(made, "new"))["status"] == "Valid"
    assert (await world.validate(made, "dead"))["status"] == "HardwareMismatch"
    await assert_counters_match(world.platform, made)


async def test_a_release_is_recorded_with_its_actor(world: World, user: EndUser) -> None:
    made = await world.issue("Concurrent", issuedTo=user.email)
    dead = await seated(world, made, "a-hardware-id-that-is-long")
    assert (await user.release(made, dead)).status_code == 204
    [event] = await events_in(world.platform, world, "activation.deleted")
    assert (event["data"]["id"], event["data"]["reason"]) == (dead, "EndUser")
    assert event["data"]["hardwareId"] != "a-hardware-id-that-is-long"
    assert (event["actor_kind"], str(event["actor_id"]), event["actor_name"]) == (
        "User", user.user_id, user.email,
    )  # fmt: skip
    [release] = await releases_of(world.platform, made)
    assert (str(release["user_id"]), str(release["institution_id"])) == (
        user.user_id, world.owner.institution_id,
    )  # fmt: skip
    entries = (
        await world.owner.ok(
            "GET",
            f"/api/institutions/{world.owner.institution_id}/audit?kind=activation.deleted",
        )
    )["items"]
    assert [entry["actorName"] for entry in entries] == [user.email]


async def test_the_limit_applies_to_365_days(world: World, user: EndUser) -> None:
    made = await world.issue("Concurrent", issuedTo=user.email)
    await release(world, user, made, 1)
    world.clock.advance(days=100)
    await user.sign_in()
    await release(world, user, made, 2)
    last = await seated(world, made, "machine-4")
    before = await state_of(world.platform, made)
    refused = await user.release(made, last)
    assert refusal(refused) == (409, "Conflict")
    for said in ("3 times in the last 365 days", "2031-01-15 12:00 UTC", "Ask the vendor"):
        assert said in refused.json()["detail"]
    assert (await user.license(made))["deviceReleasesLeft"] == 0
    assert await state_of(world.platform, made) == before
    assert len(await releases_of(world.platform, made)) == 3
    world.clock.advance(days=264, hours=23, minutes=59, seconds=59)
    await user.sign_in()
    assert refusal(await user.release(made, last)) == (409, "Conflict")
    world.clock.advance(seconds=1)
    assert (await user.license(made))["deviceReleasesLeft"] == 1
    assert (await user.release(made, last)).status_code == 204
    assert (await user.license(made))["deviceReleasesLeft"] == 0


async def test_a_lowered_limit_counts_earlier_releases(world: World, user: EndUser) -> None:
    made = await world.issue("Concurrent", issuedTo=user.email, maxActiveUsersCount=9)
    for _ in range(3):
        await release(world, user, made, 1)
        world.clock.advance(days=10)
        await user.sign_in()
    last = await seated(world, made, "last")
    await world.owner.sign_in()
    await allow(world, 1)
    assert (await user.license(made))["deviceReleasesLeft"] == 0
    refused = await user.release(made, last)
    assert "3 times" in refused.json()["detail"]
    # The limit is one: the next release is possible when the newest of the three expires.
    assert "after 2031-02-04 12:00 UTC" in refused.json()["detail"]
    await allow(world, 4)
    assert (await user.license(made))["deviceReleasesLeft"] == 1
    assert (await user.release(made, last)).status_code == 204


async def test_each_license_has_its_own_count(
    world: World, user: EndUser, new_end_user: NewEndUser
) -> None:
    await allow(world, 1)
    one, other = [await world.issue("Concurrent", issuedTo=user.email) for _ in range(2)]
    await release(world, user, one, 1)
    assert [item["deviceReleasesLeft"] for item in await user.licenses(sort="createdAt")] == [0, 1]
    await release(world, user, other, 1)
    # The limit belongs to the license: it continues for the next user.
    next_one = await new_end_user()
    await world.owner.ok("PUT", f"/api/licenses/{one['id']}", {"issuedTo": next_one.email})
    assert (await next_one.license(one))["deviceReleasesLeft"] == 0


async def test_releases_can_be_disabled(world: World, user: EndUser) -> None:
    await allow(world, 0)
    made = await world.issue("Concurrent", issuedTo=user.email)
    device = await seated(world, made, "machine-1")
    refused = await user.release(made, device)
    assert refusal(refused) == (409, "Conflict")
    assert "Only the vendor" in refused.json()["detail"]
    assert len(await user.devices(made)) == 1


async def test_removals_by_operators_and_devices_do_not_count(world: World, user: EndUser) -> None:
    made = await world.issue("Concurrent", issuedTo=user.email)
    device = await seated(world, made, "machine-1")
    assert (await world.operate(device, "deactivate")).status_code == 200
    await seated(world, made, "machine-2")
    assert (await world.deactivate(made, "machine-2")).status_code == 204
    assert (await user.license(made))["deviceReleasesLeft"] == 3


async def test_removing_a_pending_device_does_not_count(world: World, user: EndUser) -> None:
    await allow(world, 0)
    made = await world.issue("NodeLocked", issuedTo=user.email, deviceBindingMode="OwnerApproval")
    for n in range(2):
        await world.activate(made, f"machine-{n}")
    waiting = await user.devices(made, status="Pending")
    for device in waiting:
        assert (await user.release(made, device["id"])).status_code == 204
    assert len(waiting) == 2
    assert await user.devices(made) == []
    assert await releases_of(world.platform, made) == []
    await assert_counters_match(world.platform, made)


async def test_a_blocked_device_cannot_be_released(world: World, user: EndUser) -> None:
    made = await world.issue("Concurrent", issuedTo=user.email)
    device = await seated(world, made, "machine-1")
    await world.operate(device, "block")
    before = await state_of(world.platform, made)
    assert refusal(await user.release(made, device)) == (403, "DeviceBlocked")
    assert [item["status"] for item in await user.devices(made)] == ["Blocked"]
    assert await state_of(world.platform, made) == before
    assert await releases_of(world.platform, made) == []


async def test_a_device_of_another_license_is_not_found(
    world: World, user: EndUser, new_end_user: NewEndUser
) -> None:
    other = await new_end_user()
    mine, theirs, mine_too = [
        await world.issue("Concurrent", issuedTo=name)
        for name in (user.email, other.email, user.email)
    ]
    devices = {
        item["id"]: await seated(world, item, "machine-1") for item in (mine, theirs, mine_too)
    }
    nowhere = "01900000-0000-7000-8000-000000000000"
    for device in (devices[theirs["id"]], devices[mine_too["id"]], nowhere):
        refused = await user.release(mine, device)
        assert refusal(refused) == (404, "NotFound")
        assert "no such activation" in refused.json()["detail"]
    for license_ in (mine, theirs, mine_too):
        assert len(await world.devices(license_)) == 1
    answer = await user.send("DELETE", f"{LICENSES}/{mine['id']}/activations/x")
    assert answer.status_code == 404


@pytest.mark.parametrize(("action", "status"), [("suspend", 204), ("expire", 204), ("revoke", 409)])
async def test_devices_of_suspended_and_expired_licenses_can_be_released(
    world: World, user: EndUser, action: str, status: int
) -> None:
    made = await world.issue("Trial", issuedTo=user.email)
    device = await seated(world, made, "machine-1")
    if action == "expire":
        world.clock.advance(days=366)
        await user.sign_in()
    else:
        await world.owner.ok("POST", f"/api/licenses/{made['id']}/{action}")
    assert [item["id"] for item in await user.devices(made)] == [device]
    answer = await user.release(made, device)
    assert answer.status_code == status
    if status == 409:
        assert "was revoked" in answer.json()["detail"]
        assert len(await user.devices(made)) == 1


async def test_releases_are_deleted_with_the_license(world: World, user: EndUser) -> None:
    made = await world.issue("Concurrent", issuedTo=user.email)
    await release(world, user, made, 2)
    assert len(await releases_of(world.platform, made)) == 2
    await world.owner.ok("DELETE", f"/api/licenses/{made['id']}")
    assert await releases_of(world.platform, made) == []
