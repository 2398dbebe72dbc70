"""Routes of institutions."""

from litestar.handlers import HTTPRouteHandler

from licet_server.institutions.http import (
    api_keys,
    appearance,
    institutions,
    invitations,
    members,
    settings,
)

ROUTES: list[HTTPRouteHandler] = [
    *institutions.ROUTES,
    *settings.ROUTES,
    *appearance.ROUTES,
    *members.ROUTES,
    *invitations.ROUTES,
    *api_keys.ROUTES,
]
