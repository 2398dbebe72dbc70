"""What sessions, keys and links leave behind: every route, with what each may not change."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

import httpx
import pytest
from catalog.factories import join
from identity.people import account_of, login
from testkit import PASSWORD, Owner
from walls.table import BODIES, ENDLESS, Caller, Route, closed_routes, routes
from walls.tenant import Tenant, everything_of, found_tenant, marks_in
from walls.test_walls import LAST, Knocker, bearer

from licet_server.identity.access import SystemAdmin, UserOnly
from licet_server.identity.rules.memberships import Role
from licet_server.identity.rules.users import (
    MAY_LEAVE,
    Credential,
    Evidence,
    Lasting,
    ProofMethod,
    may_leave,
)
from licet_server.identity.service.sessions import open_session
from licet_server.identity.service.tokens import digest
from licet_server.identity.service.users import fetch_user
from licet_server.identity.storage.emailed_tokens import insert_portal_invitation
from licet_server.institutions.access import EndUser, InstitutionRole, MaybeSignedIn
from licet_server.institutions.service.account_hooks import InstitutionAccountHooks
from licet_server.kit.origin import Origin
from licet_server.kit.web.access import Anonymous

if TYPE_CHECKING:
    from licet_server.app import Application
    from licet_server.kit.platform import Platform

READING = {"GET", "HEAD"}

LEAVE = {
    "POST /api/auth/step-up": Lasting.NOTHING,
    "POST /api/auth/step-up/options": Lasting.NOTHING,
    "DELETE /api/auth/sessions": Lasting.NOTHING,
    "DELETE /api/auth/sessions/{sign_in_id}": Lasting.NOTHING,
    "POST /api/notifications/read-all": Lasting.INSTITUTION,
    "POST /api/notifications/{notification_id}/read": Lasting.INSTITUTION,
    "PUT /api/auth/me": Lasting.ACCOUNT,
    "POST /api/auth/password": Lasting.ACCOUNT,
    "POST /api/auth/verify-email/resend": Lasting.ACCOUNT,
    "POST /api/auth/totp": Lasting.ACCOUNT,
    "POST /api/auth/totp/confirm": Lasting.ACCOUNT,
    "DELETE /api/auth/totp": Lasting.ACCOUNT,
    "POST /api/auth/totp/recovery-codes": Lasting.ACCOUNT,
    "POST /api/auth/passkeys/options": Lasting.ACCOUNT,
    "POST /api/auth/passkeys/register": Lasting.ACCOUNT,
    "DELETE /api/auth/passkeys/{passkey_id}": Lasting.ACCOUNT,
    "PUT /api/notifications/preferences": Lasting.ACCOUNT,
    "POST /api/institutions": Lasting.MEMBERSHIP,
    "POST /api/auth/accept-invitation": Lasting.MEMBERSHIP,
}
"""What routes leave behind that ask for no role; a route joins this list by a decision."""

PASSKEYS = Route("GET", "/api/auth/passkeys", UserOnly())
"""What says with which devices a user signs in anywhere."""

ENDING = ("DELETE /api/auth/sessions/{sign_in_id}", "DELETE /api/auth/sessions")


def changing(application: Application) -> Iterator[Route]:
    """Return what changes something, with what ends a session last."""
    found = [
        route
        for route in routes(application)
        if route.method not in READING and isinstance(route.access, (UserOnly, MaybeSignedIn))
    ]
    order = [*LAST, *ENDING]
    return iter(
        sorted(found, key=lambda item: order.index(item.name) if item.name in order else -1)
    )


def asks_for_no_role(route: Route) -> bool:
    return not isinstance(route.access, (InstitutionRole, EndUser, SystemAdmin))


async def test_every_route_says_what_it_leaves_behind(application: Application) -> None:
    assert {
        route.name: route.access.leaves
        for route in changing(application)
        if asks_for_no_role(route)
    } == LEAVE
    for route in changing(application):
        if isinstance(route.access, SystemAdmin):
            assert route.access.leaves is Lasting.SERVICE, route.name
        elif not asks_for_no_role(route):
            assert route.access.leaves is Lasting.INSTITUTION, route.name
        if getattr(route.access, "scopes", ()):
            assert route.access.leaves in MAY_LEAVE[Credential.API_KEY], route.name


async def test_the_table_is_complete_and_a_provider_is_below_every_own_proof() -> None:
    assert set(MAY_LEAVE) == set(Credential)
    for own in (Credential.PASSWORD, Credential.SECOND_FACTOR, Credential.PASSKEY):
        assert MAY_LEAVE[own] == set(Lasting)
    given = {
        lasting: [
            may_leave(Credential.PROVIDER, lasting, exists_for_provider=exists)
            for exists in (False, True)
        ]
        for lasting in Lasting
    }
    assert given == {
        Lasting.NOTHING: [True, True],
        Lasting.INSTITUTION: [True, True],
        Lasting.ACCOUNT: [False, True],
        Lasting.MEMBERSHIP: [False, False],
        Lasting.SERVICE: [False, False],
    }
    for other in set(Credential) - {Credential.PROVIDER}:
        for lasting in Lasting:
            assert may_leave(other, lasting, exists_for_provider=True) == (
                lasting in MAY_LEAVE[other]
            )


@pytest.fixture
async def knocker(application: Application) -> AsyncIterator[Knocker]:
    made = Knocker(application)
    yield made
    await made.aclose()


async def through(platform: Platform, user: Owner, institution_id: str) -> dict[str, str]:
    """Open a session as the provider of an institution does, just now."""
    hooks = InstitutionAccountHooks(platform.settings)
    evidence = Evidence(methods=(ProofMethod.PROVIDER,), through=UUID(institution_id))
    async with platform.unit_of_work(Origin()) as work:
        found = await fetch_user(work.db, UUID(user.user_id))
        assert found is not None
        session = await open_session(work, hooks, found, None, evidence)
    return bearer(session.access_token)


Stored = tuple[dict[str, list[str]], dict[str, list[str]]]


def changed_rows(before: Stored, after: Stored) -> dict[str, set[str]]:
    """Return the rows that differ, by table."""
    changed = {}
    for old, new in zip(before, after, strict=True):
        for table in old:
            if rows := set(old[table]) ^ set(new[table]):
                changed[table] = rows
    return changed


@pytest.mark.specification("roles.every-route")
async def test_what_is_borrowed_changes_nothing_beyond_where_it_comes_from(
    application: Application,
    new_owner: Callable[..., Any],
    platform: Platform,
    knocker: Knocker,
) -> None:
    home, company = [await found_tenant(new_owner, platform) for _ in range(2)]
    user = home.owner
    await join(platform, company.owner, user, Role.OWNER)
    headers = await through(platform, user, company.owner.institution_id)
    borrowed = Caller("provider session", headers)

    before = await account_of(platform, user), await everything_of(platform, home)
    refused, let_in = set(), 0
    for route in changing(application):
        for tenant in (home, company):
            if route.name in ENDING and tenant is home:
                continue
            answer = await knocker.knock(route, borrowed, tenant)
            if may_leave(Credential.PROVIDER, route.access.leaves, exists_for_provider=False):
                let_in += answer.is_success
                continue
            said = f"{route.name}: {answer.status_code} {answer.text}"
            assert answer.status_code == 403, said
            assert answer.json()["requires"] == "OwnSignIn", said
            refused.add(route.name)
    assert refused >= {
        name for name, lasting in LEAVE.items() if lasting in {Lasting.ACCOUNT, Lasting.MEMBERSHIP}
    }
    assert let_in > 50, "the walk through its own institution does something"
    after = await account_of(platform, user), await everything_of(platform, home)
    assert changed_rows(before, after) == {}

    keys = [
        Caller("API key", bearer(home.api_keys["every scope"])),
        Caller("product key", {"x-api-key": home.product_key}),
    ]
    before = await account_of(platform, user), await everything_of(platform, company)
    done = 0
    for route in closed_routes(application):
        for caller in keys:
            if route.method in READING or route.name in LAST:
                continue
            for tenant in (home, company):
                done += (await knocker.knock(route, caller, tenant)).is_success
    assert done > 20
    after = await account_of(platform, user), await everything_of(platform, company)
    assert changed_rows(before, after) == {}


async def test_a_session_of_ones_own_changes_the_account(
    application: Application,
    new_owner: Callable[..., Any],
    platform: Platform,
    knocker: Knocker,
) -> None:
    """A control: the same requests, which the comparison above would have seen."""
    user = await new_owner()
    nothing = Tenant(user, {"passkey_id": str(UUID(int=9))}, {}, "")
    before = await account_of(platform, user)
    changed = set()
    for route in changing(application):
        if LEAVE.get(route.name) in {Lasting.ACCOUNT, Lasting.MEMBERSHIP}:
            if not set(re.findall(r"{(\w+)}", route.template)) <= nothing.ids.keys():
                continue
            await knocker.knock(route, Caller("owner", user.headers), nothing)
            if (after := await account_of(platform, user)) != before:
                before = after
                changed.add(route.name)
    assert changed >= {
        "PUT /api/auth/me",
        "POST /api/auth/totp",
        "PUT /api/notifications/preferences",
        "POST /api/institutions",
    }


async def test_links_leave_nothing_in_an_account_that_exists(
    client: httpx.AsyncClient, new_owner: Callable[..., Any], platform: Platform
) -> None:
    user, vendor = await new_owner(), await new_owner()
    path = f"/api/institutions/{vendor.institution_id}/invitations"
    invited = await vendor.ok("POST", path, {"email": user.email, "role": "Owner"})
    async with platform.unit_of_work(Origin()) as work:
        await insert_portal_invitation(
            work.db,
            token_hash=digest("a portal link"),
            email=user.email.lower(),
            now=work.now,
            expires_at=work.now + timedelta(minutes=1),
        )
    before = await account_of(platform, user)
    new = {"password": "another horse battery", "fullName": "Somebody Else"}
    tries = {
        "/api/auth/accept-invitation": invited["acceptUrl"].partition("token=")[2],
        "/api/portal/access/confirm": "a portal link",
        "/api/auth/verify-email": "a portal link",
        "/api/auth/password-reset/confirm": invited["acceptUrl"].partition("token=")[2],
    }
    for route, token in tries.items():
        answer = await client.post(route, json={"token": token, **new})
        assert answer.status_code in {400, 401, 409}, f"{route}: {answer.text}"
    assert await account_of(platform, user) == before
    assert (await login(client, user.email, PASSWORD)).status_code == 200


async def test_what_is_borrowed_reads_nothing_beyond_where_it_comes_from(
    application: Application,
    new_owner: Callable[..., Any],
    platform: Platform,
    knocker: Knocker,
) -> None:
    """Every route that reads is asked, and its answer searched for what is of the other tenant.

    The person is Owner of both, and is issued a license by each.
    """
    home, company = [await found_tenant(new_owner, platform) for _ in range(2)]
    user = home.owner
    for tenant in (home, company):
        terms = {**BODIES["POST /api/licenses"](tenant), "issuedTo": user.email}
        await tenant.owner.ok("POST", "/api/licenses", terms)
    await join(platform, company.owner, user, Role.OWNER)
    headers = await through(platform, user, company.owner.institution_id)
    own = Caller("own session", user.headers)
    passkeys = await knocker.knock(PASSKEYS, Caller("provider session", headers), company)
    assert (passkeys.status_code, passkeys.json()["requires"]) == (403, "OwnSignIn")
    borrowed = Caller("provider session", headers)
    known = marks_in(await everything_of(platform, company)) | {user.user_id}
    marks = marks_in(await everything_of(platform, home)) - known
    leaking, seen = {}, set()
    for route in routes(application):
        names = set(re.findall(r"{(\w+)}", route.template))
        if route.method != "GET" or route.name in ENDLESS or not names <= home.ids.keys():
            continue
        for tenant in (home, company):
            for caller in (own, borrowed):
                answer = await knocker.knock(route, caller, tenant)
                sent = marks_in({"request": [str(answer.request.url)]})
                found = {mark for mark in marks - sent if mark in answer.text}
                if found and caller is borrowed and not isinstance(route.access, Anonymous):
                    leaking[route.name] = found
                if found and caller is own:
                    seen.add(route.name)
    assert leaking == {}
    assert len(seen) > 30, "the control sees it"
