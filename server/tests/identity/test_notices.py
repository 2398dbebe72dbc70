"""Letters after what the owner of an account must know of: what, when, from where, what to do."""

from collections.abc import Awaitable, Callable
from uuid import UUID

import pytest
from identity.people import (
    NEW_PASSWORD,
    enable_totp,
    letters_to,
    login,
    mailed_token,
    reset_token,
)
from sqlalchemy import text
from testkit import PASSWORD, FakeClock, Owner

from licet_server.kit.platform import Platform

Secrets = list[str]
Step = Callable[[Owner, Platform, FakeClock], Awaitable[Secrets]]
CHANGE = {"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD}


async def change(owner: Owner, platform: Platform, clock: FakeClock) -> Secrets:
    await owner.ok("POST", "/api/auth/password", CHANGE)
    return []


async def reset(owner: Owner, platform: Platform, clock: FakeClock) -> Secrets:
    body = {"token": await reset_token(platform, owner), "password": NEW_PASSWORD}
    answer = await owner.client.post("/api/auth/password-reset/confirm", json=body)
    assert answer.status_code == 204
    return [body["token"]]


async def turn_on(owner: Owner, platform: Platform, clock: FakeClock) -> Secrets:
    secret, codes = await enable_totp(owner, clock)
    return [secret, *codes]


async def turn_off(owner: Owner, platform: Platform, clock: FakeClock) -> Secrets:
    secret, codes = await enable_totp(owner, clock)
    await owner.ok("DELETE", "/api/auth/totp", {"otpCode": codes[0]})
    return [secret, *codes]


async def renew(owner: Owner, platform: Platform, clock: FakeClock) -> Secrets:
    secret, codes = await enable_totp(owner, clock)
    path, proof = "/api/auth/totp/recovery-codes", {"otpCode": codes[0]}
    return [secret, *codes, *(await owner.ok("POST", path, proof))["recoveryCodes"]]


STEPS: dict[str, Step] = {
    "Your Licet password was changed": change,
    "Your Licet password was reset": reset,
    "The second factor of your Licet account is on": turn_on,
    "The second factor of your Licet account is off": turn_off,
    "Your Licet account has new recovery codes": renew,
}


@pytest.mark.parametrize("subject", STEPS)
async def test_the_owner_is_told(
    owner: Owner, platform: Platform, clock: FakeClock, subject: str
) -> None:
    [here] = [item["ipAddress"] for item in (await owner.ok("GET", "/api/auth/sessions"))["items"]]
    clock.advance(minutes=4, seconds=59)
    kept = await STEPS[subject](owner, platform, clock)
    letter = (await letters_to(platform, owner.email))[-1]
    assert letter.subject == subject
    said = letter.text or ""
    for part in (owner.email, "on 2030-01-15 at 12:04 UTC", f"from the IP address {here}",
                 "If this was not you", "http://127.0.0.1:8000"):  # fmt: skip
        assert part in said
    for secret in (*kept, PASSWORD, NEW_PASSWORD):
        assert secret not in said
        assert secret not in letter.subject


async def test_nobody_is_told_of_what_did_not_happen(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    await enable_totp(owner, clock)
    before = len(await letters_to(platform, owner.email))
    wrong = {"password": "wrong password"}
    await owner.send("POST", "/api/auth/password", {**CHANGE, "currentPassword": "wrong one"})
    await owner.send("DELETE", "/api/auth/totp", wrong)
    await owner.send("POST", "/api/auth/totp/recovery-codes", wrong)
    await owner.send("POST", "/api/auth/totp/confirm", {"otpCode": "000000"})
    await login(owner.client, owner.email)
    assert len(await letters_to(platform, owner.email)) == before


async def test_an_address_that_may_be_a_strangers_is_not_mailed_at_will(
    owner: Owner, platform: Platform
) -> None:
    async with platform.database.transaction() as db:
        statement = text("UPDATE users SET email_verified_at = NULL WHERE id = :id")
        await db.execute(statement, {"id": UUID(owner.user_id)})
    await owner.ok("POST", "/api/auth/password", CHANGE)
    assert not await letters_to(platform, owner.email)
    # A reset proves that the address is his: he is told.
    await owner.client.post("/api/auth/password-reset", json={"email": owner.email})
    body = {"token": await mailed_token(platform, owner.email), "password": PASSWORD}
    await owner.client.post("/api/auth/password-reset/confirm", json=body)
    subjects = [letter.subject for letter in await letters_to(platform, owner.email)]
    assert subjects[-1] == "Your Licet password was reset"
