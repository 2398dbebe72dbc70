"""Routes of devices."""

from litestar.handlers import HTTPRouteHandler

from licet_server.devices.http import devices, runtime

ROUTES: list[HTTPRouteHandler] = [*runtime.ROUTES, *devices.ROUTES]
