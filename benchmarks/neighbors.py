"""Response times of an institution while a neighbor requests the same route at 64 connections."""

import asyncio
import json
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import sleep

from benchmarks.consume import charges
from benchmarks.load import LoadSpec, run_load
from benchmarks.rates import Run, Runs, run_rounds
from benchmarks.report import Report
from benchmarks.seed import (
    Terms,
    connected,
    copy_activations,
    copy_licenses,
    fill_all_seats,
    floating,
    open_wallets,
    with_dashes,
)
from benchmarks.server import (
    SERVE,
    Server,
    call_api,
    durable_postgres,
    running,
    signed_in,
    temporary_folder,
)
from benchmarks.size import Size
from benchmarks.vendor import Vendor, create_vendor
from licet_server.kit.clock import system_clock

TIMES_ALONE = 3.0
LICENSES, SEATS = 2_000, 5
POOLS, POOL_SEATS = 200, 100_000
DEVICE, FEATURE = "E5F6-A7B8", "Export"
UNQUEUED = ("-m", "benchmarks.unqueued")
_SETTINGS = {"sessionTimeoutSeconds": 86_400, "heartbeatMinSpacingSeconds": 0}
_HEAD_START = 0.3
_SESSIONS = "SELECT session_id::text FROM session_slots WHERE product_id = $1"


@dataclass(frozen=True, slots=True)
class Keys:
    """What an institution's applications send."""

    perpetual: Sequence[str]
    metered: Sequence[str]
    pools: Sequence[str]
    sessions: Sequence[str]


@dataclass(frozen=True, slots=True)
class Route:
    """A runtime route, a body for it, and the status of a response."""

    name: str
    path: str
    body: Callable[[Keys], dict[str, object]]
    status: int = 200


def _draw(keys: Sequence[str]) -> str:
    return secrets.choice(keys)


ROUTES = (
    Route(
        "validate",
        "/api/licenses/validate",
        lambda keys: {"licenseKey": _draw(keys.perpetual), "hardwareId": DEVICE},
    ),
    Route(
        "activate",
        "/api/activations",
        lambda keys: {"licenseKey": _draw(keys.perpetual), "hardwareId": DEVICE},
    ),
    Route(
        "heartbeat",
        "/api/sessions/heartbeat",
        lambda keys: {"sessionId": _draw(keys.sessions)},
    ),
    Route(
        "consume",
        "/api/meter/consume",
        lambda keys: {
            "licenseKey": _draw(keys.metered),
            "featureName": FEATURE,
            "idempotencyKey": secrets.token_hex(16),
        },
    ),
    Route(
        "connect",
        "/api/sessions/connect",
        lambda keys: {"licenseKey": _draw(keys.pools), "hardwareId": secrets.token_hex(8)},
        status=201,
    ),
    Route(
        "refresh",
        "/api/licenses/refresh",
        lambda keys: {"licenseKey": _draw(keys.perpetual), "hardwareId": DEVICE},
    ),
    Route(
        "telemetry",
        "/api/telemetry",
        lambda _: {"events": [{"name": "started", "occurredAt": system_clock().isoformat()}]},
        status=202,
    ),
)


@dataclass(frozen=True, slots=True)
class Institution:
    """An institution's applications: the keys that they send, and where the bodies are written."""

    vendor: Vendor
    keys: Keys
    folder: Path
    connections: int

    def write(self, route: Route, count: int) -> None:
        """Write requests for random licenses."""
        bodies = (json.dumps(route.body(self.keys)) for _ in range(count))
        self._bodies(route).write_text("\n".join(bodies))

    def spec(self, server: Server, route: Route, size: Size) -> LoadSpec:
        """The load of a round."""
        return LoadSpec(
            server.port,
            route.path,
            self.vendor.headers,
            str(self._bodies(route)),
            status=route.status,
            connections=self.connections,
            warm_up=0,
            seconds=size.seconds,
            requests=size.requests,
        )

    def _bodies(self, route: Route) -> Path:
        return self.folder / f"{self.connections}-{route.name}.jsonl"


@dataclass(frozen=True, slots=True)
class Alone:
    """The quiet institution's requests, one after another."""

    quiet: Institution
    server: Server
    route: Route

    def run(self, size: Size) -> Run:
        return Run(run_load(self.quiet.spec(self.server, self.route, size)), None)


@dataclass(frozen=True, slots=True)
class Beside:
    """The same while the loud institution also requests the route."""

    alone: Alone
    loud: Institution

    def run(self, size: Size) -> Run:
        spec = self.loud.spec(self.alone.server, self.alone.route, size)
        spec.seconds += 1  # until the other has ended
        with ThreadPoolExecutor(1) as thread:
            noise = thread.submit(run_load, spec)
            sleep(_HEAD_START)
            measured = self.alone.run(size)
            noise.result()
        return measured


def run(report: Report, size: Size) -> None:
    """Print response times alone, beside a neighbor, and beside one without fair queues."""
    with (
        durable_postgres() as cluster,
        temporary_folder() as folder,
        running(SERVE, folder, cluster) as server,
        running(UNQUEUED, folder, cluster) as unqueued,
    ):
        loud, quiet = asyncio.run(_institutions(cluster.url, server, folder, size))
        scenarios: dict[str, Alone | Beside] = {}
        routes: dict[str, Route] = {}
        for route in ROUTES:
            alone = Alone(quiet, server, route)
            control = Alone(quiet, unqueued, route)
            measured: tuple[Alone | Beside, ...] = (
                alone,
                Beside(alone, loud),
                Beside(control, loud),
            )
            for name, scenario in zip(_names(route), measured, strict=True):
                scenarios[name] = scenario
                routes[name] = route

        def write(name: str) -> None:
            for institution in (quiet, loud):
                institution.write(routes[name], charges(size.seconds + 1, size))

        runs = run_rounds(scenarios, size, write)
    _show(report, runs)


def _names(route: Route) -> tuple[str, str, str]:
    return (
        f"{route.name}, alone",
        f"{route.name}, beside 64 connections",
        f"{route.name}, beside them without fair queues",
    )


async def _institutions(
    url: str, server: Server, folder: Path, size: Size
) -> tuple[Institution, Institution]:
    """A loud one with 64 connections, and a quiet one with a single connection."""
    with signed_in(server) as client:
        other = call_api(client, "POST", "/api/institutions", {"name": "Quiet"})["id"]
    vendors = (
        create_vendor(server, _SETTINGS),
        create_vendor(server, _SETTINGS, institution_id=other),
    )
    count = size.of(LICENSES)
    perpetual, metered = {}, {}
    for vendor in vendors:
        place = vendor.product["id"]
        perpetual[place] = await copy_licenses(url, vendor.product, vendor.release_id, count)
        metered[place] = await copy_licenses(
            url, vendor.product, vendor.release_id, count, Terms("MeteredCount", balance=10**12)
        )
        await copy_licenses(url, vendor.product, vendor.release_id, count, floating(SEATS))
    await copy_activations(url, DEVICE, "Perpetual")
    await open_wallets(url)
    await fill_all_seats(url)
    pools = {
        vendor.product["id"]: await copy_licenses(
            url, vendor.product, vendor.release_id, size.of(POOLS), floating(POOL_SEATS)
        )
        for vendor in vendors
    }
    found = []
    for vendor, connections in zip(vendors, (64, 1), strict=True):
        place = vendor.product["id"]
        async with connected(url) as db:
            sessions = [row[0] for row in await db.fetch(_SESSIONS, place)]
        keys = Keys(
            [with_dashes(key) for key in perpetual[place]],
            [with_dashes(key) for key in metered[place]],
            [with_dashes(key) for key in pools[place]],
            sessions,
        )
        found.append(Institution(vendor, keys, folder, connections))
    loud, quiet = found
    return loud, quiet


def _show(report: Report, runs: Runs) -> None:
    report.title("A neighbor at 64 connections: response times of a single one, in ms")
    report.table(
        ["route", "p50", "p99", "p99 by round"],
        [
            [
                name,
                f"{median(run.outcome.p50_ms for run in each):.1f}",
                f"{_p99(each):.1f}",
                ", ".join(f"{run.outcome.p99_ms:.1f}" for run in each),
            ]
            for name, each in runs.items()
        ],
    )
    for route in ROUTES:
        alone, beside, unqueued = (runs[name] for name in _names(route))
        times = _times(beside, alone)
        report.figure(
            f"{route.name}, p99 beside a neighbor, of p99 alone",
            f"{times:.1f}x (without fair queues {_times(unqueued, alone):.1f}x)",
            f"at most {TIMES_ALONE:g}x",
            times <= TIMES_ALONE,
        )


def _times(ours: Sequence[Run], theirs: Sequence[Run]) -> float:
    pairs = zip(ours, theirs, strict=True)
    return median(our.outcome.p99_ms / their.outcome.p99_ms for our, their in pairs)


def _p99(runs: Sequence[Run]) -> float:
    return median(run.outcome.p99_ms for run in runs)
