"""Routes of the service itself: health, metrics, the OpenAPI document and a page to try it."""

import hmac
import secrets
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import swagger_ui
from litestar import Request, Response, get
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from sqlalchemy import text

from licet_server import __version__
from licet_server.kit.errors import ErrorCode, Refused, not_found, unavailable
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import context_of
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.metrics import HttpMetrics
from licet_server.kit.web.openapi import START_SCRIPT, cached_document
from licet_server.kit.work import Platform

_ASSETS = {
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
}
_ASSET_FOLDER = Path(swagger_ui.__file__).parent / "static"

Asked = Request[Any, Any, Any]


@get("/health/live", access=Anonymous(), include_in_schema=False)
async def live() -> dict[str, str]:
    """The process runs."""
    return {"status": "live", "version": __version__}


@get("/health/ready", access=Anonymous(), include_in_schema=False)
async def ready(platform: Given[Platform]) -> dict[str, str]:
    """The database answers."""
    try:
        async with platform.database.reading() as db:
            await db.execute(text("SELECT 1"))
    except Exception:  # noqa: BLE001 - whatever it is, we are not ready
        raise unavailable() from None
    return {"status": "ready", "version": __version__}


@get("/metrics", access=Anonymous(), include_in_schema=False)
async def show_metrics(request: Asked, platform: Given[Platform]) -> Response[bytes]:
    """Prometheus metrics, from this machine or with the token of LICET_METRICS_TOKEN."""
    if not _may_read_metrics(request, platform.settings.metrics_token):
        raise Refused(
            ErrorCode.FORBIDDEN,
            "Metrics are read from this machine, or with LICET_METRICS_TOKEN as bearer token.",
        )
    metrics: HttpMetrics = request.app.state["metrics"]
    return Response(metrics.render(), media_type="text/plain; version=0.0.4; charset=utf-8")


@get("/api/openapi.json", access=Anonymous(), include_in_schema=False)
async def show_openapi(request: Asked) -> Response[bytes]:
    """The OpenAPI document."""
    return Response(cached_document(request.app), media_type="application/json")


@get("/api/docs/assets/{name:str}", access=Anonymous(), include_in_schema=False)
async def show_docs_asset(name: str) -> Response[bytes]:
    """The page's own script and style, so that it needs no other server."""
    if name == "start.js":
        return Response(START_SCRIPT, media_type="text/javascript")
    media_type = _ASSETS.get(name)
    if media_type is None:
        raise not_found("file")
    return Response(
        (_ASSET_FOLDER / name).read_bytes(),
        media_type=media_type,
        headers={"cache-control": "public, max-age=86400"},
    )


@get("/", access=Anonymous(), include_in_schema=False)
async def show_home() -> Response[str]:
    """What runs here."""
    return html_page(_HOME)


def html_page(template: str) -> Response[str]:
    """A page whose inline script and style carry the nonce of its own content policy."""
    nonce = secrets.token_urlsafe(16)
    policy = (
        f"default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    )
    page = template.replace("{nonce}", nonce).replace("{version}", __version__)
    return Response(page, media_type=MediaType.HTML, headers={"content-security-policy": policy})


def _may_read_metrics(request: Asked, token: str | None) -> bool:
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if token is not None and scheme.lower() == "bearer":
        return hmac.compare_digest(given.strip().encode(), token.encode())
    context = context_of(request)
    peer = request.scope.get("client")
    return not context.forwarded and (peer is None or ip_address(peer[0]).is_loopback)


_HOME = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Licet</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="{nonce}">
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
body { max-width: 38rem; margin: 12vh auto; padding: 0 1.25rem }
h1 { margin-bottom: 0 } code { font-size: .95em } li { margin: .35rem 0 }
</style></head><body>
<h1>Licet</h1>
<p>The licensing service runs here, version {version}. It issues software licenses, signs their
files and tells applications whether a license is valid.</p>
<ul>
<li><a href="/api/docs">Try the API</a>, every route with its fields</li>
<li><a href="/api/openapi.json">The OpenAPI document</a>, for generated clients</li>
<li><a href="/health/ready">Is it ready?</a></li>
</ul></body></html>
"""

ROUTES: list[HTTPRouteHandler] = [
    live,
    ready,
    show_metrics,
    show_openapi,
    show_docs_asset,
    show_home,
]
