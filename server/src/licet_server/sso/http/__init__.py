"""Routes of single sign-on."""

from licet_server.sso.http import connections, sign_in

ROUTES = [*connections.ROUTES, *sign_in.ROUTES]
