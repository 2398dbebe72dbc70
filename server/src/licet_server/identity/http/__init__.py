"""Routes of identity."""

from licet_server.identity.http import account, sign_in, users

ROUTES = [*sign_in.ROUTES, *account.ROUTES, *users.ROUTES]
