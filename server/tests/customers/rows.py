"""Every row of a database as it is stored, to see what a request has changed."""

from collections.abc import Collection, Iterator
from typing import Any

from sqlalchemy import text

import licet_server.migrations  # noqa: F401 - registers every table
from licet_server.kit.database import metadata
from licet_server.kit.platform import Platform

Rows = dict[tuple[str, str], dict[str, Any]]
"""Rows by their table and key."""

PASSING = {
    "idempotency_records",
    "license_requests",
    "rate_counters",
    "refresh_tokens",
    "sign_ins",
    "users_seen",
}
"""Tables that any request changes."""


async def rows_of(platform: Platform) -> Rows:
    """Read all rows, apart from those that any request changes."""
    found: Rows = {}
    async with platform.database.reading() as db:
        for table in metadata.sorted_tables:
            if table.name in PASSING:
                continue
            keys = [column.name for column in table.primary_key.columns]
            for row in (
                await db.execute(text(f"SELECT to_jsonb(t) FROM {table.name} t"))
            ).scalars():
                found[table.name, " ".join(str(row[name]) for name in keys)] = row
    return found


def changed(before: Rows, after: Rows) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yield the table of each row that was changed or deleted, what it was, and what it is."""
    for place, row in before.items():
        if (left := after.get(place, {})) != row:
            yield place[0], row, left


def not_about(before: Rows, after: Rows, ids: Collection[str]) -> list[tuple[str, dict[str, Any]]]:
    """List the changed rows that name none of these IDs."""
    return [
        (table, row)
        for table, row, _ in changed(before, after)
        if not any(item in str(row) for item in ids)
    ]
