"""Validate with 100k licenses: against the empty route, and against looking up one by one."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.load import Order, Outcome, run_load
from benchmarks.report import Report
from benchmarks.seed import copy_licenses
from benchmarks.server import (
    SERVE,
    Server,
    ask,
    durable_postgres,
    running,
    signed_in,
    temporary_folder,
)

ONE_BY_ONE = ("-m", "benchmarks.one_by_one")
SHARE_OF_EMPTY, TIMES_ONE_BY_ONE = 0.35, 2.0
MEMORY_REQUESTS = 100_000
FLAT = 1.1


def run(report: Report, *, quick: bool) -> None:
    """Print the two ratios, and the server's memory around 100k validations."""
    licenses = 10_000 if quick else 100_000
    rounds, seconds = (1, 2.0) if quick else (3, 5.0)
    with (
        durable_postgres() as cluster,
        temporary_folder() as folder,
        running(SERVE, folder, cluster.url) as coalesced,
        running(ONE_BY_ONE, folder, cluster.url) as one_by_one,
    ):
        headers, bodies = _prepare(coalesced, cluster.url, licenses, folder)
        orders = {
            "empty route": Order(coalesced.port, "/health/live"),
            "validate": _validations(coalesced, headers, bodies),
            "validate, one by one": _validations(one_by_one, headers, bodies),
        }
        outcomes: dict[str, list[Outcome]] = {name: [] for name in orders}
        for _ in range(rounds):
            for name, order in orders.items():
                order.seconds = seconds
                outcomes[name].append(run_load(order))
        _report_rates(report, licenses, outcomes)
        _measure_memory(report, coalesced, _validations(coalesced, headers, bodies), quick=quick)


def _prepare(server: Server, url: str, count: int, folder: Path) -> tuple[dict[str, str], Path]:
    """A product with `count` licenses; answers the headers and the file of bodies."""
    with signed_in(server) as client:
        product = ask(
            client, "POST", "/api/products", {"name": "Aurora", "initialVersion": "3.2.0"}
        )
        place = f"/api/products/{product['id']}"
        [release] = ask(client, "GET", f"{place}/releases")["items"]
        key = ask(client, "GET", f"{place}/credentials")["apiKey"]
    keys = asyncio.run(copy_licenses(url, product, release["id"], count))
    bodies = folder / "bodies.jsonl"
    bodies.write_text("\n".join(_body(key) for key in keys))
    return {"X-API-KEY": key}, bodies


def _body(key: str) -> str:
    groups = "-".join(key[start : start + 5] for start in range(0, 25, 5))
    asked: dict[str, Any] = {"licenseKey": groups, "hardwareId": "A1B2-C3D4", "appVersion": "3.1.0"}
    return json.dumps(asked)


def _validations(server: Server, headers: dict[str, str], bodies: Path) -> Order:
    return Order(server.port, "/api/licenses/validate", headers, str(bodies), '"valid":true')


def _report_rates(report: Report, licenses: int, outcomes: dict[str, list[Outcome]]) -> None:
    report.title(f"Validate, {licenses:,} licenses, 64 keep-alive connections, one worker")
    report.table(
        ["scenario", "requests/s", "p50 ms", "p99 ms", "rounds", "wrong answers"],
        [
            [
                name,
                f"{_rate(runs):,.0f}",
                f"{median(run.p50_ms for run in runs):.1f}",
                f"{median(run.p99_ms for run in runs):.1f}",
                ", ".join(f"{run.rate:,.0f}" for run in runs),
                str(sum(run.wrong for run in runs)),
            ]
            for name, runs in outcomes.items()
        ],
    )
    share = _ratio(outcomes["validate"], outcomes["empty route"])
    times = _ratio(outcomes["validate"], outcomes["validate, one by one"])
    report.figure(
        "of the empty route", f"{share:.2f}", f"at least {SHARE_OF_EMPTY}", share >= SHARE_OF_EMPTY
    )
    report.figure(
        "against one by one",
        f"{times:.2f}x",
        f"at least {TIMES_ONE_BY_ONE:g}x",
        times >= TIMES_ONE_BY_ONE,
    )


def _ratio(ours: Sequence[Outcome], theirs: Sequence[Outcome]) -> float:
    """Of the same round, since the machine is busier in some rounds than in others."""
    return median(our.rate / their.rate for our, their in zip(ours, theirs, strict=True))


def _rate(runs: Sequence[Outcome]) -> float:
    return median(run.rate for run in runs)


def _measure_memory(report: Report, server: Server, order: Order, *, quick: bool) -> None:
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
