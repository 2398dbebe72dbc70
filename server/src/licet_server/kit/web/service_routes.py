"""Routes of the service itself: health, metrics and the OpenAPI document."""

import asyncio
import hmac
from ipaddress import ip_address
from weakref import WeakKeyDictionary

from litestar import Response
from sqlalchemy import text

from licet_server import __version__
from licet_server.kit.addresses import names_this_machine
from licet_server.kit.database import Database
from licet_server.kit.errors import ErrorCode, Refused, unavailable
from licet_server.kit.instance_metrics import InstanceMetrics
from licet_server.kit.platform import Platform
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.openapi.document import cached_document
from licet_server.kit.web.routes import Routes

ROUTES = Routes()

_PROXY_HEADERS = (
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
)


@ROUTES.get("/health/live", access=Anonymous(), include_in_schema=False)
async def live() -> dict[str, str]:
    """Report that the process is running."""
    return {"status": "live", "version": __version__}


@ROUTES.get("/health/ready", access=Anonymous(), include_in_schema=False)
async def ready(platform: Given[Platform]) -> dict[str, str]:
    """Report whether the database responds, in time, takes changes, and the clock is trusted."""
    if not await is_writable(platform.database):
        raise unavailable()
    if platform.clock_trust is not None:
        async with platform.database.reading() as db:
            await platform.clock_trust.require(db)
    return {"status": "ready", "version": __version__}


@ROUTES.get(
    "/metrics", access=Anonymous(), problems=(ErrorCode.FORBIDDEN,), include_in_schema=False
)
async def show_metrics(request: HttpRequest, platform: Given[Platform]) -> Response[bytes]:
    """Return Prometheus metrics to this machine, or to callers with LICET_METRICS_TOKEN."""
    if not _may_read_metrics(request, platform.settings.metrics_token):
        raise Refused(
            ErrorCode.FORBIDDEN,
            "Send LICET_METRICS_TOKEN as a bearer token, or read metrics from this machine, "
            "without a proxy.",
        )
    instance: InstanceMetrics = request.app.state["instance_metrics"]
    # Rendering takes milliseconds, in which no request would be served.
    own = await asyncio.to_thread(platform.metrics.render)
    return Response(own + await instance.render(), media_type="text/plain; version=0.0.4")


@ROUTES.get("/api/openapi.json", access=Anonymous(), include_in_schema=False)
async def show_openapi(request: HttpRequest) -> Response[bytes]:
    """Return the OpenAPI document."""
    return Response(cached_document(request.app), media_type="application/json")


def _may_read_metrics(request: HttpRequest, token: str | None) -> bool:
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if token is not None and scheme.lower() == "bearer":
        return hmac.compare_digest(given.strip().encode(), token.encode())
    settings = context_of(request).platform.settings
    if settings.is_behind_proxy or any(name in request.headers for name in _PROXY_HEADERS):
        return False
    peer = request.scope.get("client")
    is_from_here = peer is None or ip_address(peer[0]).is_loopback
    return is_from_here and names_this_machine(request.headers.get("host", ""))


_PATIENCE_S = 2.0
_IS_WRITABLE = text("SELECT current_setting('transaction_read_only') = 'off'")

_asking: WeakKeyDictionary[Database, asyncio.Task[bool]] = WeakKeyDictionary()
"""The question that is under way. One is enough: each takes a connection while it waits."""


async def is_writable(database: Database) -> bool:
    """Check whether a change could be stored now, within 2 seconds."""
    asked = _asking.get(database)
    if asked is None or asked.done():
        asked = _asking[database] = asyncio.create_task(_ask(database), name="readiness")
    await asyncio.wait({asked}, timeout=_PATIENCE_S)
    return asked.done() and asked.result()


async def _ask(database: Database) -> bool:
    try:
        async with database.reading() as db:
            return bool((await db.execute(_IS_WRITABLE)).scalar_one())
    except Exception:  # noqa: BLE001 - whatever it is, we are not ready
        return False
