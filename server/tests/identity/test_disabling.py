"""System Admins disable accounts, and end the sessions of others."""

import asyncio
from collections.abc import Callable
from typing import Any

from identity.people import (
    emails_to,
    is_signed_in,
    login,
    recorded,
    reset_token,
    signed_in_again,
)
from sqlalchemy import text
from testkit import PASSWORD, FakeClock, Owner

from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform


def outcome(answer: Any) -> tuple[int, str | None]:
    return answer.status_code, None if answer.is_success else answer.json()["errorCode"]


async def test_disabled_account_is_signed_out_and_cannot_sign_in(
    owner: Owner, admin: Owner, platform: Platform
) -> None:
    key = await owner.ok("POST", "/api/api-keys", {"name": "CI", "scopes": ["Products.Read"]})
    cookie = (await login(owner.client, owner.email)).cookies["licet_refresh"]
    owner.client.cookies.clear()
    path = f"/api/users/{owner.user_id}"
    disabled = await admin.ok("PUT", path, {"disabled": True})
    assert (disabled["id"], disabled["disabled"]) == (owner.user_id, True)
    assert not await is_signed_in(owner)
    assert outcome(await owner.send("GET", "/api/products")) == (401, "Unauthorized")
    headers = {"cookie": f"licet_refresh={cookie}"}
    refreshed = await owner.client.post("/api/auth/refresh", headers=headers)
    assert outcome(refreshed) == (401, "Unauthorized")
    assert outcome(await login(owner.client, owner.email, "wrong")) == (401, "InvalidCredentials")
    answer = await login(owner.client, owner.email)
    assert outcome(answer) == (403, "Forbidden")
    assert "disabled" in answer.json()["detail"]
    with_key = await owner.client.get("/api/products", headers={"x-api-key": key["secret"]})
    assert outcome(with_key) == (401, "Unauthorized")

    enabled = await admin.ok("PUT", path, {"disabled": False})
    assert enabled["disabled"] is False
    assert not await is_signed_in(owner), "sessions stay ended"
    await owner.sign_in()
    assert await is_signed_in(owner)
    with_key = await owner.client.get("/api/products", headers={"x-api-key": key["secret"]})
    assert outcome(with_key) == (200, None)
    assert await recorded(platform, owner) == [
        ("user.disabled", admin.user_id),
        ("user.enabled", admin.user_id),
    ]
    subjects = [mail.subject for mail in await emails_to(platform, owner.email)]
    assert subjects == ["Your Licet account was disabled", "Your Licet account was enabled again"]


async def test_repeated_disabling_changes_nothing(
    owner: Owner, admin: Owner, platform: Platform
) -> None:
    path = f"/api/users/{owner.user_id}"
    for _ in range(2):
        assert (await admin.ok("PUT", path, {"disabled": True}))["disabled"]
    assert (await admin.ok("PUT", path, {}))["disabled"] is not False
    assert len(await recorded(platform, owner)) == 1
    assert len(await emails_to(platform, owner.email)) == 1


async def test_a_reset_does_not_enable_an_account(
    owner: Owner, admin: Owner, platform: Platform
) -> None:
    token = await reset_token(platform, owner)
    await admin.ok("PUT", f"/api/users/{owner.user_id}", {"disabled": True})
    body = {"token": token, "password": "another horse battery"}
    await owner.client.post("/api/auth/password-reset/confirm", json=body)
    answer = await login(owner.client, owner.email, "another horse battery")
    assert outcome(answer) == (403, "Forbidden")


async def test_an_admin_ends_the_sessions_of_another_user(
    owner: Owner, admin: Owner, platform: Platform
) -> None:
    other = await signed_in_again(owner)
    answer = await admin.send("DELETE", f"/api/users/{owner.user_id}/sessions")
    assert answer.status_code == 204
    assert not await is_signed_in(owner)
    assert not await is_signed_in(other)
    assert await is_signed_in(admin)
    assert await recorded(platform, owner) == [("user.all_sessions_ended", admin.user_id)]
    [mail] = await emails_to(platform, owner.email)
    assert mail.subject == "You were signed out of Licet everywhere"
    await owner.sign_in()
    assert await is_signed_in(owner)


async def test_only_system_admins_disable_accounts_of_others(
    owner: Owner, stranger: Owner, admin: Owner
) -> None:
    for who, target, expected in (
        (owner, stranger.user_id, (403, "Forbidden")),
        (owner, owner.user_id, (403, "Forbidden")),
        (admin, admin.user_id, (403, "Forbidden")),
        (admin, "01900000-0000-7000-8000-000000000000", (404, "NotFound")),
    ):
        sent = await who.send("PUT", f"/api/users/{target}", {"disabled": True})
        assert outcome(sent) == expected
    for who, target, expected in (
        (owner, stranger.user_id, (403, "Forbidden")),
        (admin, "01900000-0000-7000-8000-000000000000", (404, "NotFound")),
    ):
        assert outcome(await who.send("DELETE", f"/api/users/{target}/sessions")) == expected
    for bad in ({"disabled": "yes"}, {"disabled": None}, {"isSystemAdmin": True}, {"disabled": 1}):
        answer = await admin.send("PUT", f"/api/users/{owner.user_id}", bad)
        assert outcome(answer) == (400, "InvalidRequest"), bad
    assert await is_signed_in(stranger)


async def test_one_of_two_admins_who_disable_each_other_remains(
    admin: Owner, new_owner: Callable[..., Any], platform: Platform
) -> None:
    other = await new_owner("Another admin")
    async with platform.database.transaction() as db:
        statement = text("UPDATE users SET is_system_admin = true WHERE id = :id")
        await db.execute(statement, {"id": other.user_id})
    answers = await asyncio.gather(
        admin.send("PUT", f"/api/users/{other.user_id}", {"disabled": True}),
        other.send("PUT", f"/api/users/{admin.user_id}", {"disabled": True}),
    )
    assert sorted(answer.status_code for answer in answers) == [200, 401]


async def test_a_disabled_owner_does_not_count_as_an_owner(
    owner: Owner, admin: Owner, new_owner: Callable[..., Any], platform: Platform
) -> None:
    from catalog.factories import join

    other = await new_owner("Other")
    await join(platform, owner, other, Role("Owner"))
    await admin.ok("PUT", f"/api/users/{other.user_id}", {"disabled": True})
    path = f"/api/institutions/{owner.institution_id}/members/{owner.user_id}"
    assert outcome(await owner.send("DELETE", path)) == (409, "Conflict")


async def test_concurrent_sign_in_ends_too(owner: Owner, admin: Owner, clock: FakeClock) -> None:
    answers = await asyncio.gather(
        login(owner.client, owner.email, PASSWORD),
        admin.send("PUT", f"/api/users/{owner.user_id}", {"disabled": True}),
    )
    if answers[0].is_success:
        owner.headers = {"authorization": f"Bearer {answers[0].json()['accessToken']}"}
        assert not await is_signed_in(owner)
