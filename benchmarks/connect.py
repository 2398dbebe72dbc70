"""Connects to pools of 10,000 seats, with a thousand of them free and with none."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from uuid import UUID

from benchmarks.costs import describe_commits
from benchmarks.load import LoadSpec
from benchmarks.rates import (
    BARE_ROUTE,
    EMPTY_ROUTE,
    Runs,
    Scenario,
    bare_route,
    empty_route,
    rate,
    run_rounds,
    show_rates,
    show_share,
)
from benchmarks.report import Report
from benchmarks.seed import connected, copy_licenses, fill_all_seats, floating, with_dashes
from benchmarks.server import SERVE, Server, durable_postgres, running, temporary_folder
from benchmarks.size import Size
from benchmarks.vendor import Vendor, create_vendor

SEATS, TAKEN, CONNECTS = 10_000, 9_000, 900
CONNECTS_A_SECOND, SHARE_OF_BARE = 1_000.0, 0.18
_FREED, _GROWING, _FULL = "1,000 seats freed", "1,000 seats never used", "no seat free"
_POOLS = (_FREED, _GROWING, _FULL)
_OTHER_LICENSES, _OTHER_SEATS = 5_000, 10
_SETTINGS = {"sessionTimeoutSeconds": 86_400}  # no session times out during the run

_FREE = """
WITH gone AS (
    UPDATE sessions SET ended_at = now(), end_reason = 'Disconnected'
    FROM (SELECT session_id FROM session_slots WHERE license_id = $1 AND session_id IS NOT NULL
        ORDER BY random() OFFSET $2) AS s
    WHERE sessions.license_id = $1 AND sessions.id = s.session_id
    RETURNING sessions.id
)
UPDATE session_slots SET session_id = NULL, hardware_id = NULL, instance_key = NULL,
    connected_at = NULL, last_heartbeat_at = NULL, expires_at = NULL
FROM gone WHERE license_id = $1 AND session_id = gone.id
"""
_CUT = """
WITH gone AS (DELETE FROM session_slots WHERE license_id = $1 AND n > $2 RETURNING session_id)
UPDATE sessions SET ended_at = now(), end_reason = 'Disconnected'
FROM gone WHERE license_id = $1 AND id = gone.session_id
"""
_RESETS = {_FREED: _FREE, _GROWING: _CUT}
_LIMIT_EVENTS = "SELECT count(*) FROM events WHERE kind = 'session.limit_reached'"


@dataclass(slots=True)
class _Pools:
    """The pools by purpose, and the instances that connect to them."""

    url: str
    keys: Mapping[str, str]
    ids: Mapping[str, UUID]
    folder: Path
    arrived: int = 0

    def bodies(self, pool: str) -> Path:
        return self.folder / f"{_POOLS.index(pool)}.jsonl"

    def prepare(self, pool: str) -> None:
        """Write connects of new instances, and free the seats that the last round took."""
        if pool not in self.keys:
            return
        self.bodies(pool).write_text(
            "\n".join(
                json.dumps(_connect_body(self.keys[pool], number))
                for number in range(self.arrived, self.arrived + CONNECTS)
            )
        )
        self.arrived += CONNECTS
        if pool in _RESETS:
            asyncio.run(self._reset(pool))

    async def _reset(self, pool: str) -> None:
        async with connected(self.url) as db:
            await db.execute(_RESETS[pool], self.ids[pool], TAKEN)


def _connect_body(license_key: str, number: int) -> dict[str, str]:
    return {
        "licenseKey": license_key,
        "hardwareId": f"MACHINE-{number:025}",
        "instanceId": f"instance-{number:023}",
        "deviceName": "Studio 7",
        "appVersion": "3.1.0",
    }


def run(report: Report, size: Size) -> None:
    """Print connects and refusals per second."""
    with (
        durable_postgres() as cluster,
        temporary_folder() as folder,
        running(SERVE, folder, cluster) as server,
        bare_route(folder) as bare,
    ):
        vendor = create_vendor(server, _SETTINGS)
        pools = asyncio.run(_seed(cluster.url, vendor, folder, size))
        scenarios = {BARE_ROUTE: bare, EMPTY_ROUTE: empty_route(server)}
        for name in _POOLS:
            scenarios[name] = _connects(server, vendor, pools.bodies(name), full=name == _FULL)
        events_before = asyncio.run(_value(cluster.url, _LIMIT_EVENTS))
        started = perf_counter()
        runs = run_rounds(scenarios, size, pools.prepare)
        minutes = (perf_counter() - started) / 60
        events = asyncio.run(_value(cluster.url, _LIMIT_EVENTS)) - events_before
        durability = asyncio.run(describe_commits(cluster.url))
    report.title(f"Connect, pools of {SEATS:,} seats, 64 connections, one worker")
    report.say(f"{CONNECTS} connects per round. {durability}\n")
    show_rates(report, runs)
    _show_figures(report, runs, events, minutes)


async def _seed(url: str, vendor: Vendor, folder: Path, size: Size) -> _Pools:
    """Create three pools and many small licenses; all seats are taken."""
    keys = await copy_licenses(url, vendor.product, vendor.release_id, len(_POOLS), floating(SEATS))
    others, count = floating(_OTHER_SEATS), size.of(_OTHER_LICENSES)
    await copy_licenses(url, vendor.product, vendor.release_id, count, others)
    await fill_all_seats(url)
    async with connected(url) as db:
        rows = await db.fetch(
            "SELECT normal_key, id FROM licenses WHERE normal_key = ANY($1)", keys
        )
    ids = {row["normal_key"]: row["id"] for row in rows}
    return _Pools(
        url,
        {name: with_dashes(key) for name, key in zip(_POOLS, keys, strict=True)},
        {name: ids[key] for name, key in zip(_POOLS, keys, strict=True)},
        folder,
    )


def _connects(server: Server, vendor: Vendor, bodies: Path, *, full: bool) -> Scenario:
    spec = LoadSpec(server.port, "/api/sessions/connect", vendor.headers, str(bodies))
    if full:
        spec.status, spec.expect = 409, '"MaxConcurrentSessionsReached"'
    else:
        spec.status, spec.expect = 201, '"sessionId"'
        spec.once, spec.seconds = True, 30.0
    return Scenario(server, spec)


async def _value(url: str, query: str) -> int:
    async with connected(url) as db:
        value: int = await db.fetchval(query)
        return value


def _show_figures(report: Report, runs: Runs, events: int, minutes: float) -> None:
    for name in (_FREED, _GROWING):
        show_share(report, name, runs, SHARE_OF_BARE)
        report.figure(
            f"connects per second, {name}",
            f"{rate(runs[name]):,.0f}",
            f"at least {CONNECTS_A_SECOND:,.0f}",
            rate(runs[name]) >= CONNECTS_A_SECOND,
        )
    refusals = sum(run.outcome.measured for run in runs[_FULL])
    at_most = int(minutes) + 1
    report.figure(
        f"events from the full pool, for {refusals:,} refusals in {60 * minutes:.0f} s",
        str(events),
        f"at most {at_most}",
        events <= at_most,
    )
