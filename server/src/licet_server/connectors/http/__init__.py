"""Routes of connectors and orders."""

from licet_server.connectors.http import connectors, orders, reports

ROUTES = [
    *connectors.ROUTES,
    *orders.ROUTES,
    *reports.ROUTES,
    *orders.SALES_ROUTES,
    *orders.PORTAL_ROUTES,
]
