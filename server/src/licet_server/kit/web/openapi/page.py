"""The page that shows the OpenAPI document, with Scalar, which the dashboard's build brings along.

Its script comes from this service, as does the document, and it may ask no other host.
"""

from collections.abc import Iterable
from typing import Any

from litestar import Request
from litestar.enums import MediaType
from litestar.openapi.plugins import OpenAPIRenderPlugin

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)

_SCRIPT = "api-reference-"
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Licet API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/favicon.svg"></head><body>
<div id="reference"></div>
<script src="/assets/{script}"></script>
</body></html>
"""
_NOT_BUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Licet API</title></head><body>
<h1>Licet API</h1>
<p>The API reference is not included: the service was started from a checkout without a dashboard
build. Run <code>make dashboard</code>, then start the service again.</p>
<p>The <a href="/api/openapi.json">OpenAPI document</a> is there.</p>
</body></html>
"""


class PagePlugin(OpenAPIRenderPlugin):
    """Serves the page, on which every route can be tried."""

    def __init__(self, page: str) -> None:
        super().__init__(path="/", media_type=MediaType.HTML)
        self._page = page.encode()

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        return self._page


def reference_page(assets: Iterable[str]) -> str:
    """The page, with its script from the names of the dashboard's assets."""
    script = next((name for name in assets if name.startswith(_SCRIPT)), None)
    return _NOT_BUILT if script is None else _PAGE.format(script=script)
