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
    *images.IMAGE_ROUTES,
    *keys.KEY_ROUTES,
    *releases.ROUTES,
    *files.FILE_ROUTES,
    *features.ROUTES,
    *associations.ROUTES,
]
