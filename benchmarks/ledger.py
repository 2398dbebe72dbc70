"""What a charge costs the database, and how much of the disk its entry takes."""

import asyncio
from collections.abc import Callable

from benchmarks.costs import Costs, Meter
from benchmarks.load import Order, run_load
from benchmarks.report import Report
from benchmarks.seed import connected
from licet_server.kit.postgres import EmbeddedPostgres

HOT_SHARE = 0.95
_ENTRIES = "the entries"
_STATEMENTS = {
    "whose product key": ("product_keys",),
    "which licenses": ("SELECT", "licenses.normal_key"),
    "lock the wallets": ("FOR NO KEY UPDATE OF meter_wallets",),
    "keys that were used": ("LATERAL", "meter_entries"),
    "the balances": ("UPDATE meter_wallets",),
    _ENTRIES: ("INSERT INTO meter_entries",),
}
_SIZES = """
SELECT relname AS name, pg_relation_size(oid) AS bytes FROM pg_class
WHERE oid = 'meter_entries'::regclass
    OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'meter_entries'::regclass)
ORDER BY bytes DESC
"""


async def measure(
    cluster: EmbeddedPostgres, charges: Order, write: Callable[[], None]
) -> tuple[Costs, Costs]:
    """Right after a checkpoint, and when most pages were changed since.

    `write` makes new charges, since those that were sent would be answered from the ledger.
    """
    meter = Meter(cluster, "meter_wallets")
    await meter.prepare()
    found = []
    for checkpoint in (True, False):
        write()
        await meter.start(checkpoint=checkpoint)
        await asyncio.to_thread(run_load, charges)
        found.append(await meter.stop())
    first, steady = found
    return first, steady


def show_costs(report: Report, name: str, first: Costs, steady: Costs) -> None:
    """By statement and in all, for each charge; the sums by day, made beside it, included."""
    entries = steady.statement(*_STATEMENTS[_ENTRIES])
    charges = entries.rows
    report.title(f"What the database spends on a charge, {name}, measured on {charges:,}")
    report.table(
        ["statement", "calls", "rows a call", "µs a charge", "WAL, bytes a charge"],
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
    report.say(f"- charges a transaction: {charges / entries.calls:.1f}")
    report.say(f"- time of the database: {1000 * steady.active_ms / charges:.1f} µs")
    report.say(f"- of all its processes, on a core: {1000 * steady.cpu_ms / charges:.1f} µs")
    hot = steady.hot / steady.updates
    report.figure(
        "updates of wallets within their page (HOT)",
        f"{100 * hot:.1f} %",
        f"over {100 * HOT_SHARE:g} %",
        hot > HOT_SHARE,
    )
    early = first.statement(*_STATEMENTS[_ENTRIES]).rows
    report.say(
        f"- WAL per charge: {steady.wal_bytes / charges:,.0f} bytes, with "
        f"{steady.page_images / charges:.3f} images of pages; right after a checkpoint "
        f"{first.wal_bytes / early:,.0f} bytes, with {first.page_images / early:.3f}"
    )


async def show_sizes(report: Report, url: str) -> None:
    """Bytes of disk for each entry, by what holds them."""
    async with connected(url) as db:
        entries = await db.fetchval("SELECT count(*) FROM meter_entries")
        sizes = await db.fetch(_SIZES)
    report.title(f"How much of the disk an entry takes, {entries:,} entries")
    rows = [[row["name"], f"{row['bytes'] / entries:,.0f}"] for row in sizes]
    in_all = sum(row["bytes"] for row in sizes)
    report.table(["held by", "bytes an entry"], [*rows, ["in all", f"{in_all / entries:,.0f}"]])
