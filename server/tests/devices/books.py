"""What the tables of devices hold for a license, and what must be true of them at any time."""

import asyncio
from typing import Any
from uuid import UUID

from devices.factories import Shop
from sqlalchemy import Table, func, select, text, update

from licet_server.devices.tables import access_attempts, activations, device_tallies
from licet_server.events.tables import events
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.rules.operators import Grants, Operator
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform

TABLES: tuple[Table, ...] = (activations, device_tallies, access_attempts, events)


async def rows_of(platform: Platform, table: Table, license_: dict[str, Any]) -> list[Any]:
    """All rows of one table that belong to a license, in a fixed order."""
    owns = table.c.license_id == license_["id"]
    statement = select(table).where(owns).order_by(*table.primary_key.columns)
    async with platform.database.reading() as db:
        return [dict(row) for row in (await db.execute(statement)).mappings()]


async def state_of(platform: Platform, license_: dict[str, Any]) -> dict[str, Any]:
    """Everything stored of the devices of a license, and how much the institution was told."""
    state: dict[str, Any] = {
        table.name: await rows_of(platform, table, license_)
        for table in TABLES
        if table is not events
    }
    statement = select(func.count()).where(events.c.institution_id == license_["institutionId"])
    async with platform.database.reading() as db:
        state["events"] = (await db.execute(statement)).scalar_one()
    return state


async def total_rows(platform: Platform) -> dict[str, int]:
    """How many rows there are of devices, of all tenants."""
    async with platform.database.reading() as db:
        return {
            table.name: (await db.execute(select(func.count()).select_from(table))).scalar_one()
            for table in TABLES
        }


async def tally_of(platform: Platform, license_: dict[str, Any]) -> dict[str, Any]:
    """The tally; all zero for a license that never had a device."""
    [*found] = await rows_of(platform, device_tallies, license_)
    nothing = dict.fromkeys(("seats_used", "unreviewed_attempts", "new_rows", "uncounted"), 0)
    return found[0] if found else nothing


async def assert_books_balance(platform: Platform, license_: dict[str, Any]) -> None:
    """The tally says what the rows say, and the rows are what a license of its kind may have."""
    devices = await rows_of(platform, activations, license_)
    attempts = await rows_of(platform, access_attempts, license_)
    tally = await tally_of(platform, license_)
    assert tally["seats_used"] == sum(item["holds_seat"] for item in devices)
    assert tally["unreviewed_attempts"] == sum(item["reviewed_at"] is None for item in attempts)
    assert tally["new_rows"] >= 0
    assert tally["uncounted"] >= 0
    assert len({item["hardware_id"] for item in devices}) == len(devices)
    assert sum(item["bound"] for item in devices) <= (license_["type"] == "NodeLocked")
    for item in devices:
        assert item["holds_seat"] or not item["bound"]
        assert item["holds_seat"] == (item["activated_at"] is not None)


async def kinds_of(platform: Platform, shop: Shop, *prefixes: str) -> list[str]:
    """The kinds of the institution's events that begin with one of these, in order."""
    return [item["kind"] for item in await events_in(platform, shop, *prefixes)]


async def events_in(platform: Platform, shop: Shop, *prefixes: str) -> list[dict[str, Any]]:
    """The institution's events whose kinds begin with one of these, in order."""
    statement = (
        select(events)
        .where(events.c.institution_id == shop.owner.institution_id)
        .order_by(events.c.id)
    )
    async with platform.database.reading() as db:
        found = [dict(row) for row in (await db.execute(statement)).mappings()]
    return [item for item in found if item["kind"].startswith(prefixes)]


def operator_of(shop: Shop, needed: Role = Role.ADMIN) -> Operator:
    """The Owner, as services know him."""
    owner = shop.owner
    nobody = UUID(int=0)
    grants = Grants({UUID(owner.institution_id): Role.OWNER})
    return Operator(
        user_id=UUID(owner.user_id),
        email=owner.email,
        email_verified=True,
        is_system_admin=False,
        sign_in_id=nobody,
        grants=grants,
        needed=needed,
    )


async def flood(db: Connection, license_: dict[str, Any], new_rows: int) -> None:
    """Say that so many rows were made today."""
    await db.execute(
        update(device_tallies)
        .where(device_tallies.c.license_id == license_["id"])
        .values(new_rows=new_rows)
    )


async def waits_for_a_lock(platform: Platform, task: asyncio.Task[Any], besides: int = 0) -> bool:
    """Whether a task comes to wait for a lock that somebody else holds, or else ends.

    `besides` are others that wait already.
    """
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    async with platform.database.reading() as db:
        while not task.done():
            if (await db.execute(waiting)).scalar_one() > besides:
                return True
    return False
