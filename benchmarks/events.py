"""What recording events adds to a change, and how late events leave while charges come in."""

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

from benchmarks.costs import SETTINGS
from benchmarks.load import Order, Outcome, run_load
from benchmarks.rates import EMPTY, Scenario, empty_route, in_turn, show_rates
from benchmarks.report import Report
from benchmarks.server import SERVE, Server, ask, durable_postgres, running, signed_in
from benchmarks.server import temporary_folder as folder_of
from benchmarks.vendor import Vendor, make_vendor
from benchmarks.webhooks import receiver

CHANGES_SECONDS, PAUSE = 20.0, 0.25
_ALLOW = "LICET_WEBHOOKS_ALLOW_PRIVATE"
_RECORDED, _UNRECORDED = "issue a license", "issue a license, nothing recorded"


def run(report: Report, *, quick: bool) -> None:
    """Print the rate of a change with and without events, and the lag of their way out."""
    with durable_postgres(SETTINGS) as cluster, folder_of() as folder:
        with running(SERVE, folder, cluster.url) as ready:
            vendor = make_vendor(ready)
            _make_keys(ready, vendor)
        with (
            running(("-m", "benchmarks.recorded"), folder, cluster.url) as server,
            running(("-m", "benchmarks.unrecorded"), folder, cluster.url) as silent,
        ):
            bodies = folder / "issue.jsonl"
            bodies.write_text(json.dumps(_license(vendor)))
            runs = in_turn(
                {
                    EMPTY: empty_route(server),
                    _RECORDED: _issuing(server, bodies),
                    _UNRECORDED: _issuing(silent, bodies),
                },
                quick=quick,
            )
        report.title("Events: what recording them adds to issuing a license, 8 connections")
        show_rates(report, runs)
        with receiver() as port, _environment({_ALLOW: "true"}):
            _show_lags(report, folder, cluster.url, vendor, port, quick=quick)


def _make_keys(server: Server, vendor: Vendor) -> None:
    with signed_in(server) as client:
        place = f"/api/products/{vendor.product['id']}/keys/generate"
        ask(client, "POST", place, {"keySize": 2048})


def _license(vendor: Vendor, model: str = "Perpetual", **terms: Any) -> dict[str, Any]:
    facts = {"productId": vendor.product["id"], "type": model, "licenseName": "A license"}
    return {**facts, "issuedTo": "customer@example.com", **terms}


def _issuing(server: Server, bodies: Path) -> Scenario:
    with signed_in(server) as client:
        headers = {"Authorization": client.headers["authorization"]}
    order = Order(server.port, "/api/licenses", headers, str(bodies), status=201, connections=8)
    return Scenario(server, order)


def _show_lags(
    report: Report, folder: Path, url: str, vendor: Vendor, port: int, *, quick: bool
) -> None:
    seconds = CHANGES_SECONDS / 5 if quick else CHANGES_SECONDS
    with running(SERVE, folder, url) as server, signed_in(server) as client:
        wanted = {"url": f"http://127.0.0.1:{port}/", "eventTypes": ["license.updated"]}
        webhook = ask(client, "POST", "/api/webhooks", wanted)["id"]
        metered = _license(vendor, "MeteredCount", initialMeterBalance=10**9)
        wallet = ask(client, "POST", "/api/licenses", metered)
        idle = _lags(client, webhook, wallet["id"], seconds)
        charges = folder / "charges.jsonl"
        _write_charges(charges, wallet["licenseKey"], int(seconds + 3) * 3_000)
        order = Order(
            server.port, "/api/meter/consume", vendor.headers, str(charges), seconds=seconds + 1
        )
        found: list[Outcome] = []
        load = threading.Thread(target=lambda: found.append(run_load(order)))
        load.start()
        busy = _lags(client, webhook, wallet["id"], seconds)
        load.join()
    report.title("Events: from a change to the receiver's answer, one process")
    report.table(
        ["beside it", "changes", "median, ms", "p95, ms", "latest, ms"],
        [_row("nothing", idle), _row(f"{found[0].rate:,.0f} charges a second", busy)],
    )


def _lags(client: httpx.Client, webhook: str, license_id: str, seconds: float) -> list[float]:
    """Milliseconds of each delivery of changes that are made meanwhile."""
    before = {item["id"] for item in _deliveries(client, webhook)}
    count = min(int(seconds / PAUSE), 100)
    for number in range(count):
        change = {"notes": f"{number} {secrets.token_hex(4)}"}
        ask(client, "PUT", f"/api/licenses/{license_id}", change)
        sleep(PAUSE)
    while True:
        made = [item for item in _deliveries(client, webhook) if item["id"] not in before]
        if len(made) >= count and all(item["deliveredAt"] for item in made):
            return [_lag(item) for item in made]
        sleep(PAUSE)


def _deliveries(client: httpx.Client, webhook: str) -> list[dict[str, Any]]:
    place = f"/api/webhooks/{webhook}/deliveries?pageSize=100"
    return list(ask(client, "GET", place)["items"])


def _lag(delivery: dict[str, Any]) -> float:
    happened = datetime.fromisoformat(delivery["payload"]["timestamp"])
    arrived = datetime.fromisoformat(delivery["deliveredAt"])
    return (arrived - happened).total_seconds() * 1000


def _row(beside: str, lags: list[float]) -> list[str]:
    p95 = quantiles(lags, n=20)[-1]
    return [beside, str(len(lags)), *(f"{each:,.0f}" for each in (median(lags), p95, max(lags)))]


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
