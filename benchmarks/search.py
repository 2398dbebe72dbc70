"""The search from anywhere with a million licenses: the time of everything that it sends.

Each case runs through the feature's own service, in one transaction, as a request does.
"""

import asyncio
from collections.abc import Mapping
from statistics import median
from time import perf_counter

from sqlalchemy import select

from benchmarks.listing import fill
from benchmarks.report import Report
from benchmarks.seed import VENDOR
from benchmarks.server import durable_postgres
from benchmarks.size import Size
from licet_server.kit.clock import system_clock
from licet_server.kit.database import Connection, Database, open_database
from licet_server.kit.visibility import Visibility
from licet_server.licenses.tables import licenses
from licet_server.migrations import migrate
from licet_server.search.rules import HitKind
from licet_server.search.service import SearchQuery, find

TARGET_MS = 50.0
_REPEATS = 7


def run(report: Report, size: Size) -> None:
    """Print the time of each case, and how many hits it has."""
    rows = size.of(1_000_000)
    with durable_postgres() as cluster:
        asyncio.run(migrate(cluster.url))
        asyncio.run(fill(cluster, rows))
        measured = asyncio.run(_measure(cluster.url, rows))
    report.title(f"Search, {rows:,} licenses in one institution")
    report.table(
        ["search", "hits", "median of 7, ms"],
        [[name, str(hits), f"{took:.1f}"] for name, (hits, took) in measured.items()],
    )
    slowest = max(took for _, took in measured.values())
    report.figure(
        "slowest search of all cases",
        f"{slowest:.1f} ms",
        f"under {TARGET_MS:g} ms",
        slowest < TARGET_MS,
    )


async def _measure(url: str, rows: int) -> dict[str, tuple[int, float]]:
    database = open_database(url, 1)
    try:
        async with database.reading() as db:
            texts = await _texts(db, rows)
        return {name: await _time(database, text) for name, text in texts.items()}
    finally:
        await database.close()


async def _texts(db: Connection, rows: int) -> Mapping[str, str]:
    middle = select(licenses).order_by(licenses.c.id).offset(rows // 2).limit(1)
    row = (await db.execute(middle)).one()
    return {
        "whole key": row.license_key,
        "beginning of a key": row.license_key[:7],
        "ID": str(row.id),
        "address": row.issued_to or "",
        "whole name": row.license_name,
        "beginning of many names": row.license_name[:3],
        "one letter": "s",
        "common word": "studio",
        "word of 1 in 16": "miller",
        "two words": "kim miller",
        "rare word": f"customer{rows // 90}",
        "common and rare word": f"studio customer{rows // 90}",
        "no match": "xyzzy",
    }


async def _time(database: Database, text: str) -> tuple[int, float]:
    visibility, now = Visibility((VENDOR,)), system_clock()
    hits, times = 0, list[float]()
    for _ in range(_REPEATS):
        started = perf_counter()
        async with database.snapshot() as db:
            sought = SearchQuery(
                db=db, text=text, now=now, visibility=visibility, administered=visibility
            )
            hits = sum(len(group.items) for group in (await find(sought, HitKind)).groups)
        times.append(1000 * (perf_counter() - started))
    return hits, median(times)
