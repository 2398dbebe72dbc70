"""Routes of identity."""

from litestar.handlers import HTTPRouteHandler

from licet_server.identity.http import emailed_tokens, me, outbox, sessions, sign_in, users

ROUTES: list[HTTPRouteHandler] = [
    *sign_in.ROUTES,
    *emailed_tokens.ROUTES,
    *me.ROUTES,
    *sessions.ROUTES,
    *users.ROUTES,
    *outbox.ROUTES,
]
