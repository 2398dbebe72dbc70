"""Routes of the portal, and of received licenses."""

from litestar.handlers import HTTPRouteHandler

from licet_server.portal.http import access, licenses

ROUTES: list[HTTPRouteHandler] = [*licenses.ROUTES, *access.ROUTES]
