"""What licenses entitle to: the features of their sets, and their own values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from msgspec import Struct

from licet_server.catalog.rules.model import FeatureValue
from licet_server.licenses.rules.model import License


class Entitlements(Struct, frozen=True):
    """The names of the features, and the values by name: `True` for a flag.

    `features` is `None` where a license is not restricted. It may still have values of its own;
    `values` is `None` where it has none.
    """

    features: Sequence[str] | None = None
    values: Mapping[str, FeatureValue] | None = None


NOT_RESTRICTED = Entitlements()


def entitlements_of(license_: License, of_set: Mapping[str, FeatureValue]) -> Entitlements:
    """Return what the license entitles to; `of_set` are the values of its entitlement set.

    The license's own values win over those of the set, and grant what the set lacks.
    """
    own = license_.feature_values
    if license_.entitlement_set_id is None:
        return Entitlements(None, own) if own else NOT_RESTRICTED
    values = {**of_set, **own} if own else of_set
    return Entitlements(list(values), values)


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
