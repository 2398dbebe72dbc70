"""What a license entitles to: the features of its set, and its own values."""

from collections.abc import Mapping, Sequence

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
    """What the license entitles to; `of_set` are the values of its entitlement set, if it has one.

    The license's own values win over those of the set, and grant what the set lacks.
    """
    own = license_.feature_values
    if license_.entitlement_set_id is None:
        return Entitlements(None, own) if own else NOT_RESTRICTED
    values = {**of_set, **own} if own else of_set
    return Entitlements(list(values), values)
