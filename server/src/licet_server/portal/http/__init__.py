"""Routes of the portal."""

from litestar.handlers import HTTPRouteHandler

from licet_server.portal.http import access, devices, licenses, received, vendors

ROUTES: list[HTTPRouteHandler] = [
    *licenses.ROUTES,
    *devices.ROUTES,
    *access.ROUTES,
    *vendors.ROUTES,
    *received.ROUTES,
]
