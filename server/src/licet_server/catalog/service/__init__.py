"""Use cases of the catalog, and the look-ups that other features make in it."""

from licet_server.catalog.service.credentials import (
    delete_product_key,
    fetch_credentials,
    find_callers,
    rotate_product_key,
)
from licet_server.catalog.service.features import (
    change_feature,
    create_feature,
    delete_feature,
    list_features,
)
from licet_server.catalog.service.keys import (
    SigningKey,
    SigningKeys,
    fetch_public_key,
    find_public_key,
    generate_keys,
    has_signing_key,
)
from licet_server.catalog.service.lookup import fetch_product, find_product
from licet_server.catalog.service.products import (
    ProductDraft,
    change_product,
    count_licenses,
    create_product,
    delete_product,
    list_products,
    product_names,
    product_settings,
    total_licenses,
)
from licet_server.catalog.service.releases import (
    change_release,
    create_release,
    delete_release,
    fetch_release,
    find_release,
    list_releases,
    newest_published_release,
    release_versions,
)
from licet_server.catalog.service.sets import (
    change_entitlement_set,
    create_entitlement_set,
    delete_entitlement_set,
    entitled_features,
    find_entitlement_set,
    list_entitlement_sets,
)

__all__ = [
    "ProductDraft",
    "SigningKey",
    "SigningKeys",
    "change_entitlement_set",
    "change_feature",
    "change_product",
    "change_release",
    "count_licenses",
    "create_entitlement_set",
    "create_feature",
    "create_product",
    "create_release",
    "delete_entitlement_set",
    "delete_feature",
    "delete_product",
    "delete_product_key",
    "delete_release",
    "entitled_features",
    "fetch_credentials",
    "fetch_product",
    "fetch_public_key",
    "fetch_release",
    "find_callers",
    "find_entitlement_set",
    "find_product",
    "find_public_key",
    "find_release",
    "generate_keys",
    "has_signing_key",
    "list_entitlement_sets",
    "list_features",
    "list_products",
    "list_releases",
    "newest_published_release",
    "product_names",
    "product_settings",
    "release_versions",
    "rotate_product_key",
    "total_licenses",
]
