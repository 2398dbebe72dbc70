"""Routes of the portal, and of received licenses."""

from licet_server.portal.http import access, licenses

ROUTES = [*licenses.OWN_ROUTES, *licenses.RECEIVED_ROUTES, *access.ROUTES]
