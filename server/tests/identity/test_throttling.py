"""How many guesses are checked in an hour, while the user signs in as usual.

Every try is counted before it is made, so that the figures hold however many come at once. They
stand in `docs/security.md`.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from identity.people import elsewhere, enable_totp, login
from testkit import PASSWORD, FakeClock, FastPasswords, Owner
from volumes import is_long

from licet_server.app import Application

KNOWN = "known@example.com"
HOME = "198.51.100.1"
THIEF = "203.0.113.1"
MINUTES = 60
MINUTES_OF_GUESSES = MINUTES if is_long() else 3
A_MINUTE = 20

Counting = tuple[Application, FastPasswords]
Try = Callable[[int], tuple[str, str]]
"""The IP address and the account of the attempt with this number."""


def one_account_from_one_address(number: int) -> tuple[str, str]:
    return THIEF, KNOWN


def one_account_from_many_addresses(number: int) -> tuple[str, str]:
    return f"203.0.{number // 250}.{number % 250}", KNOWN


def many_accounts_from_one_address(number: int) -> tuple[str, str]:
    return THIEF, f"somebody{number}@example.com"


DRILLS: dict[str, Try] = {
    "one account, one address": one_account_from_one_address,
    "one account, many addresses": one_account_from_many_addresses,
    "many accounts, one address": many_accounts_from_one_address,
}


@pytest.mark.parametrize("drill", DRILLS)
async def test_few_guesses_are_checked_in_an_hour(
    counting: Counting, clock: FakeClock, drill: str, record_property: Callable[..., None]
) -> None:
    application, passwords = counting
    numbers = iter(range(MINUTES_OF_GUESSES * A_MINUTE))
    answers = Counter[int]()
    async with elsewhere(application, HOME) as home:
        assert (await login(home, KNOWN)).status_code == 200
        passwords.runs = 0
        for _ in range(MINUTES_OF_GUESSES):
            answers += await guess(application, DRILLS[drill], numbers)
            # In each minute, after its guesses.
            assert (await login(home, KNOWN)).status_code == 200, answers
            clock.advance(minutes=1)
    checked = passwords.runs - MINUTES_OF_GUESSES  # the user's own
    said = f"{drill}: {answers.total()} tried, {checked} checked"
    record_property("guesses", said)
    assert answers == {401: checked, 429: answers.total() - checked}, said
    assert answers.total() == MINUTES_OF_GUESSES * A_MINUTE
    assert checked == MINUTES_OF_GUESSES * 10, said


async def guess(application: Application, drill: Try, numbers: Iterator[int]) -> Counter[int]:
    """The attempts of a minute, concurrently; returns how many got which status."""

    async def attempt(number: int) -> int:
        address, email = drill(number)
        async with elsewhere(application, address) as client:
            return (await login(client, email, f"guess {number}")).status_code

    chosen = [next(numbers) for _ in range(A_MINUTE)]
    return Counter(await asyncio.gather(*map(attempt, chosen)))


async def test_ten_codes_are_checked_in_an_hour(
    owner: Owner,
    application: Application,
    clock: FakeClock,
    record_property: Callable[..., None],
) -> None:
    """An attacker has the password and uses many IP addresses."""
    _, codes = await enable_totp(owner, clock)
    clock.advance(hours=1)
    answers = Counter[str]()
    for minute in range(MINUTES):
        for number in range(minute * 2, minute * 2 + 2):
            async with elsewhere(application, f"203.0.{number // 250}.{number % 250}") as client:
                answer = await login(client, owner.email, PASSWORD, "000000")
                answers[answer.json()["errorCode"]] += 1
        clock.advance(minutes=1)
        if minute % 10 == 0:
            mine = await login(owner.client, owner.email, otp=codes[minute // 10])
            assert mine.status_code == 200
    said = f"codes: {answers.total()} tried, {answers['InvalidCredentials']} checked"
    record_property("guesses", said)
    assert answers == {"InvalidCredentials": 10, "RateLimited": 110}, said
