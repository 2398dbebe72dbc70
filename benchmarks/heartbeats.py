"""Heartbeats of 100k live sessions: their rate, and the cost of each in the database."""

import asyncio
import secrets
from datetime import timedelta
from typing import Any
from uuid import UUID

from benchmarks.costs import CostMeter, Costs
from benchmarks.load import LoadSpec, run_load
from benchmarks.rates import (
    BARE_ROUTE,
    EMPTY_ROUTE,
    Scenario,
    bare_route,
    empty_route,
    rate,
    run_rounds,
    show_rates,
    show_share,
)
from benchmarks.report import Report
from benchmarks.seed import connected, copy_licenses, fill_all_seats, floating
from benchmarks.server import SERVE, durable_postgres, running, temporary_folder
from benchmarks.size import Size
from benchmarks.vendor import Vendor, create_vendor
from licet_server.kit.clock import system_clock
from licet_server.kit.database import open_database
from licet_server.kit.postgres import EmbeddedPostgres
from licet_server.sessions.rules.model import Heartbeat
from licet_server.sessions.service.runtime import extend_sessions

SHARE_OF_BARE, MICROSECONDS, HOT_SHARE = 0.5, 8.0, 0.95
INTERVAL_SECONDS = 30
_TIMEOUT = 86_400  # no session times out during the run
_SETTINGS = {"sessionTimeoutSeconds": _TIMEOUT, "heartbeatMinSpacingSeconds": 0}
_BEAT = "heartbeat"
_SMALL_POOL = 10
_AGING_BATCH = 64
_STATEMENTS = {
    "product key": ("product_keys",),
    "session slots": ("SELECT", "session_slots"),
    "license status": ("SELECT", "licenses"),
    "update": ("UPDATE session_slots",),
}


def run(report: Report, size: Size) -> None:
    """Print the ratio to the bare route and the costs in the database."""
    sessions = size.of(100_000)
    with (
        durable_postgres() as cluster,
        temporary_folder() as folder,
        running(SERVE, folder, cluster) as server,
        bare_route(folder) as bare,
    ):
        vendor = create_vendor(server, _SETTINGS)
        bodies = folder / "beats.jsonl"
        keys = asyncio.run(_seed(cluster, vendor, sessions))
        bodies.write_text("\n".join(f'{{"sessionId": "{key}"}}' for key in keys))
        beats = LoadSpec(
            server.port,
            "/api/sessions/heartbeat",
            vendor.headers,
            str(bodies),
            '"expiresAt"',
            shuffled=True,
        )
        scenarios = {
            BARE_ROUTE: bare,
            EMPTY_ROUTE: empty_route(server),
            _BEAT: Scenario(server, beats),
        }
        runs = run_rounds(scenarios, size)
        report.title(f"Heartbeats, {sessions:,} live sessions, 64 connections, one worker")
        show_rates(report, runs)
        show_share(report, _BEAT, runs, SHARE_OF_BARE)
        kept = rate(runs[_BEAT]) * INTERVAL_SECONDS
        report.say(
            f"- sessions that this keeps alive with a heartbeat every {INTERVAL_SECONDS} s: "
            f"{kept:,.0f}"
        )
        beats.seconds, beats.requests = 5 * size.seconds, size.requests
        first, steady = asyncio.run(_measure(cluster, vendor, keys, beats, size))
    _show_costs(report, first, steady)


async def _seed(cluster: EmbeddedPostgres, vendor: Vendor, sessions: int) -> list[UUID]:
    """Create half of the sessions in one pool and half in many small ones, with aged pages."""
    half = sessions // 2
    await copy_licenses(cluster.url, vendor.product, vendor.release_id, 1, floating(half))
    small = half // _SMALL_POOL
    terms = floating(_SMALL_POOL)
    await copy_licenses(cluster.url, vendor.product, vendor.release_id, small, terms)
    await fill_all_seats(cluster.url)
    async with connected(cluster.url) as db:
        rows = await db.fetch("SELECT session_id FROM session_slots")
    keys: list[UUID] = [row["session_id"] for row in rows]
    for _ in range(2):
        await _heartbeat_all(cluster, vendor.product, keys)
    return keys


async def _heartbeat_all(
    cluster: EmbeddedPostgres, product: dict[str, Any], keys: list[UUID]
) -> None:
    """Send a heartbeat of each session, in random order, to the use case itself.

    The pages then contain as many old row versions as in a service that has run for long.
    """
    institution_id, product_id = UUID(product["institutionId"]), UUID(product["id"])
    timeout, spacing = timedelta(seconds=_TIMEOUT), timedelta()
    beats = [
        Heartbeat(institution_id, product_id, key, timeout, spacing)
        for key in secrets.SystemRandom().sample(keys, len(keys))
    ]
    database = open_database(cluster.url, 1)
    try:
        for start in range(0, len(beats), _AGING_BATCH):
            async with database.relaxed() as db:
                await extend_sessions(db, beats[start : start + _AGING_BATCH], system_clock)
    finally:
        await database.close()


async def _measure(
    cluster: EmbeddedPostgres, vendor: Vendor, keys: list[UUID], beats: LoadSpec, size: Size
) -> tuple[Costs, Costs]:
    """Measure right after a checkpoint, and once every page has changed since."""
    meter = CostMeter(cluster, "session_slots", size.settle_seconds)
    await meter.start(checkpoint=True)
    await asyncio.to_thread(run_load, beats)
    first = await meter.stop()
    await _heartbeat_all(cluster, vendor.product, keys)
    await meter.start(checkpoint=False)
    await asyncio.to_thread(run_load, beats)
    return first, await meter.stop()


def _show_costs(report: Report, first: Costs, steady: Costs) -> None:
    update = steady.statement(*_STATEMENTS["update"])
    beats = update.rows
    report.title(f"Database cost of a heartbeat, measured on {beats:,}")
    found = {name: steady.statement(*words) for name, words in _STATEMENTS.items()}
    report.table(
        ["statement", "calls", "rows per call", "µs per heartbeat", "WAL bytes per heartbeat"],
        [
            [
                name,
                f"{item.calls:,}",
                f"{item.rows / item.calls:.1f}",
                f"{1000 * item.milliseconds / beats:.1f}",
                f"{item.wal_bytes / beats:,.0f}",
            ]
            for name, item in found.items()
        ],
    )
    active = 1000 * steady.active_ms / beats
    report.figure(
        "database time for all four, per heartbeat",
        f"{active:.1f} µs",
        f"at most {MICROSECONDS:g} µs",
        active <= MICROSECONDS,
    )
    report.say(f"- CPU time of all its processes: {1000 * steady.cpu_ms / beats:.1f} µs")
    alone = 1000 * update.milliseconds / beats
    report.figure(
        f"the UPDATE alone, {beats / update.calls:.1f} heartbeats per batch",
        f"{alone:.1f} µs",
        f"at most {MICROSECONDS:g} µs",
        alone <= MICROSECONDS,
    )
    hot = steady.hot_share
    report.figure(
        "updates within their page (HOT)",
        f"{100 * hot:.1f} %",
        f"over {100 * HOT_SHARE:g} %",
        hot > HOT_SHARE,
    )
    early = first.statement(*_STATEMENTS["update"]).rows
    report.say(
        f"- WAL per heartbeat: {steady.wal_bytes / beats:,.0f} bytes, with "
        f"{steady.page_images / beats:.3f} full-page images; right after a checkpoint "
        f"{first.wal_bytes / early:,.0f} bytes, with {first.page_images / early:.3f}"
    )
