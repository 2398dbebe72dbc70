"""The cost of recording events, and how late they are delivered while charges arrive."""

import json
import os
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from statistics import median, quantiles
from time import sleep
from typing import Any

import httpx

from benchmarks.load import LoadSpec, Outcome, run_load
from benchmarks.rates import (
    BARE_ROUTE,
    EMPTY_ROUTE,
    Scenario,
    bare_route,
    empty_route,
    run_rounds,
    show_rates,
)
from benchmarks.report import Report
from benchmarks.server import SERVE, Server, call_api, durable_postgres, running, signed_in
from benchmarks.server import temporary_folder as folder_of
from benchmarks.size import Size
from benchmarks.vendor import Vendor, create_vendor
from benchmarks.webhooks import receiver
from licet_server.kit.postgres import EmbeddedPostgres

CHANGES_SECONDS, PAUSE = 20.0, 0.25
_ALLOW = "LICET_WEBHOOKS_ALLOW_PRIVATE"
_WITH_EVENTS, _WITHOUT_EVENTS = "issue a license", "issue a license, events not recorded"


def run(report: Report, size: Size) -> None:
    """Print the rate of a change with and without events, and the delay until delivery."""
    with durable_postgres() as cluster, folder_of() as folder:
        with running(SERVE, folder, cluster) as ready:
            vendor = create_vendor(ready)
            _generate_keys(ready, vendor)
        with (
            running(("-m", "benchmarks.without_jobs"), folder, cluster) as server,
            running(("-m", "benchmarks.without_events"), folder, cluster) as without_events,
            bare_route(folder) as bare,
        ):
            bodies = folder / "issue.jsonl"
            bodies.write_text(json.dumps(_license(vendor)))
            runs = run_rounds(
                {
                    BARE_ROUTE: bare,
                    EMPTY_ROUTE: empty_route(server),
                    _WITH_EVENTS: _issuing(server, bodies),
                    _WITHOUT_EVENTS: _issuing(without_events, bodies),
                },
                size,
            )
        report.title("Events: the cost of recording them when issuing a license, 8 connections")
        show_rates(report, runs)
        with receiver() as port, _environment({_ALLOW: "true"}):
            _show_lags(report, folder, cluster, vendor, port, size)


def _generate_keys(server: Server, vendor: Vendor) -> None:
    with signed_in(server) as client:
        place = f"/api/products/{vendor.product['id']}/keys/generate"
        call_api(client, "POST", place, {"keySize": 2048})


def _license(vendor: Vendor, model: str = "Perpetual", **terms: Any) -> dict[str, Any]:
    facts = {"productId": vendor.product["id"], "type": model, "licenseName": "A license"}
    return {**facts, "issuedTo": "customer@example.com", **terms}


def _issuing(server: Server, bodies: Path) -> Scenario:
    with signed_in(server) as client:
        headers = {"Authorization": client.headers["authorization"]}
    spec = LoadSpec(server.port, "/api/licenses", headers, str(bodies), status=201, connections=8)
    return Scenario(server, spec)


def _show_lags(
    report: Report, folder: Path, cluster: EmbeddedPostgres, vendor: Vendor, port: int, size: Size
) -> None:
    seconds = max(CHANGES_SECONDS * size.share, 4 * PAUSE)
    with running(SERVE, folder, cluster) as server, signed_in(server) as client:
        wanted = {"url": f"http://127.0.0.1:{port}/", "eventTypes": ["license.updated"]}
        webhook = call_api(client, "POST", "/api/webhooks", wanted)["id"]
        metered = _license(vendor, "MeteredCount", initialMeterBalance=10**9)
        wallet = call_api(client, "POST", "/api/licenses", metered)
        idle = _lags(client, webhook, wallet["id"], seconds)
        charges = folder / "charges.jsonl"
        _write_charges(charges, wallet["licenseKey"], int(seconds + 3) * 3_000)
        spec = LoadSpec(
            server.port, "/api/meter/consume", vendor.headers, str(charges), seconds=seconds + 1
        )
        found: list[Outcome] = []
        load = threading.Thread(target=lambda: found.append(run_load(spec)))
        load.start()
        busy = _lags(client, webhook, wallet["id"], seconds)
        load.join()
    report.title("Events: delay from a change to the receiver's response, one process")
    report.table(
        ["concurrent load", "changes", "median, ms", "p95, ms", "maximum, ms"],
        [_row("none", idle), _row(f"{found[0].rate:,.0f} charges per second", busy)],
    )


def _lags(client: httpx.Client, webhook: str, license_id: str, seconds: float) -> list[float]:
    """Make changes, and return the delay of each delivery in milliseconds."""
    before = {item["id"] for item in _deliveries(client, webhook)}
    count = min(int(seconds / PAUSE), 100)
    for number in range(count):
        change = {"notes": f"{number} {secrets.token_hex(4)}"}
        call_api(client, "PUT", f"/api/licenses/{license_id}", change)
        sleep(PAUSE)
    while True:
        made = [item for item in _deliveries(client, webhook) if item["id"] not in before]
        if len(made) >= count and all(item["deliveredAt"] for item in made):
            return [_lag(item) for item in made]
        sleep(PAUSE)


def _deliveries(client: httpx.Client, webhook: str) -> list[dict[str, Any]]:
    place = f"/api/webhooks/{webhook}/deliveries?pageSize=100"
    return list(call_api(client, "GET", place)["items"])


def _lag(delivery: dict[str, Any]) -> float:
    happened = datetime.fromisoformat(delivery["payload"]["timestamp"])
    arrived = datetime.fromisoformat(delivery["deliveredAt"])
    return (arrived - happened).total_seconds() * 1000


def _row(load: str, lags: list[float]) -> list[str]:
    p95 = quantiles(lags, n=20)[-1]
    return [load, str(len(lags)), *(f"{each:,.0f}" for each in (median(lags), p95, max(lags)))]


def _write_charges(place: Path, license_key: str, count: int) -> None:
    charge = {"licenseKey": license_key, "featureName": "Export"}
    lines = ({**charge, "idempotencyKey": secrets.token_hex(16)} for _ in range(count))
    place.write_text("\n".join(map(json.dumps, lines)))


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    os.environ.update(variables)
    try:
        yield
    finally:
        for name in variables:
            del os.environ[name]
