"""Routes of institutions."""

from licet_server.institutions.http import api_keys, institutions, members

ROUTES = [*institutions.ROUTES, *members.ROUTES, *api_keys.ROUTES]
