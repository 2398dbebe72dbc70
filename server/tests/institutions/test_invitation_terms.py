"""The life of invitations: expired, revoked, resent, accepted, and resealed."""

import asyncio
from pathlib import Path
from typing import Any

from identity.people import emails_to, mailed_token
from institutions.members import (
    ACCEPT,
    CONFLICT,
    NOT_FOUND,
    UNAUTHORIZED,
    NewOwner,
    add_member,
    all_rows,
    events_of,
    fresh,
    invitations_path,
    invite,
    link_token,
    listed,
    outcome,
    profile,
)
from sqlalchemy import text
from testkit import PASSWORD, FakeClock, Owner, client_of, running, settings_for

from licet_server.app import Application
from licet_server.identity.service.users import prepare_setup
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.rotation import rotate_master_key

RATE_LIMITED = (429, "RateLimited")


async def test_an_invitation_expires_and_is_replaced(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    made = await invite(owner, "ada@example.com")
    clock.advance(days=7, seconds=-1)
    await owner.sign_in()
    assert (await listed(owner))[made["id"]]["status"] == "Pending"
    clock.advance(seconds=1)
    expired = (await listed(owner))[made["id"]]
    assert (expired["status"], expired["acceptUrl"]) == ("Expired", None)
    again = await invite(owner, "ada@example.com", "Admin")
    shown = await listed(owner)
    assert shown[made["id"]]["status"] == "Revoked"
    assert shown[again["id"]]["status"] == "Pending"
    assert [event["kind"] for event in await events_of(platform, made["id"])] == [
        "member.invited",
        "invitation.revoked",
    ]
    assert (
        outcome(await owner.send("POST", f"{invitations_path(owner)}/{made['id']}/resend"))
        == CONFLICT
    )


async def test_invitations_are_revoked(
    owner: Owner, new_owner: NewOwner, platform: Platform
) -> None:
    email = fresh()
    made = await invite(owner, email)
    tokens = [link_token(made), await mailed_token(platform, email)]
    one = f"{invitations_path(owner)}/{made['id']}"
    await owner.ok("DELETE", one)
    after = await all_rows(platform)
    await owner.ok("DELETE", one)
    assert outcome(await owner.send("POST", f"{one}/resend")) == CONFLICT
    for token in tokens:
        assert outcome(await owner.client.post(ACCEPT, json=profile(token))) == UNAUTHORIZED
    assert await all_rows(platform) == after
    shown = (await listed(owner))[made["id"]]
    assert (shown["status"], shown["acceptUrl"]) == ("Revoked", None)
    assert (await events_of(platform, made["id"]))[-1]["kind"] == "invitation.revoked"
    assert await _tokens_left(platform, made["id"]) == 0
    user = await new_owner()
    accepted = await invite(owner, user.email)
    await user.ok("POST", ACCEPT, {"token": link_token(accepted)})
    for method, path in (("DELETE", ""), ("POST", "/resend")):
        answer = await owner.send(method, f"{invitations_path(owner)}/{accepted['id']}{path}")
        assert outcome(answer) == CONFLICT
    shown = (await listed(owner))[accepted["id"]]
    assert (shown["status"], shown["acceptUrl"]) == ("Accepted", None)
    assert await _tokens_left(platform, accepted["id"]) == 0


async def _tokens_left(platform: Platform, invitation_id: str) -> int:
    statement = text(
        "SELECT num_nonnulls(mailed_hash, link_hash, link_token) FROM invitations WHERE id = :id"
    )
    async with platform.database.reading() as db:
        return int((await db.execute(statement, {"id": invitation_id})).scalar_one())


async def test_resending_creates_new_tokens_and_a_new_term(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    for days in (1, 8):  # pending, and expired
        email = fresh("resent")
        made = await invite(owner, email, "Viewer")
        old = [link_token(made), await mailed_token(platform, email)]
        clock.advance(days=days)
        await owner.sign_in()
        again = await owner.ok("POST", f"{invitations_path(owner)}/{made['id']}/resend")
        assert (again["id"], again["status"]) == (made["id"], "Pending")
        assert again["expiresAt"] > made["expiresAt"]
        assert again["createdAt"] == made["createdAt"]
        new = [link_token(again), await mailed_token(platform, email)]
        assert len({*old, *new}) == 4
        assert len(await emails_to(platform, email)) == 2
        for token in old:
            assert outcome(await owner.client.post(ACCEPT, json=profile(token))) == UNAUTHORIZED
        event = (await events_of(platform, made["id"]))[-1]
        assert event["kind"] == "invitation.resent"
        assert list(event["changes"]) == ["expiresAt"]
        joined = await owner.client.post(ACCEPT, json=profile(new[days % 2]))
        assert joined.status_code == 201, joined.text


async def test_emails_are_limited(owner: Owner, new_owner: NewOwner, clock: FakeClock) -> None:
    admin = await add_member(owner, await new_owner(), "Admin")
    made = await invite(owner, "first@example.com")
    resend = f"{invitations_path(owner)}/{made['id']}/resend"
    answers = [await owner.send("POST", resend) for _ in range(59)]
    assert [answer.status_code for answer in answers] == [200] * 58 + [429]
    body = {"email": "next@example.com", "role": "Viewer"}
    for who in (owner, admin):  # however many members send them
        answer = await who.send("POST", invitations_path(owner), body)
        assert outcome(answer) == RATE_LIMITED
        assert int(answer.headers["retry-after"]) > 0
    # Outsiders do not use it up, and other institutions have their own limits.
    other = await new_owner()
    assert (await invite(other, "next@example.com"))["status"] == "Pending"
    for _ in range(61):
        assert outcome(await other.send("POST", resend)) == NOT_FOUND
    clock.advance(hours=1)
    await owner.sign_in()
    assert (await owner.send("POST", invitations_path(owner), body)).status_code == 201


async def test_the_link_outlives_the_master_key(
    new_database: Any, tmp_path: Path, clock: FakeClock, fast_passwords: Passwords
) -> None:
    settings = settings_for(new_database(), tmp_path)
    async with running(settings, clock, fast_passwords) as app:
        owner = await _first_owner(app)
        made = await invite(owner, "ada@example.com")
        for _ in range(2):  # after the second rotation the key that sealed it is gone
            await asyncio.to_thread(rotate_master_key, settings, lambda _: None)
        await owner.sign_in()
        assert (await listed(owner))[made["id"]]["acceptUrl"] == made["acceptUrl"]
        joined = await owner.client.post(ACCEPT, json=profile(link_token(made)))
        assert joined.status_code == 201


async def _first_owner(app: Application) -> Owner:
    client = client_of(app)
    async with app.platform.unit_of_work(Origin()) as work:
        token = await prepare_setup(work)
    body = {
        "setupToken": token,
        "email": "owner@example.com",
        "password": PASSWORD,
        "fullName": "Owner",
        "institutionName": "Acme",
    }
    session = (await client.post("/api/auth/setup", json=body)).raise_for_status().json()
    user = session["user"]
    institution_id = user["memberships"][0]["institutionId"]
    return Owner(client, session["accessToken"], institution_id, user["id"], user["email"])
