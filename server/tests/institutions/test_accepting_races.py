"""Accepting an invitation while it is concurrently accepted, revoked or replaced."""

import asyncio
from typing import Any

import httpx
import pytest
from catalog.factories import make_product
from identity.people import login
from institutions.members import (
    ACCEPT,
    CONFLICT,
    NewOwner,
    accept,
    both_tokens,
    count_rows,
    events_of,
    fresh,
    invitations_path,
    invite,
    link_token,
    outcome,
    roles,
    wait_for_lock,
)
from interleaving import lock_nothing, meet_after, pause_before
from testkit import PASSWORD, Owner

from licet_server.app import Application
from licet_server.identity.service.users import create_user
from licet_server.institutions.service import invitations
from licet_server.institutions.service.account_hooks import InstitutionAccountHooks
from licet_server.institutions.service.invitations import Acceptance, InvitationAcceptance
from licet_server.institutions.storage import institutions as storage
from licet_server.kit.errors import Refused
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform


async def in_turn(
    monkeypatch: pytest.MonkeyPatch, platform: Platform, first: Any, second: Any
) -> list[httpx.Response]:
    """Send the second request while the first one has read the invitation."""
    pause = pause_before(monkeypatch, invitations, "_join")
    one = await pause.reached_by(first)
    two = asyncio.create_task(second)
    await wait_for_lock(platform)
    pause.end()
    return [await one, await two]


@pytest.mark.parametrize("tokens", ["same", "other"])
async def test_of_two_concurrent_new_users_one_joins(
    owner: Owner,
    visitor: httpx.AsyncClient,
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
    tokens: str,
) -> None:
    email = fresh()
    mailed, link = await both_tokens(platform, owner, email)
    second = mailed if tokens == "same" else link
    answers = await in_turn(monkeypatch, platform, accept(visitor, mailed), accept(visitor, second))
    assert [answer.status_code for answer in answers] == [201, 401]
    assert len(await roles(owner)) == 2
    assert await count_rows(platform, "users", "email", email) == 1


@pytest.mark.parametrize("tokens", ["same", "other"])
async def test_of_two_concurrent_acceptances_one_counts(
    owner: Owner,
    new_owner: NewOwner,
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
    tokens: str,
) -> None:
    user = await new_owner()
    mailed, link = await both_tokens(platform, owner, user.email)
    second = mailed if tokens == "same" else link
    answers = await in_turn(
        monkeypatch,
        platform,
        user.send("POST", ACCEPT, {"token": mailed}),
        user.send("POST", ACCEPT, {"token": second}),
    )
    assert [answer.status_code for answer in answers] == [200, 401]
    kinds = [event["kind"] for event in await events_of(platform, user.user_id)]
    assert kinds == ["member.joined"]


async def test_control_without_lock_uses_an_invitation_twice(
    owner: Owner, visitor: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A revocation and an acceptance that both read a pending invitation both succeed."""
    made = await invite(owner, fresh())
    at_once = asyncio.Barrier(2)
    monkeypatch.setattr(storage, "lock_institution", lock_nothing)
    for module, name in ((invitations, "_lock_invitation"), (invitations, "_lock")):
        meet_after(monkeypatch, module, name, at_once)
    answers = await asyncio.gather(
        accept(visitor, link_token(made)),
        owner.send("DELETE", f"{invitations_path(owner)}/{made['id']}"),
    )
    assert [answer.status_code for answer in answers] == [201, 204]


@pytest.mark.parametrize("how", ["revoke", "resend"])
async def test_an_acceptance_concurrent_with_a_revocation(
    owner: Owner,
    visitor: httpx.AsyncClient,
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
    how: str,
) -> None:
    made = await invite(owner, fresh())
    one = f"{invitations_path(owner)}/{made['id']}"
    step = owner.send("DELETE", one) if how == "revoke" else owner.send("POST", f"{one}/resend")
    answers = await in_turn(monkeypatch, platform, accept(visitor, link_token(made)), step)
    assert [outcome(answer) for answer in answers] == [(201, None), CONFLICT]
    assert len(await roles(owner)) == 2


async def test_an_invitation_concurrent_with_an_acceptance(
    owner: Owner, visitor: httpx.AsyncClient, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    email = fresh()
    made = await invite(owner, email)
    body = {"email": email, "role": "Admin"}
    answers = await in_turn(
        monkeypatch,
        platform,
        accept(visitor, link_token(made)),
        owner.send("POST", invitations_path(owner), body),
    )
    assert [outcome(answer) for answer in answers] == [(201, None), CONFLICT]
    assert "already a member" in answers[1].json()["detail"]


async def test_a_product_deleted_during_acceptance(
    owner: Owner, visitor: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    product = await make_product(owner)
    made = await invite(owner, fresh(), "Member", productIds=[product["id"]])
    hold = invitations._lock_invitation

    async def lock_and_lose(*arguments: Any) -> Any:
        found = await hold(*arguments)
        await owner.send("DELETE", f"/api/products/{product['id']}")
        return found

    with monkeypatch.context() as patched:
        patched.setattr(invitations, "_lock_invitation", lock_and_lose)
        answer = await accept(visitor, link_token(made))
    assert outcome(answer) == CONFLICT
    assert (await accept(visitor, link_token(made))).status_code == 201


async def test_an_account_created_in_the_meantime_must_sign_in(
    owner: Owner,
    application: Application,
    visitor: httpx.AsyncClient,
    platform: Platform,
    fast_passwords: Passwords,
) -> None:
    email = fresh()
    other = await invite(owner, email)

    class MeetsAnAccount(Passwords):
        async def hash(self, password: str) -> str:
            hashed = await fast_passwords.hash(password)
            async with platform.unit_of_work(Origin()) as work:
                await create_user(
                    work,
                    email=email.upper(),
                    full_name="Faster",
                    password_hash=hashed,
                    is_system_admin=False,
                    verified=False,
                )
            return hashed

    acceptance = Acceptance(
        token=link_token(other), password=PASSWORD, full_name="Slower", user_agent=None
    )
    service = InvitationAcceptance(
        platform, MeetsAnAccount(), InstitutionAccountHooks(platform.settings)
    )
    with pytest.raises(Refused, match="Sign in to it to accept"):
        await service.accept_with_new_account(Origin(), acceptance)
    assert len(await roles(owner)) == 1
    session = (await login(visitor, email)).json()
    headers = {"authorization": f"Bearer {session['accessToken']}"}
    body = {"token": link_token(other)}
    assert (await visitor.post(ACCEPT, json=body, headers=headers)).status_code == 200
