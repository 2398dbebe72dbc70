"""Routes of sessions, and of what ends them with their device."""

from litestar.handlers import HTTPRouteHandler

from licet_server.sessions.http import devices, records, runtime

ROUTES: list[HTTPRouteHandler] = [*runtime.ROUTES, *records.ROUTES, *devices.ROUTES]
