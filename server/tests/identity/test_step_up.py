"""What is hard to undo needs a recent proof that its user sits in front of the session."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from catalog.factories import join
from identity.people import NEW_PASSWORD, code, enable_totp, login
from litestar.handlers import HTTPRouteHandler
from sqlalchemy import text
from testkit import PASSWORD, FakeClock, Owner, client_of
from world import World

from licet_server.app import Application
from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform

PATH = "/api/auth/step-up"
NOWHERE = "01900000-0000-7000-8000-000000000000"

REQUIRED = {
    "POST /api/doctor/repair",
    "POST /api/licenses/{license_id}/rekey",
    "POST /api/products/{product_id}/keys/generate",
    "POST /api/products/{product_id}/keys/prepare",
    "POST /api/products/{product_id}/keys/activate",
    "DELETE /api/products/{product_id}/keys/next",
    "POST /api/products/{product_id}/credentials/rotate",
    "DELETE /api/products/{product_id}/credentials/{key_id}",
    "DELETE /api/products/{product_id}",
    "POST /api/api-keys",
    "POST /api/api-keys/{key_id}/rotate",
    "POST /api/customers/{customer_id}/erase",
    "POST /api/auth/totp",
    "POST /api/auth/totp/confirm",
    "POST /api/auth/totp/recovery-codes",
    "DELETE /api/auth/totp",
    "DELETE /api/users/{user_id}/totp",
    "DELETE /api/institutions/{institution_id}",
    "POST /api/auth/passkeys/options",
    "POST /api/auth/passkeys/register",
    "DELETE /api/auth/passkeys/{passkey_id}",
    "PUT /api/institutions/{institution_id}/sso",
    "DELETE /api/institutions/{institution_id}/sso",
    "POST /api/institutions/{institution_id}/sso/domains/email",
    "POST /api/institutions/{institution_id}/sso/domains/confirm",
}
"""The routes that need it whatever they are sent."""

FOR_SOME_BODIES = {
    "PUT /api/institutions/{institution_id}/members/{user_id}",
    "POST /api/institutions/{institution_id}/invitations",
    "POST /api/institutions/{institution_id}/invitations/{invitation_id}/resend",
    "PUT /api/institutions/{institution_id}/settings",
}
"""The routes that need it for some bodies: to make an Owner, to change the sign-in rules."""


def outcome(answer: httpx.Response) -> tuple[int, str | None]:
    return answer.status_code, None if answer.is_success else answer.json()["errorCode"]


STEP_UP, DONE = (403, "StepUpRequired"), (200, None)


async def grow_old(owner: Owner, clock: FakeClock) -> None:
    """Have a session whose user proved themselves 15 minutes ago, and its new access token."""
    owner.client.cookies.clear()
    cookie = (await login(owner.client, owner.email)).raise_for_status().cookies["licet_refresh"]
    owner.client.cookies.clear()
    clock.advance(minutes=15)
    headers = {"cookie": f"licet_refresh={cookie}"}
    answer = await owner.client.post("/api/auth/refresh", headers=headers)
    owner.client.cookies.clear()
    owner.headers = {"authorization": f"Bearer {answer.raise_for_status().json()['accessToken']}"}


def routes_with_step_up(application: Application) -> dict[str, Any]:
    return {
        f"{method} {route.path_format}": handler.opt["step_up"]
        for route in application.litestar.routes
        for handler in getattr(route, "route_handlers", [])
        if isinstance(handler, HTTPRouteHandler) and handler.opt.get("step_up") is not None
        for method in handler.http_methods - {"OPTIONS"}
    }


async def test_step_up_is_checked_before_the_body(
    world: World, application: Application, admin: Owner
) -> None:
    found = routes_with_step_up(application)
    assert {name for name, step_up in found.items() if step_up.always} == REQUIRED
    assert {name for name, step_up in found.items() if not step_up.always} == FOR_SOME_BODIES
    things = {
        "{product_id}": world.product["id"],
        "{institution_id}": world.owner.institution_id,
        "{user_id}": world.owner.user_id,
        "{key_id}": NOWHERE,
        "{passkey_id}": NOWHERE,
        "{customer_id}": NOWHERE,
        "{license_id}": NOWHERE,
    }
    for user in (world.owner, admin):
        await grow_old(user, world.clock)
        for name in sorted(REQUIRED):
            method, path = name.split(" ", 1)
            for_admins = (
                "/users/" in path or "/doctor/" in path or path.endswith("/domains/confirm")
            )
            if for_admins is not (user is admin):
                continue
            for placeholder, value in things.items():
                path = path.replace(placeholder, value)
            answer = await user.send(method, path, {"no": "such field"})
            assert outcome(answer) == STEP_UP, (name, answer.text)
            assert "POST /api/auth/step-up" in answer.json()["detail"]
            assert answer.json()["methods"] == ["Password"]
    assert (
        await world.owner.send("GET", f"/api/products/{world.product['id']}")
    ).status_code != 404


async def test_password_is_a_step_up_for_15_minutes(world: World) -> None:
    path = f"/api/products/{world.product['id']}/credentials/rotate"
    await grow_old(world.owner, world.clock)
    assert outcome(await world.owner.send("POST", path)) == STEP_UP
    given = await world.owner.ok("POST", PATH, {"password": PASSWORD})
    assert given == {
        "methods": ["Password"],
        "authenticatedAt": "2030-01-15T12:15:00Z",
        "expiresAt": "2030-01-15T12:30:00Z",
    }
    assert outcome(await world.owner.send("POST", path)) == DONE
    world.clock.advance(minutes=14, seconds=59)
    assert outcome(await world.owner.send("POST", path)) == DONE


async def test_new_sign_in_is_a_step_up(world: World) -> None:
    path = f"/api/products/{world.product['id']}/credentials/rotate"
    assert outcome(await world.owner.send("POST", path)) == DONE
    await grow_old(world.owner, world.clock)
    assert outcome(await world.owner.send("POST", path)) == STEP_UP
    await world.owner.sign_in()
    assert outcome(await world.owner.send("POST", path)) == DONE


async def test_step_up_is_valid_in_its_own_session_only(world: World) -> None:
    path = f"/api/products/{world.product['id']}/credentials/rotate"
    await grow_old(world.owner, world.clock)
    old = dict(world.owner.headers)
    await world.owner.sign_in()
    await world.owner.ok("POST", PATH, {"password": PASSWORD})
    world.owner.headers = old
    assert outcome(await world.owner.send("POST", path)) == STEP_UP


async def test_code_of_second_factor_is_a_step_up(owner: Owner, clock: FakeClock) -> None:
    secret, recovery = await enable_totp(owner, clock)
    clock.advance(minutes=14)
    given = await owner.ok("POST", PATH, {"otpCode": code(secret, clock)})
    assert given["methods"] == ["Otp"]
    used = await owner.send("POST", PATH, {"otpCode": code(secret, clock)})
    assert outcome(used) == (401, "InvalidCredentials")
    both = await owner.ok("POST", PATH, {"password": PASSWORD, "otpCode": recovery[0]})
    assert both["methods"] == ["Password", "Otp"]
    assert both["authenticatedAt"] == "2030-01-15T12:14:00Z"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, (400, "InvalidRequest")),
        ({"password": None}, (400, "InvalidRequest")),
        ({"password": ""}, (400, "InvalidRequest")),
        ({"password": 1}, (400, "InvalidRequest")),
        ({"password": "x" * 1001}, (400, "InvalidRequest")),
        ({"otpCode": "\0"}, (400, "InvalidRequest")),
        ({"otpCode": "0" * 65}, (400, "InvalidRequest")),
        ({"password": PASSWORD, "userId": NOWHERE}, (400, "InvalidRequest")),
        ({"password": "wrong"}, (401, "InvalidCredentials")),
        ({"otpCode": "123456"}, (401, "InvalidCredentials")),
        ({"password": PASSWORD, "otpCode": "123456"}, (401, "InvalidCredentials")),
        ({"password": "wrong", "otpCode": "123456"}, (401, "InvalidCredentials")),
    ],
)
async def test_wrong_proof_is_no_step_up(
    world: World, body: dict[str, Any], expected: tuple[int, str]
) -> None:
    await grow_old(world.owner, world.clock)
    assert outcome(await world.owner.send("POST", PATH, body)) == expected
    path = f"/api/products/{world.product['id']}/credentials/rotate"
    assert outcome(await world.owner.send("POST", path)) == STEP_UP


async def test_guessing_is_limited_by_session_and_by_address(
    owner: Owner, application: Application, clock: FakeClock
) -> None:
    await grow_old(owner, clock)
    for _ in range(10):
        answer = await owner.send("POST", PATH, {"password": "wrong"})
        assert outcome(answer) == (401, "InvalidCredentials")
    limited = await owner.send("POST", PATH, {"password": PASSWORD})
    assert outcome(limited) == (429, "RateLimited")
    # The address has no tries left for signing in, either; the user has, from another one.
    assert (await login(owner.client, owner.email)).status_code == 429
    async with client_of(application, "10.9.8.7") as elsewhere:
        session = (await login(elsewhere, owner.email)).raise_for_status().json()
        fresh = Owner(elsewhere, session["accessToken"], "", owner.user_id, owner.email)
        assert outcome(await fresh.send("POST", PATH, {"password": PASSWORD})) == DONE
        owner.client = elsewhere
        limited = await owner.send("POST", PATH, {"password": PASSWORD})
        assert outcome(limited) == (429, "RateLimited"), "the old session has none left anywhere"


async def test_api_keys_cannot_step_up_and_are_limited_by_their_scopes(world: World) -> None:
    """A key is made under a step-up; where a scope opens a route, it needs no other."""
    made = await world.owner.ok(
        "POST", "/api/api-keys", {"name": "CI", "scopes": ["Products.Write"]}
    )
    world.clock.advance(minutes=20)
    world.owner.headers = {"x-api-key": made["secret"]}
    assert outcome(await world.owner.send("POST", PATH, {"password": PASSWORD})) == (
        403,
        "Forbidden",
    )
    path = f"/api/products/{world.product['id']}"
    for method, closed in (
        ("POST", f"{path}/credentials/rotate"),
        ("POST", f"{path}/keys/generate"),
        ("POST", "/api/api-keys"),
        ("POST", f"/api/api-keys/{made['id']}/rotate"),
        ("DELETE", f"/api/institutions/{world.owner.institution_id}"),
    ):
        assert outcome(await world.owner.send(method, closed)) == (403, "Forbidden"), closed
    assert (await world.owner.send("DELETE", path)).status_code == 204


async def test_making_a_member_owner_requires_step_up(
    owner: Owner, new_owner: Callable[..., Any], platform: Platform, clock: FakeClock
) -> None:
    other = await new_owner("Other")
    await join(platform, owner, other, Role("Admin"))
    members = f"/api/institutions/{owner.institution_id}/members/{other.user_id}"
    invitations = f"/api/institutions/{owner.institution_id}/invitations"
    await grow_old(owner, clock)
    assert outcome(await owner.send("PUT", members, {"role": "Viewer"})) == DONE
    assert outcome(await owner.send("PUT", members, {"role": "Owner"})) == STEP_UP
    ada = {"email": "ada-step-up@example.com", "role": "Owner"}
    assert outcome(await owner.send("POST", invitations, ada)) == STEP_UP
    assert outcome(await owner.send("POST", invitations, {**ada, "role": "Admin"}))[0] == 201
    await owner.ok("POST", PATH, {"password": PASSWORD})
    assert outcome(await owner.send("PUT", members, {"role": "Owner"})) == DONE
    invited = await owner.ok("POST", invitations, {**ada, "email": "bob-step-up@example.com"})
    clock.advance(minutes=14)
    await owner.sign_in()
    await grow_old(owner, clock)
    assert outcome(await owner.send("PUT", members, {"productIds": []})) == DONE  # is one already
    assert outcome(await owner.send("PUT", members, {"role": "Owner"})) == DONE
    again = await owner.send("POST", f"{invitations}/{invited['id']}/resend")
    assert outcome(again) == STEP_UP


async def test_a_second_factor_is_not_enrolled_with_an_access_token_alone(
    owner: Owner, clock: FakeClock
) -> None:
    offered = await owner.ok("POST", "/api/auth/totp")
    await grow_old(owner, clock)
    assert outcome(await owner.send("POST", "/api/auth/totp")) == STEP_UP
    body = {"otpCode": code(offered["secret"], clock)}
    assert outcome(await owner.send("POST", "/api/auth/totp/confirm", body)) == STEP_UP
    await owner.ok("POST", PATH, {"password": PASSWORD})
    assert outcome(await owner.send("POST", "/api/auth/totp/confirm", body)) == DONE


async def test_a_second_factor_is_not_removed_with_the_password_alone(
    owner: Owner, clock: FakeClock
) -> None:
    _, recovery = await enable_totp(owner, clock)
    for method, path in (("DELETE", "/api/auth/totp"), ("POST", "/api/auth/totp/recovery-codes")):
        with_password = await owner.send(method, path, {"password": PASSWORD})
        assert outcome(with_password) == (400, "InvalidRequest")
        await owner.ok("POST", PATH, {"password": PASSWORD})
        refused = await owner.send(method, path)
        assert outcome(refused) == STEP_UP, "the password is no second factor"
        assert refused.json()["methods"] == ["Otp"]
        wrong = await owner.send(method, path, {"otpCode": "000000"})
        assert outcome(wrong) == (401, "InvalidCredentials")
    assert (await owner.ok("GET", "/api/auth/me"))["totpEnabled"]
    await owner.ok("POST", PATH, {"otpCode": recovery[0]})
    assert outcome(await owner.send("POST", "/api/auth/totp/recovery-codes")) == DONE
    assert (await owner.send("DELETE", "/api/auth/totp")).status_code == 204
    assert not (await owner.ok("GET", "/api/auth/me"))["totpEnabled"]
    assert outcome(await owner.send("DELETE", "/api/auth/totp")) == (409, "Conflict")


async def test_a_sign_in_with_both_factors_counts_as_the_second_one(
    owner: Owner, clock: FakeClock
) -> None:
    secret, _ = await enable_totp(owner, clock)
    clock.advance(minutes=1)
    session = (await login(owner.client, owner.email, otp=code(secret, clock))).json()
    owner.headers = {"authorization": f"Bearer {session['accessToken']}"}
    assert (await owner.send("DELETE", "/api/auth/totp")).status_code == 204


async def test_password_change_is_a_step_up(world: World) -> None:
    await grow_old(world.owner, world.clock)
    body = {"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD}
    await world.owner.ok("POST", "/api/auth/password", body)
    path = f"/api/products/{world.product['id']}/credentials/rotate"
    assert outcome(await world.owner.send("POST", path)) == DONE


async def test_a_session_says_when_and_how_its_user_proved_themselves(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    secret, _ = await enable_totp(owner, clock)
    clock.advance(minutes=1)
    (await login(owner.client, owner.email, otp=code(secret, clock))).raise_for_status()
    statement = text(
        "SELECT authenticated_at, methods FROM sign_ins WHERE user_id = :id ORDER BY 1"
    )
    async with platform.database.reading() as db:
        first, second = (await db.execute(statement, {"id": owner.user_id})).all()
    assert (first.authenticated_at, first.methods) == (FakeClock.START, ["Password"])
    assert (second.authenticated_at, second.methods) == (clock(), ["Password", "Otp"])
