"""Members who come through their provider: accounts, roles, what the session reaches, its end."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import httpx
import pytest
from catalog.factories import join
from identity.people import emails_to, enable_totp, login, mailed_token
from sqlalchemy import text
from sso.company import Company, begin, browser, finish, member, outcome, refreshed, sign_in
from testkit import PASSWORD, FakeClock, Owner

from licet_server.app import Application
from licet_server.identity.rules.memberships import Role
from licet_server.identity.service.users import create_user
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform


async def role_of(company: Company, email: str) -> str | None:
    path = f"/api/institutions/{company.owner.institution_id}/members"
    items = (await company.owner.ok("GET", path))["items"]
    return next((item["role"] for item in items if item["email"] == email), None)


async def move_to(platform: Platform, user: Owner, email: str) -> None:
    """Give the person an address in the company."""
    user.email = email
    async with platform.database.transaction() as db:
        statement = text("UPDATE users SET email = :email WHERE id = :id")
        await db.execute(statement, {"email": email, "id": UUID(user.user_id)})


async def test_new_user_of_provider_becomes_a_member(
    company: Company, application: Application, platform: Platform
) -> None:
    email = company.employ("ada")
    async with browser(application) as client:
        sent = await begin(client, email)
        assert sent["code_challenge_method"] == "S256"
        assert sent["response_type"] == "code"
        assert sent["login_hint"] == email
        assert sent["redirect_uri"].endswith("/api/auth/sso/callback")
        answer = await finish(client, company.idp, sent)
        user = await member(client, answer)
        me = await user.ok("GET", "/api/auth/me")
        assert me["fullName"] == "Ada"
        assert me["emailVerified"] is False, "only a mailed token verifies an address"
        assert [item["role"] for item in me["memberships"]] == ["Viewer"]
        assert (await user.send("GET", "/api/products")).status_code == 200
        token = await mailed_token(platform, email)
        body = {"token": token}
        assert (await client.post("/api/auth/verify-email", json=body)).status_code == 204
    [exchange] = [form for path, _, form in company.idp.asked if form.get("code")]
    assert len(exchange["code_verifier"]) >= 43
    [sent_headers] = [
        headers for path, headers, form in company.idp.asked if form.get("code") == "a-code"
    ]
    assert sent_headers["authorization"].startswith("Basic ")


async def test_existing_account_is_kept(
    company: Company, application: Application, new_owner: Callable[..., Any], platform: Platform
) -> None:
    other = await new_owner("Other")
    await move_to(platform, other, f"other@{company.domain}")
    company.idp.user = {"sub": "x", "email": other.email.upper()}
    async with browser(application) as client:
        user = await member(client, await sign_in(client, company.idp, other.email))
        assert user.user_id == other.user_id
        closed = {
            item["institutionId"]: item["closed"]
            for item in (await user.ok("GET", "/api/auth/me"))["memberships"]
        }
        assert closed == {company.owner.institution_id: None}
        # What this provider vouches for counts in its own institution only.
        theirs = await user.send("GET", f"/api/institutions/{other.institution_id}")
        assert outcome(theirs) == (403, "Forbidden")
        assert theirs.json()["requires"] == "OtherProvider"
        assert (await user.send("GET", company.path.removesuffix("/sso"))).status_code == 200
    assert (await login(other.client, other.email)).status_code == 200


async def test_session_through_provider_is_no_system_admin(
    company: Company, application: Application
) -> None:
    email = f"root@{company.domain}"
    await move_to(application.platform, company.admin, email)
    company.idp.user = {"sub": "x", "email": email}
    async with browser(application) as client:
        user = await member(client, await sign_in(client, company.idp, email))
        assert outcome(await user.send("GET", "/api/users")) == (403, "Forbidden")
        assert (await user.ok("GET", "/api/auth/me"))["isSystemAdmin"] is False


async def test_unverified_account_is_taken_over_by_user_of_provider(
    company: Company, application: Application, platform: Platform, fast_passwords: Passwords
) -> None:
    email = company.employ("ada")
    async with platform.unit_of_work(Origin()) as work:
        squatted = await create_user(
            work,
            email=email,
            full_name="Squatter",
            password_hash=await fast_passwords.hash(PASSWORD),
            is_system_admin=False,
            verified=False,
        )
    async with browser(application) as squatter, browser(application) as client:
        session = (await login(squatter, email)).json()
        old = Owner(squatter, session["accessToken"], "", session["user"]["id"], email)
        user = await member(client, await sign_in(client, company.idp, email))
        assert user.user_id == str(squatted.id)
        assert outcome(await old.send("GET", "/api/auth/me")) == (401, "Unauthorized")
        assert outcome(await login(squatter, email)) == (401, "InvalidCredentials")


@pytest.mark.parametrize(
    ("groups", "role"),
    [
        (["staff"], "Viewer"),
        (["staff", "devs"], "Member"),
        (["devs", "admins"], "Admin"),
        ("admins", "Admin"),
        ([], None),
        (["unknown", 5, None], None),
        (None, None),
    ],
)
async def test_roles_come_from_a_claim(
    company: Company, application: Application, groups: Any, role: str | None
) -> None:
    await company.connect(
        defaultRole=None,
        roleClaim="realm_access.roles",
        roleMap={"staff": "Viewer", "devs": "Member", "admins": "Admin"},
    )
    email = company.employ("ada", realm_access={"roles": groups})
    async with browser(application) as client:
        answer = await sign_in(client, company.idp, email)
        assert outcome(answer)[0] == (403 if role is None else 302)
        assert await role_of(company, email) == role


async def test_a_role_follows_its_claim_and_owners_keep_theirs(
    company: Company, application: Application
) -> None:
    await company.connect(roleClaim="groups", roleMap={"admins": "Admin"})
    email = company.employ("ada", groups=["admins"])
    async with browser(application) as client:
        answer = await sign_in(client, company.idp, email)
        assert await role_of(company, email) == "Admin"
        company.employ("ada", groups=[])
        assert (await refreshed(client, answer)).status_code == 200
        assert await role_of(company, email) == "Viewer"
        members = f"/api/institutions/{company.owner.institution_id}/members"
        found = (await company.owner.ok("GET", members))["items"]
        [ada] = [item for item in found if item["email"] == email]
        await company.owner.ok("PUT", f"{members}/{ada['userId']}", {"role": "Owner"})
        await sign_in(client, company.idp, email)
        assert await role_of(company, email) == "Owner"


async def test_account_is_linked_to_one_user_of_the_provider(
    company: Company, application: Application
) -> None:
    email = company.employ("ada")
    async with browser(application) as client:
        await sign_in(client, company.idp, email)
        company.employ("ada", sub="another person with her old address")
        answer = await sign_in(client, company.idp, email)
        assert outcome(answer) == (403, "Forbidden")
        assert answer.json()["reason"] == "linked"


async def test_disabled_account_cannot_sign_in_through_provider(
    company: Company, application: Application
) -> None:
    email = company.employ("ada")
    async with browser(application) as client:
        user = await member(client, await sign_in(client, company.idp, email))
        await company.admin.ok("PUT", f"/api/users/{user.user_id}", {"disabled": True})
        assert outcome(await sign_in(client, company.idp, email)) == (403, "Forbidden")


async def test_enforced_provider_refuses_passwords_of_members(
    company: Company,
    application: Application,
    new_owner: Callable[..., Any],
    platform: Platform,
    clock: FakeClock,
) -> None:
    people = {role: await new_owner(role) for role in ("Admin", "Member", "Viewer")}
    for role, user in people.items():
        await join(platform, company.owner, user, Role(role))
        async with platform.database.transaction() as db:
            await db.execute(
                text("DELETE FROM memberships WHERE institution_id = :id"),
                {"id": UUID(user.institution_id)},
            )
    place = company.path.removesuffix("/sso")
    assert (await people["Viewer"].send("GET", place)).status_code == 200
    assert (await company.connect(enforced=True))["active"] is True
    for user in people.values():
        # Sessions that were open before do not reach it any more, either.
        assert outcome(await user.send("GET", place)) == (403, "SsoRequired")
        assert outcome(await user.send("GET", "/api/products")) == (403, "SsoRequired")
        assert outcome(await login(user.client, user.email)) == (403, "SsoRequired")
        wrong = await login(user.client, user.email, "wrong password")
        assert outcome(wrong) == (401, "InvalidCredentials")
    # Owners have one way in that works while the provider is away: password and second factor.
    closed = await company.owner.send("GET", place)
    assert outcome(closed) == (403, "Forbidden")
    assert closed.json()["requires"] == "SecondFactor"
    assert (await login(company.owner.client, company.owner.email)).status_code == 200
    await enable_totp(company.owner, clock)
    assert (await company.owner.send("GET", place)).status_code == 200
    await company.owner.ok("PUT", company.path, {"enforced": False})
    for user in people.values():
        assert (await login(user.client, user.email)).status_code == 200


async def test_invitation_with_password_does_not_bypass_step_up(
    company: Company, client: httpx.AsyncClient, clock: FakeClock
) -> None:
    place = company.path.removesuffix("/sso")
    invited = await company.owner.ok(
        "POST", f"{place}/invitations", {"email": f"bob@{company.domain}", "role": "Admin"}
    )
    await company.connect(enforced=True)
    body = {
        "token": invited["acceptUrl"].partition("token=")[2],
        "password": PASSWORD,
        "fullName": "Bob",
    }
    answer = await client.post("/api/auth/accept-invitation", json=body)
    assert outcome(answer) == (403, "SsoRequired")


async def test_member_of_several_institutions_has_access_to_the_others(
    company: Company, new_owner: Callable[..., Any], platform: Platform
) -> None:
    both = await new_owner("Both")
    await join(platform, company.owner, both, Role("Viewer"))
    await company.connect(enforced=True)
    session = (await login(both.client, both.email)).raise_for_status().json()
    closed = {item["role"]: item["closed"] for item in session["user"]["memberships"]}
    assert closed == {"Owner": None, "Viewer": "SingleSignOn"}
    place = company.path.removesuffix("/sso")
    assert outcome(await both.send("GET", place)) == (403, "SsoRequired")
    mine = f"/api/institutions/{both.institution_id}"
    assert (await both.send("GET", mine)).status_code == 200


async def test_user_whom_provider_no_longer_admits_loses_access_at_next_refresh(
    company: Company, application: Application
) -> None:
    email = company.employ("ada")
    async with browser(application) as client:
        answer = await sign_in(client, company.idp, email)
        user = await member(client, answer)
        cookie = await refreshed(client, answer)
        assert cookie.status_code == 200, "still admitted"
        company.idp.refused = "invalid_grant"
        assert outcome(await refreshed(client, cookie)) == (401, "Unauthorized")
        assert outcome(await user.send("GET", "/api/auth/me")) == (401, "Unauthorized")


@pytest.mark.parametrize("missing", ["no refresh token", "disconnected", "domain given up"])
async def test_session_without_refresh_token_ends_at_next_refresh(
    company: Company, application: Application, missing: str
) -> None:
    email = company.employ("ada")
    if missing == "no refresh token":
        company.idp.token["refresh_token"] = ...
    async with browser(application) as client:
        answer = await sign_in(client, company.idp, email)
        if missing == "disconnected":
            assert (await company.owner.send("DELETE", company.path)).status_code == 204
        if missing == "domain given up":
            await company.connect(domains=["other.example"])
        assert outcome(await refreshed(client, answer)) == (401, "Unauthorized")


async def test_unavailable_provider_ends_sessions_after_4_hours(
    company: Company, application: Application, clock: FakeClock
) -> None:
    email = company.employ("ada")
    async with browser(application) as client:
        answer = await sign_in(client, company.idp, email)
        company.idp.answers["/token"] = b"HTTP/1.1 503 X\r\nContent-Length: 2\r\n\r\n{}"
        for _ in range(3):
            clock.advance(hours=1)
            answer = await refreshed(client, answer)
            assert answer.status_code == 200
        clock.advance(minutes=59)
        company.idp.answers.clear()
        answer = await refreshed(client, answer)
        assert answer.status_code == 200, "it is back, and the time begins anew"
        company.idp.refused = "invalid_client"
        clock.advance(hours=3)
        answer = await refreshed(client, answer)
        assert answer.status_code == 200, "our secret is wrong: nothing about the person"
        clock.advance(hours=1)
        assert outcome(await refreshed(client, answer)) == (401, "Unauthorized")


async def test_a_client_secret_that_no_master_key_opens_is_a_refusal_with_a_sentence(
    company: Company, application: Application, platform: Platform
) -> None:
    email = company.employ("ada")
    async with platform.database.transaction() as db:
        lost = text("UPDATE sso_connections SET client_secret = '\\x01' WHERE institution_id = :id")
        await db.execute(lost, {"id": company.owner.institution_id})
    async with browser(application) as client:
        answer = await sign_in(client, company.idp, email)
    assert outcome(answer) == (409, "Conflict")
    assert (answer.json()["reason"], "save the connection" in answer.json()["detail"]) == (
        "secret",
        True,
    )
    checked = await company.owner.ok("POST", f"{company.path}/check")
    assert checked == {"usable": False, "problem": "secret"}
    await company.owner.ok("DELETE", company.path)  # no master key can be rotated with it


async def test_refresh_for_another_user_ends_the_session(
    company: Company, application: Application
) -> None:
    email = company.employ("ada")
    async with browser(application) as client:
        answer = await sign_in(client, company.idp, email)
        company.employ("bob")
        assert outcome(await refreshed(client, answer)) == (401, "Unauthorized")


async def test_a_sign_in_at_the_provider_counts_as_a_step_up_unless_there_are_factors(
    company: Company, application: Application, clock: FakeClock, platform: Platform
) -> None:
    email = company.employ("ada")
    async with browser(application) as client:
        user = await member(client, await sign_in(client, company.idp, email))
        token = await mailed_token(platform, email)
        await client.post("/api/auth/verify-email", json={"token": token})
        assert (await user.send("POST", "/api/auth/totp")).status_code == 200
        company.idp.claims["auth_time"] = int(clock().timestamp()) - 901
        user = await member(client, await sign_in(client, company.idp, email))
        refused = await user.send("POST", "/api/auth/totp")
        assert outcome(refused) == (403, "StepUpRequired"), "the provider saw them long ago"
        assert refused.json()["methods"] == ["Provider"]
        company.idp.claims.clear()
        sent = await begin(client, email, again="true")
        assert (sent["prompt"], sent["max_age"]) == ("login", "0")
        user = await member(client, await finish(client, company.idp, sent))
        await enable_totp(user, clock)
        user = await member(client, await sign_in(client, company.idp, email))
        refused = await user.send("POST", "/api/auth/passkeys/options")
        assert outcome(refused) == (403, "StepUpRequired"), "they have a factor of their own"
        assert refused.json()["methods"] == ["Otp"]


async def test_no_provider_for_an_unknown_or_unconfirmed_domain(
    unconnected: Company, application: Application
) -> None:
    await unconnected.connect()
    async with browser(application) as client:
        for email in (f"ada@{unconnected.domain}", "ada@unknown.example", "no address"):
            answer = await client.get("/api/auth/sso/start", params={"email": email})
            assert outcome(answer) == (404, "NotFound")
        page = await client.get(
            "/api/auth/sso/start",
            params={"email": "ada@unknown.example"},
            headers={"accept": "text/html,*/*"},
        )
        assert page.headers["location"] == "/login?sso=NotFound"
        for number in range(40):
            answer = await client.get(
                "/api/auth/sso/start", params={"email": f"{number}@unknown.example"}
            )
        assert outcome(answer) == (429, "RateLimited")
    assert not await emails_to(application.platform, "ada@unknown.example")
