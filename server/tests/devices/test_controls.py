"""The locks that enforce the caps, with controls: without the locks, the caps are exceeded.

Two servers share a database, so that nothing within one process can be the protection.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import pytest
from applications import AnotherServer
from devices.books import assert_counters_match, counters_of, rows_of, waits_for_a_lock
from devices.unlocked import count_then_take, remove_locks
from sqlalchemy import text
from testkit import Owner
from world import Vendor, open_vendor, through

from licet_server.devices.storage import activations as storage
from licet_server.devices.storage import seats as stored_seats
from licet_server.devices.tables import activations
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.service import reading

ROUNDS = 6
CALLERS = 30
CAP = 3


@pytest.fixture
async def servers(owner: Owner, another_server: AnotherServer) -> AsyncIterator[Sequence[Vendor]]:
    """A product, used through two servers."""
    here = await open_vendor(owner)
    async with through(await another_server(), here) as there:
        yield here, there


async def rush(servers: Sequence[Vendor]) -> tuple[dict[str, Any], list[int]]:
    """Activate many devices through both servers, for a few seats of which one is taken."""
    license_ = await servers[0].issue("Concurrent", maxActiveUsersCount=CAP)
    await servers[0].activate(license_, "first")
    answers = await asyncio.gather(
        *(servers[n % 2].activate(license_, f"machine-{n}") for n in range(CALLERS))
    )
    return license_, [answer.status_code for answer in answers]


async def test_the_cap_is_enforced_across_servers(
    servers: Sequence[Vendor], platform: Platform
) -> None:
    for _ in range(2):
        license_, codes = await rush(servers)
        assert (codes.count(201), codes.count(409)) == (CAP - 1, CALLERS - CAP + 1)
        await assert_counters_match(platform, license_)


async def test_control_without_locks_the_cap_is_exceeded(
    servers: Sequence[Vendor], platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove_locks(monkeypatch)
    monkeypatch.setattr(stored_seats, "increment_seats", count_then_take)
    for _ in range(ROUNDS):
        license_, codes = await rush(servers)
        assert set(codes) <= {201, 409}
        if len(await rows_of(platform, activations, license_)) > CAP:
            return
    pytest.fail("the control proves nothing: the cap was not exceeded without locks")


async def race_for_binding(servers: Sequence[Vendor], platform: Platform) -> tuple[int, list[str]]:
    """Validate a node-locked license on many devices through both servers.

    Returns how many are bound, and the verdicts. An earlier device was bound and removed, so that
    the license has stored_seats.
    """
    license_ = await servers[0].issue("NodeLocked")
    await servers[0].validate(license_, "first")
    await servers[0].deactivate(license_, "first")
    body = {"licenseKey": license_["licenseKey"]}
    answers = await asyncio.gather(
        *(
            servers[n % 2].call(
                "POST", "/api/licenses/validate", body | {"hardwareId": f"machine-{n}"}
            )
            for n in range(CALLERS)
        )
    )
    statuses = [answer.json().get("status") for answer in answers]
    rows = await rows_of(platform, activations, license_)
    return sum(row["bound"] for row in rows), statuses


async def test_one_device_is_bound_across_servers(
    servers: Sequence[Vendor], platform: Platform
) -> None:
    for _ in range(2):
        bound, statuses = await race_for_binding(servers, platform)
        assert (bound, statuses.count("Valid")) == (1, 1)
        assert statuses.count("HardwareMismatch") == CALLERS - 1


async def test_control_without_locks_only_the_unique_index_prevents_two_bindings(
    servers: Sequence[Vendor], platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are never two bindings, but requests fail with 500 instead of a mismatch."""
    remove_locks(monkeypatch)
    for _ in range(ROUNDS):
        bound, statuses = await race_for_binding(servers, platform)
        assert bound == 1
        if statuses.count(500) > 0:
            return
    pytest.fail("the control proves nothing: no request violated the index without locks")


@pytest.mark.parametrize("held", [True, False])
async def test_lowering_the_cap_waits_for_devices_being_admitted(
    servers: Sequence[Vendor], platform: Platform, monkeypatch: pytest.MonkeyPatch, held: bool
) -> None:
    """Afterwards one device is over the limit; without locks, more have a seat than the cap."""
    here, there = servers
    license_ = await here.issue("Concurrent", maxActiveUsersCount=2)
    await here.activate(license_, "machine-1")
    lowering: list[asyncio.Task[Any]] = []

    async def lower() -> dict[str, Any]:
        change = {"maxActiveUsersCount": 1}
        return await there.owner.ok("PUT", f"/api/licenses/{license_['id']}", change)

    async def read_then_lower(*given: Any) -> Any:
        found = await fetch(*given)
        monkeypatch.setattr(storage, "fetch_facts", fetch)
        lowering.append(asyncio.create_task(lower()))
        if held:
            assert await waits_for_a_lock(platform, lowering[0])
        else:
            await lowering[0]
        return found

    fetch = storage.fetch_facts
    monkeypatch.setattr(storage, "fetch_facts", read_then_lower)
    if not held:
        remove_locks(monkeypatch)
    assert (await here.activate(license_, "machine-2")).status_code == 201
    lowered = await lowering[0]
    now = (await counters_of(platform, license_))["seats_used"]
    assert (lowered["maxActiveUsersCount"], now) == (1, 1 if held else 2)
    assert lowered["devicesOverLimit"] == (1 if held else 0)


async def lock_shared(db: Connection, ids: Sequence[LicenseId]) -> dict[UUID, Any]:
    """`lock_terms` with a lock that many transactions can hold."""
    [(owner, item)] = ids
    statement = text(
        "SELECT revoked_at FROM licenses WHERE institution_id = :owner AND id = :item FOR KEY SHARE"
    )
    return {item: (await db.execute(statement, {"owner": owner, "item": item})).one()}


@pytest.mark.parametrize("in_turn", [True, False])
async def test_a_change_gets_its_lock_before_later_requests(
    servers: Sequence[Vendor], platform: Platform, in_turn: bool
) -> None:
    """Otherwise constant activations could keep the vendor from revoking a license."""
    here, there = servers
    license_ = await here.issue("Concurrent")
    ids = [(UUID(license_["institutionId"]), UUID(license_["id"]))]
    lock = reading.lock_terms if in_turn else lock_shared
    revoked_first: list[bool] = []

    async def lock_later() -> None:
        async with platform.database.transaction() as db:
            [found] = (await lock(db, ids)).values()
            revoked_first.append(found.revoked_at is not None)

    async with platform.database.transaction() as db:
        await lock(db, ids)
        path = f"/api/licenses/{license_['id']}/revoke"
        change = asyncio.create_task(there.owner.ok("POST", path))
        assert await waits_for_a_lock(platform, change)
        late = asyncio.create_task(lock_later())
        assert await waits_for_a_lock(platform, late, besides=1) is in_turn
    await asyncio.gather(change, late)
    assert revoked_first == [in_turn]


async def churn(servers: Sequence[Vendor], place: str, license_: dict[str, Any]) -> list[object]:
    """Activate and remove devices on two servers while the cap goes up and down."""
    here, there = servers

    async def activate(vendor: Vendor) -> None:
        for n in range(12):
            await vendor.activate(license_, f"machine-{n}")
            if n % 3 == 2:
                await vendor.deactivate(license_, f"machine-{n - 1}")

    async def move() -> None:
        for cap in (2, 6, 1, 5, 3, 1, 4, 2):
            await here.owner.send("PUT", place, {"maxActiveUsersCount": cap})

    return list(
        await asyncio.gather(activate(here), activate(there), move(), return_exceptions=True)
    )


_FITS = text(
    "SELECT count(*) FILTER (WHERE a.holds_seat) <= l.max_active_users_count"
    " FROM licenses l LEFT JOIN activations a"
    " ON a.institution_id = l.institution_id AND a.license_id = l.id"
    " WHERE l.id = :id GROUP BY l.max_active_users_count"
)


@asynccontextmanager
async def counting(platform: Platform, license_: dict[str, Any]) -> AsyncIterator[list[bool]]:
    """Look again and again whether the devices fit, as a third party sees each commit."""
    seen: list[bool] = []

    async def count() -> None:
        while True:
            async with platform.database.reading() as db:
                seen.append((await db.execute(_FITS, {"id": license_["id"]})).scalar_one())

    task = asyncio.create_task(count())
    try:
        yield seen
    finally:
        task.cancel()
        await asyncio.wait([task])


async def test_no_commit_has_more_devices_than_seats(
    servers: Sequence[Vendor], platform: Platform
) -> None:
    license_ = await servers[0].issue("Concurrent", maxActiveUsersCount=4)
    async with counting(platform, license_) as seen:
        done = await churn(servers, f"/api/licenses/{license_['id']}", license_)
    assert done == [None] * 3
    assert all(seen)
    await assert_counters_match(platform, license_)


async def test_control_without_locks_a_commit_has_more_devices_than_seats(
    servers: Sequence[Vendor], platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is unprotected may go well for once, so it is tried a few times."""
    remove_locks(monkeypatch)
    monkeypatch.setattr(stored_seats, "increment_seats", count_then_take)
    license_ = await servers[0].issue("Concurrent", maxActiveUsersCount=4)
    for _ in range(10):
        async with counting(platform, license_) as seen:
            await churn(servers, f"/api/licenses/{license_['id']}", license_)
        holders = await rows_of(platform, activations, license_)
        if not all(seen) or sum(item["holds_seat"] for item in holders) > 2:
            return
    pytest.fail("No commit had more devices than seats.")
