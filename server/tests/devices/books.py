"""Reads the tables of devices, and checks what must always be true of them."""

import asyncio
from typing import Any
from uuid import UUID

from locks import WAITING
from sqlalchemy import Table, func, select, update
from world import Vendor

from licet_server.devices.tables import access_attempts, activations, device_counters
from licet_server.events.tables import events
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.rules.operators import Grants, Operator
from licet_server.kit.database import Connection
from licet_server.kit.platform import Platform
from licet_server.licenses.tables import licenses

TABLES: tuple[Table, ...] = (activations, device_counters, access_attempts, events)


async def rows_of(platform: Platform, table: Table, license_: dict[str, Any]) -> list[Any]:
    """All rows of a table that belong to a license, ordered by primary key."""
    owns = table.c.license_id == license_["id"]
    statement = select(table).where(owns).order_by(*table.primary_key.columns)
    async with platform.database.reading() as db:
        return [dict(row) for row in (await db.execute(statement)).mappings()]


async def state_of(platform: Platform, license_: dict[str, Any]) -> dict[str, Any]:
    """Everything stored about the devices of a license, and how many events the institution has."""
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
    """How many rows the tables have, across tenants."""
    async with platform.database.reading() as db:
        return {
            table.name: (await db.execute(select(func.count()).select_from(table))).scalar_one()
            for table in TABLES
        }


async def counters_of(platform: Platform, license_: dict[str, Any]) -> dict[str, Any]:
    """The counters of a license; all zero if it never had a device."""
    [*found] = await rows_of(platform, device_counters, license_)
    zeros = dict.fromkeys(
        (
            "seats_used",
            "seats_waiting",
            "over_limit",
            "unreviewed_attempts",
            "new_rows",
            "uncounted",
        ),
        0,
    )
    return found[0] if found else zeros


async def assert_counters_match(platform: Platform, license_: dict[str, Any]) -> None:
    """The counters match the rows, and the rows are valid for a license of this model."""
    devices = await rows_of(platform, activations, license_)
    attempts = await rows_of(platform, access_attempts, license_)
    counters = await counters_of(platform, license_)
    assert counters["seats_used"] == sum(item["holds_seat"] for item in devices)
    waiting = sum(item["holds_seat"] and item["released_at"] is not None for item in devices)
    assert counters["seats_waiting"] == waiting
    over_limit = [item for item in devices if item["over_limit_at"] is not None]
    assert counters["over_limit"] == len(over_limit)
    async with platform.database.reading() as db:
        kept = select(licenses.c.blocked_devices).where(licenses.c.id == license_["id"])
        counted = (await db.execute(kept)).scalar_one_or_none()
    if counted is not None:
        assert counted == sum(item["blocked_at"] is not None for item in devices)
    assert counters["unreviewed_attempts"] == sum(item["reviewed_at"] is None for item in attempts)
    assert counters["new_rows"] >= 0
    assert counters["uncounted"] >= 0
    assert len({item["hardware_id"] for item in devices}) == len(devices)
    assert sum(item["bound"] for item in devices) <= (license_["type"] == "NodeLocked")
    for item in devices:
        assert item["holds_seat"] or not item["bound"]
        has_claim = item["holds_seat"] or item["over_limit_at"] is not None
        assert has_claim == (item["activated_at"] is not None)
    cap = {"NodeLocked": 1, "Concurrent": await cap_of(platform, license_)}.get(license_["type"])
    assert cap is None or counters["seats_used"] <= cap


async def cap_of(platform: Platform, license_: dict[str, Any]) -> int | None:
    """The seat cap of a license as it is stored."""
    statement = select(licenses.c.max_active_users_count).where(licenses.c.id == license_["id"])
    async with platform.database.reading() as db:
        return (await db.execute(statement)).scalar_one_or_none()


async def kinds_of(platform: Platform, vendor: Vendor, *prefixes: str) -> list[str]:
    """The kinds of the institution's events with one of these prefixes, in order."""
    return [item["kind"] for item in await events_in(platform, vendor, *prefixes)]


async def events_in(platform: Platform, vendor: Vendor, *prefixes: str) -> list[dict[str, Any]]:
    """The institution's events whose kinds have one of these prefixes, in order."""
    statement = (
        select(events)
        .where(events.c.institution_id == vendor.owner.institution_id)
        .order_by(events.c.id)
    )
    async with platform.database.reading() as db:
        found = [dict(row) for row in (await db.execute(statement)).mappings()]
    return [item for item in found if item["kind"].startswith(prefixes)]


def operator_of(vendor: Vendor, needed: Role = Role.ADMIN) -> Operator:
    """The Owner as services see them."""
    owner = vendor.owner
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
    """Set how many rows were created today."""
    await db.execute(
        update(device_counters)
        .where(device_counters.c.license_id == license_["id"])
        .values(new_rows=new_rows)
    )


async def waits_for_a_lock(platform: Platform, task: asyncio.Task[Any], besides: int = 0) -> bool:
    """Return whether a task comes to wait for a lock before it ends.

    `besides` is how many others are waiting already.
    """
    async with platform.database.reading() as db:
        while not task.done():
            if (await db.execute(WAITING)).scalar_one() > besides:
                return True
    return False
