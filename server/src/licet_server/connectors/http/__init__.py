"""Routes of connectors and orders."""

from licet_server.connectors.http import connectors, orders, purchases

ROUTES = [*connectors.ROUTES, *orders.ROUTES, *orders.SALES_ROUTES, *purchases.ROUTES]
