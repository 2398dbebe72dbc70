"""Events of a shop: how many a second are stored, and how many are worked off."""

import asyncio
import hashlib
import hmac
import json
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

from sqlalchemy import text

from benchmarks.load import LoadSpec
from benchmarks.rates import (
    BARE_ROUTE,
    EMPTY_ROUTE,
    Run,
    bare_route,
    empty_route,
    measured,
    rate,
    run_rounds,
    show_rates,
)
from benchmarks.report import Report
from benchmarks.server import SERVE, Server, call_api, durable_postgres, running, signed_in
from benchmarks.server import temporary_folder as folder_of
from benchmarks.size import Size
from benchmarks.vendor import create_vendor
from licet_server.app import open_platform
from licet_server.kit.settings import Settings
from licet_server.worker import work_off_connector_events

STORED, WORKED_OFF = 5_000, 2_000
_SECRET = "a-signing-secret"


def run(report: Report, size: Size) -> None:
    """Print the rate of storing events, and that of turning sales into licenses."""
    with durable_postgres() as cluster, folder_of() as folder:
        with running(SERVE, folder, cluster) as ready:
            policy_id = _create_policy(ready)
            stored, worked_off = [_create_connector(ready, policy_id) for _ in range(2)]
        with (
            running(("-m", "benchmarks.without_jobs"), folder, cluster) as server,
            bare_route(folder) as bare,
        ):
            events = _Events(server, stored["id"], folder, size.of(STORED))
            runs = run_rounds(
                {BARE_ROUTE: bare, EMPTY_ROUTE: empty_route(server), "store an event": events},
                size,
            )
            with signed_in(server) as client:
                call_api(client, "PUT", f"/api/connectors/{stored['id']}", {"enabled": False})
            sales = _Events(server, worked_off["id"], folder, size.of(WORKED_OFF))
            sales.run(size)
        report.title("Connectors: events of a shop, 64 connections")
        show_rates(report, runs)
        settings = Settings(data_dir=folder, database_url=cluster.url)
        seconds = asyncio.run(_work_off(settings, size.of(WORKED_OFF)))
        empty = rate(runs[EMPTY_ROUTE])
        sold = size.of(WORKED_OFF) / seconds
        report.title("Connectors: sales that become licenses, one process")
        report.table(
            ["events", "events/s", "of the empty route"],
            [[f"{size.of(WORKED_OFF):,}", f"{sold:,.0f}", f"{sold / empty:.3f}"]],
        )


def _create_policy(server: Server) -> str:
    vendor = create_vendor(server)
    with signed_in(server) as client:
        place = f"/api/products/{vendor.product['id']}/keys/generate"
        call_api(client, "POST", place, {"keySize": 2048})
        wanted = {"productId": vendor.product["id"], "name": "Basic", "type": "Perpetual"}
        return str(call_api(client, "POST", "/api/policies", wanted)["id"])


def _create_connector(server: Server, policy_id: str) -> dict[str, Any]:
    with signed_in(server) as client:
        body = {
            "kind": "LemonSqueezy",
            "name": "Shop",
            "signingSecret": _SECRET,
            "rules": [{"match": {}, "policyId": policy_id}],
        }
        return dict(call_api(client, "POST", "/api/connectors", body))


async def _work_off(settings: Settings, expected: int) -> float:
    async with open_platform(settings) as platform:
        started = perf_counter()
        await work_off_connector_events(platform)
        seconds = perf_counter() - started
        async with platform.database.reading() as db:
            found = await db.execute(text("SELECT count(*) FROM orders WHERE status = 'Fulfilled'"))
            if (sold := found.scalar_one()) != expected:
                raise RuntimeError(f"{sold} of {expected} sales became licenses.")
        return seconds


@dataclass
class _Events:
    """Different signed events, sent once each."""

    server: Server
    connector_id: str
    folder: Path
    count: int
    numbers: Any = field(default_factory=lambda: count(1))

    def run(self, size: Size) -> Run:
        """Send the next events."""
        bodies = [_sale(next(self.numbers)) for _ in range(self.count)]
        file, heads = self.folder / "events.jsonl", self.folder / "signatures.txt"
        file.write_text("\n".join(bodies))
        heads.write_text("\n".join(f"X-Signature: {_signature(body)}" for body in bodies))
        spec = LoadSpec(
            self.server.port,
            f"/api/connectors/{self.connector_id}/inbox",
            bodies=str(file),
            heads=str(heads),
            once=True,
            seconds=600,
        )
        return measured(self.server, spec)


def _sale(number: int) -> str:
    item = {"product_id": 1, "variant_id": 1, "quantity": 1}
    said = {
        "status": "paid",
        "customer_id": number,
        "user_email": f"buyer{number}@example.com",
        "user_name": "Jane Doe",
        "created_at": "2026-11-23T09:30:00Z",
        "first_order_item": item,
    }
    data = {"type": "orders", "id": str(number), "attributes": said}
    return json.dumps({"meta": {"event_name": "order_created"}, "data": data})


def _signature(body: str) -> str:
    return hmac.new(_SECRET.encode(), body.encode(), hashlib.sha256).hexdigest()
