"""Races for seats, and how they are judged: by what clients were told, and when.

A life is what one client may rely on: from the moment at which it heard that it has a seat, until
the end of the last promise that it was given, or until it asked to leave. That is never longer
than the service's own view, so that whoever finds too many lives at once has found a fault.
"""

import asyncio
import secrets
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from e2e.fleet import UNREACHED, Answer, Fleet, License, at_once

from licet_server.kit.clock import system_clock

FOREVER = datetime.max.replace(tzinfo=UTC)
TIMEOUT_S = 0.15

_dice = secrets.SystemRandom()
_numbers = count(1)


@dataclass
class Life:
    """A seat of one client. `decided` is the server's instant, where an answer tells it."""

    id: str
    sent: datetime
    arrived: datetime
    until: datetime = FOREVER
    decided: datetime | None = None


def most_at_once(
    lives: Iterable[Life], begin: Callable[[Life], datetime] = lambda life: life.arrived
) -> int:
    """The largest number that lived at any instant; at `until` a life is over."""
    spans = [(begin(life), life.until) for life in lives if begin(life) < life.until]
    steps = sorted([(end, -1) for _, end in spans] + [(start, 1) for start, _ in spans])
    living = most = 0
    for _, step in steps:
        living += step
        most = max(most, living)
    return most


@dataclass
class Caps:
    """The caps of a license: when each was asked for and answered."""

    changes: list[tuple[datetime, datetime, int]] = field(default_factory=list)

    def note(self, span: tuple[datetime, datetime], cap: int) -> None:
        self.changes.append((*span, cap))

    def highest(self, since: datetime, until: datetime) -> int:
        """The highest that may have been in force in between: each, until the next was answered."""
        ends = [answered for _, answered, _ in self.changes[1:]] + [FOREVER]
        return max(
            cap
            for (asked, _, cap), end in zip(self.changes, ends, strict=True)
            if asked <= until and end >= since
        )

    def exceeded(self, lives: Iterable[Life]) -> list[tuple[int, int]]:
        """How many lived, and how many might have, where somebody came in one too many."""
        valid = [life for life in lives if life.arrived < life.until]
        begins = sorted(life.arrived for life in valid)
        ends = sorted(life.until for life in valid)
        found = []
        for life in valid:
            living = bisect_right(begins, life.arrived) - bisect_right(ends, life.arrived)
            if living > (allowed := self.highest(life.sent, life.arrived)):
                found.append((living, allowed))
        return found


@dataclass
class Told:
    """What the clients of a race were told."""

    lives: list[Life] = field(default_factory=list)
    codes: Counter[str] = field(default_factory=Counter)
    servers: Counter[int] = field(default_factory=Counter)
    revived: list[str] = field(default_factory=list)
    unsure: set[str] = field(default_factory=set)

    def note(self, what: str, answer: Answer) -> Answer:
        self.codes[f"{what} {answer.code}"] += 1
        self.servers[answer.server] += answer.status != UNREACHED
        return answer


class SessionSeats:
    """Seats of a Floating license."""

    model = "Floating"

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

    async def take(self, fleet: Fleet, n: int, license_: License, machine: str) -> Answer:
        return await fleet.activate(n, license_, machine)

    def life_of(self, machine: str, answer: Answer) -> Life:
        return Life(machine, answer.sent, answer.arrived)

    async def leave(self, fleet: Fleet, n: int, license_: License, life: Life) -> Answer:
        return await fleet.release(n, license_, life.id)

    async def held(self, fleet: Fleet, license_: License) -> list[str]:
        return await fleet.holders(license_)


Seats = SessionSeats | DeviceSeats


def pooled(fleet: Fleet, seats: Seats, cap: int) -> License:
    return fleet.vendor.issue(seats.model, maxActiveUsersCount=cap)


async def rush(fleet: Fleet, seats: Seats, license_: License, clients: int = 60) -> Told:
    """All at once ask for a seat, once, from machines that were never seen."""
    told = Told()

    async def ask(n: int) -> None:
        machine = f"machine-{next(_numbers)}"
        answer = told.note("take", await seats.take(fleet, n, license_, machine))
        if answer.status == 201:
            told.lives.append(seats.life_of(machine, answer))

    await fleet.warm_up()
    await at_once(ask(n) for n in range(clients))
    return told


async def come_and_go(
    fleet: Fleet, seats: Seats, license_: License, stop: asyncio.Event, clients: int
) -> Told:
    """Clients that take a seat, keep it for a moment, leave, and so on; the last seat is kept."""
    told = Told()

    async def use(n: int) -> None:
        machine, server = f"machine-{next(_numbers)}", n
        while not stop.is_set():
            answer = told.note("take", await seats.take(fleet, server, license_, machine))
            if answer.status != 201:
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
            if answer.status == UNREACHED:  # it may have left, or not
                told.unsure.add(life.id)
                server += 1

    await at_once(use(n) for n in range(clients))
    return told


async def change_caps(
    fleet: Fleet, license_: License, caps: Caps, series: Iterable[int], pause_s: float
) -> None:
    for cap in series:
        await asyncio.sleep(pause_s)
        caps.note(await fleet.change_cap(license_, cap), cap)


@dataclass
class Lowered:
    """Who held a seat when a lower cap was answered, and who held one when all had been heard."""

    at_once: set[str]
    later: set[str]
    took_s: float


async def lower_amid_a_rush(fleet: Fleet, seats: Seats, high: int, low: int) -> Lowered:
    """Nobody leaves; the cap is lowered while many come."""
    license_ = pooled(fleet, seats, high)
    await fleet.warm_up()

    enough, taken = asyncio.Event(), count(1)

    async def ask(n: int) -> None:
        await asyncio.sleep(0.01 * n)
        answer = await seats.take(fleet, n, license_, f"machine-{n}")
        if answer.status == 201 and next(taken) >= low:
            enough.set()

    rushing = asyncio.gather(*(ask(n) for n in range(high)))
    await enough.wait()
    sent, answered = await fleet.change_cap(license_, low)
    first = set(await seats.held(fleet, license_))
    await rushing
    later = set(await seats.held(fleet, license_))
    return Lowered(first, later, (answered - sent).total_seconds())


async def expire_and_revive(fleet: Fleet, license_: License, clients: int, seconds: float) -> Told:
    """Clients whose heartbeats come around the end of their promise, and who then connect again."""
    told = Told()
    end = system_clock() + timedelta(seconds=seconds)

    async def beat(life: Life) -> None:
        while system_clock() < end:
            left = (life.until - system_clock()).total_seconds()
            await asyncio.sleep(max(0, left + _dice.uniform(-0.08, 0.02)))
            n = _dice.randrange(3)
            answer = told.note("beat", await fleet.heartbeat(n, life.id))
            if answer.status != 200:
                return await insist(n, life)
            life.until = datetime.fromisoformat(answer.body["expiresAt"])
        return None

    async def insist(n: int, life: Life) -> None:
        for other in (1, 2):
            answer = told.note("insist", await fleet.heartbeat(n + other, life.id))
            if answer.status == 200:
                told.revived.append(life.id)

    async def use(n: int) -> None:
        machine = f"machine-{n}"
        while system_clock() < end:
            server = _dice.randrange(3)
            answer = told.note("connect", await fleet.connect(server, license_, machine))
            if answer.status == 201:
                until = datetime.fromisoformat(answer.body["expiresAt"])
                decided = until - timedelta(seconds=TIMEOUT_S)
                life = Life(answer.body["sessionId"], answer.sent, answer.arrived, until, decided)
                told.lives.append(life)
                await beat(life)
            else:
                await asyncio.sleep(_dice.uniform(0.01, 0.05))

    await at_once(use(n) for n in range(clients))
    return told


async def watch(fleet: Fleet, license_: License, stop: asyncio.Event) -> int:
    """The most unexpired promises that any look at the database found."""
    most = 0
    while not stop.is_set():
        most = max(most, len(await fleet.live(license_)))
        await asyncio.sleep(0.03)
    return most


def as_stored(lives: Iterable[Life], until: Mapping[str, datetime]) -> list[Life]:
    """The same lives with the end that the database knows."""
    return [replace(life, until=until[life.id]) for life in lives]


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
