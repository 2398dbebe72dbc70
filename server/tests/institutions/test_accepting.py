"""Accepting an invitation: by whom, with which token, and only once."""

import base64
from uuid import UUID

import httpx
import pytest
from catalog.factories import make_product
from identity.people import elsewhere, emails_to, enable_totp, login, mailed_token
from institutions.members import (
    ACCEPT,
    CONFLICT,
    FORBIDDEN,
    NOWHERE,
    UNAUTHORIZED,
    NewOwner,
    accept,
    all_rows,
    both_tokens,
    events_of,
    fields,
    fresh,
    invitations_path,
    invite,
    link_token,
    member,
    outcome,
    profile,
    roles,
)
from sqlalchemy import text
from testkit import PASSWORD, FakeClock, Owner

from licet_server.app import Application
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.rules.members import institution_of_invitation
from licet_server.institutions.storage.members import insert_membership
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform

LOOK = "/api/auth/invitation"


@pytest.mark.specification("institutions.members")
async def test_a_new_user_joins_and_is_signed_in(
    owner: Owner, visitor: httpx.AsyncClient, platform: Platform
) -> None:
    product, email = await make_product(owner), fresh()
    mailed, _ = await both_tokens(platform, owner, email, role="Member", productIds=[product["id"]])
    answer = await accept(visitor, mailed, fullName="Ada Lovelace")
    assert answer.status_code == 201, answer.text
    session = answer.json()
    assert (session["tokenType"], session["expiresIn"]) == ("Bearer", 900)
    user = session["user"]
    assert (user["email"], user["fullName"], user["emailVerified"]) == (email, "Ada Lovelace", True)
    assert not user["isSystemAdmin"]
    [held] = user["memberships"]
    assert (held["institutionId"], held["role"]) == (owner.institution_id, "Member")
    headers = {"authorization": f"Bearer {session['accessToken']}"}
    me = (await visitor.get("/api/auth/me", headers=headers)).json()
    assert me == {**user, "recoveryCodesLeft": None}
    assert (await visitor.get("/api/products", headers=headers)).json()["totalCount"] == 1
    assert (await visitor.post("/api/auth/refresh")).json()["user"] == user
    assert (await login(visitor, email.upper())).json()["user"] == user
    found = await member(owner, Owner(visitor, "", "", user["id"], email))
    assert (found["role"], found["productIds"]) == ("Member", [product["id"]])
    [event] = await events_of(platform, user["id"])
    assert (event["kind"], event["actor_kind"]) == ("member.joined", "User")
    assert (event["actor_id"], event["actor_name"]) == (user["id"], email)
    assert event["changes"]["role"] == [None, "Member"]
    assert mailed not in str(await all_rows(platform))
    # One email: the emailed token proved the address.
    assert len(await emails_to(platform, email)) == 1


async def test_a_link_does_not_verify_the_address(
    owner: Owner, visitor: httpx.AsyncClient, platform: Platform
) -> None:
    email = fresh()
    _, link = await both_tokens(platform, owner, email, role="Admin")
    session = (await accept(visitor, link)).json()
    assert session["user"]["emailVerified"] is False
    headers = {"authorization": f"Bearer {session['accessToken']}"}
    assert outcome(await visitor.post("/api/auth/totp", headers=headers)) == FORBIDDEN
    # The verification email does.
    token = await _verification(platform, email)
    verified = await visitor.post("/api/auth/verify-email", json={"token": token})
    assert verified.status_code == 204
    assert (await visitor.post("/api/auth/totp", headers=headers)).is_success


async def test_an_owner_with_a_verified_address_is_accountable_for_members(
    owner: Owner, visitor: httpx.AsyncClient, platform: Platform
) -> None:
    email = fresh()
    _, link = await both_tokens(platform, owner, email, role="Admin")
    session = (await accept(visitor, link)).json()
    headers = {"authorization": f"Bearer {session['accessToken']}"}
    product = {"name": "Mine", "initialVersion": "1", "institutionId": owner.institution_id}
    answer = await visitor.post("/api/products", json=product, headers=headers)
    assert answer.status_code == 201
    body = {"email": fresh(), "role": "Viewer"}
    invited = await visitor.post(invitations_path(owner), json=body, headers=headers)
    assert invited.status_code == 201
    async with platform.database.transaction() as db:
        await db.execute(
            text("UPDATE users SET email_verified_at = NULL WHERE id = :id"), {"id": owner.user_id}
        )
    product = {**product, "name": "Another"}
    answer = await visitor.post("/api/products", json=product, headers=headers)
    assert outcome(answer) == FORBIDDEN
    other = await visitor.post(
        invitations_path(owner), json={**body, "email": fresh()}, headers=headers
    )
    assert outcome(other) == FORBIDDEN


async def _verification(platform: Platform, email: str) -> str:
    [text_] = [
        email_sent.text or ""
        for email_sent in await emails_to(platform, email)
        if email_sent.subject.startswith("Verify")
    ]
    return text_.partition("verify-email?token=")[2].split()[0]


async def test_a_new_account_needs_a_password_and_a_name(
    owner: Owner, visitor: httpx.AsyncClient, platform: Platform
) -> None:
    tokens = await both_tokens(platform, owner, fresh())
    before = await all_rows(platform)
    for token in tokens:
        for sent, named in (
            ({"token": token}, ["password", "fullName"]),
            ({"token": token, "password": PASSWORD}, ["fullName"]),
            ({"token": token, "fullName": "Ada"}, ["password"]),
            ({**profile(token), "password": "short"}, ["password"]),
            ({**profile(token), "fullName": "  "}, ["fullName"]),
            ({**profile(token), "fullName": "x" * 201}, ["fullName"]),
            ({**profile(token), "role": "Owner"}, ["role"]),
            ({**profile(token), "email": "b@example.com"}, ["email"]),
            ({"token": ""}, ["token"]),
            ({"token": 7}, ["token"]),
            ({}, ["token"]),
        ):
            assert fields(await visitor.post(ACCEPT, json=sent)) == named, sent
    assert await all_rows(platform) == before


@pytest.mark.parametrize("by_mail", [True, False])
@pytest.mark.parametrize("was_verified", [True, False])
async def test_an_existing_account_accepts_when_signed_in(
    owner: Owner, new_owner: NewOwner, platform: Platform, by_mail: bool, was_verified: bool
) -> None:
    invitee = await new_owner("Ada")
    if not was_verified:
        async with platform.database.transaction() as db:
            await db.execute(
                text("UPDATE users SET email_verified_at = NULL WHERE id = :id"),
                {"id": invitee.user_id},
            )
    mailed, link = await both_tokens(platform, owner, invitee.email.upper(), role="Viewer")
    token = mailed if by_mail else link
    answer = await invitee.send("POST", ACCEPT, {"token": token})
    assert answer.status_code == 200, answer.text
    assert "set-cookie" not in answer.headers
    session = answer.json()
    user = session["user"]
    assert user["emailVerified"] is (was_verified or by_mail)
    assert {held["role"] for held in user["memberships"]} == {"Owner", "Viewer"}
    headers = {"authorization": f"Bearer {session['accessToken']}"}
    me = (await invitee.client.get("/api/auth/me", headers=headers)).json()
    assert me == {**user, "recoveryCodesLeft": None}
    # The session is the one that existed before.
    listed = await invitee.ok("GET", "/api/auth/sessions")
    assert [item["current"] for item in listed["items"]] == [True]
    await invitee.ok("DELETE", "/api/auth/sessions")
    assert (await invitee.client.get("/api/auth/me", headers=headers)).status_code == 401
    kinds = [event["kind"] for event in await events_of(platform, invitee.user_id)]
    joined = [kind for kind in kinds if kind != "user.all_sessions_ended"]
    verified = ["user.email_verified"] * (2 if by_mail and not was_verified else 0)
    assert sorted(joined) == ["member.joined", *verified]


async def test_accepting_does_not_bypass_the_second_factor(
    owner: Owner, new_owner: NewOwner, visitor: httpx.AsyncClient, clock: FakeClock
) -> None:
    invitee = await new_owner()
    await enable_totp(invitee, clock)
    made = await invite(owner, invitee.email)
    answer = await accept(visitor, link_token(made), password="another horse battery")
    assert outcome(answer) == UNAUTHORIZED
    await invitee.ok("POST", ACCEPT, {"token": link_token(made)})
    joined = await member(owner, invitee)
    assert joined["totpEnabled"] is joined["hasSecondFactor"] is True
    assert outcome(await login(visitor, invitee.email)) == (401, "OtpRequired")


async def test_only_the_user_of_the_account_accepts(
    owner: Owner,
    stranger: Owner,
    new_owner: NewOwner,
    visitor: httpx.AsyncClient,
    platform: Platform,
) -> None:
    invitee = await new_owner("Ada")
    body = {"name": "CI", "scopes": ["Products.Read"]}
    key = (await invitee.ok("POST", "/api/api-keys", body))["secret"]
    by_key = {"authorization": f"Bearer {key}"}
    assert (await visitor.get("/api/products", headers=by_key)).status_code == 200
    of_account = await both_tokens(platform, owner, invitee.email, role="Owner")
    of_nobody = await both_tokens(platform, owner, fresh("nobody"), role="Owner")
    before = await all_rows(platform)
    for token in (*of_account, *of_nobody):
        for who in (stranger, owner):
            answer = await who.send("POST", ACCEPT, profile(token))
            assert outcome(answer) == FORBIDDEN
            assert "@" not in answer.text
        answer = await visitor.post(ACCEPT, json=profile(token), headers=by_key)
        assert outcome(answer) == FORBIDDEN
    for token in of_account:
        for sent in (profile(token), {"token": token}):
            answer = await visitor.post(ACCEPT, json=sent)
            assert outcome(answer) == UNAUTHORIZED
            assert "Sign in to it to accept" in answer.json()["detail"]
            assert invitee.email not in answer.text
    assert await all_rows(platform) == before
    assert invitee.user_id not in await roles(owner)


async def test_a_token_shows_its_invitation(
    owner: Owner, new_owner: NewOwner, visitor: httpx.AsyncClient, platform: Platform
) -> None:
    invitee, email = await new_owner("Ada"), fresh("newcomer")
    institution = await owner.ok("GET", f"/api/institutions/{owner.institution_id}")
    of_account = await both_tokens(platform, owner, invitee.email, role="Viewer")
    of_nobody = await both_tokens(platform, owner, email, role="Admin")
    before = await all_rows(platform)
    for tokens, audited in (
        (of_account, {"role": "Viewer", "hasAccount": True, "email": None}),
        (of_nobody, {"role": "Admin", "hasAccount": False, "email": email}),
    ):
        for token in tokens:
            offer = (await visitor.post(LOOK, json={"token": token})).json()
            assert offer.pop("expiresAt")
            assert offer == {"institutionName": institution["name"], **audited}
    assert await all_rows(platform) == before


async def test_invalid_tokens_are_refused_alike(
    owner: Owner,
    new_owner: NewOwner,
    application: Application,
    platform: Platform,
    clock: FakeClock,
) -> None:
    expired = await both_tokens(platform, owner, fresh())
    clock.advance(days=7)
    await owner.sign_in()
    revoked_email, used_email, resent_email = fresh(), fresh(), fresh()
    revoked = await invite(owner, revoked_email)
    revoked_tokens = [await mailed_token(platform, revoked_email), link_token(revoked)]
    await owner.ok("DELETE", f"{invitations_path(owner)}/{revoked['id']}")
    used = await both_tokens(platform, owner, used_email)
    async with elsewhere(application, "192.0.2.50") as client:
        assert (await accept(client, used[0])).status_code == 201
    resent = await invite(owner, resent_email)
    resent_tokens = [await mailed_token(platform, resent_email), link_token(resent)]
    await owner.ok("POST", f"{invitations_path(owner)}/{resent['id']}/resend")
    good = link_token(await invite(owner, fresh()))
    reset = await new_owner()
    await reset.client.post("/api/auth/password-reset", json={"email": reset.email})
    other_kind = await mailed_token(platform, reset.email)
    dead = [
        *expired,
        *revoked_tokens,
        *used,
        *resent_tokens,
        *_edited(good, owner.institution_id),
        other_kind,
        *UNKNOWN,
    ]
    before = await all_rows(platform)
    answers = set()
    for number, token in enumerate(dead):
        async with elsewhere(application, f"192.0.2.{100 + number}") as client:
            for headers in ({}, reset.headers):
                sent = await client.post(ACCEPT, json=profile(token), headers=headers)
                assert outcome(sent) == UNAUTHORIZED, token
                body = sent.json()
                answers.add((body["detail"], str(body["errors"]), body["title"]))
        async with elsewhere(application, f"192.0.3.{100 + number}") as client:
            sent = await client.post(LOOK, json={"token": token})
            assert outcome(sent) == UNAUTHORIZED, token
            answers.add((sent.json()["detail"], str(sent.json()["errors"]), sent.json()["title"]))
    assert len(answers) == 1
    assert await all_rows(platform) == before
    async with elsewhere(application, "192.0.2.51") as client:
        assert (await accept(client, good)).status_code == 201


UNKNOWN = (
    "x",
    "e30.e30.e30",
    "A" * 64,
    "A" * 63,
    "A" * 65,
    "é" * 64,
    "\u0660" * 64,
    "-" * 64,
    "x" * 1_000,
    "' OR 1=1 --",
)


def _edited(good: str, institution_id: str) -> list[str]:
    raw = base64.urlsafe_b64decode(good)
    assert institution_of_invitation(good) == UUID(institution_id)
    return [
        good[:-1] + ("A" if good[-1] != "A" else "B"),
        ("A" if good[0] != "A" else "B") + good[1:],
        good.swapcase(),
        good + "=",
        f" {good}",
        f"{good}\n",
        base64.urlsafe_b64encode(UUID(NOWHERE).bytes + raw[16:]).decode(),
        base64.urlsafe_b64encode(raw[:16] + bytes(32)).decode(),
        raw.hex(),
    ]


async def test_guessing_is_throttled_and_right_tokens_are_not(
    owner: Owner, visitor: httpx.AsyncClient, application: Application
) -> None:
    good = link_token(await invite(owner, fresh()))
    for _ in range(15):
        assert outcome(await visitor.post(ACCEPT, json={"token": good})) == (400, "InvalidRequest")
        assert (await visitor.post(LOOK, json={"token": good})).status_code == 200
    guesses = [await visitor.post(LOOK, json={"token": "A" * 64}) for _ in range(5)]
    guesses += [await accept(visitor, "A" * 64) for _ in range(6)]
    assert [answer.status_code for answer in guesses] == [401] * 10 + [429]
    assert (await accept(visitor, good)).status_code == 429
    async with elsewhere(application, "192.0.2.52") as client:
        assert (await accept(client, good)).status_code == 201


async def test_an_existing_member_keeps_their_role(
    owner: Owner, new_owner: NewOwner, platform: Platform
) -> None:
    """They joined in another way; the invitation changes nothing and stays open."""
    invitee = await new_owner()
    tokens = await both_tokens(platform, owner, invitee.email, role="Viewer")
    async with platform.unit_of_work(Origin()) as work:
        await insert_membership(
            work.db,
            institution_id=UUID(owner.institution_id),
            user_id=UUID(invitee.user_id),
            role=Role.ADMIN,
            now=work.now,
        )
    before = await all_rows(platform)
    for token in tokens:
        answer = await invitee.send("POST", ACCEPT, {"token": token})
        assert outcome(answer) == CONFLICT
        assert "your role stays" in answer.json()["detail"]
    assert await all_rows(platform) == before
    assert (await roles(owner))[invitee.user_id] == "Admin"
