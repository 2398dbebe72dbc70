"""Open sign-up, verification of addresses, and the outbox for system Admins."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from applications import ApplicationWith, emptied
from identity.people import (
    elsewhere,
    emails_to,
    everything_stored,
    is_signed_in,
    login,
    mailed_token,
    recorded,
)
from testkit import PASSWORD, FakeClock, FastPasswords, Owner, client_of

from licet_server.app import Application
from licet_server.identity.service.users import create_user
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform

PATH = "/api/auth/register"
PRODUCT = {"name": "A product", "initialVersion": "1.0.0"}
ADMIN = "admin@example.com"


def body(email: str = "New@Example.com", **changes: Any) -> dict[str, Any]:
    return {
        "email": email,
        "password": PASSWORD,
        "fullName": "New Person",
        "institutionName": "New Institution",
        **changes,
    }


@pytest.fixture
async def unused(application_with: ApplicationWith, clock: FakeClock) -> Application:
    """An application with open sign-up that is not set up."""
    return await emptied(await application_with(signup_open=True))


@pytest.fixture
async def opened(unused: Application, fast_passwords: FastPasswords) -> Application:
    """An application with open sign-up and a system Admin."""
    async with unused.platform.unit_of_work(Origin()) as work:
        await create_user(
            work,
            email=ADMIN,
            full_name="Admin",
            password_hash=await fast_passwords.hash(PASSWORD),
            is_system_admin=True,
            verified=True,
        )
    return unused


@pytest.fixture
async def visitor(opened: Application) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(opened) as client:
        yield client


async def registered(visitor: httpx.AsyncClient, email: str = "New@Example.com") -> Owner:
    answer = await visitor.post(PATH, json=body(email))
    assert answer.status_code == 201, answer.text
    session = answer.json()
    return Owner(
        visitor,
        session["accessToken"],
        session["user"]["memberships"][0]["institutionId"],
        session["user"]["id"],
        session["user"]["email"],
    )


async def test_sign_up_is_closed_by_default(client: httpx.AsyncClient, platform: Platform) -> None:
    before = await everything_stored(platform)
    answer = await client.post(PATH, json=body())
    assert (answer.status_code, answer.json()["errorCode"]) == (403, "Forbidden")
    assert await everything_stored(platform) == before


async def test_sign_up_is_closed_before_setup(unused: Application) -> None:
    async with client_of(unused) as client:
        assert (await client.post(PATH, json=body())).status_code == 403
        told = (await client.get("/api/auth/setup")).json()
        assert (told["required"], told["signUp"]) == (True, "Closed")


async def test_setup_status_says_that_sign_up_is_open(visitor: httpx.AsyncClient) -> None:
    told = (await visitor.get("/api/auth/setup")).json()
    assert told == {"required": False, "signUp": "Open", "session": False}


async def test_an_address_is_verified_before_the_first_product(
    visitor: httpx.AsyncClient, opened: Application
) -> None:
    owner = await registered(visitor)
    me = await owner.ok("GET", "/api/auth/me")
    assert (me["email"], me["emailVerified"], me["isSystemAdmin"]) == (
        "new@example.com",
        False,
        False,
    )
    assert me["memberships"][0]["role"] == "Owner"
    refused = await owner.send("POST", "/api/products", PRODUCT)
    assert (refused.status_code, refused.json()["errorCode"]) == (403, "Forbidden")
    assert "Verify your email address" in refused.json()["detail"]
    token = await mailed_token(opened.platform, owner.email)
    verified = await visitor.post("/api/auth/verify-email", json={"token": token})
    assert (verified.status_code, verified.content) == (204, b"")
    assert (await owner.ok("GET", "/api/auth/me"))["emailVerified"] is True
    await owner.ok("POST", "/api/products", PRODUCT)
    again = await visitor.post("/api/auth/verify-email", json={"token": token})
    assert (again.status_code, again.json()["errorCode"]) == (401, "Unauthorized")
    assert [kind for kind, _ in await recorded(opened.platform, owner)] == [
        "user.registered",
        "user.email_verified",
    ]
    log = await owner.ok("GET", f"/api/institutions/{owner.institution_id}/audit?sort=occurredAt")
    first = log["items"][0]
    assert (first["kind"], first["actorId"]) == ("institution.created", owner.user_id)
    assert first["changes"] == {"name": [None, "New Institution"]}


async def test_the_user_of_an_address_regains_the_account(
    visitor: httpx.AsyncClient, opened: Application
) -> None:
    """An attacker who signed up with it cannot lock its user out."""
    squatter = await registered(visitor)
    refused = await squatter.send("POST", "/api/auth/totp")
    assert (refused.status_code, refused.json()["errorCode"]) == (403, "Forbidden")
    await visitor.post("/api/auth/password-reset", json={"email": squatter.email})
    token = await mailed_token(opened.platform, squatter.email)
    reset = {"token": token, "password": "the password of the owner"}
    answer = await visitor.post("/api/auth/password-reset/confirm", json=reset)
    assert answer.status_code == 204
    assert not await is_signed_in(squatter)
    session = (await login(visitor, squatter.email, reset["password"])).json()
    assert session["user"]["emailVerified"] is True


async def test_the_verification_email_is_sent_again(
    visitor: httpx.AsyncClient, opened: Application, clock: FakeClock
) -> None:
    owner = await registered(visitor)
    first = await mailed_token(opened.platform, owner.email)
    path = "/api/auth/verify-email/resend"
    answers = [await owner.send("POST", path) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [202] * 5 + [429]
    assert not answers[0].content
    assert len(await emails_to(opened.platform, owner.email)) == 6
    clock.advance(days=7, seconds=-1)
    verified = await visitor.post("/api/auth/verify-email", json={"token": first})
    assert verified.status_code == 204
    other = await mailed_token(opened.platform, owner.email)
    assert (await visitor.post("/api/auth/verify-email", json={"token": other})).status_code == 401
    await owner.sign_in()
    assert (await owner.send("POST", path)).status_code == 409


async def test_a_verification_token_is_valid_for_a_week(
    visitor: httpx.AsyncClient, opened: Application, clock: FakeClock
) -> None:
    owner = await registered(visitor)
    token = await mailed_token(opened.platform, owner.email)
    clock.advance(days=7)
    assert (await visitor.post("/api/auth/verify-email", json={"token": token})).status_code == 401
    reset = {"token": token, "password": "another horse battery"}
    answer = await visitor.post("/api/auth/password-reset/confirm", json=reset)
    assert answer.status_code == 401


async def test_sign_up_with_taken_address_gets_the_same_response(
    visitor: httpx.AsyncClient, opened: Application, fast_passwords: FastPasswords
) -> None:
    fast_passwords.runs = 0
    fresh = await visitor.post(PATH, json=body("fresh@example.com"))
    assert fast_passwords.runs == 1
    taken = await visitor.post(PATH, json=body(ADMIN.upper()))
    assert fast_passwords.runs == 2
    visitor.cookies.clear()

    def shape(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: shape(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [shape(inner) for inner in value]
        return (type(value), len(value)) if isinstance(value, str) and len(value) > 30 else value

    told = [answer.json() for answer in (fresh, taken)]
    assert told[1]["user"].pop("email") == ADMIN
    assert told[0]["user"].pop("email") == "fresh@example.com"
    assert shape(told[0]) == shape(told[1])
    assert fresh.status_code == taken.status_code == 201
    assert [name for name, _ in fresh.headers.raw] == [name for name, _ in taken.headers.raw]
    assert len(fresh.headers["set-cookie"]) == len(taken.headers["set-cookie"])

    # The returned session is not valid, and the user is told.
    headers = {"authorization": f"Bearer {told[1]['accessToken']}"}
    assert (await visitor.get("/api/auth/me", headers=headers)).status_code == 401
    cookie = {"cookie": taken.headers["set-cookie"].partition(";")[0]}
    assert (await visitor.post("/api/auth/refresh", headers=cookie)).status_code == 401
    [email_sent] = await emails_to(opened.platform, ADMIN)
    assert email_sent.subject == "You already have a Licet account"
    assert (await login(visitor, ADMIN)).json()["user"]["fullName"] == "Admin"


async def test_of_concurrent_registrations_one_creates_an_account(
    visitor: httpx.AsyncClient, opened: Application
) -> None:
    answers = await asyncio.gather(
        *(visitor.post(PATH, json=body("race@example.com")) for _ in range(5))
    )
    assert [answer.status_code for answer in answers] == [201] * 5
    alive = [
        await visitor.get(
            "/api/auth/me", headers={"authorization": f"Bearer {answer.json()['accessToken']}"}
        )
        for answer in answers
    ]
    assert sorted(answer.status_code for answer in alive) == [200] + [401] * 4
    subjects = [
        email_sent.subject for email_sent in await emails_to(opened.platform, "race@example.com")
    ]
    assert len(subjects) == 5
    assert len([subject for subject in subjects if subject.startswith("Verify")]) == 1


async def test_registrations_are_limited(
    visitor: httpx.AsyncClient, opened: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("licet_server.identity.service.throttling.EMAILS_PER_HOUR_AND_ADDRESS", 20)
    one = [await visitor.post(PATH, json=body("one@example.com")) for _ in range(6)]
    assert [answer.status_code for answer in one] == [201] * 5 + [429]
    many = [await visitor.post(PATH, json=body(f"n{number}@example.com")) for number in range(15)]
    assert [answer.status_code for answer in many] == [201] * 14 + [429]
    async with elsewhere(opened, "192.0.2.9") as client:
        assert (await client.post(PATH, json=body("one@example.com"))).status_code == 429
        assert (await client.post(PATH, json=body("two@example.com"))).status_code == 201


async def test_bad_registrations_are_refused(
    visitor: httpx.AsyncClient, opened: Application
) -> None:
    before = await everything_stored(opened.platform)
    long = "x" * 10_000
    answer = await visitor.post(
        PATH,
        json=body(long, password=long, fullName=long, institutionName=long, isSystemAdmin=True),
    )
    assert answer.status_code == 400
    fields = {error["field"] for error in answer.json()["errors"]}
    assert fields == {"email", "password", "fullName", "institutionName", "isSystemAdmin"}
    for email in ("nobody", "a@b@c.example", "a b@example.com", "a@example.com\nBcc: x@y.z", "@"):
        answer = await visitor.post(PATH, json=body(email))
        assert [error["field"] for error in answer.json()["errors"]] == ["email"], email
    assert await everything_stored(opened.platform) == before


async def test_the_outbox_is_for_system_admins(
    visitor: httpx.AsyncClient, opened: Application
) -> None:
    owner = await registered(visitor)
    assert (await owner.send("GET", "/api/mails")).json()["errorCode"] == "Forbidden"
    assert (await visitor.get("/api/mails")).status_code == 401
    await visitor.post("/api/auth/password-reset", json={"email": ADMIN})
    await mailed_token(opened.platform, ADMIN)
    session = (await login(visitor, ADMIN)).json()
    headers = {"authorization": f"Bearer {session['accessToken']}"}
    listed = (await visitor.get("/api/mails?pageSize=1", headers=headers)).json()
    assert (listed["totalCount"], listed["pageSize"]) == (2, 1)
    [newest] = listed["items"]
    assert set(newest) == {"id", "recipient", "subject", "text", "status", "createdAt", "sentAt"}
    assert (newest["recipient"], newest["status"], newest["sentAt"]) == (ADMIN, "Waiting", None)
    assert "/reset-password?token=" in newest["text"]
