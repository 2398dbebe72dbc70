"""Routes of identity."""

from litestar.handlers import HTTPRouteHandler

from licet_server.identity.http import account, sign_in, users

ROUTES: list[HTTPRouteHandler] = [
    *sign_in.ROUTES,
    *account.ROUTES,
    *users.ROUTES,
]
