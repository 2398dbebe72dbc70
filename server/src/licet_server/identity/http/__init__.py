"""Routes of identity."""

from litestar.handlers import HTTPRouteHandler

from licet_server.identity.http import (
    emailed_tokens,
    me,
    outbox,
    passkeys,
    sessions,
    sign_in,
    users,
)

ROUTES: list[HTTPRouteHandler] = [
    *sign_in.ROUTES,
    *emailed_tokens.ROUTES,
    *me.ROUTES,
    *passkeys.ROUTES,
    *sessions.ROUTES,
    *users.ROUTES,
    *outbox.ROUTES,
]
