"""Routes of connectors and orders."""

from licet_server.connectors.http import connectors, orders

ROUTES = [*connectors.ROUTES, *orders.ROUTES, *orders.SALES_ROUTES, *orders.PORTAL_ROUTES]
