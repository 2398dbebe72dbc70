"""Finds a few licenses by what somebody types, with queries that stop after a few rows."""

from sqlalchemy import func, select, union_all

from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.kit.word_search import fetch_with_words
from licet_server.licenses.rules.keys import normal_starts
from licet_server.licenses.rules.model import License
from licet_server.licenses.storage.records import (
    LICENSE_COLUMNS,
    is_visible,
    license_of,
    select_visible,
)
from licet_server.licenses.tables import licenses


async def fetch_named(
    db: Connection, visibility: Visibility, text: str, limit: int
) -> list[License]:
    """Licenses with this name or receiver, and with a key or a name that begins so.

    Up to `limit` of each, so that one may be returned twice.
    """
    visible = select_visible(visibility)
    name = func.lower(licenses.c.license_name)
    lowered = text.lower()
    parts = [
        visible.where(name == lowered),
        visible.where(func.lower(licenses.c.issued_to) == lowered),
        *(
            visible.where(licenses.c.normal_key.startswith(start, autoescape=True))
            for start in normal_starts(text)
        ),
        visible.where(name.startswith(lowered, autoescape=True)),
    ]
    statement = union_all(*(select(part.limit(limit).subquery()) for part in parts))
    return [license_of(row) for row in await db.execute(statement)]


async def fetch_worded(
    db: Connection, visibility: Visibility, search: str, limit: int
) -> list[License]:
    """Licenses with all words of the search in name, receiver and issuer; `db` is a transaction."""
    rows = await fetch_with_words(
        db,
        LICENSE_COLUMNS,
        licenses.c.search_words,
        search,
        visibility=visibility,
        visible=is_visible(visibility),
        limit=limit,
    )
    return [license_of(row) for row in rows]
