"""Whether statements wait for locks in the database of a test."""

import asyncio
from typing import Any

import on_citus
from patience import until_found
from sqlalchemy import text

from licet_server.kit.platform import Platform

_HERE = (
    "SELECT count(*) FROM pg_locks WHERE NOT granted "
    "AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())"
)
WAITING = text(on_citus.added_up(_HERE) if on_citus.is_on() else _HERE)
"""Counts those statements. The server has the databases of other processes as well, and a wait for
a row names none, so that only its backend tells where it waits."""


async def until_it_waits(platform: Platform, doing: asyncio.Task[Any]) -> None:
    """Wait until a statement stands in line for a lock; fail if the task ends without."""

    async def look() -> bool:
        assert not doing.done(), "it waits for nobody"
        async with platform.database.reading() as db:
            return bool((await db.execute(WAITING)).scalar_one())

    await until_found(look)
