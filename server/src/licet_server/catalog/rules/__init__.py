"""What the catalog is made of, and its pure decisions."""

from licet_server.catalog.rules.model import (
    AccessType,
    Credential,
    EntitlementSet,
    Feature,
    Product,
    ProductCaller,
    Release,
    ReleaseStatus,
    RsaKey,
)
from licet_server.catalog.rules.settings import ProductSettings

__all__ = [
    "AccessType",
    "Credential",
    "EntitlementSet",
    "Feature",
    "Product",
    "ProductCaller",
    "ProductSettings",
    "Release",
    "ReleaseStatus",
    "RsaKey",
]
