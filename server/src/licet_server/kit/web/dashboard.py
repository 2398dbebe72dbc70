"""Serves the dashboard: a single page with client-side routes, and its files.

The files are read once at startup. One build is thus served consistently while another is written,
and names from requests are looked up rather than turned into paths.
"""

import re
import secrets
from collections.abc import Awaitable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from litestar import Response
from litestar.enums import MediaType, ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

import licet_server
from licet_server import __version__
from licet_server.kit.errors import not_found
from licet_server.kit.web.access import Anonymous
from licet_server.kit.web.context import HttpRequest, stored_context
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes

ROUTES = Routes()

BUILT_FOLDER = Path(licet_server.__file__).parent / "_dashboard"
"""Where `make dashboard` and the wheel build put the files."""

NONCE = "{nonce}"
"""The placeholder for the nonce in the built page."""

_BASE = "{base}"
"""The placeholder for the path that the service is below; addresses of files begin with `./`."""

_CODINGS = {"br": ".br", "gzip": ".gz"}
"""Smallest first; the build writes a compressed copy beside each file that shrinks."""

_MEDIA_TYPES = {
    ".css": "text/css",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
}
_NO_WEIGHT = re.compile(r";q=0(\.0*)?\Z")
_ONE_YEAR = "public, max-age=31536000, immutable"
_ONE_DAY = "public, max-age=86400"


@dataclass(frozen=True, slots=True)
class File:
    """A file of the build; `encoded` maps content codings, including `identity`, to its bytes."""

    media_type: str
    cache_control: str
    encoded: Mapping[str, bytes]

    def respond(self, accept_encoding: str) -> Response[bytes]:
        """Respond with the smallest encoding that the client accepts."""
        accepted = _accepted_codings(accept_encoding)
        coding = next((name for name in self.encoded if name in accepted), "identity")
        headers = {"cache-control": self.cache_control}
        if len(self.encoded) > 1:
            headers["vary"] = "Accept-Encoding"
        if coding != "identity":
            headers["content-encoding"] = coding
        return Response(self.encoded[coding], media_type=self.media_type, headers=headers)


@dataclass(frozen=True, slots=True)
class Dashboard:
    """A build: its page, its assets with hashed names, and files at its root, such as an icon.

    `page` is the one of the build, or one that says that there is none.
    """

    base_path: str
    page: str
    is_built: bool
    assets: Mapping[str, File]
    roots: Mapping[str, File]


def read_dashboard(folder: Path, base_path: str) -> Dashboard:
    """Read the build in a folder, for a service below this path; empty without a build."""
    page = folder / "index.html"
    if not page.is_file():
        return Dashboard(base_path, _NOT_BUILT.replace(_BASE, base_path), False, {}, {})
    roots = _read_files(folder, _ONE_DAY)
    del roots[page.name]
    built = page.read_text(encoding="utf-8").replace('="./', f'="{_BASE}/')
    return Dashboard(
        base_path,
        built.replace(_BASE, base_path),
        True,
        _read_files(folder / "assets", _ONE_YEAR),
        roots,
    )


class DashboardPaths:
    """Rewrites dashboard URLs to its routes: views to the page, root files to assets.

    Only GET requests are rewritten whose first path segment belongs to no route, and for views only
    if the client accepts HTML.
    """

    def __init__(self, app: ASGIApp, dashboard: Dashboard, templates: Iterable[str]) -> None:
        self._app = app
        self._dashboard = dashboard
        self._route_segments = {_first_segment(template) for template in templates}

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if (
            scope["type"] == ScopeType.HTTP
            and scope["method"] == "GET"
            and self._dashboard.is_built
        ):
            path = self._rewrite(scope["path"], stored_context(scope).headers.get(b"accept"))
            if path != scope["path"]:
                scope["path"] = path
                scope["raw_path"] = path.encode()
        return self._app(scope, receive, send)

    def _rewrite(self, path: str, accept: bytes | None) -> str:
        if _first_segment(path).lower() in self._route_segments:
            return path
        if path.removeprefix("/") in self._dashboard.roots:
            return f"/assets{path}"
        return "/" if _accepts_html(accept) else path


@ROUTES.get("/", access=Anonymous(), include_in_schema=False)
async def show_page(request: HttpRequest, dashboard: Given[Dashboard]) -> Response[str]:
    """Serve the page for any view."""
    request.scope["path_template"] = "dashboard"
    return _html_page(dashboard.page)


@ROUTES.get("/assets/{name:str}", access=Anonymous(), include_in_schema=False)
async def show_file(
    request: HttpRequest, name: str, dashboard: Given[Dashboard]
) -> Response[bytes]:
    """Serve a file that the page loads."""
    file = dashboard.assets.get(name) or dashboard.roots.get(name)
    if file is None:
        raise not_found("file")
    return file.respond(request.headers.get("accept-encoding", ""))


def _html_page(template: str) -> Response[str]:
    """Render the page with a fresh nonce in its markup and its content security policy."""
    nonce = secrets.token_urlsafe(16)
    policy = (
        f"default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic'; "
        f"style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'; object-src 'none'"
    )
    page = template.replace(NONCE, nonce)
    return Response(page, media_type=MediaType.HTML, headers={"content-security-policy": policy})


def _read_files(folder: Path, cache_control: str) -> dict[str, File]:
    if not folder.is_dir():
        return {}
    found = {path.name: path for path in folder.iterdir() if path.is_file()}
    return {
        name: File(
            _MEDIA_TYPES.get(path.suffix, "application/octet-stream"),
            cache_control,
            _encoded(path, found),
        )
        for name, path in sorted(found.items())
        if path.suffix not in _CODINGS.values()
    }


def _encoded(path: Path, beside: Mapping[str, Path]) -> dict[str, bytes]:
    coded = {
        coding: beside[path.name + suffix].read_bytes()
        for coding, suffix in _CODINGS.items()
        if path.name + suffix in beside
    }
    return {**coded, "identity": path.read_bytes()}


def _accepted_codings(header: str) -> set[str]:
    """Return the named codings without those excluded by `;q=0`."""
    items = header.lower().replace(" ", "").split(",")
    return {item.partition(";")[0] for item in items if not _NO_WEIGHT.search(item)}


def _accepts_html(accept: bytes | None) -> bool:
    """Return whether the client accepts HTML; without an Accept header, it accepts anything."""
    return accept is None or b"text/html" in accept or b"*/*" in accept


def _first_segment(path: str) -> str:
    return path.lstrip("/").partition("/")[0]


_NOT_BUILT = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Licet</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="{NONCE}">
:root {{ color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }}
body {{ max-width: 38rem; margin: 12vh auto; padding: 0 1.25rem }}
h1 {{ margin-bottom: 0 }} code {{ font-size: .95em }} li {{ margin: .35rem 0 }}
</style></head><body>
<h1>Licet</h1>
<p>The licensing service is running, version {__version__}. It issues software licenses, signs
license files and validates licenses for applications.</p>
<p>The dashboard is not included: the service was started from a checkout without a dashboard build.
Run <code>make dashboard</code>, then start the service again.</p>
<ul>
<li><a href="{_BASE}/api/docs">API documentation</a>, to try every route</li>
<li><a href="{_BASE}/api/openapi.json">OpenAPI document</a>, to generate clients</li>
<li><a href="{_BASE}/health/ready">Readiness check</a></li>
</ul></body></html>
"""
