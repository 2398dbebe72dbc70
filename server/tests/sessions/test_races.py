"""Limits under races: several services with separate connections, real commits, real time.

Controls remove one protection, and show that the limit is exceeded without it.
"""

import asyncio
import random  # noqa: TID251 - repeatable
import re
import uuid
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import AsyncMock
from uuid import UUID

import pytest
from devices.proving import KeyOfDevice
from locks import until_it_waits
from msgspec import structs
from sessions.factories import written
from sqlalchemy import Select, text
from sqlalchemy.sql import visitors
from world import Vendor, World

from licet_server.catalog.rules.model import ProductCaller, ProductSettings
from licet_server.devices.rules.proofs import ShownProof, SignedRequest
from licet_server.devices.service.runtime import Devices
from licet_server.kit.batching import Batching
from licet_server.kit.clock import system_clock
from licet_server.kit.database import open_database
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.limits import KeyLimits
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.licenses.service import reading
from licet_server.licenses.service.credentials import LicenseCredentials
from licet_server.licenses.service.reading import LicenseLookup
from licet_server.sessions.rules.model import Connected, Heartbeat
from licet_server.sessions.service import claiming
from licet_server.sessions.service.ending import SessionDeviceHooks
from licet_server.sessions.service.runtime import ConnectRequest, Sessions
from licet_server.sessions.storage import heartbeats as heartbeat_storage
from licet_server.sessions.storage import slots as storage

PROCESSES = 4
ONE_BY_ONE = Batching(max_batch=3)
"""Small batches, so that transactions conflict."""


@asynccontextmanager
async def several(platform: Platform, batching: Batching) -> AsyncIterator[list[Sessions]]:
    """Services that share nothing but the database, as separate processes do."""
    url = platform.settings.database_url
    assert url is not None
    platforms = [
        replace(platform, clock=system_clock, database=open_database(url, 4))
        for _ in range(PROCESSES)
    ]
    passwords = Passwords()
    parts = [
        (
            Devices(
                one,
                licenses := LicenseLookup(one, LicenseCredentials(one, passwords), batching),
                SessionDeviceHooks(),
                limits := KeyLimits(one.database, one.clock, batching),
                batching,
            ),
            limits,
            licenses,
        )
        for one in platforms
    ]
    services = [
        Sessions(one, devices, limits, batching)
        for one, (devices, limits, _) in zip(platforms, parts, strict=True)
    ]
    try:
        yield services
    finally:
        for service, part, one in zip(services, parts, platforms, strict=True):
            for closable in (service, *part):
                await closable.aclose()
            await one.database.close()


def caller_of(vendor: Vendor, timeout: float = 90.0) -> ProductCaller:
    settings = ProductSettings(
        session_timeout_seconds=timeout,  # type: ignore[arg-type]
        heartbeat_min_spacing_seconds=0,
    )
    product_id = UUID(vendor.product["id"])
    return ProductCaller(UUID(vendor.owner.institution_id), product_id, product_id, settings)


async def outcome(call: Awaitable[Any]) -> Any:
    try:
        return await call
    except Refused as refused:
        return refused.code


async def rush(platform: Platform, vendor: Vendor, made: dict[str, Any], count: int) -> list[Any]:
    caller = caller_of(vendor)
    async with several(platform, ONE_BY_ONE) as services:
        return await asyncio.gather(
            *(
                outcome(
                    services[n % PROCESSES].connect(
                        caller, ConnectRequest(made["licenseKey"], f"machine-{n}"), Origin()
                    )
                )
                for n in range(count)
            )
        )


@pytest.mark.parametrize("checked", [True, False], ids=["checked", "control"])
async def test_of_one_proof_sent_to_several_processes_one_session_begins(
    world: World, monkeypatch: pytest.MonkeyPatch, checked: bool
) -> None:
    if not checked:
        monkeypatch.setattr(claiming, "used_proofs", AsyncMock(return_value={}))
    made = await world.issue("Floating", maxActiveUsersCount=40, deviceProof="Required")
    now, url = world.clock(), "http://licet.test/api/sessions/connect"
    proof = KeyOfDevice().prove(now, "POST", url, b"{}")
    signed = SignedRequest("POST", ("licet.test",), ("/api/sessions/connect",), b"{}")
    requests = [
        ConnectRequest(made["licenseKey"], "machine-1", shown=ShownProof(proof, signed, now))
        for _ in range(20)
    ]
    async with several(world.platform, ONE_BY_ONE) as services:
        results = await asyncio.gather(
            *(
                outcome(services[n % PROCESSES].connect(caller_of(world), request, Origin()))
                for n, request in enumerate(requests)
            )
        )
    connected = [item for item in results if isinstance(item, Connected)]
    assert len(connected) == (1 if checked else 20)
    others = {item for item in results if not isinstance(item, Connected)}
    assert others <= {ErrorCode.DEVICE_PROOF_REQUIRED}


def unlocked(claim: Select[Any]) -> Select[Any]:
    """A claim without its lock."""

    def unlock(part: Any) -> None:
        part._for_update_arg = None

    assert "FOR UPDATE SKIP LOCKED" in written(claim)
    found: Select[Any] = visitors.cloned_traverse(claim, {}, {"select": unlock})
    assert "FOR UPDATE" not in written(found)
    return found


async def prepare(vendor: Vendor, platform: Platform, made: dict[str, Any], seats: str) -> None:
    """Bring the five seats of a license into their initial state."""
    if seats == "new":
        return
    sessions = [await vendor.connected(made, f"before-{n}") for n in range(5)]
    if seats == "released":
        for session in sessions:
            await vendor.disconnect(session)
    else:
        statement = "UPDATE session_slots SET expires_at = '2020-01-01' WHERE license_id = :id"
        async with platform.database.reading() as db:
            await db.execute(text(statement), {"id": made["id"]})


@pytest.mark.specification("models.floating")
@pytest.mark.parametrize("license_locked", [True, False], ids=["license locked", "slots alone"])
@pytest.mark.parametrize("seats", ["new", "released", "timed out"])
async def test_sixty_concurrent_claims_fill_five_seats(
    world: World, monkeypatch: pytest.MonkeyPatch, seats: str, license_locked: bool
) -> None:
    """The slots enforce the cap even where transactions of a license run concurrently."""
    if not license_locked:
        monkeypatch.setattr(reading, "lock_terms", reading.find_terms)
    made = await world.issue("Floating", maxActiveUsersCount=5)
    await prepare(world, world.platform, made, seats)
    outcomes = await rush(world.platform, world, made, 60)
    admitted = [item for item in outcomes if isinstance(item, Connected)]
    assert len({item.session_id for item in admitted}) == 5
    refused = [item for item in outcomes if not isinstance(item, Connected)]
    assert set(refused) == {ErrorCode.MAX_CONCURRENT_SESSIONS_REACHED}
    slots = await world.slots_of(made)
    assert {slot["session_id"] for slot in slots} == {item.session_id for item in admitted}
    assert [slot["n"] for slot in slots] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(("seats", "claim"), [("released", "FREE"), ("timed out", "EXPIRED")])
async def test_control_without_locks_the_cap_is_exceeded(
    world: World, monkeypatch: pytest.MonkeyPatch, seats: str, claim: str
) -> None:
    name = f"_LOCK_{claim}"
    monkeypatch.setattr(storage, name, unlocked(getattr(storage, name)))
    monkeypatch.setattr(reading, "lock_terms", reading.find_terms)
    most = 0
    for _ in range(10):
        made = await world.issue("Floating", maxActiveUsersCount=5)
        await prepare(world, world.platform, made, seats)
        outcomes = await rush(world.platform, world, made, 60)
        most = max(most, sum(isinstance(item, Connected) for item in outcomes))
        if most > 5:
            return
    pytest.fail(f"the control proves nothing: at most {most} were admitted")


@dataclass
class ClientView:
    """The sessions as the applications know them, kept without asking the server."""

    cap: int
    until: dict[UUID, datetime] = field(default_factory=dict)
    most: int = 0
    broken: list[str] = field(default_factory=list)

    def extended(self, session_id: UUID, until: datetime) -> None:
        self.until[session_id] = until
        now = system_clock()
        held = sum(until > now for until in self.until.values())
        self.most = max(self.most, held)
        if held > self.cap:
            self.broken.append(f"{held} sessions at {now}")

    def lost(self, session_id: UUID, asked: datetime) -> None:
        if self.until.pop(session_id) > system_clock():
            self.broken.append(f"a session was lost at {asked} before its time")


async def run_client(
    service: Sessions, caller: ProductCaller, key: str, view: ClientView, name: str, end: datetime
) -> None:
    """Connect, send heartbeats at the last moment, stop or disconnect, and connect again."""
    dice = random.Random(name)
    timeout = caller.settings.session_timeout_seconds
    while system_clock() < end:
        got = await outcome(service.connect(caller, ConnectRequest(key, name), Origin()))
        if not isinstance(got, Connected):
            assert got is ErrorCode.MAX_CONCURRENT_SESSIONS_REACHED, got
            await asyncio.sleep(dice.uniform(0, timeout / 5))
            continue
        view.extended(got.session_id, got.expires_at)
        for _ in range(dice.randrange(6)):
            await asyncio.sleep(dice.uniform(0.5, 1.1) * timeout)
            asked = system_clock()
            kept = await outcome(service.heartbeat(caller, got.session_id))
            if not isinstance(kept, datetime):
                assert kept is ErrorCode.SESSION_NOT_FOUND, kept
                view.lost(got.session_id, asked)
                break
            view.extended(got.session_id, kept)
        else:
            if dice.random() < 0.3:
                del view.until[got.session_id]
                await outcome(service.disconnect(caller, got.session_id, Origin()))


async def slowness(vendor: Vendor, services: list[Sessions]) -> float:
    """How many seconds many concurrent connects take on this machine now."""
    other, started = await vendor.issue("Floating", maxActiveUsersCount=10), system_clock()
    await asyncio.gather(
        *(
            outcome(
                services[n % PROCESSES].connect(
                    caller_of(vendor), ConnectRequest(other["licenseKey"], f"machine-{n}"), Origin()
                )
            )
            for n in range(40)
        )
    )
    return (system_clock() - started).total_seconds()


async def run_clients(
    platform: Platform, vendor: Vendor, made: dict[str, Any], seconds: float
) -> ClientView:
    view = ClientView(cap=10)
    async with several(platform, ONE_BY_ONE) as services:
        caller = caller_of(vendor, timeout=max(0.15, 3 * await slowness(vendor, services)))
        end = system_clock() + timedelta(seconds=seconds)
        await asyncio.gather(
            *(
                run_client(
                    services[n % PROCESSES], caller, made["licenseKey"], view, f"machine-{n}", end
                )
                for n in range(40)
            )
        )
    return view


async def test_expiry_races_heartbeats(world: World) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=10)
    view = await run_clients(world.platform, world, made, seconds=4)
    assert view.broken == []
    assert view.most > 5, "the pool was in use"


@pytest.mark.parametrize("guarded", [True, False], ids=["guarded", "control"])
async def test_a_heartbeat_waits_for_a_claim_of_its_slot(
    world: World, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    """It waits, and finds its slot taken; without its conditions it would extend a lost session."""
    if not guarded:
        bare, count = re.subn(
            r" AND session_slots\."
            r"(session_id = heartbeat\.session_id|expires_at > :now ::[A-Z ]+ZONE)",
            "",
            written(heartbeat_storage._EXTEND).replace(" AND (", "\nAND ("),
        )
        assert count == 2
        bare = bare.replace("session_slots.session_id, ", "heartbeat.session_id, ")
        monkeypatch.setattr(heartbeat_storage, "_EXTEND", text(bare))
    made = await world.issue("Floating", maxActiveUsersCount=1)
    session = await world.connected(made)
    key = (UUID(world.owner.institution_id), UUID(session["sessionId"]))
    heartbeat = Heartbeat(
        institution_id=key[0],
        product_id=UUID(world.product["id"]),
        session_id=key[1],
        timeout=timedelta(seconds=90),
        spacing=timedelta(),
    )
    now = world.platform.clock() + timedelta(seconds=89)
    async with (
        world.platform.database.relaxed() as db,
        world.platform.database.transaction() as other,
    ):
        [found] = await heartbeat_storage.fetch_by_sessions(db, [key])
        assert found is not None
        later = now + timedelta(seconds=1)
        [taken] = (
            await storage.lock_expired(other, [(key[0], UUID(made["id"]), 1, 1)], later)
        ).values()
        waiting = asyncio.create_task(
            heartbeat_storage.extend_sessions(db, [(heartbeat, found[0])], now)
        )
        await storage.clear_slots(other, [taken[0].place])
        await storage.fill_slots(
            other,
            [
                structs.replace(
                    taken[0], session_id=uuid.UUID(int=5), expires_at=later + timedelta(seconds=90)
                )
            ],
        )
        await until_it_waits(world.platform, waiting)
        await other.commit()
        extended = await waiting
    assert (extended == {}) is guarded


async def test_one_instance_connects_concurrently(world: World) -> None:
    made = await world.issue("Floating", maxActiveUsersCount=3)
    caller = caller_of(world)
    request = ConnectRequest(made["licenseKey"], "machine-1", "instance-1")
    async with several(world.platform, Batching(max_batch=1)) as services:
        outcomes = await asyncio.gather(
            *(
                outcome(services[n % PROCESSES].connect(caller, request, Origin()))
                for n in range(40)
            )
        )
        assert {type(item) for item in outcomes} == {Connected}, outcomes
        kept = [await outcome(services[0].heartbeat(caller, item.session_id)) for item in outcomes]
    assert sum(isinstance(item, datetime) for item in kept) == 1
    taken = [slot for slot in await world.slots_of(made) if slot["session_id"] is not None]
    assert len(taken) == 1


async def test_the_cap_is_lowered_while_clients_connect(world: World) -> None:
    """After each change, no session is admitted beyond the current cap."""
    made = await world.issue("Floating", maxActiveUsersCount=12)
    caller, dice = caller_of(world), random.Random(1)
    held: set[UUID] = set()
    running = True

    async def connect_repeatedly(service: Sessions) -> None:
        while running:
            device = dice.randbytes(8).hex()  # one device would soon connect too often
            got = await outcome(
                service.connect(caller, ConnectRequest(made["licenseKey"], device), Origin())
            )
            if isinstance(got, Connected):
                assert got.seats_total is not None
                assert got.seats_used <= got.seats_total
                held.add(got.session_id)
                await asyncio.sleep(dice.uniform(0, 0.05))
                assert isinstance(
                    await outcome(service.heartbeat(caller, got.session_id)), datetime
                )
                held.remove(got.session_id)
                await service.disconnect(caller, got.session_id, Origin())
            else:
                assert got is ErrorCode.MAX_CONCURRENT_SESSIONS_REACHED, got

    async with several(world.platform, ONE_BY_ONE) as services:
        clients = [
            asyncio.create_task(connect_repeatedly(services[n % PROCESSES])) for n in range(24)
        ]
        for cap in (4, 10, 2, 7, 3):
            await world.set_cap(made, cap)
            await asyncio.sleep(0.7)
            assert len(held) <= cap
        running = False
        await asyncio.gather(*clients)
    assert all(slot["session_id"] is None for slot in await world.slots_of(made))
