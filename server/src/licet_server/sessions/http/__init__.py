"""Routes of sessions."""

from litestar.handlers import HTTPRouteHandler

from licet_server.sessions.http import records, runtime

ROUTES: list[HTTPRouteHandler] = [*runtime.ROUTES, *records.ROUTES]
