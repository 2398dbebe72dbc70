"""Routes of institutions."""

from litestar.handlers import HTTPRouteHandler

from licet_server.institutions.http import api_keys, institutions, members

ROUTES: list[HTTPRouteHandler] = [
    *institutions.ROUTES,
    *members.ROUTES,
    *api_keys.ROUTES,
]
