"""Compares what was acknowledged with the rows of the database."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import asyncpg

from drills.clients import Books
from licet_server.kit.connecting import connector

_QUERIES = {
    "consume": "SELECT id, idempotency_key AS key FROM meter_entries WHERE type = 'Consume'",
    "issue": "SELECT id, license_name AS key FROM licenses WHERE license_name LIKE 'drill-%'",
    # An instance that connects again replaces its session, so two live ones would be doubled.
    "connect": """
        SELECT id, CASE WHEN ended_at IS NULL THEN instance_id ELSE id::text END AS key
        FROM sessions
    """,
}
_WALLETS = """
    SELECT w.license_id
    FROM meter_wallets AS w
    JOIN meter_entries AS e USING (institution_id, license_id)
    GROUP BY w.license_id, w.balance
    HAVING w.balance <> sum(e.amount)
"""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A kind of request: how many were acknowledged, lost, and stored twice."""

    kind: str
    acknowledged: int
    lost: int
    doubled: int


async def compare(books: Books, url: str) -> list[Comparison]:
    """Compare on the primary; a balance that is not the sum of its ledger counts as doubled."""
    db: asyncpg.Connection[Any] = await connector(url, {})()
    try:
        found = [
            _compare(kind, books.acknowledged[kind], await db.fetch(query))
            for kind, query in _QUERIES.items()
        ]
        wrong = await db.fetch(_WALLETS)
    finally:
        await db.close()
    return [*found, Comparison("wallets", 1, 0, len(wrong))]


def _compare(kind: str, acknowledged: dict[str, str], rows: list[Any]) -> Comparison:
    stored = {str(row["id"]) for row in rows}
    times = Counter(row["key"] for row in rows)
    return Comparison(
        kind,
        len(acknowledged),
        sum(id_ not in stored for id_ in acknowledged.values()),
        sum(count - 1 for count in times.values()),
    )
