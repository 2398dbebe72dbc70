"""Guesses of license credentials that arrive together get no further than guesses in a row."""

import asyncio
import itertools
from collections import Counter
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from typing import Any
from uuid import UUID

import pytest
from argon2 import PasswordHasher
from msgspec.structs import replace
from patience import until
from testkit import client_of
from world import World

from licet_server.app import Application
from licet_server.kit import limits
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.threads import Turns
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.runtime import Credentials, CredentialsCheck
from licet_server.licenses.service.credentials import LicenseCredentials
from licet_server.licenses.service.reading import find_by_keys

RIGHT = Credentials("jo", "s3cret pass")
WRONG = replace(RIGHT, password="guess")
_numbers = itertools.count(1)


def new_address() -> str:
    """One that no other test guesses from."""
    return str(ip_address("198.18.0.0") + next(_numbers))


class CountedPasswords(Passwords):
    """Counts what it computes; a check waits while `gate` is closed."""

    def __init__(self) -> None:
        super().__init__(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        self.checked = 0
        self.asked, self.gate = asyncio.Event(), asyncio.Event()
        self.gate.set()

    async def matches(self, encoded: str | None, password: str) -> bool:
        self.checked += 1
        self.asked.set()
        fits = await super().matches(encoded, password)
        await self.gate.wait()
        return fits


async def guarded_license(world: World) -> License:
    made = await world.issue("Perpetual", username=RIGHT.username, password=RIGHT.password)
    key = (UUID(world.owner.institution_id), UUID(world.product["id"]), _normal(made))
    async with world.platform.database.reading() as db:
        return (await find_by_keys(db, [key], world.clock()))[key]


@pytest.fixture
async def guarded(world: World) -> License:
    return await guarded_license(world)


@pytest.fixture
async def other(world: World) -> License:
    return await guarded_license(world)


def _normal(made: dict[str, Any]) -> str:
    return str(made["licenseKey"]).replace("-", "")


async def outcome(check: Awaitable[CredentialsCheck]) -> CredentialsCheck | ErrorCode:
    try:
        return await check
    except Refused as refused:
        return refused.code


async def test_of_guesses_that_arrive_together_ten_are_checked(
    platform: Platform, guarded: License
) -> None:
    passwords = CountedPasswords()
    credentials = LicenseCredentials(platform, passwords)
    address = new_address()
    told = await asyncio.gather(
        *(outcome(credentials.check(guarded, WRONG, address)) for _ in range(13))
    )
    assert Counter(told) == {CredentialsCheck.WRONG: 10, ErrorCode.RATE_LIMITED: 3}
    right = await outcome(credentials.check(guarded, RIGHT, address))
    assert (right, passwords.checked) == (ErrorCode.RATE_LIMITED, 10)


async def race_of_two_processes(
    platform: Platform, guarded: License
) -> CredentialsCheck | ErrorCode:
    """The right password is checked in one process while another one counts ten wrong ones."""
    slow, quick = CountedPasswords(), CountedPasswords()
    slow.gate.clear()
    first = LicenseCredentials(platform, slow)
    address = new_address()
    right = asyncio.create_task(outcome(first.check(guarded, RIGHT, address)))
    await slow.asked.wait()
    second = LicenseCredentials(platform, quick)
    for _ in range(10):
        told = await outcome(second.check(guarded, WRONG, address))
        assert told == CredentialsCheck.WRONG
    slow.gate.set()
    return await right


async def test_a_right_guess_is_refused_when_another_process_counted_ten_wrong_ones_meanwhile(
    platform: Platform, guarded: License
) -> None:
    assert await race_of_two_processes(platform, guarded) == ErrorCode.RATE_LIMITED


async def test_control_without_the_second_look_the_right_guess_passes(
    platform: Platform, guarded: License, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = limits.require_room
    seen: list[str] = []

    async def only_before(database: Any, buckets: Any, limit: int, now: Any) -> None:
        seen.append(buckets[0])
        if len(seen) > 2 * (1 + 10):  # each guess is preceded by two
            return
        await looks(database, buckets, limit, now)

    monkeypatch.setattr(limits, "require_room", only_before)
    assert await race_of_two_processes(platform, guarded) == CredentialsCheck.CORRECT


async def test_when_the_queue_is_full_a_check_is_unavailable_and_the_next_are_held_first(
    platform: Platform, guarded: License, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[float] = []

    async def hold(seconds: float) -> None:
        held.append(seconds)

    passwords = CountedPasswords()
    passwords.gate.clear()
    credentials = LicenseCredentials(platform, passwords)
    checks = [
        asyncio.create_task(outcome(credentials.check(guarded, RIGHT, new_address())))
        for _ in range(40)
    ]
    await until(lambda: sum(check.done() for check in checks) >= 7)
    done = {check for check in checks if check.done()}
    waiting = set(checks) - done
    assert {check.result() for check in done} == {ErrorCode.UNAVAILABLE}
    assert len(waiting) == 33  # one is checked, and 32 wait
    with monkeypatch.context() as patch:
        patch.setattr(asyncio, "sleep", hold)
        late = credentials.check(guarded, RIGHT, new_address())
        assert await outcome(late) == ErrorCode.UNAVAILABLE
    assert held == [3.0]
    passwords.gate.set()
    assert set(await asyncio.gather(*waiting)) == {CredentialsCheck.CORRECT}


async def test_a_full_pool_of_licenses_leaves_that_of_operators_alone() -> None:
    operators = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    licenses = operators.in_background()
    encoded = await operators.hash("right")
    many = [asyncio.create_task(licenses.matches(encoded, "wrong")) for _ in range(200)]
    assert await operators.matches(encoded, "right")
    told = await asyncio.gather(*many, return_exceptions=True)
    full = [item for item in told if isinstance(item, Refused)]
    assert {(item.code, item.retry_after) for item in full} == {(ErrorCode.UNAVAILABLE, 1)}
    assert 0 < len(full) < 200


async def test_turns_are_taken_in_order_and_given_back_by_whoever_fails() -> None:
    turns, order = Turns(1, max_waiting=2), []

    async def work(name: int) -> None:
        async with turns.take():
            order.append(name)
            await asyncio.sleep(0)
            if name == 0:
                raise ValueError

    told = await asyncio.gather(*(work(n) for n in range(4)), return_exceptions=True)
    assert order == [0, 1, 2]
    assert [type(item) for item in told] == [ValueError, type(None), type(None), Refused]


async def test_wrong_guesses_lock_no_other_license_and_no_other_address(
    platform: Platform, guarded: License, other: License
) -> None:
    credentials = LicenseCredentials(platform, CountedPasswords())
    office = new_address()
    for _ in range(12):
        await outcome(credentials.check(other, WRONG, office))
    assert await outcome(credentials.check(other, RIGHT, office)) == ErrorCode.RATE_LIMITED
    assert await outcome(credentials.check(guarded, RIGHT, office)) == CredentialsCheck.CORRECT
    assert await outcome(credentials.check(other, RIGHT, new_address())) == CredentialsCheck.CORRECT


async def test_one_network_has_the_guesses_of_one_address(
    world: World, application: Application
) -> None:
    async def wrong(address: str, license_: dict[str, Any]) -> int:
        body = {"licenseKey": license_["licenseKey"], "username": "jo", "password": "x"}
        async with client_of(application, address) as client:
            answer = await client.post("/api/licenses/validate", json=body, headers=world.key)
        return answer.status_code

    guarded, other = [await world.issue("Perpetual", username="jo", password="y") for _ in range(2)]
    by_network: Callable[[int], str] = lambda n: f"2001:db8:7:7:{n:x}::{n:x}"  # noqa: E731
    told = [await wrong(by_network(n), guarded) for n in range(12)]
    assert told == [200] * 10 + [429] * 2
    assert await wrong("2001:db8:7:8::1", guarded) == 200
    assert await wrong(by_network(1), other) == 200
    told = [await wrong("::ffff:203.0.113.77", guarded) for _ in range(6)]
    world.clock.advance(seconds=1)
    told += [await wrong("203.0.113.77", guarded) for _ in range(6)]
    assert told == [200] * 10 + [429] * 2
