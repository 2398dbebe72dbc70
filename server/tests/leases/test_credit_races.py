"""Reserving and settling under races and sudden ends: real commits, separate connections.

Controls remove one protection, and show what goes wrong without it.
"""

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from catalog.factories import refusal
from devices.proving import KeyOfDevice
from leases.reserver import TOKENS, Journal, Reserver, assert_c1
from leases.test_races import read_unlocked
from metering.factories import new_key
from metering.ledger_checks import rows_of
from msgspec.structs import replace
from sessions.test_races import ONE_BY_ONE, PROCESSES, caller_of, outcome, several
from sqlalchemy import Engine, event
from world import World

from licet_server.catalog.service.signing import SigningKeys
from licet_server.devices.rules.proofs import ShownProof, SignedRequest
from licet_server.kit.clock import system_clock
from licet_server.kit.errors import ErrorCode
from licet_server.kit.origin import Origin
from licet_server.leases.rules.model import IssueRequest, LeaseKind
from licet_server.leases.service.ending import end_over_leases
from licet_server.leases.service.reserving import Reservations
from licet_server.leases.service.tokens import IssuedLease
from licet_server.leases.storage import leases as storage
from licet_server.leases.storage.leases import LEASES
from licet_server.leases.tables import leases
from licet_server.licenses.service import reading
from licet_server.metering.storage import entries, wallets
from licet_server.metering.tables import meter_entries, meter_wallets
from licet_server.sessions.service.runtime import Sessions

DEVICES = 20


def reservations(service: Sessions) -> Reservations:
    platform = service._platform
    return Reservations(platform, service._devices._licenses, SigningKeys(platform.keyring))


def request(key: str, machine: str, amount: int) -> IssueRequest:
    now, path = system_clock(), "/api/leases"
    proof = KeyOfDevice().prove(now, "POST", f"http://licet.test{path}", b"{}")
    signed = SignedRequest("POST", ("licet.test",), (path,), b"{}")
    return IssueRequest(
        license_key=key,
        hardware_id=machine,
        kind=LeaseKind.CREDITS,
        days=3,
        quantity=Decimal(amount),
        idempotency_key=new_key(),
        shown=ShownProof(proof, signed, now),
    )


async def crowd(world: World, license_: dict[str, Any]) -> list[Any]:
    """Twenty devices at once, through four services, each for ten credits."""
    caller = caller_of(world)
    async with several(world.platform, ONE_BY_ONE) as services:
        lenders = [reservations(item) for item in services]
        return await asyncio.gather(
            *(
                outcome(
                    lenders[n % PROCESSES].reserve(
                        caller, request(license_["licenseKey"], f"m-{n}", 10), Origin()
                    )
                )
                for n in range(DEVICES)
            )
        )


def give_each_entry_a_number(patch: pytest.MonkeyPatch) -> None:
    """Take away the second wall: that two entries of a wallet never have one number."""
    insert = entries.insert_entries
    insert_of = {"n": 1_000_000}

    async def with_own_numbers(db: Any, items: Any) -> None:
        changed = []
        for item in items:
            insert_of["n"] += 1
            changed.append(replace(item, sequence=insert_of["n"]))
        await insert(db, changed)

    patch.setattr(entries, "insert_entries", with_own_numbers)


@pytest.mark.parametrize("limit", ["balance", "most"])
@pytest.mark.parametrize("locked", [True, False], ids=["locked", "control"])
async def test_of_twenty_devices_at_once_as_many_reserve_as_there_are_credits_for(
    world: World, monkeypatch: pytest.MonkeyPatch, locked: bool, limit: str
) -> None:
    if not locked:
        monkeypatch.setattr(reading, "lock_by_id", read_unlocked)
        monkeypatch.setattr(wallets, "lock_wallets", wallets.fetch_wallets)
        give_each_entry_a_number(monkeypatch)
    terms = {"initialMeterBalance": 1_000, "maxOfflineCredits": 65, "maxBorrowDays": 7}
    if limit == "balance":
        terms |= {"initialMeterBalance": 65, "maxOfflineCredits": 1_000}
    most = 0
    for _ in range(1 if locked else 10):
        license_ = await world.issue("MeteredCount", **terms)
        results = await crowd(world, license_)
        reserved = [item for item in results if isinstance(item, IssuedLease)]
        most = max(most, len(reserved))
        if locked:
            assert await assert_c1(world.platform, license_) == 0
            [wallet] = await rows_of(world.platform, meter_wallets, license_id=license_["id"])
            assert (wallet["held"], wallet["balance"]) == (60, terms["initialMeterBalance"] - 60)
            refused = {item for item in results if not isinstance(item, IssuedLease)}
            assert refused == {
                ErrorCode.INSUFFICIENT_BALANCE
                if limit == "balance"
                else ErrorCode.LEASE_LIMIT_REACHED
            }
        elif most > 6:
            return
    assert locked, f"the control proves nothing: at most {most} reserved"
    assert most == 6


async def spent(world: World, **terms: Any) -> tuple[dict[str, Any], Reserver, Journal]:
    """A license of which a device has reserved 100 credits, and has spent 5."""
    license_ = await world.issue("MeteredCount", **{**TOKENS, **terms})
    device = Reserver.of(world)
    journal = await device.reserved(license_, 100)
    journal.spend(quantity=5, price="1")
    return license_, device, journal


async def types_of(world: World, license_: dict[str, Any]) -> Counter[str]:
    rows = await rows_of(world.platform, meter_entries, license_id=license_["id"])
    return Counter(item["type"] for item in rows)


@pytest.mark.parametrize("locked", [True, False], ids=["locked", "control"])
async def test_a_return_that_is_sent_many_times_at_once_settles_once(
    world: World, monkeypatch: pytest.MonkeyPatch, locked: bool
) -> None:
    license_, device, journal = await spent(world)
    if not locked:
        monkeypatch.setattr(reading, "lock_by_id", read_unlocked)
        monkeypatch.setattr(LEASES, "lock", LEASES.fetch)
    calls = [device.hand_in(journal) for _ in range(8)]
    answers = await asyncio.gather(*calls, return_exceptions=True)
    good = [item for item in answers if not isinstance(item, BaseException) and item.is_success]
    if locked:
        assert len(good) == 8
        assert len({item.text for item in good}) == 1
    else:
        assert len(good) < 8, "the control proves nothing: nothing met"
    assert await types_of(world, license_) == {
        "InitialGrant": 1,
        "LeaseHold": 1,
        "LeaseSettle": 1,
        "Consume": 1,
    }
    assert await assert_c1(world.platform, license_) == 5


async def test_whatever_ends_a_reservation_at_once_one_of_them_does(world: World) -> None:
    for number in range(6):
        license_, device, journal = await spent(world)
        if number % 2:
            world.clock.advance(days=37)
            await world.owner.sign_in()
        acts: list[Coroutine[Any, Any, Any]] = [
            device.hand_in(journal),
            device.report(journal),
            device.lease_act(journal.lease, "recall", force=True),
            world.consume(license_, "x", idempotencyKey=new_key()),
            end_over_leases(world.platform),
            end_over_leases(world.platform),
        ]
        if number > 3:
            acts.append(world.owner.send("DELETE", f"/api/licenses/{license_['id']}"))
        answers = await asyncio.gather(*acts)
        assert all(item.status_code < 500 for item in answers if not isinstance(item, int))
        [wallet] = await rows_of(world.platform, meter_wallets, license_id=license_["id"])
        types = await types_of(world, license_)
        assert wallet["held"] == 0
        assert 1 <= types["LeaseSettle"] <= 2
        assert types["Consume"] <= 2
        if number <= 3:
            await assert_c1(world.platform, license_)
            [lease] = await rows_of(world.platform, leases, license_id=license_["id"])
            assert lease["end_reason"] in {"Returned", "Forced", "Expired"}


class Stopped(Exception):
    """The service was stopped at a write."""


WRITTEN = ("leases", "meter_wallets", "meter_entries", "events")


@contextmanager
def stopped_at(number: int) -> Iterator[list[int]]:
    """Stop the service before its next write with this number; yields the number reached."""
    reached = [0]

    def before(_db: Any, _cursor: Any, statement: str, *_: Any) -> None:
        writes = statement.startswith(("INSERT", "UPDATE", "DELETE", "WITH"))
        if writes and any(f" {name} " in statement for name in WRITTEN):
            reached[0] += 1
            if reached[0] == number:
                raise Stopped

    event.listen(Engine, "before_cursor_execute", before)
    try:
        yield reached
    finally:
        event.remove(Engine, "before_cursor_execute", before)


@dataclass
class Scene:
    """A license of which a device has spent, and another one reserves."""

    world: World
    license: dict[str, Any]
    device: Reserver
    journal: Journal
    other: Reserver
    key: str

    async def reserve(self) -> Any:
        return await self.other.reserve(self.license, 50, "m-2", idempotencyKey=self.key)

    async def report(self) -> Any:
        return await self.device.report(self.journal)

    async def give_back(self) -> Any:
        return await self.device.hand_in(self.journal)

    async def force(self) -> Any:
        return await self.device.lease_act(self.journal.lease, "recall", force=True)

    async def expire(self) -> Any:
        return await end_over_leases(self.world.platform)

    async def delete(self) -> Any:
        return await self.world.owner.send("DELETE", f"/api/licenses/{self.license['id']}")


async def stop(scene: Scene, act: str, number: int) -> bool:
    """Stop an act at a write, then let it go on; return whether it has so many writes."""
    platform = scene.world.platform
    before = await types_of(scene.world, scene.license)
    answer = None
    with stopped_at(number) as reached, suppress(Stopped):
        answer = await getattr(scene, act)()
    if reached[0] < number:
        return False
    assert answer is None or answer.status_code >= 500
    assert await types_of(scene.world, scene.license) == before, number
    await assert_c1(platform, scene.license)
    again = await getattr(scene, act)()
    assert isinstance(again, int) or again.is_success, again.text
    [wallet] = await rows_of(platform, meter_wallets, license_id=scene.license["id"])
    assert wallet["held"] == {"reserve": 150, "report": 95}.get(act, 0), number
    if act != "delete":  # the lease is gone
        await assert_c1(platform, scene.license)
    return True


@pytest.mark.parametrize("act", ["reserve", "report", "give_back", "force", "expire", "delete"])
async def test_stopped_between_any_two_writes_all_or_nothing_is_stored(
    world: World, act: str
) -> None:
    number = 0
    while True:
        license_, device, journal = await spent(world)
        scene = Scene(world, license_, device, journal, Reserver.of(world), new_key())
        if act == "expire":
            world.clock.advance(days=38)
            await world.owner.sign_in()
        if not await stop(scene, act, number + 1):
            break
        number += 1
    assert number >= 4, "so many writes could be interrupted"


async def test_one_device_reserves_once_however_often_it_asks_at_once(world: World) -> None:
    license_ = await world.issue("MeteredCount", **TOKENS)
    device, key = Reserver.of(world), new_key()
    same = await asyncio.gather(
        *(device.reserve(license_, 50, idempotencyKey=key) for _ in range(6))
    )
    assert len({item.json()["leaseId"] for item in same}) == 1
    others = await asyncio.gather(*(device.reserve(license_, 50) for _ in range(6)))
    assert {refusal(item) for item in others} == {(409, "LeaseLimitReached")}
    assert (await types_of(world, license_))["LeaseHold"] == 1


@pytest.mark.parametrize("kind", ["Seat", "Credits"])
async def test_a_request_that_meets_the_lease_of_its_twin_is_answered_with_it(
    world: World, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    if kind == "Seat":
        license_ = await world.issue("Floating", maxActiveUsersCount=1, maxBorrowDays=7)
    else:
        license_ = await world.issue("MeteredCount", **TOKENS)
    device, key = Reserver.of(world), new_key()
    send = device.borrow if kind == "Seat" else device.reserve
    twin: list[Any] = []

    async def found_nothing_yet(*args: Any) -> Any:
        found = await fetch_issued(*args)
        if not twin:
            twin.append(None)
            twin[:] = [await send(license_, days=7, idempotencyKey=key)]
        return found

    fetch_issued = storage.fetch_issued
    monkeypatch.setattr(storage, "fetch_issued", found_nothing_yet)
    late = await send(license_, days=7, idempotencyKey=key)
    assert late.status_code == 201, late.text
    assert late.json()["leaseId"] == twin[0].json()["leaseId"]
    assert len(await rows_of(world.platform, leases, license_id=license_["id"])) == 1
