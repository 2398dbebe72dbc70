"""The cost of authentication and authorization: requests by kind of caller, and admission alone."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

from litestar.connection import ASGIConnection

from benchmarks.load import LoadSpec
from benchmarks.rates import (
    BARE_ROUTE,
    EMPTY_ROUTE,
    Runs,
    Scenario,
    bare_route,
    empty_route,
    run_rounds,
    show_rates,
    show_share,
)
from benchmarks.report import Report
from benchmarks.seed import connected, copy_licenses, with_dashes
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
from licet_server.app import Application, build_app, build_platform
from licet_server.catalog.access import ProductKey
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.institutions import RATE_LIMIT_MAX
from licet_server.institutions.rules.operators import Scope
from licet_server.kit.fair_queue import FairQueue
from licet_server.kit.settings import Settings
from licet_server.kit.web import admission
from licet_server.kit.web.access import Access
from licet_server.kit.web.context import context_of, new_context, store_context

LICENSES = 10_000
_SCOPES = [Scope.PRODUCTS_READ, Scope.LICENSES_READ, Scope.LICENSES_WRITE]
ADMISSIONS, WARM_UP = 3_000, 200
_OPERATOR, _API_KEY = "operator's token", "API key"
_PRODUCT_KEY, _LIMITED = "product key", "product key with a limit"
_ONE_PRODUCT, _PAGE, _ISSUE = "GET /api/products/{id}", "a page of 25 licenses", "issue a license"
_VALIDATE = "validate"
SHARES_OF_BARE = {_ONE_PRODUCT: 0.20, _PAGE: 0.10, _ISSUE: 0.05}


@dataclass(frozen=True, slots=True)
class _Callers:
    """The headers of each kind of caller, and the applications of two institutions."""

    headers: Mapping[str, dict[str, str]]
    vendor: Vendor
    limited: Vendor


def run(report: Report, size: Size) -> None:
    """Print the rates by kind of caller, and the cost of admission alone."""
    with (
        durable_postgres() as cluster,
        temporary_folder() as folder,
        running(SERVE, folder, cluster) as server,
        bare_route(folder) as bare,
    ):
        callers = _create_callers(server)
        bodies = asyncio.run(_seed(cluster.url, callers, folder, size))
        runs = run_rounds({BARE_ROUTE: bare, **_scenarios(server, callers, bodies)}, size)
        admissions = asyncio.run(_measure_admission(folder, cluster.url, callers, size))
    report.title("Authentication and authorization, 64 connections, one worker")
    show_rates(report, runs)
    _show_shares(report, runs)
    report.title("Admission alone, one request after another")
    report.table(["caller", "median, µs", "CPU of this process, µs"], admissions)


def _create_callers(server: Server) -> _Callers:
    """An Owner with an API key and two institutions; the second one limits its product keys."""
    vendor = create_vendor(server)
    with signed_in(server) as client:
        keys = f"/api/products/{vendor.product['id']}/keys/generate"
        call_api(client, "POST", keys, {"keySize": 2048})
        scopes = {"name": "Benchmark", "scopes": _SCOPES}
        secret = call_api(client, "POST", "/api/api-keys", scopes)["secret"]
        institution = call_api(client, "POST", "/api/institutions", {"name": "Limited"})["id"]
        limit = {"runtimeRateLimit": RATE_LIMIT_MAX}
        call_api(client, "PUT", f"/api/institutions/{institution}/settings", limit)
        token = client.headers["authorization"]
    limited = create_vendor(server, institution_id=institution)
    headers = {
        _OPERATOR: {"authorization": token},
        _API_KEY: {"authorization": f"Bearer {secret}"},
        _PRODUCT_KEY: vendor.headers,
        _LIMITED: limited.headers,
    }
    return _Callers(headers, vendor, limited)


async def _seed(url: str, callers: _Callers, folder: Path, size: Size) -> dict[str, Path]:
    """Issue licenses in both institutions; from here on, the Owner is not a system Admin."""
    bodies = {}
    for name, vendor in ((_PRODUCT_KEY, callers.vendor), (_LIMITED, callers.limited)):
        keys = await copy_licenses(url, vendor.product, vendor.release_id, size.of(LICENSES))
        bodies[name] = folder / f"{vendor.product['id']}.jsonl"
        requests = [json.dumps({"licenseKey": with_dashes(key)}) for key in keys]
        bodies[name].write_text("\n".join(requests))
    async with connected(url) as db:
        await db.execute("UPDATE users SET is_system_admin = false")
    bodies[_ISSUE] = folder / "issue.jsonl"
    draft = {"type": "Perpetual", "licenseName": "A license", "issuedTo": "customer@example.com"}
    bodies[_ISSUE].write_text(json.dumps({"productId": callers.vendor.product["id"], **draft}))
    return bodies


def _show_shares(report: Report, runs: Runs) -> None:
    for what, share in SHARES_OF_BARE.items():
        for name in (_OPERATOR, _API_KEY):
            show_share(report, f"{what}, {name}", runs, share)


def _scenarios(
    server: Server, callers: _Callers, bodies: Mapping[str, Path]
) -> dict[str, Scenario]:
    scenarios = {EMPTY_ROUTE: empty_route(server)}
    product_id = callers.vendor.product["id"]
    for name in (_OPERATOR, _API_KEY):
        headers = callers.headers[name]
        for what, spec in {
            _ONE_PRODUCT: LoadSpec(
                server.port, f"/api/products/{product_id}", headers, expect='"Aurora"'
            ),
            _PAGE: LoadSpec(
                server.port,
                f"/api/licenses?productId={product_id}&pageSize=25",
                headers,
                expect='"licenseKey"',
            ),
            _ISSUE: LoadSpec(
                server.port, "/api/licenses", headers, str(bodies[_ISSUE]), status=201
            ),
        }.items():
            scenarios[f"{what}, {name}"] = Scenario(server, spec)
    for name in (_PRODUCT_KEY, _LIMITED):
        file = bodies[name]
        spec = LoadSpec(
            server.port,
            "/api/licenses/validate",
            callers.headers[name],
            str(file),
            '"valid":true',
        )
        scenarios[f"{_VALIDATE}, {name}"] = Scenario(server, spec)
    return scenarios


async def _measure_admission(
    folder: Path, url: str, callers: _Callers, size: Size
) -> list[list[str]]:
    """A row for each kind of caller, admitted by the route's `access` and nothing else."""
    operator = InstitutionRole(Role.VIEWER, Scope.PRODUCTS_READ)
    kinds: dict[str, Access] = {
        _OPERATOR: operator,
        _API_KEY: operator,
        _PRODUCT_KEY: ProductKey(),
        _LIMITED: ProductKey(),
    }
    settings = Settings(data_dir=folder, database_url=url)
    app = build_app(build_platform(settings))
    async with app.litestar.lifespan():
        return [
            [name, *await _time(app, access, callers.headers[name], size)]
            for name, access in kinds.items()
        ]


async def _time(
    app: Application, access: Access, headers: dict[str, str], size: Size
) -> tuple[str, str]:
    queue: FairQueue = app.litestar.state["queue"]
    for _ in range(size.of(WARM_UP)):
        await _admit(access, _connection(app, headers), queue)
    took: list[float] = []
    times = size.of(ADMISSIONS)
    used = process_time()
    for _ in range(times):
        connection = _connection(app, headers)
        started = perf_counter()
        await _admit(access, connection, queue)
        took.append(perf_counter() - started)
    used = process_time() - used
    return f"{1e6 * median(took):,.0f}", f"{1e6 * used / times:,.0f}"


async def _admit(access: Access, connection: Any, queue: FairQueue) -> None:
    """Admit a request that is responded to at once."""
    await access.admit(connection)
    admission.give_back(queue, context_of(connection))


def _connection(app: Application, headers: dict[str, str]) -> Any:
    """A request as the edge passes it on."""
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    scope: Any = {
        "type": "http",
        "scheme": "http",
        "method": "GET",
        "path": "/",
        "client": ("127.0.0.1", 1),
        "headers": raw,
        "litestar_app": app.litestar,
        "state": {},
    }
    store_context(scope, new_context(scope, dict(raw), app.platform))
    return ASGIConnection(scope)
