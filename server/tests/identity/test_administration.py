"""What a system Admin does for users: find them, remove a lost factor, verify their address."""

import asyncio
from typing import Any
from uuid import UUID

import pytest
from identity.people import (
    code,
    emails_to,
    enable_totp,
    everything_stored,
    is_signed_in,
    login,
    signed_in_again,
)
from interleaving import pause_after
from sqlalchemy import text
from testkit import FakeClock, Owner

from licet_server.identity.service import sign_in
from licet_server.identity.service.users import remove_second_factor_by_email
from licet_server.institutions.service.account_hooks import InstitutionAccountHooks
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform

NOBODY = UUID(int=1)


def factor_of(user: Owner) -> str:
    return f"/api/users/{user.user_id}/totp"


async def audited(owner: Owner, kind: str) -> list[dict[str, Any]]:
    """The audit log of the user's institution, newest first."""
    path = f"/api/institutions/{owner.institution_id}/audit?kind={kind}"
    items: list[dict[str, Any]] = (await owner.ok("GET", path))["items"]
    return items


async def anew(owner: Owner) -> Owner:
    """The user, signed in again."""
    await owner.sign_in()
    return owner


async def test_admin_removes_a_lost_second_factor(
    owner: Owner, admin: Owner, platform: Platform, clock: FakeClock
) -> None:
    secret, codes = await enable_totp(owner, clock)
    clock.advance(seconds=60)
    other = await login(owner.client, owner.email, otp=code(secret, clock))
    elsewhere = Owner(owner.client, other.json()["accessToken"], "", owner.user_id, owner.email)
    owner.client.cookies.clear()
    answer = await admin.send("DELETE", factor_of(owner))
    assert (answer.status_code, answer.content) == (204, b"")
    assert not await is_signed_in(owner)
    assert not await is_signed_in(elsewhere)
    session = await login(owner.client, owner.email)
    assert session.status_code == 200
    assert session.json()["user"]["totpEnabled"] is False
    again = await admin.send("DELETE", factor_of(owner))
    assert (again.status_code, again.json()["errorCode"]) == (409, "Conflict")

    [entry] = await audited(await anew(owner), "user.totp_disabled")
    assert (entry["actorKind"], entry["actorId"]) == ("User", admin.user_id)
    assert (entry["actorName"], entry["subjectId"]) == (admin.email, owner.user_id)
    assert entry["data"] == {"id": owner.user_id, "email": owner.email}
    assert not await audited(admin, "user.*")
    email_sent = (await emails_to(platform, owner.email))[-1]
    assert email_sent.subject == "The second factor of your Licet account was turned off for you"
    assert not await emails_to(platform, admin.email)
    for stored in (str(entry), email_sent.text or ""):
        assert secret not in stored
        assert not any(item in stored for item in codes)


async def test_the_removed_factor_and_its_codes_stay_invalid(
    owner: Owner, admin: Owner, clock: FakeClock
) -> None:
    old_secret, old_codes = await enable_totp(owner, clock)
    await admin.ok("DELETE", factor_of(owner))
    clock.advance(minutes=1)
    await enable_totp(await anew(owner), clock)
    clock.advance(minutes=1)
    for value in (old_codes[0], code(old_secret, clock)):
        answer = await login(owner.client, owner.email, otp=value)
        assert answer.json()["errorCode"] == "InvalidCredentials"


async def test_only_system_admins_remove_second_factors_of_others(
    owner: Owner, stranger: Owner, admin: Owner, platform: Platform, clock: FakeClock
) -> None:
    await enable_totp(owner, clock)
    await enable_totp(admin, clock)
    before = await everything_stored(platform)
    for somebody in (owner, stranger):
        for path in (factor_of(owner), factor_of(stranger), f"/api/users/{NOBODY}/totp"):
            refused = await somebody.send("DELETE", path)
            assert (refused.status_code, refused.json()["errorCode"]) == (403, "Forbidden")
    own = await admin.send("DELETE", factor_of(admin))
    assert (own.status_code, own.json()["errorCode"]) == (403, "Forbidden")
    assert "DELETE /api/auth/totp" in own.json()["detail"]
    unknown = await admin.send("DELETE", f"/api/users/{NOBODY}/totp")
    assert (unknown.status_code, unknown.json()["errorCode"]) == (404, "NotFound")
    none = await admin.send("DELETE", factor_of(stranger))
    assert (none.status_code, none.json()["errorCode"]) == (409, "Conflict")
    assert await everything_stored(platform) == before


async def test_an_unconfirmed_offer_is_not_a_second_factor(owner: Owner, admin: Owner) -> None:
    await owner.ok("POST", "/api/auth/totp")
    assert (await admin.send("DELETE", factor_of(owner))).status_code == 409
    assert await is_signed_in(owner)


async def wait_for_lock(platform: Platform) -> None:
    """Wait until a statement in this database waits for a lock."""
    statement = text(
        "SELECT count(*) FROM pg_stat_activity "
        "WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    async with asyncio.timeout(10), platform.database.reading() as db:
        while not (await db.execute(statement)).scalar():  # noqa: ASYNC110 - nothing tells us
            await asyncio.sleep(0)


async def test_a_concurrent_sign_in_ends_with_the_factor(
    owner: Owner,
    admin: Owner,
    platform: Platform,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody who found the phone has opened a session that is not committed yet."""
    _, codes = await enable_totp(owner, clock)
    pause = pause_after(monkeypatch, sign_in, "open_session")
    signing_in = await pause.reached_by(login(owner.client, owner.email, otp=codes[0]))
    taking_off = asyncio.create_task(admin.send("DELETE", factor_of(owner)))
    await wait_for_lock(platform)
    pause.end()
    session, answer = await asyncio.gather(signing_in, taking_off)
    assert (session.status_code, answer.status_code) == (200, 204)
    headers = {"authorization": f"Bearer {session.json()['accessToken']}"}
    assert (await owner.client.get("/api/auth/me", headers=headers)).status_code == 401


async def test_one_of_concurrent_admins_removes_the_factor(
    owner: Owner, admin: Owner, platform: Platform, clock: FakeClock
) -> None:
    await enable_totp(owner, clock)
    answers = await asyncio.gather(*(admin.send("DELETE", factor_of(owner)) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [204, 409, 409, 409]
    assert len(await audited(await anew(owner), "user.totp_disabled")) == 1
    subjects = [email_sent.subject for email_sent in await emails_to(platform, owner.email)]
    assert len([subject for subject in subjects if "turned off" in subject]) == 1


async def test_second_factor_is_removed_by_address_from_console(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    other = await signed_in_again(owner)
    await enable_totp(owner, clock)
    async with platform.unit_of_work(Origin()) as work:
        await remove_second_factor_by_email(
            work, InstitutionAccountHooks(platform.settings), owner.email
        )
    assert not await is_signed_in(owner)
    assert not await is_signed_in(other)
    [entry] = await audited(await anew(owner), "user.totp_disabled")
    assert (entry["actorKind"], entry["actorId"], entry["ipAddress"]) == ("System", None, None)
    email_sent = (await emails_to(platform, owner.email))[-1]
    assert "on the server itself" in (email_sent.text or "")
    for email, refusal in (
        (owner.email, ErrorCode.CONFLICT),
        ("nobody@nowhere.example.com", ErrorCode.NOT_FOUND),
    ):
        with pytest.raises(Refused) as caught:
            async with platform.unit_of_work(Origin()) as work:
                await remove_second_factor_by_email(
                    work, InstitutionAccountHooks(platform.settings), email
                )
        assert caught.value.code is refusal


async def unverify(platform: Platform, user: Owner) -> None:
    async with platform.database.transaction() as db:
        await db.execute(
            text("UPDATE users SET email_verified_at = NULL WHERE id = :id"),
            {"id": UUID(user.user_id)},
        )


async def test_an_admin_verifies_an_address(owner: Owner, admin: Owner, platform: Platform) -> None:
    await unverify(platform, owner)
    await owner.ok("POST", "/api/auth/verify-email/resend")
    path = f"/api/users/{owner.user_id}/verify-email"
    shown = await admin.ok("POST", path)
    assert shown == {
        "id": owner.user_id,
        "email": owner.email,
        "emailVerified": True,
        "fullName": "Owner",
        "isSystemAdmin": False,
        "totpEnabled": False,
        "hasPasskey": False,
        "disabled": False,
        "createdAt": "2030-01-15T12:00:00Z",
        "memberships": (await owner.ok("GET", "/api/auth/me"))["memberships"],
    }
    [listed] = (await admin.ok("GET", "/api/users", params={"search": owner.email}))["items"]
    assert listed == shown
    assert (await owner.ok("GET", "/api/auth/me"))["emailVerified"] is True
    before = await everything_stored(platform)
    assert await admin.ok("POST", path) == shown
    assert await everything_stored(platform) == before
    [entry] = await audited(owner, "user.email_verified")
    assert (entry["actorId"], entry["subjectId"]) == (admin.user_id, owner.user_id)
    async with platform.database.reading() as db:
        left = text("SELECT count(*) FROM mailed_tokens WHERE user_id = :id")
        assert (await db.execute(left, {"id": UUID(owner.user_id)})).scalar() == 0


async def test_users_cannot_verify_themselves(
    owner: Owner, admin: Owner, platform: Platform
) -> None:
    await unverify(platform, owner)
    before = await everything_stored(platform)
    refused = await owner.send("POST", f"/api/users/{owner.user_id}/verify-email")
    assert (refused.status_code, refused.json()["errorCode"]) == (403, "Forbidden")
    unknown = await admin.send("POST", f"/api/users/{NOBODY}/verify-email")
    assert (unknown.status_code, unknown.json()["errorCode"]) == (404, "NotFound")
    assert await everything_stored(platform) == before


async def test_accounts_are_found_by_the_beginning_of_address_or_name(
    owner: Owner, admin: Owner, clock: FakeClock
) -> None:
    await owner.ok("PUT", "/api/auth/me", {"fullName": "Zoë_100% Quist"})
    for search in (owner.email.upper(), owner.email[:-4], "zoë_", "ZOË_100%"):
        found = await admin.ok("GET", "/api/users", params={"search": search})
        assert [item["id"] for item in found["items"]] == [owner.user_id], search
        assert found["totalCount"] == 1
    for search in ("quist", owner.email[1:], "zoëx", "zo%", "%", "_", "'"):
        found = await admin.ok("GET", "/api/users", params={"search": search})
        assert owner.user_id not in [item["id"] for item in found["items"]], search
    await enable_totp(owner, clock)
    [shown] = (await admin.ok("GET", "/api/users", params={"search": owner.email}))["items"]
    assert (shown["fullName"], shown["totpEnabled"]) == ("Zoë_100% Quist", True)


async def test_accounts_are_listed_for_system_admins_only(
    owner: Owner, stranger: Owner, admin: Owner
) -> None:
    refused = await owner.send("GET", "/api/users")
    assert (refused.status_code, refused.json()["errorCode"]) == (403, "Forbidden")
    first = await admin.ok("GET", "/api/users?pageSize=3")
    assert (len(first["items"]), first["totalCount"] >= 3) == (3, True)
    # Other tests create accounts at later times: theirs may come before those of this test.
    newest = [item["id"] for item in (await admin.ok("GET", "/api/users?pageSize=100"))["items"]]
    assert newest == sorted(newest, reverse=True)
    for sort, field in (("email", "email"), ("fullName", "fullName")):
        page = await admin.ok("GET", f"/api/users?sort={sort}&pageSize=100")
        shown = [item[field].lower() for item in page["items"]]
        assert shown == sorted(shown)
    walked: list[str] = []
    after: str | None = str(UUID(int=0))
    while after is not None:
        step = await admin.ok("GET", f"/api/users?pageSize=50&after={after}")
        walked += [item["id"] for item in step["items"]]
        after = step["nextAfter"]
    assert {owner.user_id, stranger.user_id, admin.user_id} <= set(walked)
    assert walked == sorted(walked)
