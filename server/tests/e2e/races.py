"""Races for seats: what the clients do. Each works on any fleet, protected or not."""

import asyncio
import itertools
import json
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from e2e.fleet import SERVERS, UNREACHED, Answer, Fleet, License, at_once
from e2e.judging import Caps, Life, Told, as_stored, most_at_once
from e2e.process import lives
from e2e.vendor import make_vendor
from patience import eventually
from sqlalchemy import text

from licet_server.kit.clock import system_clock

ROOMY = 1_000

_dice = secrets.SystemRandom()
_numbers = itertools.count(1)


class SessionSeats:
    """Seats of a Floating license."""

    model = "Floating"
    terms: Mapping[str, str] = {}
    taken = 201

    async def take(self, fleet: Fleet, n: int, license_: License, machine: str) -> Answer:
        return await fleet.connect(n, license_, machine)

    def life_of(self, machine: str, answer: Answer) -> Life:
        expires_at = datetime.fromisoformat(answer.body["expiresAt"])
        return Life(answer.body["sessionId"], answer.sent, answer.arrived, expires_at)

    async def leave(self, fleet: Fleet, n: int, license_: License, life: Life) -> Answer:
        return await fleet.disconnect(n, life.id)

    async def held(self, fleet: Fleet, license_: License) -> list[str]:
        return await fleet.live(license_)


class DeviceSeats:
    """Seats of a Concurrent license."""

    model = "Concurrent"
    terms: Mapping[str, str] = {}
    taken = 201

    async def take(self, fleet: Fleet, n: int, license_: License, machine: str) -> Answer:
        return await fleet.activate(n, license_, machine)

    def life_of(self, machine: str, answer: Answer) -> Life:
        return Life(machine, answer.sent, answer.arrived)

    async def leave(self, fleet: Fleet, n: int, license_: License, life: Life) -> Answer:
        return await fleet.release(n, license_, life.id)

    async def held(self, fleet: Fleet, license_: License) -> list[str]:
        return await fleet.holders(license_)


class FileSeats(DeviceSeats):
    """Seats of a Concurrent license for offline use, taken by a license file."""

    terms = {"activationMode": "Offline"}
    taken = 200

    async def take(self, fleet: Fleet, n: int, license_: License, machine: str) -> Answer:
        return await fleet.refresh(n, license_, machine)


Seats = SessionSeats | DeviceSeats


def pooled(fleet: Fleet, seats: Seats, cap: int) -> License:
    return fleet.vendor.issue(seats.model, maxActiveUsersCount=cap, **seats.terms)


async def rush(fleet: Fleet, seats: Seats, license_: License, clients: int = 60) -> Told:
    """All at once ask for a seat, once, from machines that were never seen."""
    told = Told()

    async def ask(n: int) -> None:
        machine = f"machine-{next(_numbers)}"
        answer = told.note("take", await seats.take(fleet, n, license_, machine))
        if answer.status == seats.taken:
            told.lives.append(seats.life_of(machine, answer))

    await fleet.warm_up()
    await at_once(ask(n) for n in range(clients))
    return told


async def come_and_go(
    fleet: Fleet, seats: Seats, license_: License, told: Told, stop: asyncio.Event, clients: int
) -> None:
    """Clients that take a seat, keep it for a moment, leave, and so on; the last seat is kept."""

    async def use(n: int) -> None:
        machine, server = f"machine-{next(_numbers)}", n
        for turn in itertools.count(1):
            if stop.is_set():
                return
            if turn % 50 == 0:  # a machine may connect 60 times a minute
                machine = f"machine-{next(_numbers)}"
            answer = told.note("take", await seats.take(fleet, server, license_, machine))
            if answer.status not in {200, 201}:  # 200: the answer before was lost with its server
                server += answer.status == UNREACHED
                await asyncio.sleep(_dice.uniform(0.01, 0.06))
                continue
            life = seats.life_of(machine, answer)
            told.lives.append(life)
            await asyncio.sleep(_dice.uniform(0.01, 0.06))
            if stop.is_set():
                return
            life.until = system_clock()
            answer = told.note("leave", await seats.leave(fleet, server, license_, life))
            server += answer.status == UNREACHED

    await at_once(use(n) for n in range(clients))


@dataclass
class Lowered:
    """Who held a seat when a lower cap was answered, and who held one when all had been heard."""

    at_once: set[str]
    later: set[str]
    took_s: float


async def lower_amid_a_rush(fleet: Fleet, seats: Seats, low: int, clients: int = 40) -> Lowered:
    """Nobody leaves; the cap is lowered while many come, who go on until it is, and once more."""
    license_ = pooled(fleet, seats, ROOMY)
    enough, lowered, taken = asyncio.Event(), asyncio.Event(), itertools.count(1)
    await fleet.warm_up()

    async def ask(n: int) -> None:
        last = False
        while not last:
            last = lowered.is_set()
            answer = await seats.take(fleet, n, license_, f"machine-{next(_numbers)}")
            if answer.status == 201 and next(taken) >= low:
                enough.set()

    rushing = asyncio.gather(*(ask(n) for n in range(clients)))
    await enough.wait()
    sent, answered = await fleet.change_cap(license_, low)
    first = set(await seats.held(fleet, license_))
    lowered.set()
    await rushing
    later = set(await seats.held(fleet, license_))
    return Lowered(first, later, (answered - sent).total_seconds())


async def expire_and_revive(
    fleet: Fleet, license_: License, timeout_s: int, clients: int, seconds: float
) -> Told:
    """Clients whose heartbeats come around the end of their promise, and who then connect again."""
    told = Told()
    end = system_clock() + timedelta(seconds=seconds)

    async def beat(life: Life) -> None:
        while system_clock() < end:
            left = (life.until - system_clock()).total_seconds()
            await asyncio.sleep(max(0, left + timeout_s * _dice.uniform(-0.5, 0.15)))
            n = _dice.randrange(SERVERS)
            answer = told.note("beat", await fleet.heartbeat(n, life.id))
            if answer.status != 200:
                await insist(n, life)
                return
            life.until = datetime.fromisoformat(answer.body["expiresAt"])

    async def insist(n: int, life: Life) -> None:
        for other in (1, 2):
            answer = told.note("insist", await fleet.heartbeat(n + other, life.id))
            if answer.status == 200:
                told.revived.append(life.id)

    async def use(machine: str) -> None:
        while system_clock() < end:
            server = _dice.randrange(SERVERS)
            answer = told.note("connect", await fleet.connect(server, license_, machine))
            if answer.status != 201:
                await asyncio.sleep(timeout_s * _dice.uniform(0.05, 0.25))  # 60 a minute a device
                continue
            life = SessionSeats().life_of(machine, answer)
            life.decided = life.until - timedelta(seconds=timeout_s)
            told.lives.append(life)
            await beat(life)

    await at_once(use(f"machine-{n}") for n in range(clients))
    return told


async def watch(fleet: Fleet, license_: License, stop: asyncio.Event) -> int:
    """The most unexpired promises that any look at the database found."""
    most = 0
    while not stop.is_set():
        most = max(most, len(await fleet.live(license_)))
        await asyncio.sleep(0.03)
    return most


@asynccontextmanager
async def in_haste(fleet: Fleet, timeout_s: int) -> AsyncIterator[None]:
    """Another product, whose settings are below those that the API takes."""
    settings = {
        "session_timeout_seconds": timeout_s,
        "heartbeat_interval_seconds": 1,
        "heartbeat_min_spacing_seconds": 0,
    }
    usual = fleet.vendor
    fleet.vendor = make_vendor(usual.owner, f"Hasty {next(_numbers)}")
    sql = "UPDATE products SET settings = settings || CAST(:settings AS jsonb) WHERE id = :id"
    given = {"settings": json.dumps(settings), "id": fleet.vendor.product}
    async with fleet.platform.database.transaction() as db:
        await db.execute(text(sql), given)
    try:
        yield
    finally:
        fleet.vendor = usual


async def race_expiry(
    fleet: Fleet, pool: int, timeout_s: int, seconds: float
) -> tuple[Told, list[int]]:
    """What clients were told, and the most at once: as they know it, as stored, as seen."""
    async with in_haste(fleet, timeout_s):
        license_ = pooled(fleet, SessionSeats(), pool)
        stop = asyncio.Event()
        watching = asyncio.create_task(watch(fleet, license_, stop))
        told = await expire_and_revive(fleet, license_, timeout_s, 3 * pool, seconds)
        stop.set()
    stored = as_stored(told.lives, await fleet.past_and_present(license_))
    most = [most_at_once(told.lives), most_at_once(stored), await watching]
    print(f"{len(told.lives)} sessions of {timeout_s} s; at most {most}; {told.codes}")
    return told, most


async def same_instance(fleet: Fleet, license_: License, clients: int = 30) -> list[Answer]:
    """One instance on one machine connects many times at once."""
    await fleet.warm_up()
    calls = (fleet.connect(n, license_, "the-machine", "the-instance") for n in range(clients))
    return await at_once(calls)


async def same_device(fleet: Fleet, license_: License, clients: int = 30) -> list[Answer]:
    """One machine activates many times at once."""
    await fleet.warm_up()
    return await at_once(fleet.activate(n, license_, "the-machine") for n in range(clients))


async def many_machines(fleet: Fleet, license_: License, machines: int) -> list[tuple[str, Answer]]:
    """Machines that validate, activate and connect; answers which one was told what.

    Consecutive machines differ in what they ask; each asks two servers.
    """
    ways: list[Callable[..., Any]] = [fleet.validate, fleet.activate, fleet.connect]

    async def ask(n: int, server: int) -> tuple[str, Answer]:
        machine = f"machine-{n}"
        return machine, await ways[n % 3](server, license_, machine)

    await fleet.warm_up()
    return await at_once(ask(n, n + n // 3 + more) for n in range(machines) for more in (0, 1))


def accepted(told: list[tuple[str, Answer]]) -> set[str]:
    """The machines that may use the license."""
    return {
        machine
        for machine, answer in told
        if answer.status in {200, 201} and answer.body.get("valid", True)
    }


async def race_caps(
    fleet: Fleet, seats: Seats, series: Sequence[int], clients: int, pause_s: float = 0.4
) -> tuple[License, Caps, Told]:
    """The caps of the series come into force, one after the other, while clients come and go."""
    began = system_clock()
    license_, told, stop = pooled(fleet, seats, series[0]), Told(), asyncio.Event()
    caps = Caps([(began, system_clock(), series[0])])
    coming = asyncio.create_task(come_and_go(fleet, seats, license_, told, stop, clients))
    for cap in series[1:]:
        await asyncio.sleep(pause_s)
        caps.note(await fleet.change_cap(license_, cap), cap)
    await asyncio.sleep(pause_s)
    stop.set()
    await coming
    print(f"{told.codes}; a change took up to {caps.slowest_s:.2f} s")
    return license_, caps, told


async def race_kills(
    fleet: Fleet, seats: Seats, cap: int, clients: int, victims: Iterable[int]
) -> tuple[License, Told]:
    """Servers are killed while clients come and go, who then ask another one."""
    license_, told, stop = pooled(fleet, seats, cap), Told(), asyncio.Event()
    coming = asyncio.create_task(come_and_go(fleet, seats, license_, told, stop, clients))
    for victim in victims:
        await _until_taken(told, victim)
        fleet.kill(victim)
        await asyncio.to_thread(eventually, partial(_is_dead, fleet.pids[victim]), "it is dead")
    await _until_taken(told, 0)
    stop.set()
    await coming
    return license_, told


def _is_dead(pid: int) -> bool:
    return not lives(pid)


async def _until_taken(told: Told, server: int, more: int = 5) -> None:
    wanted = told.servers[server] + more

    def holds() -> bool:
        return told.servers[server] >= wanted

    await asyncio.to_thread(eventually, holds, f"server {server} lets {more} in")
