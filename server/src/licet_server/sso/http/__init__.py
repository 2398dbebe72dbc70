"""Routes of single sign-on."""

from litestar.handlers import HTTPRouteHandler

from licet_server.sso.http import connections, sign_in

ROUTES: list[HTTPRouteHandler] = [*connections.ROUTES, *sign_in.ROUTES]
