"""Routes of connectors and orders."""

from licet_server.connectors.http import connectors, orders, reports, sales

ROUTES = [*connectors.ROUTES, *orders.ROUTES, *reports.ROUTES, *sales.ROUTES]
