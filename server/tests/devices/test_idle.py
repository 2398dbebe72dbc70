"""Devices that were not seen for long give their seats to new ones, where the product says so."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from applications import AnotherServer
from catalog.factories import refusal
from devices.books import assert_counters_match, counters_of, events_in, rows_of
from devices.test_trials import set_up
from devices.unlocked import count_then_take, find_idle, remove_locks
from sqlalchemy import update
from world import Vendor, World, through

from licet_server.devices.storage import activations as storage
from licet_server.devices.storage import seats as stored_seats
from licet_server.devices.tables import activations
from licet_server.kit.platform import Platform

FULL = (409, "MaxActivationsReached")


@pytest.fixture
async def idle(world: World) -> World:
    await set_up(world, deviceIdleDays=30)
    return world


@pytest.fixture
async def elsewhere(idle: World, another_server: AnotherServer) -> AsyncIterator[Vendor]:
    """The vendor's product through another server."""
    async with through(await another_server(), idle) as there:
        yield there


async def reclaimable(world: World, license_: dict[str, Any]) -> list[str]:
    """The devices that the list shows as reclaimable, as its Owner sees it later."""
    await world.owner.sign_in()
    found = sorted(
        item["hardwareId"] for item in await world.devices(license_) if item["reclaimable"]
    )
    counts = await world.owner.ok("GET", f"/api/licenses/{license_['id']}/counts")
    assert counts["reclaimableDevices"] == len(found)
    return found


async def filled(world: World, *machines: str, **fields: Any) -> dict[str, Any]:
    """A license whose seats these devices hold; the first is unseen for the longest time."""
    made = await world.issue("Concurrent", maxActiveUsersCount=len(machines), **fields)
    for machine in machines:
        assert (await world.activate(made, machine)).status_code == 201
        world.clock.advance(minutes=1)
    return made


async def names(world: World, license_: dict[str, Any]) -> list[str]:
    """The devices of a license, as they are stored."""
    rows = await rows_of(world.platform, activations, license_)
    return sorted(row["hardware_id"] for row in rows)


async def test_the_device_unseen_for_the_longest_time_gives_its_seat(idle: World) -> None:
    license_ = await filled(idle, "machine-1", "machine-2")
    idle.clock.advance(days=29, hours=23)
    assert refusal(await idle.activate(license_, "new")) == FULL
    idle.clock.advance(days=1)
    assert await reclaimable(idle, license_) == ["machine-1", "machine-2"]
    assert (await idle.activate(license_, "new")).status_code == 201
    assert await names(idle, license_) == ["machine-2", "new"]
    [event] = await events_in(idle.platform, idle, "activation.reclaimed")
    assert event["data"]["reason"] == "Idle"
    assert event["data"]["licenseId"] == license_["id"]
    await assert_counters_match(idle.platform, license_)
    # It takes the next idle seat, and never one of a device that was seen today.
    assert (await idle.activate(license_, "machine-1")).status_code == 201
    assert refusal(await idle.activate(license_, "machine-2")) == FULL
    assert await names(idle, license_) == ["machine-1", "new"]


async def test_without_the_setting_no_seat_is_given_up(world: World) -> None:
    license_ = await filled(world, "machine-1")
    world.clock.advance(days=400)
    assert refusal(await world.activate(license_, "new")) == FULL


@pytest.mark.parametrize("seen", ["validate", "activate", "connect", "refresh", "session"])
async def test_a_device_in_use_keeps_its_seat(idle: World, seen: str) -> None:
    license_ = await filled(idle, "machine-1")
    if seen == "session":
        session = await idle.connected(license_, "machine-1")
        async with idle.platform.database.transaction() as db:
            await db.execute(
                update(activations)
                .where(activations.c.license_id == license_["id"])
                .values(last_seen_at=idle.clock.START.replace(year=2020))
            )
        assert (await idle.heartbeat(session)).status_code == 200
    else:
        idle.clock.advance(days=29)
        use = {"validate": idle.validate, "activate": idle.activate, "refresh": idle.refresh}
        await use.get(seen, idle.connect)(license_, "machine-1")
        idle.clock.advance(days=2)
    assert refusal(await idle.activate(license_, "new")) == FULL
    assert await names(idle, license_) == ["machine-1"]


async def test_a_blocked_device_and_one_with_a_file_keep_their_seats(idle: World) -> None:
    blocked = await filled(idle, "machine-1")
    [device] = await idle.devices(blocked)
    await idle.operate(device, "block")
    offline = await filled(idle, "machine-1", activationMode="Offline", expirationDate=None)
    assert (await idle.refresh(offline, "machine-1")).status_code == 200
    idle.clock.advance(days=29, hours=23)
    for license_ in (blocked, offline):
        assert refusal(await idle.activate(license_, "new")) == FULL
    idle.clock.advance(days=2)
    assert refusal(await idle.activate(blocked, "new")) == FULL
    assert (await idle.activate(offline, "new")).status_code == 201


async def test_above_a_lowered_cap_as_many_give_their_seats_as_are_needed_or_none(
    idle: World,
) -> None:
    license_ = await filled(idle, "machine-1", "machine-2", "machine-3")
    await idle.set_cap(license_, 2)
    idle.clock.advance(days=31)
    await idle.activate(license_, "machine-3")
    assert (await idle.activate(license_, "new")).status_code == 201
    assert await names(idle, license_) == ["machine-3", "new"]
    await assert_counters_match(idle.platform, license_)


async def rush(world: World, callers: list[Vendor]) -> tuple[dict[str, Any], list[int]]:
    """Activate ten new devices at once, where three of five devices are idle."""
    license_ = await world.issue("Concurrent", maxActiveUsersCount=5)
    for n in range(5):
        await world.activate(license_, f"old-{n}")
    async with world.platform.database.transaction() as db:
        await db.execute(
            update(activations)
            .where(
                activations.c.license_id == license_["id"],
                activations.c.hardware_id.in_([f"old-{n}" for n in range(3)]),
            )
            .values(last_seen_at=world.clock.START.replace(year=2020))
        )
    answers = await asyncio.gather(
        *(callers[n % 2].activate(license_, f"new-{n}") for n in range(10))
    )
    return license_, [answer.status_code for answer in answers]


async def test_ten_arrivals_share_three_idle_seats(
    idle: World, elsewhere: Vendor, platform: Platform
) -> None:
    license_, codes = await rush(idle, [idle, elsewhere])
    assert (codes.count(201), codes.count(409)) == (3, 7)
    held = await names(idle, license_)
    assert (len(held), held[-2:]) == (5, ["old-3", "old-4"])
    await assert_counters_match(platform, license_)
    reclaimed = await events_in(platform, idle, "activation.reclaimed")
    assert len({item["subject_id"] for item in reclaimed}) == len(reclaimed) == 3


async def test_control_without_locks_a_seat_is_reclaimed_twice_or_oversold(
    idle: World,
    elsewhere: Vendor,
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    remove_locks(monkeypatch)
    monkeypatch.setattr(stored_seats, "increment_seats", count_then_take)
    monkeypatch.setattr(storage, "lock_idle", find_idle)
    for _ in range(6):
        license_, codes = await rush(idle, [idle, elsewhere])
        counted = (await counters_of(platform, license_))["seats_used"]
        held = await names(idle, license_)
        if codes.count(201) != 3 or len(held) != 5 or counted != len(held):
            return
    pytest.fail("the control proves nothing: the seats were shared without locks")
