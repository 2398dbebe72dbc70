"""The limit of releases applies to concurrent ones; the control shows that it takes the lock."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest
from applications import AnotherServer
from devices.books import assert_counters_match, waits_for_a_lock
from devices.unlocked import read_counters
from portal.people import EndUser, releases_of
from testkit import client_of
from world import Vendor, World

from licet_server.devices.storage import releases
from licet_server.devices.storage import seats as stored_seats
from licet_server.kit.database import Connection
from licet_server.licenses.rules.holders import Receiver
from licet_server.licenses.rules.model import License
from licet_server.licenses.storage import records


@pytest.fixture
async def there(user: EndUser, another_server: AnotherServer) -> AsyncIterator[EndUser]:
    """The user at another server on the same database."""
    async with client_of(await another_server(), "203.0.113.78") as client:
        yield EndUser(client, user.token, "", user.user_id, user.email)


async def license_with(vendor: Vendor, user: EndUser, devices: int) -> Any:
    """A license with this many devices, of which one may be released."""
    settings = {"settings": {"deviceReleasesPerYear": 1}}
    await vendor.owner.ok("PUT", f"/api/products/{vendor.product['id']}", settings)
    made = await vendor.issue("Concurrent", issuedTo=user.email, maxActiveUsersCount=devices)
    for n in range(devices):
        assert (await vendor.activate(made, f"machine-{n}")).status_code == 201
    return made


async def test_concurrent_releases_are_limited(world: World, user: EndUser, there: EndUser) -> None:
    made = await license_with(world, user, 8)
    devices = await user.devices(made)
    answers = await asyncio.gather(
        *((user, there)[n % 2].release(made, item["id"]) for n, item in enumerate(devices))
    )
    assert sorted(answer.status_code for answer in answers) == [204] + [409] * 7
    assert len(await user.devices(made)) == 7
    assert len(await releases_of(world.platform, made)) == 1
    assert (await user.license(made))["seatsUsed"] == 7
    await assert_counters_match(world.platform, made)


async def read_license(db: Connection, receiver: Receiver, license_id: UUID) -> License | None:
    """`lock_issued_to` without a lock."""
    return await records.fetch_issued_to(db, receiver, license_id)


@pytest.mark.parametrize("locked", [True, False])
async def test_a_release_waits_for_an_earlier_one(
    world: World, user: EndUser, there: EndUser, monkeypatch: pytest.MonkeyPatch, locked: bool
) -> None:
    """A second release starts after the first one has counted, and before it is stored."""
    made = await license_with(world, user, 2)
    first, second = await user.devices(made)
    second_task: list[asyncio.Task[Any]] = []

    async def count_then_release_another(*given: Any) -> Any:
        found = await fetch(*given)
        monkeypatch.setattr(releases, "fetch_releases", fetch)
        second_task.append(asyncio.create_task(there.release(made, second["id"])))
        assert await waits_for_a_lock(world.platform, second_task[0]) is locked
        return found

    fetch = releases.fetch_releases
    monkeypatch.setattr(releases, "fetch_releases", count_then_release_another)
    if not locked:
        monkeypatch.setattr(records, "lock_issued_to", read_license)
        monkeypatch.setattr(stored_seats, "lock_counters", read_counters)
    statuses = [
        (await user.release(made, first["id"])).status_code,
        (await second_task[0]).status_code,
    ]
    assert statuses == ([204, 409] if locked else [204, 204])
    assert len(await releases_of(world.platform, made)) == (1 if locked else 2)


async def test_a_release_races_a_change_of_the_user(
    world: World, user: EndUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The license is locked until the release commits: the change of the user waits."""
    made = await license_with(world, user, 1)
    [device] = await user.devices(made)
    change: list[asyncio.Task[Any]] = []

    async def lock_then_reissue(*given: Any) -> Any:
        found = await lock(*given)
        body = {"issuedTo": "somebody.else@example.com"}
        place = f"/api/licenses/{made['id']}"
        change.append(asyncio.create_task(world.owner.send("PUT", place, body)))
        assert await waits_for_a_lock(world.platform, change[0])
        return found

    lock = records.lock_issued_to
    monkeypatch.setattr(records, "lock_issued_to", lock_then_reissue)
    assert (await user.release(made, device["id"])).status_code == 204
    assert (await change[0]).status_code == 200
    monkeypatch.setattr(records, "lock_issued_to", lock)
    assert (await user.release(made, device["id"])).status_code == 404


async def test_releases_race_all_other_changes(world: World, user: EndUser, there: EndUser) -> None:
    for _ in range(3):
        made = await license_with(world, user, 4)
        devices = await user.devices(made)
        place = f"/api/licenses/{made['id']}"
        answers = await asyncio.gather(
            *(user.release(made, item["id"]) for item in devices),
            *(world.operate(item, "block") for item in devices[:2]),
            *(world.operate(item, "deactivate") for item in devices[1:3]),
            *(world.activate(made, f"machine-{n}") for n in range(6)),
            *(world.connect(made, f"machine-{n}") for n in range(4)),
            *(world.deactivate(made, f"machine-{n}") for n in range(4)),
            *(there.release(made, item["id"]) for item in devices),
            world.owner.send("PUT", place, {"maxActiveUsersCount": 3}),
        )
        assert {answer.status_code for answer in answers} <= {200, 201, 204, 403, 404, 409}
        assert len(await releases_of(world.platform, made)) <= 1
        await assert_counters_match(world.platform, made)
