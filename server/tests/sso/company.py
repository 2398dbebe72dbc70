"""A company that signs in through its provider, and browsers of its people."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from sso.idp import Idp
from testkit import Owner, client_of, numbers

from licet_server.app import Application

SECRET = "a secret/with:signs"


def outcome(answer: httpx.Response) -> tuple[int, str | None]:
    done = answer.status_code < 400
    return answer.status_code, None if done else answer.json()["errorCode"]


@dataclass
class Company:
    """An institution, its provider, and the domain that it has confirmed."""

    owner: Owner
    admin: Owner
    idp: Idp
    domain: str

    @property
    def path(self) -> str:
        return f"/api/institutions/{self.owner.institution_id}/sso"

    async def connect(self, **changes: Any) -> Any:
        body = {
            "issuer": self.idp.issuer,
            "clientId": self.idp.client_id,
            "clientSecret": SECRET,
            "domains": [self.domain],
            **changes,
        }
        return await self.owner.ok("PUT", self.path, body)

    async def confirm(self) -> Any:
        return await self.admin.ok("POST", f"{self.path}/domains/confirm", {"domain": self.domain})

    def employ(self, name: str, **claims: Any) -> str:
        """The person whom the provider signs in next; returns their address."""
        email = f"{name}@{self.domain}"
        self.idp.user = {
            "sub": f"id-of-{name}",
            "email": email,
            "email_verified": True,
            "name": name.title(),
            **claims,
        }
        return email


@asynccontextmanager
async def browser(application: Application) -> AsyncIterator[httpx.AsyncClient]:
    number = next(numbers)
    async with client_of(application, f"10.8.{number // 250}.{number % 250 + 1}") as client:
        yield client


async def begin(client: httpx.AsyncClient, email: str, **more: Any) -> dict[str, str]:
    """What the browser takes to the provider."""
    answer = await client.get("/api/auth/sso/start", params={"email": email, **more})
    assert answer.status_code == 302, answer.text
    sent = parse_qs(urlsplit(answer.headers["location"]).query)
    return {name: values[0] for name, values in sent.items()}


async def finish(
    client: httpx.AsyncClient, idp: Idp, sent: dict[str, str], **changes: Any
) -> httpx.Response:
    """The browser comes back from the provider."""
    idp.nonce = sent["nonce"]
    answer = {"code": "a-code", "state": sent["state"], **changes}
    answer = {name: value for name, value in answer.items() if value is not None}
    return await client.get("/api/auth/sso/callback", params=answer)


async def sign_in(client: httpx.AsyncClient, idp: Idp, email: str) -> httpx.Response:
    return await finish(client, idp, await begin(client, email))


async def refreshed(client: httpx.AsyncClient, answer: httpx.Response) -> httpx.Response:
    """The session of a sign-in, as the dashboard asks for it."""
    cookie = answer.cookies.get("licet_refresh")
    client.cookies.delete("licet_refresh")
    return await client.post("/api/auth/refresh", headers={"cookie": f"licet_refresh={cookie}"})


async def member(client: httpx.AsyncClient, answer: httpx.Response) -> Owner:
    """The person who signed in."""
    assert answer.status_code == 302, answer.text
    assert answer.headers["location"] == "/"
    session = (await refreshed(client, answer)).raise_for_status().json()
    user = session["user"]
    place = user["memberships"][0]["institutionId"]
    return Owner(client, session["accessToken"], place, user["id"], user["email"])
