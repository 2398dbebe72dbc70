"""Routes of connectors and orders."""

from licet_server.connectors.http import connectors, inbox, orders

ROUTES = [*connectors.ROUTES, *inbox.ROUTES, *orders.ROUTES]
