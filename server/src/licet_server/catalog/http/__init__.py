"""Routes of the catalog."""

from licet_server.catalog.http import (
    associations,
    features,
    files,
    images,
    keys,
    products,
    releases,
)

ROUTES = [
    *products.ROUTES,
    *images.ROUTES,
    *keys.ROUTES,
    *releases.ROUTES,
    *files.ROUTES,
    *features.ROUTES,
    *associations.ROUTES,
]
