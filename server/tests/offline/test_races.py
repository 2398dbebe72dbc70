"""Requests under races: several services with connections of their own, and real commits.

Controls remove the lock of the license, and show what it prevents.
"""

import asyncio
from itertools import count
from typing import Any
from uuid import UUID

import pytest
from devices.unlocked import count_then_take, remove_locks
from leases.test_races import read_unlocked
from offline.machine import SELF_SERVICE, Machine
from sessions.test_races import ONE_BY_ONE, PROCESSES, outcome, several
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from world import World

from licet_server.catalog.service.signing import SigningKeys
from licet_server.devices.service.files import FileMaker
from licet_server.devices.storage import seats as stored_seats
from licet_server.kit import database
from licet_server.kit.origin import Origin
from licet_server.licenses.service import reading
from licet_server.offline.service.answering import Answer
from licet_server.offline.service.desk import OfflineDesk
from licet_server.sessions.service.ending import SessionDeviceHooks
from licet_server.sessions.service.runtime import Sessions

SEATS = 5
MACHINES = 24
ADDRESSES = count(1)
"""One for each crowd, since what an address sends is limited."""


@pytest.fixture(autouse=True)
def patient_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the last in line wait for the lock for as long as for any statement.

    Sixteen wait at once; on a busy machine, one of them would be refused.
    """
    monkeypatch.setattr(database, "_LOCK_TIMEOUT_MS", database._STATEMENT_TIMEOUT_MS)


def desk_of(service: Sessions) -> OfflineDesk:
    platform = service._platform
    keys = SigningKeys(platform.keyring)
    return OfflineDesk(platform, FileMaker(SessionDeviceHooks(), keys, "https://licet.test"))


async def at_once(world: World, texts: list[str]) -> list[Any]:
    """Send requests at once, to several services in turn."""
    origin = Origin(ip_address=f"192.0.2.{next(ADDRESSES)}")
    async with several(world.platform, ONE_BY_ONE) as services:
        desks = [desk_of(item) for item in services]
        turns = [asyncio.Semaphore(4) for _ in services]

        async def ask(number: int, request: str) -> Any:
            at = number % PROCESSES
            async with turns[at]:
                return await outcome(desks[at].answer(request, None, origin))

        return await asyncio.gather(*(ask(*item) for item in enumerate(texts)))


async def holding(world: World, license_: dict[str, Any]) -> int:
    async with world.platform.database.reading() as db:
        counted = await db.execute(
            text("SELECT count(*) FROM activations WHERE license_id = :id AND holds_seat"),
            {"id": UUID(license_["id"])},
        )
    return int(counted.scalar_one())


async def crowd(world: World) -> tuple[int, int]:
    """Return how many machines were answered, and how many hold a seat."""
    license_ = await world.issue("Concurrent", maxActiveUsersCount=SEATS, **SELF_SERVICE)
    machines = [Machine(world, license_, f"machine-{number}") for number in range(MACHINES)]
    found = await at_once(world, [item.sign() for item in machines])
    return sum(isinstance(item, Answer) for item in found), await holding(world, license_)


async def copies(world: World) -> int:
    """Return how many answers one request got that differ, where it was sent many times at once."""
    license_ = await world.issue("Perpetual", **SELF_SERVICE)
    request = Machine(world, license_).sign()
    found = await at_once(world, [request] * MACHINES)
    return len({item.file for item in found if isinstance(item, Answer)})


async def test_no_more_machines_are_answered_than_there_are_seats(world: World) -> None:
    assert await crowd(world) == (SEATS, SEATS)


async def test_without_locks_more_are(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    remove_locks(monkeypatch)
    monkeypatch.setattr(reading, "lock_by_id", read_unlocked)
    monkeypatch.setattr(stored_seats, "increment_seats", count_then_take)
    _, seats = await crowd(world)
    assert seats > SEATS


async def test_a_request_that_is_sent_many_times_at_once_gets_one_answer(world: World) -> None:
    assert await copies(world) == 1


async def test_without_the_lock_it_is_answered_twice_but_for_the_key_of_its_row(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove_locks(monkeypatch)
    monkeypatch.setattr(reading, "lock_by_id", read_unlocked)
    with pytest.raises(IntegrityError, match="offline_requests_device_key"):
        await copies(world)
