"""Shared by the tests of sign-in: emails and their tokens, codes, and recorded events."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import httpx
import pyotp
from sqlalchemy import select, text
from testkit import PASSWORD, Owner, client_of

from licet_server.app import Application
from licet_server.events.tables import events
from licet_server.identity.service.by_email import mail_reset_tokens
from licet_server.kit import mail
from licet_server.kit.clock import Clock
from licet_server.kit.platform import Platform

NEW_PASSWORD = "another horse battery"


async def emails_to(platform: Platform, email: str) -> list[mail.Mail]:
    """Oldest first."""
    await mail_reset_tokens(platform)
    async with platform.database.reading() as db:
        waiting = await mail.list_waiting(db, platform.keyring)
    return [email_sent for email_sent in waiting if email_sent.recipient == email]


async def mailed_token(platform: Platform, email: str) -> str:
    """The token in the newest email."""
    emails = await emails_to(platform, email)
    assert emails, email
    found = re.search(r"\?token=(\S+)", emails[-1].text or "")
    assert found, emails[-1].text
    return found[1]


async def reset_token(platform: Platform, owner: Owner) -> str:
    asked = await owner.client.post("/api/auth/password-reset", json={"email": owner.email})
    assert asked.status_code == 202, asked.text
    return await mailed_token(platform, owner.email)


def code(secret: str, clock: Clock, steps: int = 0) -> str:
    return pyotp.TOTP(secret).at(clock(), counter_offset=steps)


async def enable_totp(owner: Owner, clock: Clock) -> tuple[str, list[str]]:
    """The secret and the recovery codes; the current code is used up."""
    offered = await owner.ok("POST", "/api/auth/totp")
    secret = offered["secret"]
    body = {"otpCode": code(secret, clock)}
    return secret, (await owner.ok("POST", "/api/auth/totp/confirm", body))["recoveryCodes"]


async def login(
    client: httpx.AsyncClient, email: str, password: str = PASSWORD, otp: str | None = None
) -> httpx.Response:
    body = {"email": email, "password": password}
    return await client.post(
        "/api/auth/login", json=body if otp is None else {**body, "otpCode": otp}
    )


async def signed_in_again(owner: Owner) -> Owner:
    """Another session of the user."""
    session = (await login(owner.client, owner.email)).raise_for_status().json()
    owner.client.cookies.clear()
    return Owner(
        owner.client, session["accessToken"], owner.institution_id, owner.user_id, owner.email
    )


async def is_signed_in(owner: Owner) -> bool:
    return (await owner.send("GET", "/api/auth/me")).status_code == 200


async def recorded(platform: Platform, owner: Owner) -> list[tuple[str, str]]:
    """The kinds and actors of the user's events, oldest first."""
    statement = (
        select(events.c.kind, events.c.actor_id)
        .where(
            events.c.institution_id == UUID(owner.institution_id),
            events.c.subject_id == UUID(owner.user_id),
        )
        .order_by(events.c.id)
    )
    async with platform.database.reading() as db:
        return [(row.kind, str(row.actor_id)) for row in await db.execute(statement)]


async def everything_stored(platform: Platform) -> dict[str, Any]:
    """All rows of the tables of identity, to check that nothing was changed."""
    found = {}
    async with platform.database.reading() as db:
        for table in ("users", "mailed_tokens", "recovery_codes", "sign_ins", "mails", "events"):
            rows = await db.execute(text(f"SELECT t::text FROM {table} t ORDER BY 1"))
            found[table] = rows.scalars().all()
    return found


async def account_of(platform: Platform, user: Owner) -> dict[str, list[str]]:
    """Return what is stored of a person's account, apart from sessions through a provider.

    Of memberships, that in their own institution, and the number of all.
    """
    queries = {
        "users": "id = :id",
        "passkeys": "user_id = :id",
        "recovery_codes": "user_id = :id",
        "mailed_tokens": "user_id = :id",
        "memberships": "user_id = :id AND institution_id = :own",
        "notification_preferences": "user_id = :id",
        "sign_ins": "user_id = :id AND through_institution_id IS NULL",
    }
    given = {"id": UUID(user.user_id), "own": UUID(user.institution_id)}
    found = {}
    async with platform.database.reading() as db:
        for table, condition in queries.items():
            statement = text(f"SELECT t::text FROM {table} t WHERE {condition} ORDER BY 1")
            wanted = {name: value for name, value in given.items() if f":{name}" in condition}
            found[table] = list((await db.execute(statement, wanted)).scalars())
        places = text("SELECT count(*)::text FROM memberships WHERE user_id = :id")
        found["places"] = list((await db.execute(places, {"id": given["id"]})).scalars())
    return found


@asynccontextmanager
async def elsewhere(application: Application, address: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client at another IP address."""
    async with client_of(application, address) as client:
        yield client
