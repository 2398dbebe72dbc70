"""How long a policy takes to reach the licenses that remember it, a thousand at a time."""

import asyncio
from time import perf_counter
from typing import Any
from uuid import UUID

import httpx

from benchmarks.report import Report
from benchmarks.seed import Terms, connected, copy_licenses
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


def run(report: Report, size: Size) -> None:
    """Print how long it takes to preview a policy, to apply it, and to apply it again."""
    count = size.of(LICENSES)
    with (
        durable_postgres() as cluster,
        temporary_folder() as folder,
        running(SERVE, folder, cluster.url) as server,
    ):
        vendor = create_vendor(server)
        terms = Terms("Concurrent", seats=5)
        asyncio.run(copy_licenses(cluster.url, vendor.product, vendor.release_id, count, terms))
        with signed_in(server) as client:
            body = {
                "productId": vendor.product["id"],
                "name": "Team",
                "type": "Concurrent",
                "maxActiveUsersCount": 10,
            }
            policy_id = call_api(client, "POST", "/api/policies", body)["id"]
            asyncio.run(_remember(cluster.url, UUID(policy_id)))
            rows = [
                [name, *_walk(client, policy_id, count, dry_run=dry_run)]
                for name, dry_run in (
                    ("preview, which changes nothing", True),
                    ("apply", False),
                    ("apply again: nothing is left to change", False),
                )
            ]
    report.title(f"A policy applied to {count:,} licenses through the API, 1,000 a request")
    report.table(["run", "changed", "seconds", "licenses per second", "slowest request, ms"], rows)


async def _remember(url: str, policy_id: UUID) -> None:
    """Let every license remember the policy, as if it was issued under it."""
    async with connected(url) as db:
        await db.execute("UPDATE licenses SET policy_id = $1", policy_id)
        await db.execute("VACUUM ANALYZE licenses")


def _walk(client: httpx.Client, policy_id: str, count: int, *, dry_run: bool) -> list[str]:
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
    seconds = perf_counter() - began
    return [f"{changed:,}", f"{seconds:.1f}", f"{count / seconds:,.0f}", f"{slowest * 1000:.0f}"]
