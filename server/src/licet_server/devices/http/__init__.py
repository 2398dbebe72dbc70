"""Routes of devices."""

from litestar.handlers import HTTPRouteHandler

from licet_server.devices.http import app_releases, devices, enrollment

ROUTES: list[HTTPRouteHandler] = [
    *devices.ROUTES,
    *app_releases.ROUTES,
    *enrollment.ROUTES,
]
