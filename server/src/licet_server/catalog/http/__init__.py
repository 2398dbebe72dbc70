"""Routes of the catalog."""

from licet_server.catalog.http import associations, clocks, features, products, releases

ROUTES = [
    *products.ROUTES,
    *products.KEY_ROUTES,
    *releases.ROUTES,
    *features.ROUTES,
    *associations.ROUTES,
    *clocks.ROUTES,
]
