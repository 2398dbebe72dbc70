"""End users: users without an institution, and their requests to the portal."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
from sqlalchemy import select, text
from testkit import PASSWORD, Owner, numbers

from licet_server.devices.tables import device_releases
from licet_server.identity.service.users import create_user
from licet_server.kit import mail
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.portal.service.access import mail_access

LICENSES = "/api/portal/licenses"
ACCESS = "/api/portal/access"
CONFIRM = "/api/portal/access/confirm"

NewEndUser = Callable[..., Any]


@dataclass
class EndUser(Owner):
    """A user whom licenses are issued to."""

    async def licenses(self, **query: Any) -> list[dict[str, Any]]:
        return list((await self.ok("GET", LICENSES, params=query))["items"])

    async def license(self, license_: dict[str, Any]) -> dict[str, Any]:
        return dict(await self.ok("GET", f"{LICENSES}/{license_['id']}"))

    async def devices(self, license_: dict[str, Any], **query: Any) -> list[dict[str, Any]]:
        path = f"{LICENSES}/{license_['id']}/activations"
        return list((await self.ok("GET", path, params=query))["items"])

    async def release(self, license_: dict[str, Any], activation: str) -> httpx.Response:
        path = f"{LICENSES}/{license_['id']}/activations/{activation}"
        return await self.send("DELETE", path)

    async def file(self, license_: dict[str, Any], **query: Any) -> httpx.Response:
        return await self.send("GET", f"{LICENSES}/{license_['id']}/file", params=query)


def new_address() -> str:
    return f"user{next(numbers)}@customers.example.com"


async def make_end_user(
    platform: Platform,
    client: httpx.AsyncClient,
    passwords: Passwords,
    email: str | None = None,
    *,
    verified: bool = True,
) -> EndUser:
    email = email or new_address()
    async with platform.unit_of_work(Origin()) as work:
        user = await create_user(
            work,
            email=email,
            full_name="An end user",
            password_hash=await passwords.hash(PASSWORD),
            is_system_admin=False,
            verified=verified,
        )
    end_user = EndUser(client, "", "", str(user.id), email)
    await end_user.sign_in()
    end_user.token = end_user.headers["authorization"].removeprefix("Bearer ")
    return end_user


async def emails_to(platform: Platform, email: str) -> list[mail.Mail]:
    """Run the job; returns the queued emails to an address, oldest first."""
    await mail_access(platform)
    async with platform.database.reading() as db:
        waiting = await mail.list_waiting(db, platform.keyring)
    return [item for item in waiting if item.recipient == email]


async def releases_of(platform: Platform, license_: dict[str, Any]) -> list[dict[str, Any]]:
    """The stored releases of a license."""
    statement = select(device_releases).where(device_releases.c.license_id == license_["id"])
    async with platform.database.reading() as db:
        return [dict(row) for row in (await db.execute(statement)).mappings()]


async def count_rows(platform: Platform, table: str) -> int:
    async with platform.database.reading() as db:
        return int((await db.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one())
