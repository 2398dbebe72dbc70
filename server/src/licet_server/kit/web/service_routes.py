"""Routes of the service itself: health, metrics and the OpenAPI document."""

import asyncio
import hmac
from ipaddress import ip_address

from litestar import Response

from licet_server import __version__
from licet_server.kit.addresses import names_this_machine
from licet_server.kit.errors import ErrorCode, Refused, unavailable
from licet_server.kit.instance_metrics import InstanceMetrics
from licet_server.kit.platform import Platform
from licet_server.kit.readiness import is_writable
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
