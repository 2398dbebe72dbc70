"""Setup, sign-in, sessions, through HTTP."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import httpx
import pytest
from testkit import PASSWORD, FakeClock, Owner, client_of

from licet_server.app import Application
from licet_server.identity.service.users import NewAccount, prepare_setup
from licet_server.institutions.service.institutions import create_first_owner
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords

SETUP = {
    "email": "First@Example.com",
    "password": "a long enough one",
    "fullName": "First Owner",
    "institutionName": "First Institution",
}


@pytest.fixture
async def fresh(fresh_application: Application) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(fresh_application) as client:
        yield client


async def setup_token(application: Application) -> str:
    async with application.platform.unit_of_work(Origin()) as work:
        token = await prepare_setup(work)
    assert token is not None
    return token


async def test_setup_creates_the_first_owner(
    fresh: httpx.AsyncClient, fresh_application: Application
) -> None:
    token = await setup_token(fresh_application)
    response = await fresh.post("/api/auth/setup", json={**SETUP, "setupToken": token})
    assert response.status_code == 201
    session = response.json()
    assert session["tokenType"] == "Bearer"
    assert session["expiresIn"] == 900
    assert session["user"]["email"] == "first@example.com"
    assert session["user"]["emailVerified"] is True
    assert session["user"]["isSystemAdmin"] is True
    [membership] = session["user"]["memberships"]
    assert (membership["role"], membership["institutionName"]) == ("Owner", "First Institution")
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert "Path=/api/auth" in cookie
    again = await fresh.post("/api/auth/setup", json={**SETUP, "setupToken": token})
    assert again.status_code == 401
    headers = {"authorization": f"Bearer {session['accessToken']}"}
    path = f"/api/institutions/{membership['institutionId']}/audit"
    [entry] = (await fresh.get(path, headers=headers)).json()["items"]
    assert (entry["kind"], entry["changes"]) == (
        "institution.created",
        {"name": [None, "First Institution"]},
    )
    assert entry["subjectId"] == membership["institutionId"]
    assert (entry["actorKind"], entry["actorId"]) == ("User", session["user"]["id"])
    assert (entry["actorName"], entry["ipAddress"]) == ("first@example.com", "203.0.113.9")


async def test_the_first_institution_by_settings_is_created_by_the_system(
    fresh: httpx.AsyncClient, fresh_application: Application, fast_passwords: Passwords
) -> None:
    account = NewAccount(
        email="first@example.com",
        password=PASSWORD,
        full_name="Administrator",
        institution_name="My company",
    )
    async with fresh_application.platform.unit_of_work(Origin()) as work:
        await create_first_owner(work, fast_passwords, account)
    body = {"email": "first@example.com", "password": PASSWORD}
    session = (await fresh.post("/api/auth/login", json=body)).json()
    [membership] = session["user"]["memberships"]
    headers = {"authorization": f"Bearer {session['accessToken']}"}
    path = f"/api/institutions/{membership['institutionId']}/audit"
    [entry] = (await fresh.get(path, headers=headers)).json()["items"]
    assert (entry["kind"], entry["actorKind"]) == ("institution.created", "System")


async def test_of_concurrent_setups_one_wins(
    fresh: httpx.AsyncClient, fresh_application: Application
) -> None:
    token = await setup_token(fresh_application)
    answers = await asyncio.gather(
        *(
            fresh.post(
                "/api/auth/setup",
                json={**SETUP, "email": f"o{n}@example.com", "setupToken": token},
            )
            for n in range(8)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [201] + [401] * 7


async def test_a_restart_invalidates_the_old_setup_token(
    fresh: httpx.AsyncClient, fresh_application: Application
) -> None:
    old = await setup_token(fresh_application)
    new = await setup_token(fresh_application)
    refused = await fresh.post("/api/auth/setup", json={**SETUP, "setupToken": old})
    assert refused.status_code == 401
    accepted = await fresh.post("/api/auth/setup", json={**SETUP, "setupToken": new})
    assert accepted.status_code == 201


async def test_setup_status_says_how_to_get_an_account(
    fresh: httpx.AsyncClient, fresh_application: Application
) -> None:
    before = await fresh.get("/api/auth/setup")
    assert before.json() == {"required": True, "signUp": "Closed", "session": False}
    assert before.headers["cache-control"] == "no-store"
    token = await setup_token(fresh_application)
    (await fresh.post("/api/auth/setup", json={**SETUP, "setupToken": token})).raise_for_status()
    after = await fresh.get("/api/auth/setup")
    assert after.json() == {"required": False, "signUp": "Closed", "session": True}
    (await fresh.post("/api/auth/logout")).raise_for_status()
    left = await fresh.get("/api/auth/setup")
    assert left.json() == {"required": False, "signUp": "Closed", "session": False}


async def test_session_says_only_that_a_cookie_was_sent(client: httpx.AsyncClient) -> None:
    for sent, told in (("licet_refresh=long-gone", True), ("licet_refresh=", False)):
        answer = await client.get("/api/auth/setup", headers={"cookie": sent})
        assert answer.json()["session"] is told
        assert "set-cookie" not in answer.headers


async def test_me_shows_the_signed_in_user(owner: Owner) -> None:
    me = await owner.ok("GET", "/api/auth/me")
    assert me["email"] == owner.email
    assert me["memberships"][0]["institutionId"] == owner.institution_id
    changed = await owner.ok("PUT", "/api/auth/me", {"fullName": "New Name"})
    assert changed["fullName"] == "New Name"


async def test_wrong_password_and_unknown_address_get_the_same_response(owner: Owner) -> None:
    wrong = await owner.client.post(
        "/api/auth/login", json={"email": owner.email, "password": "wrong password"}
    )
    unknown = await owner.client.post(
        "/api/auth/login", json={"email": "nobody@example.com", "password": "wrong password"}
    )
    assert wrong.status_code == unknown.status_code == 401
    assert wrong.json()["errorCode"] == "InvalidCredentials"
    first, second = wrong.json(), unknown.json()
    first.pop("requestId")
    second.pop("requestId")
    assert first == second


async def test_guessing_is_throttled_and_a_right_password_is_not_counted(
    owner: Owner, clock: FakeClock
) -> None:
    right = {"email": owner.email, "password": PASSWORD}
    for _ in range(12):
        assert (await owner.client.post("/api/auth/login", json=right)).status_code == 200
    wrong = {"email": owner.email, "password": "wrong password"}
    statuses = [
        (await owner.client.post("/api/auth/login", json=wrong)).status_code for _ in range(12)
    ]
    assert statuses == [401] * 10 + [429] * 2
    limited = await owner.client.post("/api/auth/login", json=right)
    assert limited.status_code == 429
    assert int(limited.headers["retry-after"]) <= 60
    clock.advance(seconds=60)
    assert (await owner.client.post("/api/auth/login", json=right)).status_code == 200


@pytest.mark.specification("auth.operator")
async def test_access_tokens_expire_after_15_minutes(owner: Owner, clock: FakeClock) -> None:
    clock.advance(seconds=899)
    assert (await owner.send("GET", "/api/auth/me")).status_code == 200
    clock.advance(seconds=1)
    refused = await owner.send("GET", "/api/auth/me")
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == "Bearer"


async def sign_in(owner: Owner) -> str:
    response = await owner.client.post(
        "/api/auth/login", json={"email": owner.email, "password": PASSWORD}
    )
    owner.client.cookies.clear()
    return response.cookies["licet_refresh"]


async def refresh(owner: Owner, token: str) -> httpx.Response:
    owner.client.cookies.clear()
    response = await owner.client.post(
        "/api/auth/refresh", headers={"cookie": f"licet_refresh={token}"}
    )
    owner.client.cookies.clear()
    return response


async def test_refresh_rotates_and_reuse_ends_the_session(owner: Owner, clock: FakeClock) -> None:
    first = await sign_in(owner)
    answer = await refresh(owner, first)
    assert answer.status_code == 200
    second = answer.cookies["licet_refresh"]
    assert second != first
    clock.advance(seconds=10)
    assert (await refresh(owner, first)).status_code == 200  # a second tab, still within grace
    clock.advance(seconds=1)
    assert (await refresh(owner, first)).status_code == 401
    assert (await refresh(owner, second)).status_code == 401  # the whole session has ended
    bearer = {"authorization": f"Bearer {answer.json()['accessToken']}"}
    assert (await owner.client.get("/api/auth/me", headers=bearer)).status_code == 401


async def test_a_session_ends_after_30_days_without_use(owner: Owner, clock: FakeClock) -> None:
    token = await sign_in(owner)
    clock.advance(days=29)
    answer = await refresh(owner, token)
    assert answer.status_code == 200
    clock.now += timedelta(days=30)
    assert (await refresh(owner, answer.cookies["licet_refresh"])).status_code == 401


async def test_sign_out_ends_the_session(owner: Owner) -> None:
    token = await sign_in(owner)
    cookie = {"cookie": f"licet_refresh={token}"}
    assert (await owner.client.post("/api/auth/logout", headers=cookie)).status_code == 204
    assert (await refresh(owner, token)).status_code == 401
    assert (await owner.client.post("/api/auth/logout")).status_code == 204


@pytest.mark.parametrize(
    "credential",
    ["", "Bearer", "Bearer ", "Bearer x.y.z", "Basic dTpw", "Bearer {token}x", "Bearer {cut}"],
)
async def test_malformed_credentials_are_401(owner: Owner, credential: str) -> None:
    value = credential.replace("{token}", owner.token).replace("{cut}", owner.token[:-5])
    answer = await owner.client.get("/api/auth/me", headers={"authorization": value})
    assert answer.status_code == 401
    assert answer.json()["errorCode"] == "Unauthorized"


@pytest.mark.parametrize("header", [{"alg": "none"}, {"alg": "HS256", "typ": "JWT"}])
async def test_forged_tokens_are_401(owner: Owner, header: dict[str, str]) -> None:
    import base64
    import json

    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    claims = owner.token.split(".")[1]
    for signature in ("", owner.token.split(".")[2]):
        forged = f"{part(header)}.{claims}.{signature}"
        answer = await owner.client.get(
            "/api/auth/me", headers={"authorization": f"Bearer {forged}"}
        )
        assert answer.status_code == 401


async def test_attackers_do_not_lock_the_user_out(
    owner: Owner, application: Application, clock: FakeClock
) -> None:
    statuses = []
    for number in range(12):
        async with client_of(application, f"198.51.100.{100 + number}") as thief:
            body = {"email": owner.email, "password": "wrong password"}
            statuses.append((await thief.post("/api/auth/login", json=body)).status_code)
    assert statuses == [401] * 10 + [429] * 2
    right = {"email": owner.email, "password": PASSWORD}
    async with client_of(application, "198.51.100.200") as elsewhere:
        assert (await elsewhere.post("/api/auth/login", json=right)).status_code == 429
    assert (await owner.client.post("/api/auth/login", json=right)).status_code == 200
    clock.advance(days=91)  # the address is no longer known
    body = {"email": owner.email, "password": "wrong password"}
    async with client_of(application, "198.51.100.201") as thief:
        for _ in range(10):
            await thief.post("/api/auth/login", json=body)
    assert (await owner.client.post("/api/auth/login", json=right)).status_code == 429
