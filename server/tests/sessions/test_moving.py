"""A session is found even while it is being moved to another slot."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import httpx
import pytest
from catalog.factories import refusal
from locks import until_it_waits
from world import Vendor, World

from licet_server.licenses.service import reading
from licet_server.sessions.service import claiming
from licet_server.sessions.storage import slots as storage

Act = Callable[[Vendor, dict[str, Any], dict[str, Any]], Awaitable[httpx.Response]]


async def heartbeat(
    vendor: Vendor, license_: dict[str, Any], session: dict[str, Any]
) -> httpx.Response:
    return await vendor.heartbeat(session)


async def disconnect(
    vendor: Vendor, license_: dict[str, Any], session: dict[str, Any]
) -> httpx.Response:
    return await vendor.disconnect(session)


async def force_disconnect(
    vendor: Vendor, license_: dict[str, Any], session: dict[str, Any]
) -> httpx.Response:
    return await vendor.force_disconnect(session)


async def block(
    vendor: Vendor, license_: dict[str, Any], session: dict[str, Any]
) -> httpx.Response:
    [device] = await vendor.devices(license_)
    return await vendor.operate(device, "block")


async def replace(
    vendor: Vendor, license_: dict[str, Any], session: dict[str, Any]
) -> httpx.Response:
    return await vendor.connect(license_, instanceId="i")


@pytest.mark.parametrize(
    ("act", "status", "live"),
    [
        (heartbeat, 200, 1),
        (disconnect, 204, 0),
        (force_disconnect, 200, 0),
        (block, 200, 0),
        (replace, 201, 1),
    ],
)
async def test_a_request_that_waited_for_a_moved_session_retries(
    world: World, act: Act, status: int, live: int
) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=3)
    await world.activate(made, "machine-1")
    gone = await world.connected(made, "machine-2")
    session = await world.connected(made, instanceId="i")
    await world.disconnect(gone)
    owner = (UUID(world.owner.institution_id), UUID(made["id"]))
    async with world.platform.database.transaction() as db:
        slot = await storage.lock_by_session(db, (owner[0], UUID(session["sessionId"])))
        assert slot is not None
        assert slot.n == 2
        waiting = asyncio.create_task(act(world, made, session))
        await until_it_waits(world.platform, waiting)
        await storage.delete_slots(db, [slot.place])
        await storage.fill_slots(db, [slot.moved_to(1)])
    answer = await waiting
    assert answer.status_code == status, answer.text
    assert len(await world.sessions(made)) == live


async def test_a_block_races_connects(world: World) -> None:
    made = await world.issue("Concurrent", maxActiveUsersCount=1)
    await world.activate(made, "machine-1")
    [device] = await world.devices(made)
    for _ in range(15):
        answers = await asyncio.gather(
            *(world.connect(made) for _ in range(3)),
            world.operate(device, "block"),
            *(world.connect(made) for _ in range(3)),
        )
        assert {answer.status_code for answer in answers} <= {200, 201, 403}
        assert await world.sessions(made) == []
        assert (await world.operate(device, "unblock")).status_code == 200
        world.clock.advance(seconds=10)  # a device connects at most 60 times a minute


@pytest.mark.parametrize("locked", [True, False], ids=["locked", "control"])
async def test_a_device_blocked_after_its_admission(
    world: World, monkeypatch: pytest.MonkeyPatch, locked: bool
) -> None:
    """The device is blocked between admission and claim; the control does not check it again."""
    made = await world.issue("Concurrent", maxActiveUsersCount=1)
    await world.activate(made, "machine-1")
    [device] = await world.devices(made)
    lock = reading.lock_terms
    blocked = False

    async def block_first(*given: Any) -> Any:
        nonlocal blocked
        if not blocked:
            blocked = True
            await world.operate(device, "block")
        return await lock(*given)

    def admit_all(devices: Any, _: Any) -> list[bool]:
        return [True for _ in devices]

    monkeypatch.setattr(reading, "lock_terms", block_first)
    if not locked:
        monkeypatch.setattr(claiming, "admitted_among", admit_all)
    answer = await world.connect(made)
    assert answer.status_code == (403 if locked else 201)
    assert len(await world.sessions(made)) == (0 if locked else 1)


@pytest.mark.parametrize(
    ("method", "action", "answer"),
    [("POST", "/revoke", (400, "LicenseInvalid")), ("DELETE", "", (404, "LicenseNotFound"))],
)
async def test_a_license_that_ends_after_it_was_read(
    world: World, monkeypatch: pytest.MonkeyPatch, method: str, action: str, answer: tuple[int, str]
) -> None:
    made = await world.issue("Floating")
    lock = claiming.reading.lock_terms
    done = False

    async def end_first(db: Any, ids: Any) -> Any:
        nonlocal done
        if not done:
            done = True
            await world.owner.ok(method, f"/api/licenses/{made['id']}{action}")
        return await lock(db, ids)

    monkeypatch.setattr(claiming.reading, "lock_terms", end_first)
    assert refusal(await world.connect(made)) == answer
