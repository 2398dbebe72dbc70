"""How long a policy takes to reach the licenses that remember it, a thousand at a time."""

import asyncio
from time import perf_counter
from typing import Any
from uuid import UUID

import httpx

from benchmarks.costs import CostMeter, Costs
from benchmarks.report import Report
from benchmarks.seed import Terms, copy_licenses
from benchmarks.server import (
    SERVE,
    call_api,
    durable_postgres,
    running,
    signed_in,
    temporary_folder,
)
from benchmarks.size import Size
from benchmarks.vendor import create_vendor

LICENSES = 100_000
TARGET_SECONDS, TARGET_HOT, TARGET_WAL = 30.0, 0.9, 1_500
_RUNS = (
    ("preview, which changes nothing", True),
    ("apply", False),
    ("apply again: nothing is left to change", False),
)


def run(report: Report, size: Size) -> None:
    """Print how long it takes to preview a policy, to apply it, and to apply it again."""
    count = size.of(LICENSES)
    with (
        durable_postgres() as cluster,
        temporary_folder() as folder,
        running(SERVE, folder, cluster) as server,
    ):
        vendor = create_vendor(server)
        meter = CostMeter(cluster, "licenses", size.settle_seconds)
        with signed_in(server) as client:
            body = {
                "productId": vendor.product["id"],
                "name": "Team",
                "type": "Concurrent",
                "maxActiveUsersCount": 10,
            }
            policy_id = call_api(client, "POST", "/api/policies", body)["id"]
            terms = Terms("Concurrent", seats=5, policy_id=UUID(policy_id))
            issued = copy_licenses(cluster.url, vendor.product, vendor.release_id, count, terms)
            asyncio.run(issued)
            walks = []
            for name, dry_run in _RUNS:
                asyncio.run(meter.start(checkpoint=True))
                walk = _walk(client, policy_id, dry_run=dry_run)
                walks.append((name, *walk, asyncio.run(meter.stop())))
    report.title(f"A policy applied to {count:,} licenses through the API, 1,000 a request")
    report.table(
        [
            "run",
            "changed",
            "seconds",
            "licenses per second",
            "slowest request, ms",
            "CPU of the database, µs a license",
            "WAL, bytes a license",
            "with events, their seals and dispatch",
        ],
        [_row(count, *walk) for walk in walks],
    )
    _, _, seconds, _, costs = walks[1]
    seconds, wal = seconds * LICENSES / count, _wal_of_licenses(costs) / count
    report.figure(
        f"{LICENSES:,} licenses",
        f"{seconds:.0f} s",
        f"{TARGET_SECONDS:g} s",
        seconds <= TARGET_SECONDS,
    )
    report.figure(
        "updates within their page (HOT)",
        f"{costs.hot_share:.1%}",
        f"at least {TARGET_HOT:.0%}",
        costs.hot_share >= TARGET_HOT,
    )
    report.figure(
        "WAL of a license, locked and changed, with the first change of each page",
        f"{wal:,.0f} bytes",
        f"at most {TARGET_WAL:,}",
        wal <= TARGET_WAL,
    )


def _row(
    count: int, name: str, changed: int, seconds: float, slowest: float, costs: Costs
) -> list[str]:
    return [
        name,
        f"{changed:,}",
        f"{seconds:.1f}",
        f"{count / seconds:,.0f}",
        f"{slowest * 1000:.0f}",
        f"{1000 * costs.cpu_ms / count:.0f}",
        f"{_wal_of_licenses(costs) / count:,.0f}",
        f"{costs.wal_bytes / count:,.0f}",
    ]


def _wal_of_licenses(costs: Costs) -> int:
    """Return the WAL of the statements that lock and change licenses."""
    return sum(
        item.wal_bytes
        for item in costs.statements
        if item.text.startswith("UPDATE licenses")
        or ("FROM licenses" in item.text and "FOR NO KEY UPDATE" in item.text)
    )


def _walk(client: httpx.Client, policy_id: str, *, dry_run: bool) -> tuple[int, float, float]:
    """Return how many licenses changed, the seconds, and those of the slowest request."""
    place = f"/api/policies/{policy_id}/apply"
    body: dict[str, Any] = {"all": True, "dryRun": dry_run}
    changed, slowest, began = 0, 0.0, perf_counter()
    while True:
        asked = perf_counter()
        found = call_api(client, "POST", place, body)
        slowest = max(slowest, perf_counter() - asked)
        changed += len(found["changed"])
        if found["nextAfter"] is None:
            break
        body["after"] = found["nextAfter"]
    return changed, perf_counter() - began, slowest
