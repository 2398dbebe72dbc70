"""Queries that the features above share; the rest of the storage is closed to them."""

from licet_server.catalog.storage.associations import (
    associated_products,
    lock_associated,
    lock_associated_of,
)
from licet_server.catalog.storage.clocks import (
    clock_of,
    clocked_institutions,
    fetch_clocks,
    fetch_instants,
    fetch_now,
    goes_by,
    instant_by,
)
from licet_server.catalog.storage.features import (
    entitled_features,
    find_entitlement_set,
    find_features_named,
    find_spellings,
)
from licet_server.catalog.storage.products import (
    added_licenses,
    count_products,
    find_products,
    find_releases,
    find_settings,
    product_names,
    product_settings,
    stored_total,
    test_products,
    total_licenses,
)
from licet_server.catalog.storage.releases import (
    files_for,
    find_release,
    published_versions,
    published_versions_of,
    release_names,
    release_versions,
    releases_with_files,
    version_of,
)
