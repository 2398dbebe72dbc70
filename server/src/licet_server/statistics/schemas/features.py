"""Figures of features: which licenses have them."""

from uuid import UUID

from msgspec import Struct

from licet_server.catalog.rules.model import FeatureKind, FeatureValue


class FeatureValueCount(Struct, rename="camel"):
    """The number of active licenses that have this value of a feature."""

    value: FeatureValue
    licenses: int


class FeatureHolders(Struct, rename="camel"):
    """A feature, and how many active licenses have it by their set or their own values.

    `values` are the most common ones of a Number or a Text, and `otherValues` is how many licenses
    have another one.
    """

    product_id: UUID
    product_name: str
    feature_name: str
    kind: FeatureKind
    licenses: int
    values: list[FeatureValueCount]
    other_values: int


class ProductUnrestricted(Struct, rename="camel"):
    """The number of active licenses of a product that may use every feature."""

    product_id: UUID
    product_name: str
    licenses: int


class FeatureStatistics(Struct, rename="camel"):
    """The features that most active licenses have, at most 500."""

    by_feature: list[FeatureHolders]
    unrestricted: list[ProductUnrestricted]
