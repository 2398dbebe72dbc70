"""Routes of licenses."""

from litestar.handlers import HTTPRouteHandler

from licet_server.licenses.http import files, lifecycle, records

ROUTES: list[HTTPRouteHandler] = [*records.ROUTES, *lifecycle.ROUTES, *files.ROUTES]
