"""Whether the database responds in time and takes changes."""

import asyncio

from sqlalchemy import text

from licet_server.kit.database import Database

_PATIENCE_S = 2.0
_IS_READ_ONLY = text("SELECT current_setting('transaction_read_only') = 'on'")


async def is_writable(database: Database) -> bool:
    """Whether a change could be stored now; False also if the database takes over 2 seconds."""
    try:
        async with asyncio.timeout(_PATIENCE_S), database.reading() as db:
            return not (await db.execute(_IS_READ_ONLY)).scalar_one()
    except Exception:  # noqa: BLE001 - whatever it is, we are not ready
        return False
