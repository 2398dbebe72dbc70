"""Routes of institutions."""

from licet_server.institutions.http import institutions, members

ROUTES = [*institutions.ROUTES, *members.ROUTES, *institutions.API_KEYS]
