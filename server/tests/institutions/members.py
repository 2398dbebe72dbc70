"""Shared by the tests of members and invitations: members, tokens, and stored rows."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from identity.people import mailed_token
from locks import WAITING
from sqlalchemy import text
from testkit import PASSWORD, Owner, numbers

from licet_server.kit.platform import Platform

ACCEPT = "/api/auth/accept-invitation"
NOWHERE = "01900000-0000-7000-8000-000000000000"
FORBIDDEN, NOT_FOUND = (403, "Forbidden"), (404, "NotFound")
UNAUTHORIZED, CONFLICT = (401, "Unauthorized"), (409, "Conflict")

NewOwner = Callable[..., Awaitable[Owner]]

_TABLES = (
    "users",
    "memberships",
    "assigned_products",
    "assigned_releases",
    "invitations",
    "invited_products",
    "invited_releases",
    "api_keys",
    "sign_ins",
    "mailed_tokens",
    "mails",
    "events",
)


def fresh(name: str = "ada") -> str:
    """An email address that no other test uses."""
    return f"{name}{next(numbers)}@example.com"


def outcome(answer: httpx.Response) -> tuple[int, str | None]:
    return answer.status_code, None if answer.is_success else answer.json()["errorCode"]


def fields(answer: httpx.Response) -> list[str]:
    """The fields that a 400 names."""
    assert outcome(answer) == (400, "InvalidRequest"), answer.text
    return [error["field"] for error in answer.json()["errors"]]


def members_path(owner: Owner) -> str:
    return f"/api/institutions/{owner.institution_id}/members"


def invitations_path(owner: Owner) -> str:
    return f"/api/institutions/{owner.institution_id}/invitations"


def member_path(owner: Owner, user: Owner) -> str:
    return f"{members_path(owner)}/{user.user_id}"


async def invite(owner: Owner, email: str, role: str = "Viewer", **assigned: Any) -> dict[str, Any]:
    body = {"email": email, "role": role, **assigned}
    return dict(await owner.ok("POST", invitations_path(owner), body))


def link_token(invitation: dict[str, Any]) -> str:
    """The token in the link to hand over."""
    [token] = parse_qs(urlsplit(invitation["acceptUrl"]).query)["token"]
    return token


def profile(token: str, **changes: Any) -> dict[str, Any]:
    return {"token": token, "password": PASSWORD, "fullName": "New Person", **changes}


async def accept(client: httpx.AsyncClient, token: str, **changes: Any) -> httpx.Response:
    return await client.post(ACCEPT, json=profile(token, **changes))


async def both_tokens(platform: Platform, owner: Owner, email: str, **fields: Any) -> list[str]:
    """The emailed token, and the one of the link."""
    made = await invite(owner, email, **fields)
    return [await mailed_token(platform, email.lower()), link_token(made)]


async def add_member(owner: Owner, user: Owner, role: str, **assigned: Any) -> Owner:
    """Make a user a member of the owner's institution, by an invitation."""
    invitation = await invite(owner, user.email, role, **assigned)
    await user.ok("POST", ACCEPT, {"token": link_token(invitation)})
    return user


def at(owner: Owner, user: Owner) -> Owner:
    """The person, acting in the owner's institution."""
    return Owner(user.client, user.token, owner.institution_id, user.user_id, user.email)


async def roles(owner: Owner) -> dict[str, str]:
    """The roles of the members by user id."""
    listed = await owner.ok("GET", members_path(owner), params={"pageSize": 100})
    return {item["userId"]: item["role"] for item in listed["items"]}


async def member(owner: Owner, user: Owner) -> dict[str, Any]:
    listed = await owner.ok("GET", members_path(owner), params={"search": user.email})
    [found] = listed["items"]
    return dict(found)


async def all_rows(platform: Platform) -> dict[str, Any]:
    """All rows of users and members, to check that nothing was changed."""
    found = {}
    async with platform.database.reading() as db:
        for table in _TABLES:
            rows = await db.execute(text(f"SELECT t::text FROM {table} t ORDER BY 1"))
            found[table] = rows.scalars().all()
    return found


async def count_rows(platform: Platform, table: str, column: str, value: str) -> int:
    statement = text(f"SELECT count(*) FROM {table} WHERE {column} = :value")
    async with platform.database.reading() as db:
        return int((await db.execute(statement, {"value": value})).scalar_one())


async def events_of(platform: Platform, subject_id: str) -> list[dict[str, Any]]:
    """The events of a subject, oldest first."""
    statement = text(
        "SELECT kind, data, changes, actor_kind, actor_id::text, actor_name FROM events "
        "WHERE subject_id = :id ORDER BY id"
    )
    async with platform.database.reading() as db:
        return [dict(row) for row in (await db.execute(statement, {"id": subject_id})).mappings()]


async def wait_for_lock(platform: Platform) -> None:
    """Wait until a statement waits for a lock."""
    async with asyncio.timeout(10), platform.database.reading() as db:
        while not (await db.execute(WAITING)).scalar_one():
            pass


async def listed(owner: Owner) -> dict[str, dict[str, Any]]:
    """The invitations by id."""
    found = await owner.ok("GET", invitations_path(owner), params={"pageSize": 100})
    return {item["id"]: item for item in found["items"]}
