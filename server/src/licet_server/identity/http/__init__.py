"""Routes of identity."""

from litestar.handlers import HTTPRouteHandler

from licet_server.identity.http import mailed, mails, me, sessions, sign_in, users

ROUTES: list[HTTPRouteHandler] = [
    *sign_in.ROUTES,
    *mailed.ROUTES,
    *me.ROUTES,
    *sessions.ROUTES,
    *users.ROUTES,
    *mails.ROUTES,
]
