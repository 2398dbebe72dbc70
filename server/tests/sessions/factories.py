"""Applications that connect, and the operator who manages their sessions."""

from dataclasses import dataclass
from typing import Any

import httpx
from devices.factories import Shop
from licenses.factories import make_product, product_key
from sqlalchemy import ClauseElement, text
from sqlalchemy.dialects import postgresql
from testkit import Owner

from licet_server.kit.platform import Platform


@dataclass
class SessionShop(Shop):
    """A product whose applications connect."""

    async def connect(
        self, license_: dict[str, Any], machine: str = "machine-1", **fields: Any
    ) -> httpx.Response:
        body = {"licenseKey": license_["licenseKey"], "hardwareId": machine, **fields}
        return await self.call("POST", "/api/sessions/connect", body)

    async def connected(
        self, license_: dict[str, Any], machine: str = "machine-1", **fields: Any
    ) -> dict[str, Any]:
        answer = await self.connect(license_, machine, **fields)
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    async def heartbeat(self, session: dict[str, Any] | str) -> httpx.Response:
        return await self.call("POST", "/api/sessions/heartbeat", {"sessionId": id_of(session)})

    async def disconnect(self, session: dict[str, Any] | str) -> httpx.Response:
        return await self.call("POST", "/api/sessions/disconnect", {"sessionId": id_of(session)})

    async def force_disconnect(self, session: dict[str, Any] | str) -> httpx.Response:
        return await self.owner.send("POST", f"/api/sessions/{id_of(session)}/disconnect")

    async def sessions(self, license_: dict[str, Any], **query: Any) -> list[dict[str, Any]]:
        path = f"/api/licenses/{license_['id']}/sessions"
        return list((await self.owner.ok("GET", path, params=query))["items"])

    async def set_cap(self, license_: dict[str, Any], cap: int) -> None:
        body = {"maxActiveUsersCount": cap}
        await self.owner.ok("PUT", f"/api/licenses/{license_['id']}", body)


def id_of(session: dict[str, Any] | str) -> str:
    return session if isinstance(session, str) else str(session["sessionId"])


async def open_session_shop(owner: Owner, **fields: Any) -> SessionShop:
    product = await make_product(owner, **fields)
    return SessionShop(owner, product, {"X-API-KEY": await product_key(owner, product)})


async def slots_of(platform: Platform, license_: dict[str, Any]) -> list[dict[str, Any]]:
    """The stored slots, by number."""
    statement = text("SELECT * FROM session_slots WHERE license_id = :id ORDER BY n")
    async with platform.database.reading() as db:
        rows = (await db.execute(statement, {"id": license_["id"]})).mappings()
        return [dict(row) for row in rows]


def written(statement: ClauseElement) -> str:
    """The SQL of a statement, to be changed or explained by a test."""
    named = postgresql.dialect(paramstyle="named")
    return str(statement.compile(dialect=named)).replace("::", " ::")
