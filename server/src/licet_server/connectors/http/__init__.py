"""Routes of connectors and orders."""

from licet_server.connectors.http import connectors, orders, sales

ROUTES = [*connectors.ROUTES, *orders.ROUTES, *sales.ROUTES]
