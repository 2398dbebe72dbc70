"""Routes of licenses and policies."""

from litestar.handlers import HTTPRouteHandler

from licet_server.licenses.http import copying, files, lifecycle, policies, records

ROUTES: list[HTTPRouteHandler] = [
    *records.ROUTES,
    *lifecycle.ROUTES,
    *files.ROUTES,
    *policies.ROUTES,
    *copying.ROUTES,
]
