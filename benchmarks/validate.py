"""Validate with 100k licenses: against the empty route, and against looking up one by one."""

import asyncio
import json
from pathlib import Path
from typing import Any

from benchmarks.load import Order, run_load
from benchmarks.rates import (
    EMPTY,
    Runs,
    Scenario,
    empty_route,
    in_turn,
    ratio,
    show_rates,
    show_share,
)
from benchmarks.report import Report
from benchmarks.seed import copy_activations, copy_licenses, with_dashes
from benchmarks.server import ONE_BY_ONE, SERVE, Server, durable_postgres, running, temporary_folder
from benchmarks.vendor import Vendor, make_vendor

SHARE_OF_EMPTY, TIMES_ONE_BY_ONE = 0.35, 2.0
MEMORY_REQUESTS = 100_000
FLAT = 1.1
ACTIVATED, STRANGER = "E5F6-A7B8", "A1B2-C3D4"
_KNOWN, _UNKNOWN, _NO_DEVICE = (
    "validate, activated device",
    "validate, unknown device",
    "validate, no device",
)
_ONE_BY_ONE = "validate, one by one"


def run(report: Report, *, quick: bool) -> None:
    """Print the ratios, and the server's memory around 100k validations."""
    licenses = 10_000 if quick else 100_000
    with (
        durable_postgres() as cluster,
        temporary_folder() as folder,
        running(SERVE, folder, cluster.url) as coalesced,
        running(ONE_BY_ONE, folder, cluster.url) as one_by_one,
    ):
        vendor = make_vendor(coalesced)
        keys = asyncio.run(_seed(cluster.url, vendor, licenses))
        scenarios = {
            EMPTY: empty_route(coalesced),
            _KNOWN: _validations(coalesced, vendor, _bodies(folder, keys, ACTIVATED)),
            _UNKNOWN: _validations(coalesced, vendor, _bodies(folder, keys, STRANGER)),
            _NO_DEVICE: _validations(coalesced, vendor, _bodies(folder, keys, None)),
            _ONE_BY_ONE: _validations(one_by_one, vendor, _bodies(folder, keys, STRANGER)),
        }
        _report_rates(report, licenses, in_turn(scenarios, quick=quick))
        _measure_memory(report, scenarios[_KNOWN], quick=quick)


async def _seed(url: str, vendor: Vendor, count: int) -> list[str]:
    keys = await copy_licenses(url, vendor.product, vendor.release_id, count)
    await copy_activations(url, ACTIVATED)
    return keys


def _bodies(folder: Path, keys: list[str], hardware_id: str | None) -> Path:
    """A file with a question a line, for each license in turn."""
    asked: dict[str, Any] = {"appVersion": "3.1.0"}
    if hardware_id is not None:
        asked["hardwareId"] = hardware_id
    path = folder / f"{hardware_id}.jsonl"
    path.write_text(
        "\n".join(json.dumps({"licenseKey": with_dashes(key), **asked}) for key in keys)
    )
    return path


def _validations(server: Server, vendor: Vendor, bodies: Path) -> Scenario:
    path = "/api/licenses/validate"
    order = Order(server.port, path, vendor.headers, str(bodies), '"valid":true')
    return Scenario(server, order)


def _report_rates(report: Report, licenses: int, runs: Runs) -> None:
    report.title(f"Validate, {licenses:,} licenses, 64 keep-alive connections, one worker")
    show_rates(report, runs)
    for name in (_KNOWN, _UNKNOWN, _NO_DEVICE):
        show_share(report, name, runs, SHARE_OF_EMPTY)
    times = ratio(runs[_UNKNOWN], runs[_ONE_BY_ONE])
    report.figure(
        "against one by one",
        f"{times:.2f}x",
        f"at least {TIMES_ONE_BY_ONE:g}x",
        times >= TIMES_ONE_BY_ONE,
    )


def _measure_memory(report: Report, scenario: Scenario, *, quick: bool) -> None:
    server, order = scenario.server, scenario.order
    order.requests = MEMORY_REQUESTS // (10 if quick else 1)
    order.seconds = 240.0
    before = server.resident_mb()
    outcome = run_load(order)
    after = server.resident_mb()
    report.title(f"Memory of the worker around {outcome.answered:,} validations")
    report.table(
        ["before", "after", "growth"],
        [[f"{before:.1f} MB", f"{after:.1f} MB", f"{after - before:+.1f} MB"]],
    )
    report.figure("growth", f"{after / before:.3f}x", f"at most {FLAT}x", after <= before * FLAT)
