"""The busy routes at ten million licenses, compared with a hundredth of it, in one run.

Two databases are filled alike: licenses of all models and five years, a device on each Perpetual
one, two live sessions on each Floating one, and 233 charges in each wallet. Each has a server of
its own, and their rounds alternate. Pages show what rates do not: a statement that keeps its plan
reads as many of them for a license among ten million, but for the height of an index.
"""

import asyncio
import json
import re
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks import listing
from benchmarks.cases import STUDIO
from benchmarks.consume import charges
from benchmarks.costs import CostMeter, Costs
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
)
from benchmarks.report import Report
from benchmarks.seed import (
    charge_all_wallets,
    connected,
    copy_activations,
    fill_all_seats,
    open_wallets,
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
from licet_server.kit.postgres import EmbeddedPostgres

LARGE, HUNDREDTH = 10_000_000, 100
MIN_SHARE = 0.9
CHARGES, SESSIONS = 233, 2
"""Per wallet, and per Floating license; some 100 million and one million at full size."""
BUSY = 100_000
"""So many licenses, sessions and wallets at most are used, drawn at random from all.

Each of them is used once before the rates are measured: what is in use is in memory.
"""
BYTES_PER_LICENSE = 7_000
DEVICE = "E5F6-A7B8"
_SETTINGS = {
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "4GB",
    "maintenance_work_mem": "1GB",
}
"""Building an index then writes no log of it. The service is measured with the same settings."""
_PRODUCT_SETTINGS = '{"session_timeout_seconds": 86400, "heartbeat_min_spacing_seconds": 0}'
_SMALLEST = 1_000
_FEW_PAGES = 0.05
_TABLES = re.compile(r"(?:FROM|JOIN|UPDATE|INTO) ([a-z_]+)")
_SIZES = """
SELECT relname AS name, reltuples::bigint AS rows, pg_table_size(oid) AS table,
    pg_indexes_size(oid) AS index
FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
ORDER BY pg_total_relation_size(oid) DESC LIMIT 8
"""
_USABLE = "product_id = $1 AND revoked_at IS NULL AND suspended_at IS NULL"


@dataclass(frozen=True, slots=True)
class Route:
    """A busy route: its path, what its responses contain, and the keys that are drawn for it.

    `body` builds a request for a key.
    """

    name: str
    path: str
    expect: str
    table: str
    drawn: str
    body: Callable[[str], dict[str, str]]


ROUTES = (
    Route(
        "validate",
        "/api/licenses/validate",
        '"valid":true',
        "licenses",
        f"SELECT normal_key FROM licenses WHERE type = 'Perpetual' AND {_USABLE}",
        lambda key: {"licenseKey": key, "hardwareId": DEVICE, "appVersion": "3.1.0"},
    ),
    Route(
        "heartbeat",
        "/api/sessions/heartbeat",
        '"expiresAt"',
        "session_slots",
        "SELECT session_id::text FROM licenses JOIN session_slots USING (institution_id,"
        f" product_id) WHERE license_id = licenses.id AND {_USABLE}",
        lambda key: {"sessionId": key},
    ),
    Route(
        "consume",
        "/api/meter/consume",
        '"replayed":false',
        "meter_wallets",
        f"SELECT normal_key FROM licenses WHERE type = 'MeteredCount' AND {_USABLE}",
        lambda key: {
            "licenseKey": key,
            "featureName": "Export",
            "idempotencyKey": secrets.token_hex(8),
        },
    ),
)


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """A filled database with its server, and the keys that are drawn for each route."""

    licenses: int
    cluster: EmbeddedPostgres
    server: Server
    headers: dict[str, str]
    folder: Path
    keys: Mapping[str, Sequence[str]]

    def scenario(self, route: Route) -> Scenario:
        """The load of a route."""
        bodies = str(self._bodies(route))
        spec = LoadSpec(self.server.port, route.path, self.headers, bodies, route.expect)
        return Scenario(self.server, spec)

    def name(self, route: Route) -> str:
        """The name of the scenario."""
        return f"{route.name}, {self.licenses:,} licenses"

    def write(self, route: Route, count: int) -> None:
        """Write requests for keys in random order."""
        drawn = secrets.SystemRandom().choices(self.keys[route.name], k=count)
        self._bodies(route).write_text("\n".join(json.dumps(route.body(key)) for key in drawn))

    def use_each_key_once(self, route: Route) -> None:
        """Have the database read what belongs to the keys."""
        keys = self.keys[route.name]
        self._bodies(route).write_text("\n".join(json.dumps(route.body(key)) for key in keys))
        spec = self.scenario(route).spec
        spec.once = True
        run_load(spec)

    def _bodies(self, route: Route) -> Path:
        return self.folder / f"{route.name}.jsonl"


def run(report: Report, size: Size) -> None:
    """Print rates, their ratio, pages by statement, and the lists at the large size."""
    large = size.of(LARGE)
    _require_space(large)
    report.title(f"Filling, {large:,} licenses")
    with ExitStack() as stack:
        counts = (max(_SMALLEST, large // HUNDREDTH), large)
        sides = [stack.enter_context(_side(report, count, size)) for count in counts]
        bare = stack.enter_context(bare_route(sides[0].folder))
        scenarios = {BARE_ROUTE: bare, EMPTY_ROUTE: empty_route(sides[1].server)}
        loads = {side.name(route): (side, route) for route in ROUTES for side in sides}
        scenarios |= {name: side.scenario(route) for name, (side, route) in loads.items()}

        def write(name: str) -> None:
            if name in loads:
                side, route = loads[name]
                side.write(route, charges(3, size))

        for side, route in loads.values():
            side.use_each_key_once(route)
        runs = run_rounds(scenarios, size, write)
        report.title(f"The busy routes at {counts[1]:,} licenses and at {counts[0]:,}")
        show_rates(report, runs)
        for route in ROUTES:
            _show_ratio(report, route, sides, runs)
        for route in ROUTES:
            _show_pages(report, route, {side: _cost(side, route, size) for side in sides})
        listing.show(report, large, asyncio.run(listing.measure(sides[1].cluster, large)))
        asyncio.run(_show_sizes(report, sides[1]))


def _require_space(licenses: int) -> None:
    """Raise if the disk has too little space for all rows."""
    free, needed = shutil.disk_usage(tempfile.gettempdir()).free, licenses * BYTES_PER_LICENSE
    if free < needed:
        raise SystemExit(f"{needed / 1e9:.0f} GB of space needed, {free / 1e9:.0f} GB free")


@contextmanager
def _side(report: Report, licenses: int, size: Size) -> Iterator[Side]:
    with durable_postgres(_SETTINGS) as cluster, temporary_folder() as folder:
        with running(SERVE, folder, cluster):
            pass  # creates the schema and the Owner
        asyncio.run(_fill(report, cluster, licenses, size.of(CHARGES)))
        with running(SERVE, folder, cluster) as server:
            keys = asyncio.run(_draw(cluster.url, size.of(BUSY)))
            yield Side(licenses, cluster, server, _product_key(server), folder, keys)


async def _fill(
    report: Report, cluster: EmbeddedPostgres, licenses: int, charges_each: int
) -> None:
    started = perf_counter()

    def say(what: str) -> None:
        report.say(f"- {licenses:,} licenses, {what}: after {perf_counter() - started:,.0f} s")

    await listing.fill(cluster, licenses)
    say("issued")
    await copy_activations(cluster.url, DEVICE, "Perpetual")
    await fill_all_seats(cluster.url, SESSIONS)
    say("with devices and sessions")
    await open_wallets(cluster.url)
    await charge_all_wallets(cluster.url, charges_each)
    async with connected(cluster.url) as db:
        await db.execute("UPDATE products SET settings = $1", _PRODUCT_SETTINGS)
        entries = await db.fetchval("SELECT count(*) FROM meter_entries")
    say(f"with {entries:,} ledger entries")


async def _draw(url: str, most: int) -> dict[str, list[str]]:
    """Draw at most so many keys for each route."""
    async with connected(url) as db:
        return {
            route.name: [
                row[0]
                for row in await db.fetch(f"{route.drawn} ORDER BY random() LIMIT {most}", STUDIO)
            ]
            for route in ROUTES
        }


def _product_key(server: Server) -> dict[str, str]:
    with signed_in(server) as client:
        place = f"/api/products/{STUDIO}/credentials/rotate"
        return {"X-API-KEY": call_api(client, "POST", place)["apiKey"]}


def _show_ratio(report: Report, route: Route, sides: Sequence[Side], runs: Runs) -> None:
    small, large = (runs[side.name(route)] for side in sides)
    share = ratio(large, small)
    report.figure(
        f"{route.name}, of the rate at a hundredth",
        f"{share:.2f}",
        f"at least {MIN_SHARE:g}",
        share >= MIN_SHARE,
    )


@dataclass(frozen=True, slots=True)
class _Cost:
    requests: int
    costs: Costs

    def pages(self) -> dict[str, float]:
        """The pages that each statement of the service reads per request."""
        found = {item.text: item.pages / self.requests for item in self.costs.statements}
        return {
            text: pages
            for text, pages in found.items()
            if pages >= _FEW_PAGES and "pg_" not in text
        }


def _cost(side: Side, route: Route, size: Size) -> _Cost:
    spec = side.scenario(route).spec
    spec.seconds, spec.requests = 5 * size.seconds, size.requests
    side.write(route, charges(spec.seconds + 1, size))
    return asyncio.run(_measure(side, route, spec, size))


async def _measure(side: Side, route: Route, spec: LoadSpec, size: Size) -> _Cost:
    meter = CostMeter(side.cluster, route.table, size.settle_seconds)
    await meter.start(checkpoint=False)
    outcome = await asyncio.to_thread(run_load, spec)
    return _Cost(outcome.total, await meter.stop())


def _show_pages(report: Report, route: Route, found: Mapping[Side, _Cost]) -> None:
    report.title(f"Pages read per {route.name}, by statement")
    small, large = found.values()
    before, after = small.pages(), large.pages()
    names = [f"{side.licenses:,} licenses" for side in found]
    report.table(
        ["statement", *names],
        [
            [_described(text), f"{before.get(text, 0):.1f}", f"{pages:.1f}"]
            for text, pages in after.items()
        ],
    )
    for name, cost in zip(names, found.values(), strict=True):
        spent = 1000 * cost.costs.active_ms / cost.requests
        report.say(f"- database time, {name}: {spent:.1f} µs")


def _described(statement: str) -> str:
    """Name a statement by what it does to which tables."""
    tables = dict.fromkeys(_TABLES.findall(statement))
    return f"{statement.split(maxsplit=1)[0]} {', '.join(tables)}"


async def _show_sizes(report: Report, side: Side) -> None:
    """Show the largest tables with their indexes."""
    async with connected(side.cluster.url) as db:
        rows = await db.fetch(_SIZES)
    report.title("Disk space of the largest tables")
    report.table(
        ["table", "rows", "GB", "GB of indexes"],
        [
            [
                row["name"],
                f"{row['rows']:,}",
                f"{row['table'] / 1e9:.1f}",
                f"{row['index'] / 1e9:.1f}",
            ]
            for row in rows
        ],
    )
