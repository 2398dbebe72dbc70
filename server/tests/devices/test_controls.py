"""What holds the caps, and the control: the same without it, seen to break them.

Two servers on one database, so that nothing inside a process can be what holds.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import date
from typing import Any
from uuid import UUID

import pytest
from devices.books import assert_books_balance, rows_of, tally_of, waits_for_a_lock
from devices.factories import Shop, open_shop
from sqlalchemy import func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from testkit import FakeClock, Owner, client_of, running

from licet_server.app import Application
from licet_server.devices.rules.model import Tally
from licet_server.devices.storage import activations as storage
from licet_server.devices.storage import tallies
from licet_server.devices.tables import activations, device_tallies
from licet_server.kit.database import Connection
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.model import LicenseId
from licet_server.licenses.service import reading

ROUNDS = 6
CALLERS = 30
CAP = 3


@pytest.fixture
async def shops(
    owner: Owner, application: Application, clock: FakeClock, fast_passwords: Passwords
) -> AsyncIterator[Sequence[Shop]]:
    """One vendor's product, seen through two servers."""
    here = await open_shop(owner)
    async with (
        running(application.platform.settings, clock, fast_passwords) as other,
        client_of(other, "203.0.113.77") as client,
    ):
        there = Owner(client, owner.token, owner.institution_id, owner.user_id, owner.email)
        yield here, Shop(there, here.product, here.key)


async def count_then_take(db: Connection, license_id: LicenseId, cap: int | None) -> int | None:
    """Count the seats, then take one: as it would be written without a thought for others."""
    holders = select(func.count()).where(
        activations.c.institution_id == license_id[0],
        activations.c.license_id == license_id[1],
        activations.c.holds_seat,
    )
    used = int((await db.execute(holders)).scalar_one())
    if cap is not None and used >= cap:
        return None
    await db.execute(
        update(device_tallies)
        .where(
            device_tallies.c.institution_id == license_id[0],
            device_tallies.c.license_id == license_id[1],
        )
        .values(seats_used=device_tallies.c.seats_used + 1)
    )
    return used + 1


async def look_at_tallies(
    db: Connection, ids: Sequence[LicenseId], today: date
) -> dict[UUID, Tally]:
    """The tallies, made where there are none, but held by nobody."""
    rows = [{"institution_id": owner, "license_id": item, "day": today} for owner, item in ids]
    await db.execute(insert(device_tallies).values(rows).on_conflict_do_nothing())
    return await tallies.fetch_tallies(db, ids)


def hold_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the protection out: neither the license is held nor its tally."""
    monkeypatch.setattr(tallies, "hold_tallies", look_at_tallies)
    monkeypatch.setattr(reading, "lock_terms", reading.find_terms)


async def rush(shops: Sequence[Shop]) -> tuple[dict[str, Any], list[int]]:
    """Many machines through both servers for a few seats, one of which is taken already."""
    license_ = await shops[0].issue("Concurrent", maxActiveUsersCount=CAP)
    await shops[0].activate(license_, "first")
    answers = await asyncio.gather(
        *(shops[n % 2].activate(license_, f"machine-{n}") for n in range(CALLERS))
    )
    return license_, [answer.status_code for answer in answers]


async def test_the_cap_holds_across_servers(shops: Sequence[Shop], platform: Platform) -> None:
    for _ in range(2):
        license_, codes = await rush(shops)
        assert (codes.count(201), codes.count(409)) == (CAP - 1, CALLERS - CAP + 1)
        await assert_books_balance(platform, license_)


async def test_without_a_hold_the_cap_breaks(
    shops: Sequence[Shop], platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_nothing(monkeypatch)
    monkeypatch.setattr(tallies, "take_seat", count_then_take)
    for _ in range(ROUNDS):
        license_, codes = await rush(shops)
        assert set(codes) <= {201, 409}
        if len(await rows_of(platform, activations, license_)) > CAP:
            return
    pytest.fail("the control is worth nothing: without protection the cap held")


async def race_for_one_machine(shops: Sequence[Shop], platform: Platform) -> tuple[int, list[str]]:
    """Many machines through both servers for a node-locked license. Who is bound, who is told so.

    An earlier machine was bound and removed, so that there is a tally.
    """
    license_ = await shops[0].issue("NodeLocked")
    await shops[0].validate(license_, "first")
    await shops[0].deactivate(license_, "first")
    body = {"licenseKey": license_["licenseKey"]}
    answers = await asyncio.gather(
        *(
            shops[n % 2].call(
                "POST", "/api/licenses/validate", body | {"hardwareId": f"machine-{n}"}
            )
            for n in range(CALLERS)
        )
    )
    told = [answer.json().get("status") for answer in answers]
    rows = await rows_of(platform, activations, license_)
    return sum(row["bound"] for row in rows), told


async def test_one_machine_is_bound_across_servers(
    shops: Sequence[Shop], platform: Platform
) -> None:
    for _ in range(2):
        bound, told = await race_for_one_machine(shops, platform)
        assert (bound, told.count("Valid")) == (1, 1)
        assert told.count("HardwareMismatch") == CALLERS - 1


async def test_without_a_hold_only_the_index_is_left_to_refuse(
    shops: Sequence[Shop], platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never two machines, but many are told of a fault of ours instead of a mismatch."""
    hold_nothing(monkeypatch)
    for _ in range(ROUNDS):
        bound, told = await race_for_one_machine(shops, platform)
        assert bound == 1
        if told.count(500) > 0:
            return
    pytest.fail("the control is worth nothing: without protection nobody met the index")


@pytest.mark.parametrize("held", [True, False])
async def test_a_lower_cap_waits_for_those_who_were_let_in_by_the_higher_one(
    shops: Sequence[Shop], platform: Platform, monkeypatch: pytest.MonkeyPatch, held: bool
) -> None:
    """Who has lowered a cap knows how many there are; without the hold, one more comes after."""
    here, there = shops
    license_ = await here.issue("Concurrent", maxActiveUsersCount=2)
    await here.activate(license_, "machine-1")
    lowering: list[asyncio.Task[Any]] = []

    async def lower() -> int:
        change = {"maxActiveUsersCount": 1}
        return int(
            (await there.owner.ok("PUT", f"/api/licenses/{license_['id']}", change))["seatsUsed"]
        )

    async def read_then_meet_the_vendor(*given: Any) -> Any:
        found = await fetch(*given)
        monkeypatch.setattr(storage, "fetch_facts", fetch)
        lowering.append(asyncio.create_task(lower()))
        assert await waits_for_a_lock(platform, lowering[0]) is held
        return found

    fetch = storage.fetch_facts
    monkeypatch.setattr(storage, "fetch_facts", read_then_meet_the_vendor)
    if not held:
        monkeypatch.setattr(reading, "lock_terms", reading.find_terms)
    assert (await here.activate(license_, "machine-2")).status_code == 201
    seen = await lowering[0]
    now = (await tally_of(platform, license_))["seats_used"]
    assert now == 2
    assert (seen == now) is held


async def hold_together(db: Connection, ids: Sequence[LicenseId]) -> dict[UUID, Any]:
    """`lock_terms`, but by many at a time."""
    [(owner, item)] = ids
    statement = text(
        "SELECT revoked_at FROM licenses WHERE institution_id = :owner AND id = :item FOR KEY SHARE"
    )
    return {item: (await db.execute(statement, {"owner": owner, "item": item})).one()}


@pytest.mark.parametrize("in_turn", [True, False])
async def test_a_change_comes_to_its_turn_before_those_who_came_after_it(
    shops: Sequence[Shop], platform: Platform, in_turn: bool
) -> None:
    """Otherwise applications that never stop activating keep the vendor from revoking."""
    here, there = shops
    license_ = await here.issue("Concurrent")
    ids = [(UUID(license_["institutionId"]), UUID(license_["id"]))]
    hold = reading.lock_terms if in_turn else hold_together
    revoked_first: list[bool] = []

    async def come_after() -> None:
        async with platform.database.transaction() as db:
            [found] = (await hold(db, ids)).values()
            revoked_first.append(found.revoked_at is not None)

    async with platform.database.transaction() as db:
        await hold(db, ids)
        path = f"/api/licenses/{license_['id']}/revoke"
        change = asyncio.create_task(there.owner.ok("POST", path))
        assert await waits_for_a_lock(platform, change)
        late = asyncio.create_task(come_after())
        assert await waits_for_a_lock(platform, late, besides=1) is in_turn
    await asyncio.gather(change, late)
    assert revoked_first == [in_turn]
