"""Routes of the catalog."""

from licet_server.catalog.http import features, keys, products, releases

ROUTES = [*products.ROUTES, *keys.ROUTES, *releases.ROUTES, *features.ROUTES]
