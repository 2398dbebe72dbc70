"""Borrowing under races: several services with separate connections, and real commits.

Controls remove one protection, and show that the limit is exceeded without it.
"""

import asyncio
from collections.abc import Awaitable
from typing import Any
from uuid import UUID

import pytest
from devices.proving import KeyOfDevice
from leases.borrower import Borrower
from metering.factories import new_key
from sessions.test_races import ONE_BY_ONE, PROCESSES, caller_of, outcome, several, unlocked
from world import World

from licet_server.catalog.service.signing import SigningKeys
from licet_server.devices.rules.proofs import ShownProof, SignedRequest
from licet_server.kit.clock import system_clock
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.origin import Origin
from licet_server.kit.visibility import Visibility
from licet_server.leases.rules.model import IssueRequest, LeaseKind
from licet_server.leases.service.borrowing import Leases
from licet_server.leases.service.tokens import IssuedLease
from licet_server.licenses.rules.model import License, LicenseId
from licet_server.licenses.service import reading
from licet_server.sessions.rules.model import Connected
from licet_server.sessions.service.runtime import ConnectRequest, Sessions
from licet_server.sessions.storage import slots as storage


async def read_unlocked(db: Connection, license_id: LicenseId) -> License | None:
    """A license without its lock."""
    institution_id, own_id = license_id
    visible = Visibility(institutions=(institution_id,))
    return (await reading.find_by_ids(db, visible, [own_id])).get(own_id)


def lender(service: Sessions) -> Leases:
    platform = service._platform
    return Leases(platform, service._devices._licenses, service, SigningKeys(platform.keyring))


def request(key: str, machine: str, session_id: str | None = None) -> IssueRequest:
    now, path = system_clock(), "/api/leases"
    proof = KeyOfDevice().prove(now, "POST", f"http://licet.test{path}", b"{}")
    signed = SignedRequest("POST", ("licet.test",), (path,), b"{}")
    return IssueRequest(
        license_key=key,
        hardware_id=machine,
        kind=LeaseKind.SEAT,
        days=3,
        idempotency_key=new_key(),
        session_id=None if session_id is None else UUID(session_id),
        shown=ShownProof(proof, signed, now),
    )


async def in_turn(turn: asyncio.Semaphore, asked: Awaitable[Any]) -> Any:
    async with turn:
        return await outcome(asked)


async def crowd(world: World, license_: dict[str, Any]) -> list[Any]:
    """Sixty-four machines at once: one half connects, the other one borrows.

    Each service works on as many requests as it has connections, and the others wait their turn.
    """
    key, caller = license_["licenseKey"], caller_of(world)
    async with several(world.platform, ONE_BY_ONE) as services:
        lenders = [lender(item) for item in services]
        turns = [asyncio.Semaphore(4) for _ in services]
        calls = []
        for n in range(64):
            at, machine = n // 2 % PROCESSES, f"crowd-{n}"
            asked: Awaitable[Any]
            if n % 2:
                asked = services[at].connect(caller, ConnectRequest(key, machine), Origin())
            else:
                asked = lenders[at].borrow(caller, request(key, machine), Origin())
            calls.append(in_turn(turns[at], asked))
        return await asyncio.gather(*calls)


@pytest.mark.parametrize("locked", [True, False], ids=["locked", "control"])
async def test_sixty_four_clients_fill_what_five_borrowed_seats_leave_of_ten(
    world: World, monkeypatch: pytest.MonkeyPatch, locked: bool
) -> None:
    if not locked:
        monkeypatch.setattr(storage, "_LOCK_FREE", unlocked(storage._LOCK_FREE))
        monkeypatch.setattr(reading, "lock_terms", reading.find_terms)
        monkeypatch.setattr(reading, "lock_by_id", read_unlocked)
    most = 0
    for _ in range(1 if locked else 10):
        license_ = await world.issue("Floating", maxActiveUsersCount=10, maxBorrowDays=7)
        away = [await Borrower.of(world).borrowed(license_, f"m-{n}", 7) for n in range(5)]
        for session in [await world.connected(license_, f"before-{n}") for n in range(5)]:
            await world.disconnect(session)  # which leaves slots to be claimed
        results = await crowd(world, license_)
        admitted = [item for item in results if isinstance(item, Connected | IssuedLease)]
        most = max(most, len(admitted))
        if locked:
            refused = {item for item in results if not isinstance(item, Connected | IssuedLease)}
            assert refused == {ErrorCode.MAX_CONCURRENT_SESSIONS_REACHED}
            slots = await world.slots_of(license_)
            held = {str(item["session_id"]) for item in slots}
            assert {item["sessionId"] for item in away} < held
            assert len(held) == len(slots) == 10
        elif most > 5:
            return
    assert locked, f"the control proves nothing: at most {most} were admitted"
    assert most == 5


@pytest.mark.parametrize("locked", [True, False], ids=["locked", "control"])
async def test_of_twelve_devices_at_once_as_many_borrow_as_may_be_away(
    world: World, monkeypatch: pytest.MonkeyPatch, locked: bool
) -> None:
    if not locked:
        monkeypatch.setattr(reading, "lock_by_id", read_unlocked)
    caller, most = caller_of(world), 0
    for _ in range(1 if locked else 10):
        terms = {"maxActiveUsersCount": 20, "maxBorrowDays": 7, "maxBorrowedSeats": 3}
        license_ = await world.issue("Floating", **terms)
        live = [(await world.connected(license_, f"m-{n}"))["sessionId"] for n in range(12)]
        async with several(world.platform, ONE_BY_ONE) as services:
            lenders = [lender(item) for item in services]
            requests = [
                request(license_["licenseKey"], f"m-{n}", session) for n, session in enumerate(live)
            ]
            results = await asyncio.gather(
                *(
                    outcome(lenders[n % PROCESSES].borrow(caller, item, Origin()))
                    for n, item in enumerate(requests)
                )
            )
        lent = sum(isinstance(item, IssuedLease) for item in results)
        most = max(most, lent)
        if not locked and lent > 3:
            return
    assert locked, f"the control proves nothing: at most {most} were lent"
    assert most == 3
    refused = [item for item in results if not isinstance(item, IssuedLease)]
    assert set(refused) == {ErrorCode.LEASE_LIMIT_REACHED}
