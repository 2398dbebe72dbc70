"""Whether the database responds in time and takes changes."""

import asyncio
from weakref import WeakKeyDictionary

from sqlalchemy import text

from licet_server.kit.database import Database

_PATIENCE_S = 2.0
_IS_WRITABLE = text("SELECT current_setting('transaction_read_only') = 'off'")

_asking: WeakKeyDictionary[Database, asyncio.Task[bool]] = WeakKeyDictionary()
"""The question that is under way. One is enough: each takes a connection while it waits."""


async def is_writable(database: Database) -> bool:
    """Check whether a change could be stored now, within 2 seconds."""
    asked = _asking.get(database)
    if asked is None or asked.done():
        asked = _asking[database] = asyncio.create_task(_ask(database), name="readiness")
    await asyncio.wait({asked}, timeout=_PATIENCE_S)
    return asked.done() and asked.result()


async def _ask(database: Database) -> bool:
    try:
        async with database.reading() as db:
            return bool((await db.execute(_IS_WRITABLE)).scalar_one())
    except Exception:  # noqa: BLE001 - whatever it is, we are not ready
        return False
