"""Emails about changes of an account: what, when, from where, and what to do."""

from collections.abc import Awaitable, Callable
from uuid import UUID

import pytest
from identity.people import (
    NEW_PASSWORD,
    emails_to,
    enable_totp,
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
async def test_user_is_notified_of_account_changes(
    owner: Owner, platform: Platform, clock: FakeClock, subject: str
) -> None:
    [here] = [item["ipAddress"] for item in (await owner.ok("GET", "/api/auth/sessions"))["items"]]
    clock.advance(minutes=4, seconds=59)
    kept = await STEPS[subject](owner, platform, clock)
    email_sent = (await emails_to(platform, owner.email))[-1]
    assert email_sent.subject == subject
    said = email_sent.text or ""
    for part in (owner.email, "on January 15, 2030 at 12:04 UTC", f"from the IP address {here}",
                 "If this was not you", "http://127.0.0.1:8000"):  # fmt: skip
        assert part in said
    for secret in (*kept, PASSWORD, NEW_PASSWORD):
        assert secret not in said
        assert secret not in email_sent.subject


async def test_refused_changes_send_no_email(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    await enable_totp(owner, clock)
    before = len(await emails_to(platform, owner.email))
    wrong = {"password": "wrong password"}
    await owner.send("POST", "/api/auth/password", {**CHANGE, "currentPassword": "wrong one"})
    await owner.send("DELETE", "/api/auth/totp", wrong)
    await owner.send("POST", "/api/auth/totp/recovery-codes", wrong)
    await owner.send("POST", "/api/auth/totp/confirm", {"otpCode": "000000"})
    await login(owner.client, owner.email)
    assert len(await emails_to(platform, owner.email)) == before


async def test_an_unverified_address_gets_no_notices(owner: Owner, platform: Platform) -> None:
    async with platform.database.transaction() as db:
        statement = text("UPDATE users SET email_verified_at = NULL WHERE id = :id")
        await db.execute(statement, {"id": UUID(owner.user_id)})
    await owner.ok("POST", "/api/auth/password", CHANGE)
    assert not await emails_to(platform, owner.email)
    # A reset proves that the address is theirs: they are told.
    await owner.client.post("/api/auth/password-reset", json={"email": owner.email})
    body = {"token": await mailed_token(platform, owner.email), "password": PASSWORD}
    await owner.client.post("/api/auth/password-reset/confirm", json=body)
    subjects = [email_sent.subject for email_sent in await emails_to(platform, owner.email)]
    assert subjects[-1] == "Your Licet password was reset"
