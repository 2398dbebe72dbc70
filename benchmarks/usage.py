"""What the figures of meters cost: their statistics, the sums by day, and reconciliation."""

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
    ONE_BY_ONE,
    SERVE,
    ask,
    durable_postgres,
    running,
    signed_in,
    temporary_folder,
)
from benchmarks.vendor import Vendor, make_vendor
from licet_server.app import build_platform
from licet_server.kit.clock import system_clock
from licet_server.kit.settings import read_settings
from licet_server.metering.service.reconciling import reconcile_all
from licet_server.metering.service.rollups import roll_up

_Done = TypeVar("_Done")

BALANCE, CHARGES, DAYS = 10**12, 100, 365
"""Of each wallet: what it holds, its charges of the last week, and the days with sums before it."""
_ANSWERS = 5
_PERIODS = (7, 30, 365)
"""Days of usage that are asked for, today included."""


def run(report: Report, *, quick: bool) -> None:
    """Print the time of an answer before and after the sums are made, and how fast they are."""
    wallets = 1_000 if quick else 10_000
    with durable_postgres() as cluster, temporary_folder() as folder:
        with running(SERVE, folder, cluster.url) as server:
            vendor = make_vendor(server)
        asyncio.run(_seed(cluster.url, vendor, wallets))
        entries = wallets * (CHARGES + 1)
        report.title(
            f"Usage in figures: {wallets:,} wallets, {entries:,} entries, "
            f"{wallets * DAYS:,} sums by day"
        )
        # This server has no jobs, which would make the sums before they are measured.
        with running(ONE_BY_ONE, folder, cluster.url) as server, signed_in(server) as client:
            before = [_answer_ms(client, period) for period in _PERIODS]
            asyncio.run(_work(report, cluster.url, folder))
            after = [_answer_ms(client, period) for period in _PERIODS]
    report.say("")
    report.table(
        ["statistics of", "a week not in the sums, ms", "all in the sums, ms"],
        [
            [f"{period} days", f"{uncounted:,.0f}", f"{counted:,.0f}"]
            for period, uncounted, counted in zip(_PERIODS, before, after, strict=True)
        ],
    )


async def _work(report: Report, url: str, folder: Path) -> None:
    """The jobs themselves, in this process, one after another."""
    settings = read_settings({"DATABASE_URL": url, "LICET_DATA_DIR": str(folder)})
    platform = build_platform(settings)
    try:
        seconds, count = await _timed(roll_up(platform))
        report.say(f"- sums by day: {count / seconds:,.0f} entries/s")
        seconds, _ = await _timed(roll_up(platform))
        report.say(f"- when there is nothing to add: {1000 * seconds:,.0f} ms")
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


def _answer_ms(client: httpx.Client, days: int) -> float:
    since = (system_clock() - timedelta(days=days - 1)).date()
    times = []
    for _ in range(_ANSWERS):
        started = perf_counter()
        ask(client, "GET", f"/api/statistics/meter-usage?from={since}")
        times.append(1000 * (perf_counter() - started))
    return median(times)
