"""Stored sessions, and the statements about them."""

from typing import Any

from sqlalchemy import ClauseElement, text
from sqlalchemy.dialects import postgresql

from licet_server.kit.platform import Platform


def id_of(session: dict[str, Any] | str) -> str:
    return session if isinstance(session, str) else str(session["sessionId"])


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
