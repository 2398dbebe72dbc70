"""What a license grants, as flags of the OpenFeature Remote Evaluation Protocol: no I/O."""

from collections.abc import Mapping, Sequence

from licet_server.catalog.rules.model import FeatureValue
from licet_server.licenses.rules.entitlements import Entitlements

Flags = Mapping[str, FeatureValue]
"""Values by the names of features: `True` for a feature without one."""


def flags_of(entitlements: Entitlements, of_product: Sequence[str]) -> Flags:
    """Return every flag that is on. A license without restrictions grants all of its product.

    Example:
        >>> flags_of(Entitlements(["export"], {"projects": 25}), [])
        {'export': True, 'projects': 25}
    """
    names = entitlements.features if entitlements.features is not None else of_product
    return dict.fromkeys(names, True) | dict(entitlements.values or {})


def flag_named(flags: Flags, key: str) -> FeatureValue | None:
    """Return the value of a flag, by its name without regard to case; `None` if it is not on."""
    wanted = key.casefold()
    return next((value for name, value in flags.items() if name.casefold() == wanted), None)
