"""Routes of devices."""

from litestar.handlers import HTTPRouteHandler

from licet_server.devices.http import attempts, files, records, runtime

ROUTES: list[HTTPRouteHandler] = [
    *runtime.ROUTES,
    *records.ROUTES,
    *attempts.ROUTES,
    *files.ROUTES,
]
