"""Replacing recovery codes, and how many are left."""

import asyncio
from uuid import UUID

import pytest
from identity.people import (
    code,
    emails_to,
    enable_totp,
    everything_stored,
    is_signed_in,
    login,
    recorded,
)
from sqlalchemy import text
from testkit import PASSWORD, FakeClock, Owner

from licet_server.kit.platform import Platform

PATH = "/api/auth/totp/recovery-codes"


async def left(owner: Owner) -> int | None:
    """As the user sees it."""
    number: int | None = (await owner.ok("GET", "/api/auth/me"))["recoveryCodesLeft"]
    return number


async def stored_codes(platform: Platform, owner: Owner) -> int:
    async with platform.database.reading() as db:
        statement = text("SELECT count(*) FROM recovery_codes WHERE user_id = :id")
        return int((await db.execute(statement, {"id": UUID(owner.user_id)})).scalar_one())


async def test_the_profile_counts_the_codes_left(owner: Owner, clock: FakeClock) -> None:
    assert await left(owner) is None
    await owner.ok("POST", "/api/auth/totp")
    assert await left(owner) is None  # offered, not turned on
    _, codes = await enable_totp(owner, clock)
    assert await left(owner) == 10
    for used in range(2):
        assert (await login(owner.client, owner.email, otp=codes[used])).status_code == 200
    assert await left(owner) == 8
    assert (await owner.ok("PUT", "/api/auth/me", {"fullName": "A"}))["recoveryCodesLeft"] == 8
    await owner.ok("DELETE", "/api/auth/totp", {"otpCode": codes[2]})
    assert await left(owner) is None


@pytest.mark.parametrize("how", ["step-up", "app", "recovery code"])
async def test_the_old_codes_stop_working_immediately(
    owner: Owner, platform: Platform, clock: FakeClock, how: str
) -> None:
    secret, old = await enable_totp(owner, clock)
    clock.advance(minutes=1)
    if how == "step-up":
        await owner.ok("POST", "/api/auth/step-up", {"otpCode": code(secret, clock)})
    proof = {
        "step-up": None,
        "app": {"otpCode": code(secret, clock)},
        "recovery code": {"otpCode": old[9]},
    }[how]
    renewed = await owner.ok("POST", PATH, proof)
    assert set(renewed) == {"recoveryCodes"}
    new = renewed["recoveryCodes"]
    assert len(set(new)) == 10
    assert not set(new) & set(old)
    assert await left(owner) == 10
    for value in old[:3]:
        answer = await login(owner.client, owner.email, otp=value)
        assert answer.json()["errorCode"] == "InvalidCredentials"
    assert (await login(owner.client, owner.email, otp=new[0])).status_code == 200
    assert await is_signed_in(owner)  # no session ends
    assert (await recorded(platform, owner))[-2:] == [
        ("user.recovery_codes_renewed", owner.user_id),
        ("user.recovery_code_used", owner.user_id),
    ]
    stored = str(await everything_stored(platform))
    emails = "".join(email_sent.text or "" for email_sent in await emails_to(platform, owner.email))
    for value in (*new, *old, secret):
        assert value not in stored
        assert value not in emails


async def test_renewal_requires_a_counted_confirmation(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    secret, codes = await enable_totp(owner, clock)
    before = await everything_stored(platform)
    for body in ({"password": PASSWORD}, {"password": PASSWORD, "otpCode": codes[0]}):
        answer = await owner.send("POST", PATH, body)
        assert (answer.status_code, answer.json()["errorCode"]) == (400, "InvalidRequest")
    wrong = ({"otpCode": "000000"}, {"otpCode": code(secret, clock)})
    for number in range(10):
        answer = await owner.send("POST", PATH, wrong[number % 2])
        assert (answer.status_code, answer.json()["errorCode"]) == (401, "InvalidCredentials")
    right = {"otpCode": codes[0]}
    assert (await owner.send("POST", PATH, right)).status_code == 429
    assert (await owner.send("DELETE", "/api/auth/totp", right)).status_code == 429
    assert (await owner.send("POST", "/api/auth/step-up", right)).status_code == 429
    assert await everything_stored(platform) == before


async def test_no_recovery_codes_without_second_factor(owner: Owner, platform: Platform) -> None:
    before = await everything_stored(platform)
    for body in (None, {"otpCode": "123456"}):
        answer = await owner.send("POST", PATH, body)
        assert (answer.status_code, answer.json()["errorCode"]) == (409, "Conflict")
    assert await everything_stored(platform) == before


async def test_of_concurrent_renewals_one_set_is_left(owner: Owner, clock: FakeClock) -> None:
    _, codes = await enable_totp(owner, clock)
    await owner.ok("POST", "/api/auth/step-up", {"otpCode": codes[0]})
    answers = await asyncio.gather(*(owner.send("POST", PATH) for _ in range(5)))
    assert [answer.status_code for answer in answers] == [200] * 5
    assert await left(owner) == 10
    sets = [answer.json()["recoveryCodes"] for answer in answers]
    statuses = [
        (await login(owner.client, owner.email, otp=codes[0])).status_code for codes in sets
    ]
    assert sorted(statuses) == [200, 401, 401, 401, 401]

    kept = sets[statuses.index(200)]
    answers = await asyncio.gather(
        *(owner.send("POST", PATH, {"otpCode": value}) for value in kept[1:6])
    )
    assert sorted(answer.status_code for answer in answers) == [200, 401, 401, 401, 401]
    assert await left(owner) == 10


async def test_a_renewal_concurrent_with_removal_leaves_no_codes(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    for _ in range(5):
        _, codes = await enable_totp(owner, clock)
        await owner.ok("POST", "/api/auth/step-up", {"otpCode": codes[1]})
        off, renewed = await asyncio.gather(
            owner.send("DELETE", "/api/auth/totp"),
            owner.send("POST", PATH, {"otpCode": codes[0]}),
        )
        assert off.status_code == 204
        assert renewed.status_code in {200, 409}
        assert await stored_codes(platform, owner) == 0
