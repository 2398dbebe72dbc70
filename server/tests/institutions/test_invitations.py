"""Invitations: created, emailed, listed, resent and revoked by Owners and Admins only."""

import asyncio
from typing import Any

import pytest
from catalog.factories import make_product
from identity.people import emails_to, mailed_token
from institutions.members import (
    ACCEPT,
    CONFLICT,
    FORBIDDEN,
    NOT_FOUND,
    NOWHERE,
    NewOwner,
    add_member,
    all_rows,
    at,
    events_of,
    fields,
    fresh,
    invitations_path,
    invite,
    link_token,
    listed,
    member,
    member_path,
    outcome,
    wait_for_lock,
)
from interleaving import lock_nothing, meet_after, pause_after
from sqlalchemy import text
from testkit import FakeClock, Owner

from licet_server.institutions.storage import members as stored
from licet_server.kit.platform import Platform
from licet_server.kit.text import unlinked


async def test_an_invitation_is_emailed_and_has_a_link(owner: Owner, platform: Platform) -> None:
    product, email = await make_product(owner), fresh()
    shouted = f" {email.upper()} "
    made = await invite(owner, shouted, "Member", productIds=[product["id"]] * 2)
    assert {**made, "id": "", "acceptUrl": ""} == {
        "id": "",
        "email": email,
        "role": "Member",
        "productIds": [product["id"]],
        "releaseIds": [],
        "status": "Pending",
        "acceptUrl": "",
        "createdAt": "2030-01-15T12:00:00Z",
        "expiresAt": "2030-01-22T12:00:00Z",
    }
    address = platform.settings.address
    assert made["acceptUrl"] == f"{address}/accept-invitation?token={link_token(made)}"
    assert await listed(owner) == {made["id"]: made}
    [email_sent] = await emails_to(platform, email)
    body = email_sent.text or ""
    assert email_sent.subject == "You are invited to Licet"
    assert f'"Owner" ({owner.email}) invites you' in body
    assert f'"{unlinked(f"Institution of {owner.email}")}"' in body
    assert "seven days" in body
    mailed = await mailed_token(platform, email)
    assert f"{address}/accept-invitation?token={mailed}" in body.splitlines()
    # The token that verifies the address is sent to its user only.
    assert mailed != link_token(made)
    [event] = await events_of(platform, made["id"])
    assert event["kind"] == "member.invited"
    assert event["changes"]["email"] == [None, email]
    assert event["data"]["productIds"] == [product["id"]]
    assert event["actor_id"] == owner.user_id
    kept = str({**await all_rows(platform), "mails": None})
    for token in (mailed, link_token(made)):
        assert token not in kept
        assert token.encode().hex() not in kept


@pytest.mark.parametrize(
    "name",
    [
        "https://evil.example/now",
        "Ada\n\nhttps://evil.example/now\n\n",
        "Ada\r\nBcc: all@example.com\r\n\r\nhttps://evil.example",
        'Ada" (boss@example.com) invites you. "',
        "Ada\u2028https://evil.example\u2028\u202e\u200b\x1b[2J",
        "<a href='https://evil.example'>Ada</a>",
    ],
)
async def test_names_stay_within_their_quotation_marks(
    owner: Owner, platform: Platform, name: str
) -> None:
    await owner.ok("PUT", "/api/auth/me", {"fullName": name})
    await owner.ok("PUT", f"/api/institutions/{owner.institution_id}", {"name": name})
    email = fresh("named")
    await invite(owner, email)
    [email_sent] = await emails_to(platform, email)
    lines = (email_sent.text or "").splitlines()
    quoted = lines[0].split('"')
    assert len(quoted) == 5  # two names, and nothing else in quotation marks
    assert quoted[2] == f" ({owner.email}) invites you to join the institution "
    assert quoted[1] == quoted[3]
    assert quoted[1].isprintable()
    assert [line for line in lines if line.startswith("http")] == [lines[4]]
    assert email_sent.subject == "You are invited to Licet"
    assert "evil" not in "".join(lines[1:])


async def test_only_owners_and_admins_invite(
    owner: Owner, stranger: Owner, new_owner: NewOwner, platform: Platform
) -> None:
    made = await invite(owner, "ada@example.com")
    viewer = await add_member(owner, await new_owner(), "Viewer")
    user = await add_member(owner, await new_owner(), "Member")
    one = f"{invitations_path(owner)}/{made['id']}"
    body = {"email": "b@example.com", "role": "Viewer"}
    before = await all_rows(platform)
    for who, refusal in ((viewer, FORBIDDEN), (user, FORBIDDEN), (stranger, NOT_FOUND)):
        for method, path, sent in (
            ("GET", invitations_path(owner), None),
            ("POST", invitations_path(owner), body),
            ("DELETE", one, None),
            ("POST", f"{one}/resend", None),
        ):
            assert outcome(await who.send(method, path, sent)) == refusal, (method, path)
    for path in (
        f"{invitations_path(owner)}/{NOWHERE}",
        f"{invitations_path(stranger)}/{made['id']}",
    ):
        who = owner if path.startswith(invitations_path(owner)) else stranger
        assert outcome(await who.send("DELETE", path)) == NOT_FOUND
        assert outcome(await who.send("POST", f"{path}/resend")) == NOT_FOUND
    assert await all_rows(platform) == before


async def test_an_admin_cannot_manage_owners(
    owner: Owner, new_owner: NewOwner, platform: Platform
) -> None:
    admin = await add_member(owner, await new_owner(), "Admin")
    of_owner = await invite(owner, "owner@example.com", "Owner")
    await invite(owner, "viewer@example.com")
    before = await all_rows(platform)
    body = {"email": "friend@example.com", "role": "Owner"}
    assert outcome(await admin.send("POST", invitations_path(owner), body)) == FORBIDDEN
    one = f"{invitations_path(owner)}/{of_owner['id']}"
    assert outcome(await admin.send("POST", f"{one}/resend")) == FORBIDDEN
    assert outcome(await admin.send("DELETE", one)) == FORBIDDEN
    assert await all_rows(platform) == before
    here = at(owner, admin)
    links = {item["email"]: item["acceptUrl"] for item in (await listed(here)).values()}
    assert links["owner@example.com"] is None
    assert "token=" in links["viewer@example.com"]
    assert (await listed(owner))[of_owner["id"]]["acceptUrl"] == of_owner["acceptUrl"]
    # An Admin can give the roles up to their own.
    for role in ("Admin", "Member", "Viewer"):
        assert (await invite(here, fresh(), role))["acceptUrl"] is not None


async def test_a_system_admin_invites_like_an_owner(owner: Owner, admin: Owner) -> None:
    here = at(owner, admin)
    assert (await invite(here, "ada@example.com", "Owner"))["acceptUrl"] is not None


async def test_inviting_requires_a_verified_address(owner: Owner, platform: Platform) -> None:
    made = await invite(owner, "ada@example.com")
    async with platform.database.transaction() as db:
        await db.execute(
            text("UPDATE users SET email_verified_at = NULL WHERE id = :id"), {"id": owner.user_id}
        )
    before = await all_rows(platform)
    body = {"email": "b@example.com", "role": "Viewer"}
    for path, sent in (
        (invitations_path(owner), body),
        (f"{invitations_path(owner)}/{made['id']}/resend", None),
    ):
        answer = await owner.send("POST", path, sent)
        assert outcome(answer) == FORBIDDEN
        assert "Verify your email address" in answer.json()["detail"]
    assert await all_rows(platform) == before


async def test_bad_invitations_are_refused(
    owner: Owner, stranger: Owner, platform: Platform
) -> None:
    mine, foreign = await make_product(owner), await make_product(stranger)
    before = await all_rows(platform)
    good = {"email": "ada@example.com", "role": "Member"}
    for changes, named in (
        ({"email": None}, ["email"]),
        ({"email": "nobody"}, ["email"]),
        ({"email": "a@example.com\nBcc: b@example.com"}, ["email"]),
        ({"email": "a@b.example, c@d.example"}, ["email"]),
        ({"email": "x" * 300 + "@example.com"}, ["email"]),
        ({"role": None}, ["role"]),
        ({"role": "owner"}, ["role"]),
        ({"email": "@", "role": "Viewer", "productIds": [mine["id"]]}, ["email", "productIds"]),
        ({"productIds": [mine["id"], foreign["id"]]}, ["productIds[1]"]),
        ({"productIds": [NOWHERE], "releaseIds": [NOWHERE]}, ["productIds[0]", "releaseIds[0]"]),
        ({"productIds": [NOWHERE] * 1_001}, ["productIds"]),
        ({"expiresAt": "2040-01-01T00:00:00Z"}, ["expiresAt"]),
        ({"institutionId": stranger.institution_id}, ["institutionId"]),
    ):
        answer = await owner.send("POST", invitations_path(owner), {**good, **changes})
        assert sorted(fields(answer)) == sorted(named), changes
    assert await all_rows(platform) == before


async def test_an_address_has_one_pending_invitation(
    owner: Owner, stranger: Owner, new_owner: NewOwner, platform: Platform
) -> None:
    await invite(owner, "ada@example.com")
    user = await add_member(owner, await new_owner(), "Viewer")
    before = await all_rows(platform)
    for email, said in (
        ("ADA@example.com", "Resend it"),
        (user.email.upper(), "already a member"),
        (owner.email, "already a member"),
    ):
        answer = await owner.send(
            "POST", invitations_path(owner), {"email": email, "role": "Admin"}
        )
        assert outcome(answer) == CONFLICT
        assert said in answer.json()["detail"]
    assert await all_rows(platform) == before
    # Other institutions are not affected.
    assert (await invite(stranger, "ada@example.com"))["status"] == "Pending"
    assert (await invite(stranger, user.email))["status"] == "Pending"


async def test_of_two_concurrent_invitations_one_is_created(
    owner: Owner, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    pause = pause_after(monkeypatch, stored, "fetch_open")
    inviting: list[asyncio.Task[Any]] = []
    for role in ("Viewer", "Owner"):
        body = {"email": "ada@example.com", "role": role}
        call = owner.send("POST", invitations_path(owner), body)
        inviting.append(asyncio.create_task(call) if inviting else await pause.reached_by(call))
    await wait_for_lock(platform)
    pause.end()
    answers = await asyncio.gather(*inviting)
    assert [outcome(answer) for answer in answers] == [(201, None), CONFLICT]
    assert [item["role"] for item in (await listed(owner)).values()] == ["Viewer"]


async def test_even_without_a_lock_one_invitation_is_pending(
    owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both read before either writes: the index of open invitations refuses one of them."""
    meet_after(monkeypatch, stored, "fetch_open", asyncio.Barrier(2))
    monkeypatch.setattr(
        "licet_server.institutions.storage.institutions.lock_institution", lock_nothing
    )
    body = {"email": "ada@example.com", "role": "Viewer"}
    answers = await asyncio.gather(
        *(owner.send("POST", invitations_path(owner), body) for _ in range(2))
    )
    assert sorted(map(outcome, answers)) == [(201, None), CONFLICT]


async def test_lists_sort_and_walk(owner: Owner, clock: FakeClock) -> None:
    made = []
    for name in ("b", "c", "a"):
        made.append((await invite(owner, f"{name}@example.com"))["id"])
        clock.advance(seconds=1)
    for query, order in (
        ("", [2, 1, 0]),
        ("?sort=email", [2, 0, 1]),
        ("?sort=-expiresAt", [2, 1, 0]),
        ("?after=", [0, 1, 2]),
        ("?page=2&pageSize=2", [0]),
    ):
        found = (await owner.ok("GET", f"{invitations_path(owner)}{query}"))["items"]
        assert [item["id"] for item in found] == [made[place] for place in order]
    await owner.ok("DELETE", f"{invitations_path(owner)}/{made[1]}")
    for query, order in (("?open=true", [2, 0]), ("?open=false", [1])):
        found = (await owner.ok("GET", f"{invitations_path(owner)}{query}"))["items"]
        assert [item["id"] for item in found] == [made[place] for place in order]


async def test_deleted_products_are_not_assigned(owner: Owner, new_owner: NewOwner) -> None:
    kept, gone = await make_product(owner), await make_product(owner, name="Gone")
    [release] = (await owner.ok("GET", f"/api/products/{gone['id']}/releases"))["items"]
    user = await new_owner()
    made = await invite(
        owner,
        user.email,
        "Member",
        productIds=[kept["id"], gone["id"]],
        releaseIds=[release["id"]],
    )
    await owner.ok("DELETE", f"/api/products/{gone['id']}")
    shown = (await listed(owner))[made["id"]]
    assert (shown["productIds"], shown["releaseIds"]) == ([kept["id"]], [])
    await user.ok("POST", ACCEPT, {"token": link_token(made)})
    joined = await member(owner, user)
    assert (joined["productIds"], joined["releaseIds"]) == ([kept["id"]], [])
    # A removed member can be invited again.
    await owner.ok("DELETE", member_path(owner, user))
    assert (await invite(owner, user.email))["status"] == "Pending"
