"""Changing and resetting a password: what ends, what works once, and what is not revealed."""

import asyncio
from collections.abc import Callable
from typing import Any, Literal
from uuid import UUID

import httpx
import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import VerifyMismatchError
from catalog.factories import bad_fields
from identity.people import (
    NEW_PASSWORD,
    elsewhere,
    emails_to,
    enable_totp,
    everything_stored,
    is_signed_in,
    login,
    mailed_token,
    recorded,
    reset_token,
    signed_in_again,
)
from interleaving import pause_after
from locks import until_it_waits
from sqlalchemy import text
from testkit import PASSWORD, FakeClock, FastPasswords, Owner

from licet_server.app import Application
from licet_server.identity.service import sign_in
from licet_server.identity.service.passkeys import Passkeys
from licet_server.identity.service.sign_in import SignIn, SignInAttempt
from licet_server.institutions.service.account_hooks import InstitutionAccountHooks
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords, is_common, prepared
from licet_server.kit.platform import Platform

CHANGE = {"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD}


class NotingHasher(PasswordHasher):
    """Notes the hashes that passwords are compared with."""

    def __init__(self) -> None:
        super().__init__(time_cost=2, memory_cost=16, parallelism=1)
        self.compared: list[str | bytes] = []

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002
        self.compared.append(hash)
        return super().verify(hash, password)


async def test_a_password_of_nobody_is_compared_with_a_hash_that_takes_as_long() -> None:
    hasher = NotingHasher()
    assert not await Passwords(hasher).matches(None, PASSWORD)
    [decoy] = hasher.compared
    assert extract_parameters(str(decoy)) == extract_parameters(hasher.hash(PASSWORD))
    with pytest.raises(VerifyMismatchError):  # and not since it could not be read
        hasher.verify(decoy, PASSWORD)


async def test_a_change_ends_all_other_sessions(owner: Owner, platform: Platform) -> None:
    other = await signed_in_again(owner)
    await owner.ok("POST", "/api/auth/password", CHANGE)
    assert await is_signed_in(owner)
    assert not await is_signed_in(other)
    assert (await login(owner.client, owner.email)).status_code == 401
    assert (await login(owner.client, owner.email, NEW_PASSWORD)).status_code == 200
    assert await recorded(platform, owner) == [("user.password_changed", owner.user_id)]


async def test_a_change_needs_the_password(owner: Owner, platform: Platform) -> None:
    before = await everything_stored(platform)
    wrong = {**CHANGE, "currentPassword": NEW_PASSWORD}
    answers = [await owner.send("POST", "/api/auth/password", wrong) for _ in range(11)]
    assert {answer.json()["errorCode"] for answer in answers[:10]} == {"InvalidCredentials"}
    assert answers[10].status_code == 429
    assert (await owner.send("POST", "/api/auth/password", CHANGE)).status_code == 429
    assert await everything_stored(platform) == before
    short = await owner.send("POST", "/api/auth/password", {**CHANGE, "newPassword": "short"})
    assert short.json()["errors"][0]["field"] == "newPassword"
    # An attacker with a stolen session throttles only that session.
    other = await signed_in_again(owner)
    await other.ok("POST", "/api/auth/password", CHANGE)


class _ChangesPasswordMeanwhile(Passwords):
    """Sets another password after the old one was checked and before the session is opened."""

    def __init__(self, inner: Passwords, change: Callable[[], Any]) -> None:
        self._inner, self._change = inner, change

    async def matches(self, encoded: str | None, password: str) -> bool:
        fits = await self._inner.matches(encoded, password)
        await self._change()
        return fits


class _NoProvider:
    async def still_admits(self, origin: Origin, **session: UUID) -> bool:
        raise AssertionError("no provider has opened the session")


async def test_a_sign_in_during_a_password_change_is_refused(
    owner: Owner, platform: Platform, fast_passwords: Passwords
) -> None:
    async def change() -> None:
        await owner.ok("POST", "/api/auth/password", CHANGE)

    attempt = SignInAttempt(
        email=owner.email, password=PASSWORD, otp_code=None, passkey=None, user_agent=None
    )
    passwords = _ChangesPasswordMeanwhile(fast_passwords, change)
    hooks = InstitutionAccountHooks(platform.settings)
    service = SignIn(platform, passwords, hooks, Passkeys(platform, hooks), _NoProvider())
    with pytest.raises(Refused) as caught:
        await service.sign_in(Origin(), attempt)
    assert caught.value.code is ErrorCode.INVALID_CREDENTIALS
    assert (await owner.ok("GET", "/api/auth/sessions"))["totalCount"] == 1


@pytest.mark.parametrize("how", ["change", "reset"])
async def test_a_password_change_ends_a_concurrent_sign_in(
    owner: Owner, platform: Platform, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """The session is inserted but not committed when the change looks for sessions to end."""
    token = await reset_token(platform, owner)
    pause = pause_after(monkeypatch, sign_in, "open_session")
    signing_in = await pause.reached_by(login(owner.client, owner.email))
    if how == "change":
        change = owner.send("POST", "/api/auth/password", CHANGE)
    else:
        body = {"token": token, "password": NEW_PASSWORD}
        change = owner.client.post("/api/auth/password-reset/confirm", json=body)
    changing = asyncio.create_task(change)
    await until_it_waits(platform, changing)
    pause.end()
    session, changed = await asyncio.gather(signing_in, changing)
    assert (session.status_code, changed.status_code) == (200, 204)
    headers = {"authorization": f"Bearer {session.json()['accessToken']}"}
    assert (await owner.client.get("/api/auth/me", headers=headers)).status_code == 401


async def test_a_reset_ends_all_sessions_and_works_once(owner: Owner, platform: Platform) -> None:
    token = await reset_token(platform, owner)
    body = {"token": token, "password": NEW_PASSWORD}
    confirmed = await owner.client.post("/api/auth/password-reset/confirm", json=body)
    assert (confirmed.status_code, confirmed.content) == (204, b"")
    assert not await is_signed_in(owner)
    assert (await login(owner.client, owner.email)).status_code == 401
    assert (await login(owner.client, owner.email, NEW_PASSWORD)).status_code == 200
    assert await recorded(platform, owner) == [("user.password_reset", owner.user_id)]
    again = await owner.client.post("/api/auth/password-reset/confirm", json=body)
    assert (again.status_code, again.json()["errorCode"]) == (401, "Unauthorized")


async def test_of_concurrent_resets_one_wins(owner: Owner, platform: Platform) -> None:
    token = await reset_token(platform, owner)
    bodies = [{"token": token, "password": f"{NEW_PASSWORD} {number}"} for number in range(6)]
    answers = await asyncio.gather(
        *(owner.client.post("/api/auth/password-reset/confirm", json=body) for body in bodies)
    )
    statuses = [answer.status_code for answer in answers]
    assert sorted(statuses) == [204] + [401] * 5
    winner = bodies[statuses.index(204)]["password"]
    assert (await login(owner.client, owner.email, winner)).status_code == 200


async def test_a_token_is_valid_for_an_hour_and_survives_a_newer_one(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    first = await reset_token(platform, owner)
    clock.advance(minutes=59, seconds=59)
    second = await reset_token(platform, owner)
    assert second != first
    clock.advance(seconds=1)
    dead = {"token": first, "password": NEW_PASSWORD}
    path = "/api/auth/password-reset/confirm"
    assert (await owner.client.post(path, json=dead)).status_code == 401
    live = {"token": second, "password": NEW_PASSWORD}
    assert (await owner.client.post(path, json=live)).status_code == 204


async def test_a_password_change_invalidates_tokens(owner: Owner, platform: Platform) -> None:
    token = await reset_token(platform, owner)
    await owner.ok("POST", "/api/auth/password", CHANGE)
    body = {"token": token, "password": "a third horse battery"}
    refused = await owner.client.post("/api/auth/password-reset/confirm", json=body)
    assert refused.status_code == 401


async def test_a_reset_leaves_the_second_factor(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    await enable_totp(owner, clock)
    body = {"token": await reset_token(platform, owner), "password": NEW_PASSWORD}
    await owner.client.post("/api/auth/password-reset/confirm", json=body)
    asked = await login(owner.client, owner.email, NEW_PASSWORD)
    assert asked.json()["errorCode"] == "OtpRequired"


async def test_invalid_tokens_change_nothing(
    owner: Owner, platform: Platform, application: Application
) -> None:
    token = await reset_token(platform, owner)
    before = await everything_stored(platform)
    odd = [token[:-1], token + "x", token.swapcase(), "x", " ", "x" * 1000, "\U0001f600" * 100,
           owner.token, token.encode().hex()]  # fmt: skip
    for number, value in enumerate(odd):
        async with elsewhere(application, f"192.0.2.{number}") as client:
            body = {"token": value, "password": NEW_PASSWORD}
            answer = await client.post("/api/auth/password-reset/confirm", json=body)
            assert (answer.status_code, answer.json()["errorCode"]) == (401, "Unauthorized"), value
            verify = await client.post("/api/auth/verify-email", json={"token": token})
            assert verify.status_code == 401  # issued for another purpose
            long = {"token": "x" * 10_000, "password": "y" * 10_000}
            refused = await client.post("/api/auth/password-reset/confirm", json=long)
            assert {error["field"] for error in refused.json()["errors"]} == {"token", "password"}
    assert await everything_stored(platform) == before


async def test_guessing_tokens_is_throttled(application: Application) -> None:
    async with elsewhere(application, "192.0.2.77") as client:
        body = {"token": "guess", "password": NEW_PASSWORD}
        path = "/api/auth/password-reset/confirm"
        statuses = [(await client.post(path, json=body)).status_code for _ in range(12)]
    assert statuses == [401] * 10 + [429] * 2


async def test_known_and_unknown_addresses_get_the_same_response(
    counting: tuple[Application, FastPasswords], monkeypatch: pytest.MonkeyPatch
) -> None:
    application, passwords = counting
    statements: list[str] = []
    engine = application.platform.database._engine.sync_engine
    from sqlalchemy import event

    @event.listens_for(engine, "before_cursor_execute")
    def note(connection: Any, cursor: Any, statement: str, *more: Any) -> None:
        statements.append(statement)

    done: list[tuple[Any, ...]] = []
    for email in ("known@example.com", "nobody@example.com"):
        async with elsewhere(application, "192.0.2.1") as client:
            for path, body in (
                ("/api/auth/login", {"password": "wrong password"}),
                ("/api/auth/login", {"password": "wrong password", "otpCode": "123456"}),
                ("/api/auth/password-reset", {}),
            ):
                statements.clear()
                passwords.runs = 0
                answer = await client.post(path, json={"email": email, **body})
                assert answer.status_code == 401 or not answer.content
                told = answer.json() if answer.content else {}
                told.pop("requestId", None)
                done.append((answer.status_code, told, passwords.runs, list(statements)))
    event.remove(engine, "before_cursor_execute", note)
    known, unknown = done[:3], done[3:]
    assert [item[2] for item in known] == [1, 1, 0]
    assert known == unknown
    assert [
        email_sent.subject
        for email_sent in await emails_to(application.platform, "known@example.com")
    ]
    assert not await emails_to(application.platform, "nobody@example.com")


async def requests_for(application: Application, *emails: str) -> int:
    """How many requests were stored."""
    async with application.platform.database.reading() as db:
        counted = await db.execute(
            text("SELECT count(*) FROM password_reset_requests WHERE email = ANY(:emails)"),
            {"emails": list(emails)},
        )
        return int(counted.scalar_one())


async def test_requests_are_limited_by_account_and_by_caller(
    application: Application, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The response is always the same; beyond the limit nothing is stored."""
    monkeypatch.setattr("licet_server.identity.service.throttling.EMAILS_PER_HOUR_AND_ADDRESS", 20)

    async def ask(client: httpx.AsyncClient, email: str) -> None:
        answer = await client.post("/api/auth/password-reset", json={"email": email})
        assert (answer.status_code, answer.content) == (202, b"")

    one, other = "somebody@limits.example.com", "nobody@limits.example.com"
    many = [f"n{number}@limits.example.com" for number in range(12)]
    async with elsewhere(application, "192.0.2.2") as client:
        for email in (one.capitalize(), other):
            for _ in range(6):
                await ask(client, email)
        assert await requests_for(application, one) == await requests_for(application, other) == 5
        for email in many:
            await ask(client, email)
        assert await requests_for(application, *many) == 8
    async with elsewhere(application, "192.0.2.3") as client:
        await ask(client, one)
        assert await requests_for(application, one) == 5
        clock.advance(hours=1)
        await ask(client, one)
        assert await requests_for(application, one) == 6


async def test_emails_say_what_to_do(owner: Owner, platform: Platform) -> None:
    token = await reset_token(platform, owner)
    assert await mailed_token(platform, owner.email) == token
    [email_sent] = await emails_to(platform, owner.email)
    assert email_sent.text is not None
    assert f"http://127.0.0.1:8000/reset-password?token={token}" in email_sent.text
    assert "If this was not you" in email_sent.text


COMMON = ["1234567890", "qwertyuiop", "password123", "Password123!", "passwordpassword"]


@pytest.mark.parametrize("password", [*COMMON, "nine char"])
async def test_common_and_short_passwords_are_refused_wherever_one_is_set(
    owner: Owner, password: str
) -> None:
    new = {"password": password, "token": "x", "fullName": "Ada", "institutionName": "A"}
    account = new | {"email": "ada@example.com"}
    bodies = {
        "/api/auth/register": {name: account[name] for name in account if name != "token"},
        "/api/auth/setup": {
            **{name: account[name] for name in account if name != "token"}, "setupToken": "x",
        },
        "/api/auth/password-reset/confirm": {"token": "x", "password": password},
        "/api/portal/access/confirm": {"token": "x", "password": password, "fullName": "Ada"},
        "/api/auth/accept-invitation": {"token": "x", "password": password},
    }  # fmt: skip
    for path, body in bodies.items():
        refused = await owner.client.post(path, json=body)
        assert bad_fields(refused) == ["password"], path
    changed = await owner.send("POST", "/api/auth/password", {**CHANGE, "newPassword": password})
    assert bad_fields(changed) == ["newPassword"]


def test_a_password_of_a_few_words_is_not_common() -> None:
    assert not is_common(PASSWORD)
    assert all(is_common(password) for password in COMMON)


@pytest.mark.parametrize(
    ("typed", "hashed"),
    [
        ("pa\u0308ssword one", "p\u00e4ssword one"),
        ("pass\u00a0word\u3000one", "pass word one"),
        ("pass\tword \u00df", "pass\tword \u00df"),
        ("\uff50assword", "\uff50assword"),
    ],
)
def test_a_password_is_prepared_as_keyboards_differ(typed: str, hashed: str) -> None:
    assert prepared(typed) == hashed
