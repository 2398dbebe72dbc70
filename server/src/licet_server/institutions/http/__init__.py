"""Routes of institutions."""

from litestar.handlers import HTTPRouteHandler

from licet_server.institutions.http import api_keys, institutions, invitations, members, settings

ROUTES: list[HTTPRouteHandler] = [
    *institutions.ROUTES,
    *settings.ROUTES,
    *members.ROUTES,
    *invitations.ROUTES,
    *api_keys.ROUTES,
]
