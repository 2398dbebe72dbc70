"""Loads a service with four processes for a while, and prints what it uses, as its metrics tell.

`make drill-soak` runs 20 minutes (`MINUTES=60` for an hour) of validations, sessions, charges,
telemetry, lists and new licenses. It fails if memory, open files or connections of a process grow
after the first fifth of the time, if a queue or a backlog stays, or if a request fails.
"""

import asyncio
import os
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import count

import httpx
from e2e.process import ADMIN, NO_TLS, Service
from e2e.vendor import Vendor, make_vendor
from e2e.wire import Wire
from prometheus_client.parser import text_string_to_metric_families

from licet_server.kit.clock import system_clock

PROCESSES = 4
CLIENTS = 32
MACHINES = 400
EVERY_S = 15.0
GROWTH_MB = 20.0
GROWTH_FILES = 30
LATE_S = 60.0
_OF_THE_DATABASE = {
    "licet_database_connections",
    "licet_backlog_oldest_seconds",
    "licet_database_bytes",
}
"""Left out of the metrics when the database is too busy to give them."""
_KEPT = {201, 200, 202, 204}


@dataclass(frozen=True, slots=True)
class Sample:
    """What the metrics said; of what each process has, the largest value."""

    minutes: float
    memory_mb: float
    files: float
    connections: float
    pooled: float
    server_connections: float
    waiting: float
    late_s: float
    lag_ms: float
    database_mb: float

    def __str__(self) -> str:
        return (
            f"{self.minutes:6.1f} min: memory {self.memory_mb:6.1f} MB, files {self.files:3.0f}, "
            f"clients {self.connections:3.0f}, pools {self.pooled:3.0f}, database "
            f"{self.server_connections:3.0f} connections and {self.database_mb:5.0f} MB, "
            f"queue {self.waiting:3.0f}, backlog {self.late_s:4.1f} s late, "
            f"lag {self.lag_ms:.1f} ms"
        )


@dataclass
class Load:
    """Clients of one product, and the statuses of the responses to them."""

    wire: Wire
    api_key: str
    keys: dict[str, str]
    until: float
    statuses: Counter[int] = field(default_factory=Counter)
    machines: "count[int]" = field(default_factory=count)

    async def run(self) -> None:
        """Send what applications send, in turn."""
        while time.monotonic() < self.until:
            machine = f"machine-{next(self.machines) % MACHINES}"
            await self.send("/api/licenses/validate", {"licenseKey": self.keys["Perpetual"]})
            use = {"licenseKey": self.keys["MeteredCount"], "featureName": "Export", "quantity": 1}
            await self.send("/api/meter/consume", use)
            held = {
                "licenseKey": self.keys["Floating"],
                "hardwareId": machine,
                "instanceId": machine,
            }
            session = {"sessionId": (await self.send("/api/sessions/connect", held))["sessionId"]}
            await self.send("/api/sessions/heartbeat", session)
            sent = {"events": [{"name": "started", "occurredAt": system_clock().isoformat()}]}
            await self.send("/api/telemetry", sent)
            await self.send("/api/sessions/disconnect", session)

    async def send(self, path: str, body: object) -> dict[str, str]:
        """Send a request, and count the status of the response."""
        status, response = await self.wire.request("POST", path, self.api_key, body)
        self.statuses[status] += 1
        return dict(response or {})


async def operate(service: Service, vendor: Vendor, until: float) -> Counter[int]:
    """List and issue with an API key, which outlives a sign-in, for as long as the load runs."""
    statuses: Counter[int] = Counter()
    scopes = ["Licenses.Read", "Licenses.Write", "Products.Read"]
    created = vendor.owner.post("/api/api-keys", json={"name": "Soak", "scopes": scopes})
    headers = {"Authorization": f"Bearer {created.raise_for_status().json()['secret']}"}
    async with httpx.AsyncClient(
        base_url=service.address, trust_env=False, verify=NO_TLS, timeout=30
    ) as client:
        while time.monotonic() < until:
            body = vendor.draft()
            responses = (
                await client.post("/api/licenses", json=body, headers=headers),
                await client.get("/api/licenses", headers=headers),
                await client.get("/api/products", headers=headers),
            )
            statuses.update(response.status_code for response in responses)
            await asyncio.sleep(0.1)
    return statuses


async def watch(service: Service, until: float) -> list[Sample]:
    """Read the metrics now and then."""
    started, samples = time.monotonic(), []
    async with httpx.AsyncClient(
        base_url=service.address, trust_env=False, verify=NO_TLS, timeout=30
    ) as client:
        while time.monotonic() < until:
            await asyncio.sleep(EVERY_S)
            text = (await client.get("/metrics")).raise_for_status().text
            minutes = (time.monotonic() - started) / 60
            sample = _sample(minutes, text)
            if sample is None:
                print(f"{minutes:6.1f} min: the database did not give every figure in time")
                continue
            samples.append(sample)
            print(sample, flush=True)
    return samples


def _sample(minutes: float, text: str) -> Sample | None:
    values: dict[str, list[float]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            values.setdefault(sample.name, []).append(sample.value)
    if not values.keys() >= _OF_THE_DATABASE:
        return None

    def largest(name: str) -> float:
        return max(values[name])

    lag = "licet_event_loop_lag_seconds"
    return Sample(
        minutes,
        largest("licet_process_resident_bytes") / 1e6,
        largest("licet_process_open_files"),
        sum(values["licet_http_connections"]),
        sum(values["licet_pool_connections"]),
        largest("licet_database_connections"),
        largest("licet_queue_waiting"),
        largest("licet_backlog_oldest_seconds"),
        1000 * sum(values[f"{lag}_sum"]) / sum(values[f"{lag}_count"]),
        largest("licet_database_bytes") / 1e6,
    )


def findings(samples: list[Sample], statuses: Counter[int]) -> list[str]:
    """Return what is wrong with a soak."""
    calm = samples[len(samples) // 5 :]
    half = len(calm) // 2
    found = [
        f"{number} responses were {status}"
        for status, number in statuses.items()
        if status not in _KEPT
    ]
    bounds = (
        ("memory in MB", [each.memory_mb for each in calm], GROWTH_MB),
        ("open files", [each.files for each in calm], GROWTH_FILES),
        ("connections of the pools", [each.pooled for each in calm], 4),
        ("connections of the database", [each.server_connections for each in calm], 10),
    )
    for name, values, bound in bounds:
        if max(values[half:]) - max(values[:half]) > bound:
            found.append(f"{name} grew from {max(values[:half]):.0f} to {max(values[half:]):.0f}")
    if min(each.waiting for each in calm[half:]) > CLIENTS:
        found.append("a queue stays")
    if min(each.late_s for each in calm[half:]) > LATE_S:
        found.append("a backlog stays")
    return found


async def soak(service: Service, vendor: Vendor, minutes: float) -> list[str]:
    """Run load, operators and the watch; returns what is wrong."""
    models = {
        "Perpetual": {},
        "Floating": {"maxActiveUsersCount": 2 * MACHINES},
        "MeteredCount": {"initialMeterBalance": 100_000_000},
    }
    keys = {model: vendor.issue(model, **more)["licenseKey"] for model, more in models.items()}
    wire, until = Wire(service.port), time.monotonic() + 60 * minutes
    load = Load(wire, vendor.api_key, keys, until)
    async with asyncio.TaskGroup() as group:
        watching = group.create_task(watch(service, until))
        operating = group.create_task(operate(service, vendor, until))
        for _ in range(CLIENTS):
            group.create_task(load.run())
    await wire.close()
    statuses = load.statuses + operating.result()
    rate = statuses.total() / 60 / minutes
    print(f"{statuses.total():,} requests, {rate:.0f} a second; statuses {dict(statuses)}")
    return findings(watching.result(), statuses)


def main() -> None:
    """Start a service on a new folder and soak it."""
    service = Service(ADMIN, in_fresh_interpreter=True)
    try:
        service.start("--workers", PROCESSES)
        with service.sign_in() as owner:
            vendor = make_vendor(owner)
            found = asyncio.run(soak(service, vendor, float(os.environ.get("MINUTES", "20"))))
    finally:
        service.remove()
    if found:
        raise SystemExit("; ".join(found))
    print("Flat.")


if __name__ == "__main__":
    main()
