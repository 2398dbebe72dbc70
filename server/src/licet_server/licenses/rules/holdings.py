"""Who has what: how many licenses have a feature, and with which values."""

from dataclasses import dataclass
from uuid import UUID

from licet_server.catalog.rules.model import FeatureValue


@dataclass(frozen=True, slots=True)
class ValueCount:
    """How many licenses have a value."""

    value: FeatureValue
    licenses: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureHolding:
    """A feature of a product (institution, product), and how many licenses have it.

    `values` are the commonest ones.
    """

    product: tuple[UUID, UUID]
    feature_name: str
    licenses: int
    values: tuple[ValueCount, ...]
