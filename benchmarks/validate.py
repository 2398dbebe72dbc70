"""Validate with 100k licenses, compared with the bare route and with unbatched look-ups."""

import asyncio
import json
from pathlib import Path
from typing import Any

from benchmarks.costs import CostMeter
from benchmarks.load import LoadSpec, run_load
from benchmarks.rates import (
    BARE_ROUTE,
    EMPTY_ROUTE,
    Runs,
    Scenario,
    bare_route,
    empty_route,
    ratio,
    run_rounds,
    show_rates,
    show_share,
)
from benchmarks.report import Report
from benchmarks.seed import copy_activations, copy_licenses, with_dashes
from benchmarks.server import SERVE, UNBATCHED, Server, durable_postgres, running, temporary_folder
from benchmarks.size import Size
from benchmarks.vendor import Vendor, create_vendor
from licet_server.kit.postgres import EmbeddedPostgres

SHARE_OF_BARE, TIMES_UNBATCHED, MICROSECONDS = 0.5, 2.0, 15.0
MEMORY_REQUESTS = 100_000
MAX_GROWTH = 1.1
ACTIVATED, STRANGER = "E5F6-A7B8", "A1B2-C3D4"
_KNOWN, _UNKNOWN, _NO_DEVICE = (
    "validate, activated device",
    "validate, unknown device",
    "validate, no device",
)
_UNBATCHED = "validate, unbatched"


def run(report: Report, size: Size) -> None:
    """Print the ratios, and the server's memory before and after 100k validations."""
    licenses = size.of(100_000)
    with (
        durable_postgres() as cluster,
        temporary_folder() as folder,
        running(SERVE, folder, cluster) as coalesced,
        running(UNBATCHED, folder, cluster) as unbatched,
        bare_route(folder) as bare,
    ):
        vendor = create_vendor(coalesced)
        keys = asyncio.run(_seed(cluster.url, vendor, licenses))
        scenarios = {
            BARE_ROUTE: bare,
            EMPTY_ROUTE: empty_route(coalesced),
            _KNOWN: _validations(coalesced, vendor, _bodies(folder, keys, ACTIVATED)),
            _UNKNOWN: _validations(coalesced, vendor, _bodies(folder, keys, STRANGER)),
            _NO_DEVICE: _validations(coalesced, vendor, _bodies(folder, keys, None)),
            _UNBATCHED: _validations(unbatched, vendor, _bodies(folder, keys, STRANGER)),
        }
        _report_rates(report, licenses, run_rounds(scenarios, size))
        asyncio.run(_measure_cost(report, cluster, scenarios[_KNOWN].spec, size))
        _measure_memory(report, scenarios[_KNOWN], size)


async def _seed(url: str, vendor: Vendor, count: int) -> list[str]:
    keys = await copy_licenses(url, vendor.product, vendor.release_id, count)
    await copy_activations(url, ACTIVATED)
    return keys


def _bodies(folder: Path, keys: list[str], hardware_id: str | None) -> Path:
    """Write a file with one request per line, one for each license."""
    body: dict[str, Any] = {"appVersion": "3.1.0"}
    if hardware_id is not None:
        body["hardwareId"] = hardware_id
    path = folder / f"{hardware_id}.jsonl"
    path.write_text("\n".join(json.dumps({"licenseKey": with_dashes(key), **body}) for key in keys))
    return path


def _validations(server: Server, vendor: Vendor, bodies: Path) -> Scenario:
    path = "/api/licenses/validate"
    spec = LoadSpec(server.port, path, vendor.headers, str(bodies), '"valid":true')
    return Scenario(server, spec)


def _report_rates(report: Report, licenses: int, runs: Runs) -> None:
    report.title(f"Validate, {licenses:,} licenses, 64 keep-alive connections, one worker")
    show_rates(report, runs)
    for name in (_KNOWN, _UNKNOWN, _NO_DEVICE):
        show_share(report, name, runs, SHARE_OF_BARE)
    times = ratio(runs[_UNKNOWN], runs[_UNBATCHED])
    report.figure(
        "compared with unbatched",
        f"{times:.2f}x",
        f"at least {TIMES_UNBATCHED:g}x",
        times >= TIMES_UNBATCHED,
    )


async def _measure_cost(
    report: Report, cluster: EmbeddedPostgres, spec: LoadSpec, size: Size
) -> None:
    meter = CostMeter(cluster, "licenses", size.settle_seconds)
    spec.seconds, spec.requests = 5 * size.seconds, size.requests
    await meter.start(checkpoint=False)
    outcome = await asyncio.to_thread(run_load, spec)
    active = 1000 * (await meter.stop()).active_ms / outcome.total
    report.figure(
        f"database time per validation, measured on {outcome.total:,}",
        f"{active:.1f} µs",
        f"at most {MICROSECONDS:g} µs",
        active <= MICROSECONDS,
    )


def _measure_memory(report: Report, scenario: Scenario, size: Size) -> None:
    server, spec = scenario.server, scenario.spec
    spec.requests = size.of(MEMORY_REQUESTS)
    spec.seconds = 240.0
    before = server.resident_mb()
    outcome = run_load(spec)
    after = server.resident_mb()
    report.title(f"Memory of the worker before and after {outcome.measured:,} validations")
    report.table(
        ["before", "after", "growth"],
        [[f"{before:.1f} MB", f"{after:.1f} MB", f"{after - before:+.1f} MB"]],
    )
    report.figure(
        "growth", f"{after / before:.3f}x", f"at most {MAX_GROWTH}x", after <= before * MAX_GROWTH
    )
