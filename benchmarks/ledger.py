"""The cost of a charge in the database, and the disk space of its ledger entry."""

import asyncio
from collections.abc import Callable

from benchmarks.costs import CostMeter, Costs
from benchmarks.load import LoadSpec, run_load
from benchmarks.report import Report
from benchmarks.seed import connected
from benchmarks.size import Size
from licet_server.kit.postgres import EmbeddedPostgres

HOT_SHARE = 0.95
_ENTRIES = "insert entries"
_STATEMENTS = {
    "product key": ("product_keys",),
    "licenses": ("SELECT", "licenses.normal_key"),
    "lock wallets": ("FOR NO KEY UPDATE OF meter_wallets",),
    "idempotency keys": ("LATERAL", "meter_entries"),
    "update balances": ("UPDATE meter_wallets",),
    _ENTRIES: ("INSERT INTO meter_entries",),
}
_SIZES = """
SELECT relname AS name, pg_relation_size(oid) AS bytes FROM pg_class
WHERE oid = 'meter_entries'::regclass
    OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'meter_entries'::regclass)
ORDER BY bytes DESC
"""


async def measure(
    cluster: EmbeddedPostgres, charges: LoadSpec, write: Callable[[], None], size: Size
) -> tuple[Costs, Costs]:
    """Measure right after a checkpoint, and once most pages have changed since.

    `write` creates new charges, since those already sent would be replayed from the ledger.
    """
    meter = CostMeter(cluster, "meter_wallets", size.settle_seconds)
    found = []
    for checkpoint in (True, False):
        write()
        await meter.start(checkpoint=checkpoint)
        await asyncio.to_thread(run_load, charges)
        found.append(await meter.stop())
    first, steady = found
    return first, steady


def show_costs(report: Report, name: str, first: Costs, steady: Costs, target_us: float) -> None:
    """Show the costs per charge, by statement and in total, including the concurrent rollups."""
    entries = steady.statement(*_STATEMENTS[_ENTRIES])
    charges = entries.rows
    report.title(f"Database cost of a charge, {name}, measured on {charges:,}")
    report.table(
        ["statement", "calls", "rows per call", "µs per charge", "WAL bytes per charge"],
        [
            [
                text,
                f"{item.calls:,}",
                f"{item.rows / item.calls:.1f}",
                f"{1000 * item.milliseconds / charges:.1f}",
                f"{item.wal_bytes / charges:,.0f}",
            ]
            for text, item in (
                (text, steady.statement(*words)) for text, words in _STATEMENTS.items()
            )
        ],
    )
    report.say(f"- charges per transaction: {charges / entries.calls:.1f}")
    active = 1000 * steady.active_ms / charges
    report.figure(
        f"database time per charge, {name}",
        f"{active:.1f} µs",
        f"at most {target_us:g} µs",
        active <= target_us,
    )
    report.say(f"- CPU time of all its processes: {1000 * steady.cpu_ms / charges:.1f} µs")
    hot = steady.hot_share
    report.figure(
        "wallet updates within their page (HOT)",
        f"{100 * hot:.1f} %",
        f"over {100 * HOT_SHARE:g} %",
        hot > HOT_SHARE,
    )
    early = first.statement(*_STATEMENTS[_ENTRIES]).rows
    report.say(
        f"- WAL per charge: {steady.wal_bytes / charges:,.0f} bytes, with "
        f"{steady.page_images / charges:.3f} full-page images; right after a checkpoint "
        f"{first.wal_bytes / early:,.0f} bytes, with {first.page_images / early:.3f}"
    )


async def show_sizes(report: Report, url: str) -> None:
    """Show the disk space per entry, by table and index."""
    async with connected(url) as db:
        entries = await db.fetchval("SELECT count(*) FROM meter_entries")
        sizes = await db.fetch(_SIZES)
    report.title(f"Disk space of a ledger entry, {entries:,} entries")
    rows = [[row["name"], f"{row['bytes'] / entries:,.0f}"] for row in sizes]
    total = sum(row["bytes"] for row in sizes)
    report.table(
        ["table or index", "bytes per entry"], [*rows, ["total", f"{total / entries:,.0f}"]]
    )
