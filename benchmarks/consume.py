"""Charges on one hot wallet, compared with one statement per charge, and on many wallets."""

import asyncio
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks import ledger, usage
from benchmarks.costs import describe_commits
from benchmarks.load import LoadSpec
from benchmarks.pgbench import Pgbench
from benchmarks.rates import (
    BARE_ROUTE,
    EMPTY_ROUTE,
    Runnable,
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
from benchmarks.seed import (
    Terms,
    connected,
    copy_activations,
    copy_licenses,
    open_wallets,
    with_dashes,
)
from benchmarks.server import (
    SERVE,
    SERVE_TWO,
    UNBATCHED,
    Server,
    call_api,
    durable_postgres,
    running,
    signed_in,
    temporary_folder,
)
from benchmarks.size import Size
from benchmarks.vendor import Vendor, create_vendor
from licet_server.kit.postgres import EmbeddedPostgres

TIMES_PGBENCH, SHARE_OF_BARE = 3.0, 0.38
BALANCE = 10**12
FEATURE, DEVICE = "Export", "E5F6-A7B8"
_HOT, _SPREAD = "one wallet", "many wallets"
_DEVICE, _TOKENS = "many wallets, activated device", "many wallets, with prices"
_UNBATCHED, _TWO, _PGBENCH = (
    "one wallet, unbatched",
    "one wallet, two processes",
    "one wallet, pgbench",
)
MICROSECONDS = {_HOT: 20.0, _SPREAD: 60.0}
"""The goals for the database time of a charge."""
_CHARGES_A_SECOND = 10_000
"""More than can be sent, since no idempotency key may be used twice."""


@dataclass(frozen=True, slots=True)
class Wallets:
    """License keys by scenario, and the files with its next charges."""

    keys: Mapping[str, Sequence[str]]
    folder: Path

    def bodies(self, name: str) -> Path:
        return self.folder / f"{name}.jsonl"

    def write(self, name: str, count: int) -> None:
        """Write new charges, each with its own idempotency key, on random wallets."""
        if name not in self.keys:
            return
        draw = secrets.SystemRandom().choice
        more = {"hardwareId": DEVICE} if name == _DEVICE else {}
        self.bodies(name).write_text(
            "\n".join(
                json.dumps(
                    {
                        "licenseKey": draw(self.keys[name]),
                        "featureName": FEATURE,
                        "idempotencyKey": secrets.token_hex(16),
                        **more,
                    }
                )
                for _ in range(count)
            )
        )


def run(report: Report, size: Size) -> None:
    """Print rates, the cost of a charge in the database, and the cost of usage statistics."""
    count = size.of(100_000)
    with (
        durable_postgres() as cluster,
        temporary_folder() as folder,
        running(SERVE, folder, cluster) as server,
        bare_route(folder) as bare,
    ):
        vendor = create_vendor(server)
        _set_price(server, vendor)
        keys = asyncio.run(_seed(cluster.url, vendor, count))
        wallets = Wallets(keys, folder)
        scenarios = _scenarios(server, vendor, wallets)
        with (
            running(UNBATCHED, folder, cluster) as unbatched,
            running(SERVE_TWO, folder, cluster) as two,
        ):
            compared: dict[str, Runnable] = {
                BARE_ROUTE: bare,
                EMPTY_ROUTE: empty_route(server),
                **scenarios,
                _UNBATCHED: _charges(unbatched, vendor, wallets, _UNBATCHED),
                _TWO: _charges(two, vendor, wallets, _TWO),
                _PGBENCH: asyncio.run(_pgbench(cluster, keys[_HOT][0])),
            }
            runs = run_rounds(compared, size, partial(wallets.write, count=charges(3, size)))
        report.title(f"Consume, {count:,} wallets, 64 connections, one worker")
        report.say(asyncio.run(describe_commits(cluster.url)) + "\n")
        _show_figures(report, runs)
        for name, target_us in MICROSECONDS.items():
            spec = scenarios[name].spec
            spec.seconds, spec.requests = 5 * size.seconds, size.requests
            write = partial(wallets.write, name, charges(spec.seconds + 1, size))
            first, steady = asyncio.run(ledger.measure(cluster, spec, write, size))
            ledger.show_costs(report, name, first, steady, target_us)
        asyncio.run(ledger.show_sizes(report, cluster.url))
    usage.run(report, size)


def charges(seconds: float, size: Size) -> int:
    """Return more charges than can be sent in this time."""
    return int(size.requests * 10 if size.requests else seconds * _CHARGES_A_SECOND)


def _set_price(server: Server, vendor: Vendor) -> None:
    with signed_in(server) as client:
        place = f"/api/products/{vendor.product['id']}/features"
        feature = call_api(client, "POST", place, {"name": FEATURE})
        call_api(client, "PUT", f"/api/meter/features/{feature['id']}/pricing", {"tokenCost": 0.25})


async def _seed(url: str, vendor: Vendor, count: int) -> dict[str, list[str]]:
    """Create a hot license and `count` licenses of each mode, each with a device."""
    copied = {
        mode: await copy_licenses(
            url, vendor.product, vendor.release_id, count, Terms(mode, balance=BALANCE)
        )
        for mode in ("MeteredCount", "MeteredToken")
    }
    await open_wallets(url)
    await copy_activations(url, DEVICE)
    hot, *counted = (with_dashes(key) for key in copied["MeteredCount"])
    priced = [with_dashes(key) for key in copied["MeteredToken"]]
    return {
        **{name: [hot] for name in (_HOT, _UNBATCHED, _TWO)},
        **dict.fromkeys((_SPREAD, _DEVICE), counted),
        _TOKENS: priced,
    }


def _scenarios(server: Server, vendor: Vendor, wallets: Wallets) -> dict[str, Scenario]:
    names = (_HOT, _SPREAD, _DEVICE, _TOKENS)
    return {name: _charges(server, vendor, wallets, name) for name in names}


def _charges(server: Server, vendor: Vendor, wallets: Wallets, name: str) -> Scenario:
    bodies = str(wallets.bodies(name))
    expected = '"replayed":false'
    return Scenario(
        server, LoadSpec(server.port, "/api/meter/consume", vendor.headers, bodies, expected)
    )


async def _pgbench(cluster: EmbeddedPostgres, license_key: str) -> Runnable:
    async with connected(cluster.url) as db:
        row = await db.fetchrow(
            "SELECT institution_id AS institution, id AS license FROM licenses "
            "WHERE license_key = $1",
            license_key,
        )
    return Pgbench(cluster, Path(__file__).parent / "consume.sql", dict(row))


def _show_figures(report: Report, runs: Runs) -> None:
    show_rates(report, runs)
    times = ratio(runs[_TWO], runs[_PGBENCH])
    report.figure(
        f"{_TWO}, compared with one statement per charge by pgbench",
        f"{times:.2f}x",
        f"at least {TIMES_PGBENCH:g}x",
        times >= TIMES_PGBENCH,
    )
    for name in (_HOT, _UNBATCHED):
        report.say(f"  - {name}: {ratio(runs[name], runs[_PGBENCH]):.2f}x")
    show_share(report, _SPREAD, runs, SHARE_OF_BARE)
    for name in (_DEVICE, _TOKENS):
        report.say(f"  - {name}: {ratio(runs[name], runs[BARE_ROUTE]):.2f}")
