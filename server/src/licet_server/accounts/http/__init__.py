"""Routes of accounts."""

from litestar.handlers import HTTPRouteHandler

from licet_server.accounts.http import (
    api_keys,
    institutions,
    mailed,
    mails,
    me,
    sessions,
    settings,
    sign_in,
    users,
)

ROUTES: list[HTTPRouteHandler] = [
    *sign_in.ROUTES,
    *mailed.ROUTES,
    *me.ROUTES,
    *sessions.ROUTES,
    *institutions.ROUTES,
    *settings.ROUTES,
    *api_keys.ROUTES,
    *users.ROUTES,
    *mails.ROUTES,
]
