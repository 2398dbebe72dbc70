"""Routes of accounts."""

from litestar.handlers import HTTPRouteHandler

from licet_server.accounts.http import institutions, mailed, mails, me, sessions, sign_in

ROUTES: list[HTTPRouteHandler] = [
    *sign_in.ROUTES,
    *mailed.ROUTES,
    *me.ROUTES,
    *sessions.ROUTES,
    *institutions.ROUTES,
    *mails.ROUTES,
]
