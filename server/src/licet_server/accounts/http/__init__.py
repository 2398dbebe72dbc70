"""Routes of accounts."""

from litestar.handlers import HTTPRouteHandler

from licet_server.accounts.http import (
    api_keys,
    institutions,
    invitations,
    mailed,
    mails,
    me,
    members,
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
    *members.ROUTES,
    *invitations.ROUTES,
    *api_keys.ROUTES,
    *users.ROUTES,
    *mails.ROUTES,
]
