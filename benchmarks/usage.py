"""The cost of usage statistics, of the daily rollups, and of reconciliation."""

import asyncio
from collections.abc import Awaitable
from datetime import timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TypeVar

import httpx

from benchmarks.report import Report
from benchmarks.seed import Terms, copy_licenses, open_wallets, use_wallets
from benchmarks.server import (
    SERVE,
    UNBATCHED,
    call_api,
    durable_postgres,
    running,
    signed_in,
    temporary_folder,
)
from benchmarks.size import Size
from benchmarks.vendor import Vendor, create_vendor
from licet_server.app import build_platform
from licet_server.kit.clock import system_clock
from licet_server.kit.settings import read_settings
from licet_server.metering.service.reconciling import reconcile_all
from licet_server.metering.service.usage import roll_up

_Done = TypeVar("_Done")

BALANCE, CHARGES, DAYS = 10**12, 100, 365
"""Per wallet: its balance, its charges in the last week, and the days with rollups before it."""
_REPEATS = 5
_PERIODS = (7, 30, 365)
"""Requested periods in days, including today."""


def run(report: Report, size: Size) -> None:
    """Print the response time before and after the rollups, and the speed of the jobs."""
    wallets = size.of(10_000)
    with durable_postgres() as cluster, temporary_folder() as folder:
        with running(SERVE, folder, cluster) as server:
            vendor = create_vendor(server)
        asyncio.run(_seed(cluster.url, vendor, wallets))
        entries = wallets * (CHARGES + 1)
        report.title(
            f"Usage statistics: {wallets:,} wallets, {entries:,} entries, "
            f"{wallets * DAYS:,} daily rollups"
        )
        # This server runs no jobs, which would do the rollups before they are measured.
        with running(UNBATCHED, folder, cluster) as server, signed_in(server) as client:
            before = [_response_ms(client, period) for period in _PERIODS]
            asyncio.run(_work(report, cluster.url, folder))
            after = [_response_ms(client, period) for period in _PERIODS]
    report.say("")
    report.table(
        ["statistics for", "one week not rolled up, ms", "all rolled up, ms"],
        [
            [f"{period} days", f"{uncounted:,.0f}", f"{counted:,.0f}"]
            for period, uncounted, counted in zip(_PERIODS, before, after, strict=True)
        ],
    )


async def _work(report: Report, url: str, folder: Path) -> None:
    """Run the jobs in this process, one after another."""
    settings = read_settings({"DATABASE_URL": url, "LICET_DATA_DIR": str(folder)})
    platform = build_platform(settings)
    try:
        seconds, count = await _timed(roll_up(platform))
        report.say(f"- rollups: {count / seconds:,.0f} entries/s")
        seconds, _ = await _timed(roll_up(platform))
        report.say(f"- rollup with nothing to add: {1000 * seconds:,.0f} ms")
        read = 0

        def progress(done: int, _: int) -> None:
            nonlocal read
            read = done

        seconds, found = await _timed(reconcile_all(platform.database, None, progress))
        report.say(
            f"- reconciliation: {read / seconds:,.0f} entries/s, {found.checked / seconds:,.0f} "
            f"wallets/s, {len(found.mismatches)} mismatches"
        )
    finally:
        await platform.database.close()


async def _timed(work: Awaitable[_Done]) -> tuple[float, _Done]:
    started = perf_counter()
    done = await work
    return perf_counter() - started, done


async def _seed(url: str, vendor: Vendor, wallets: int) -> None:
    terms = Terms("MeteredCount", balance=BALANCE)
    await copy_licenses(url, vendor.product, vendor.release_id, wallets, terms)
    await open_wallets(url)
    await use_wallets(url, entries=CHARGES, days=DAYS)


def _response_ms(client: httpx.Client, days: int) -> float:
    since = (system_clock() - timedelta(days=days - 1)).date()
    times = []
    for _ in range(_REPEATS):
        started = perf_counter()
        call_api(client, "GET", f"/api/statistics/meter-usage?from={since}")
        times.append(1000 * (perf_counter() - started))
    return median(times)
